import * as z from 'zod';
import { EngineError } from '../../server/engine';
import { BASE_PATH } from '../../server/listen';
import { addressNamed, numberNamed, textNamed, wordNamed } from '../../server/parameters';
import { type Attack, ATTACKS } from '../hostile/attacks';
import { LEFT_OUT, LISTS } from '../hostile/lyingLists';

/** Conditions of a fault. */
const WHEN = {
  /** Prefix of the request path, with or without the service's base path; by default all. */
  path: textNamed('path').optional(),
  method: wordNamed('method', ['GET', 'POST']).optional(),
  /** Number of strikes; by default unlimited. */
  times: numberNamed('times', { least: 1, most: 1_000_000, whole: true }).optional(),
  /** Probability for each matching request; by default 1. */
  probability: numberNamed('probability', { least: 0, most: 1 }).optional(),
};

const KINDS = [
  'latency',
  'status',
  'truncate',
  'wrongTypes',
  'drop',
  'landed',
  'partial',
  'hostile',
  'wrongPrice',
  'missingWorth',
  'wrongToken',
] as const;
const LANDED_STATUSES = [307, 400, 401, 403, 404, 409, 422, 429, 500, 501, 502, 503, 504] as const;
const MOST_LATENCY_MS = 600_000;
const MOST_RETRY_AFTER_SECONDS = 86_400;
const MOST_FAULTS = 100;
const MOST_USD = 1e12;
/** More than any operation has transactions. */
const MOST_TRANSACTIONS = 1_000;

const Fault = z.discriminatedUnion(
  'kind',
  [
    /** Delays the answer. */
    z.strictObject({ kind: z.literal('latency'), ms: numberNamed('ms', { least: 0, most: MOST_LATENCY_MS }), ...WHEN }),
    /** Answers with `status` and does nothing. */
    z.strictObject({
      kind: z.literal('status'),
      status: z.literal([429, 500, 501, 502, 503, 504], 'status must be 429, 500, 501, 502, 503 or 504'),
      retryAfterSeconds: numberNamed('retryAfterSeconds', { least: 0, most: MOST_RETRY_AFTER_SECONDS, whole: true }).optional(),
      ...WHEN,
    }),
    /** Carried out; the answer's JSON stops half-way. */
    z.strictObject({ kind: z.literal('truncate'), ...WHEN }),
    /** Carried out; numbers come as text, and text that is a number as a number. */
    z.strictObject({ kind: z.literal('wrongTypes'), ...WHEN }),
    /** Carried out; the connection is cut instead of an answer. */
    z.strictObject({ kind: z.literal('drop'), ...WHEN }),
    /**
     * A landing: carried out, and answered as by a gateway that has lost the answer, or as if it had been refused. `message` is what the
     * answer says instead of the usual words of its status. Strikes only landings.
     */
    z.strictObject({
      kind: z.literal('landed'),
      status: z
        .literal(LANDED_STATUSES, `status must be ${LANDED_STATUSES.slice(0, -1).join(', ')} or ${LANDED_STATUSES.at(-1)}`)
        .default(502),
      message: textNamed('message').optional(),
      retryAfterSeconds: numberNamed('retryAfterSeconds', { least: 0, most: MOST_RETRY_AFTER_SECONDS, whole: true }).optional(),
      ...WHEN,
    }),
    /** Executes only the first transactions of a landing and drops the others for good; answers 500. Strikes only landings. */
    z.strictObject({
      kind: z.literal('partial'),
      transactions: numberNamed('transactions', { least: 0, most: MOST_TRANSACTIONS, whole: true }).default(1),
      ...WHEN,
    }),
    /** Builds transactions that rob the owner. Strikes only requests that build what the attack applies to. */
    z.strictObject({ kind: z.literal('hostile'), attack: wordNamed('attack', ATTACKS), ...WHEN }),
    /**
     * Lists another price of a token, US dollars; with `isConsistent`, position values and active bins follow from it. Strikes only lists of
     * prices, values or amounts; so do the next two.
     */
    z.strictObject({
      kind: z.literal('wrongPrice'),
      mint: addressNamed('mint'),
      usd: numberNamed('usd', { least: 0, most: MOST_USD }),
      isConsistent: z.boolean('isConsistent must be true or false').default(false),
      ...WHEN,
    }),
    /** Leaves prices, values or amounts out of lists. */
    z.strictObject({ kind: z.literal('missingWorth'), of: wordNamed('of', LEFT_OUT).default('worth'), ...WHEN }),
    /** Lists another token in the place of one. */
    z.strictObject({ kind: z.literal('wrongToken'), mint: addressNamed('mint'), as: addressNamed('as'), ...WHEN }),
  ],
  `kind must be one of ${KINDS.join(', ')}`,
);

/** A fault that strikes requests. `times`, if present, counts down. */
export type Fault = z.output<typeof Fault>;

const List = z.strictObject({
  faults: z.array(Fault, 'faults must be a list').max(MOST_FAULTS, `faults has more than ${MOST_FAULTS} entries`),
});

/** Reads a list of faults. @throws EngineError that names the entry and its error */
export function readFaults(body: object): readonly Fault[] {
  const read = List.safeParse(body);
  if (read.success) {
    return read.data.faults;
  }
  const [issue] = read.error.issues;
  const entry = typeof issue?.path[1] === 'number' ? `faults[${issue.path[1]}]: ` : '';
  throw new EngineError('invalid', `${entry}${issue?.message ?? 'faults cannot be read'}`);
}

/** The present faults. */
export class FaultBoard {
  #faults: readonly Fault[] = [];

  readonly #random: () => number;

  /** @param random from 0 to 1, for faults with a probability */
  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  /** The faults that are left. */
  get list(): readonly Fault[] {
    return this.#faults;
  }

  /** Replaces all faults. */
  set(faults: readonly Fault[]): void {
    this.#faults = faults;
  }

  /** The faults that strike a request, in their order. Counts down their `times`. */
  strike(method: string, path: string): readonly Fault[] {
    const struck = this.#faults.filter(
      (fault) => fits(fault, method, path) && (fault.probability === undefined || this.#random() < fault.probability),
    );
    this.#faults = this.#faults.flatMap((fault) => (struck.includes(fault) ? lessOne(fault) : [fault]));
    return struck;
  }
}

/** Requests that build transactions. */
const BUILDS = { decrease: /^\/position\/decrease-tx\/?$/, add: /^\/pools\/[^/]+\/add-tx\/?$/ } as const;
const ATTACKED: Readonly<Record<Attack, readonly RegExp[]>> = {
  sendSol: [BUILDS.decrease, BUILDS.add],
  tokenAuthority: [BUILDS.decrease, BUILDS.add],
  plantedAccount: [BUILDS.decrease, BUILDS.add],
  wrongPosition: [BUILDS.decrease],
  overspend: [BUILDS.add],
  splitOpening: [BUILDS.add],
  sellForDust: [BUILDS.decrease, BUILDS.add],
  sellWrappedSol: [BUILDS.decrease],
};

/** Requests that land transactions. */
const LANDINGS: readonly RegExp[] = [/^\/position\/landing-decrease-tx\/?$/, /^\/pools\/landing-add-tx\/?$/];

function fits(fault: Fault, method: string, path: string): boolean {
  const paths = path.startsWith(`${BASE_PATH}/`) ? [path, path.slice(BASE_PATH.length)] : [path];
  const only = onlyOf(fault);
  const isOfThose =
    only === undefined || (method === only.method && only.paths.some((request) => paths.some((candidate) => request.test(candidate))));
  return isOfThose && (fault.method ?? method) === method && paths.some((candidate) => candidate.startsWith(fault.path ?? '/'));
}

/** The only requests that a fault can strike; `undefined`: all. */
function onlyOf(fault: Fault): { readonly method: 'GET' | 'POST'; readonly paths: readonly RegExp[] } | undefined {
  switch (fault.kind) {
    case 'hostile':
      return { method: 'POST', paths: ATTACKED[fault.attack] };
    case 'landed':
    case 'partial':
      return { method: 'POST', paths: LANDINGS };
    case 'wrongPrice':
    case 'missingWorth':
    case 'wrongToken':
      return { method: 'GET', paths: LISTS };
    case 'latency':
    case 'status':
    case 'truncate':
    case 'wrongTypes':
    case 'drop':
      return undefined;
  }
}

function lessOne(fault: Fault): readonly Fault[] {
  if (fault.times === undefined) {
    return [fault];
  }
  return fault.times === 1 ? [] : [{ ...fault, times: fault.times - 1 }];
}
