import * as z from 'zod';
import { EngineError } from '../../engine/engine';
import { BASE_PATH } from '../../engine/http/listen';
import { addressParameter, numberParameter, textParameter, wordParameter } from '../../engine/http/parameters';
import { type Attack, ATTACKS } from '../hostile/attacks';
import { GLITCHED } from '../hostile/glitches';
import { LEFT_OUT, LISTS } from '../hostile/lyingLists';

/** Conditions of a fault. */
const WHEN = {
  /** Prefix of the request path, with or without the service's base path; by default all. */
  path: textParameter('path').optional(),
  method: wordParameter('method', ['GET', 'POST']).optional(),
  /** Number of strikes; by default unlimited. */
  times: numberParameter('times', { min: 1, max: 1_000_000, isInteger: true }).optional(),
  /** Probability for each matching request; by default 1. */
  probability: numberParameter('probability', { min: 0, max: 1 }).optional(),
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
  'missingPosition',
  'glitch',
] as const;
const LANDED_STATUSES = [307, 400, 401, 403, 404, 409, 422, 429, 500, 501, 502, 503, 504] as const;
const MAX_LATENCY_MS = 600_000;
const MAX_RETRY_AFTER_SECONDS = 86_400;
const MAX_FAULTS = 100;
const MAX_USD = 1e12;
const MAX_GLITCH = 1_000;
/** More than any operation has transactions. */
const MAX_TRANSACTIONS = 1_000;

const Fault = z.discriminatedUnion(
  'kind',
  [
    /** Delays the answer. */
    z.strictObject({ kind: z.literal('latency'), ms: numberParameter('ms', { min: 0, max: MAX_LATENCY_MS }), ...WHEN }),
    /** Answers with `status` and does nothing. */
    z.strictObject({
      kind: z.literal('status'),
      status: z.literal([429, 500, 501, 502, 503, 504], 'status must be 429, 500, 501, 502, 503 or 504'),
      retryAfterSeconds: numberParameter('retryAfterSeconds', { min: 0, max: MAX_RETRY_AFTER_SECONDS, isInteger: true }).optional(),
      ...WHEN,
    }),
    /** Handles the request; the JSON of the answer is cut in half. */
    z.strictObject({ kind: z.literal('truncate'), ...WHEN }),
    /** Handles the request; numbers become text, and numeric text becomes numbers. */
    z.strictObject({ kind: z.literal('wrongTypes'), ...WHEN }),
    /** Handles the request, and cuts the connection instead of answering. */
    z.strictObject({ kind: z.literal('drop'), ...WHEN }),
    /**
     * Handles a landing and answers with `status`, like a gateway that lost the answer, or as if the landing was refused. `message` replaces
     * the usual message of the status. Strikes only landings.
     */
    z.strictObject({
      kind: z.literal('landed'),
      status: z
        .literal(LANDED_STATUSES, `status must be ${LANDED_STATUSES.slice(0, -1).join(', ')} or ${LANDED_STATUSES.at(-1)}`)
        .default(502),
      message: textParameter('message').optional(),
      retryAfterSeconds: numberParameter('retryAfterSeconds', { min: 0, max: MAX_RETRY_AFTER_SECONDS, isInteger: true }).optional(),
      ...WHEN,
    }),
    /** Executes only the first transactions of a landing and drops the others for good; answers 500. Strikes only landings. */
    z.strictObject({
      kind: z.literal('partial'),
      transactions: numberParameter('transactions', { min: 0, max: MAX_TRANSACTIONS, isInteger: true }).default(1),
      ...WHEN,
    }),
    /** Builds transactions that rob the owner. Strikes only requests that build what the attack applies to. */
    z.strictObject({ kind: z.literal('hostile'), attack: wordParameter('attack', ATTACKS), ...WHEN }),
    /**
     * Lists another price of a token, US dollars; with `isConsistent`, position values and active bins follow from it. Strikes only lists of
     * prices, values or amounts; so do the next three.
     */
    z.strictObject({
      kind: z.literal('wrongPrice'),
      mint: addressParameter('mint'),
      usd: numberParameter('usd', { min: 0, max: MAX_USD }),
      isConsistent: z.boolean('isConsistent must be true or false').default(false),
      ...WHEN,
    }),
    /** Leaves prices, values or amounts out of lists. */
    z.strictObject({ kind: z.literal('missingWorth'), of: wordParameter('of', LEFT_OUT).default('worth'), ...WHEN }),
    /** Lists another token in the place of one. */
    z.strictObject({ kind: z.literal('wrongToken'), mint: addressParameter('mint'), as: addressParameter('as'), ...WHEN }),
    /** Leaves a position out of lists, as if it had been closed. */
    z.strictObject({ kind: z.literal('missingPosition'), position: addressParameter('position'), ...WHEN }),
    /** Multiplies figures of positions by `factor`; all that depends on them follows. */
    z.strictObject({
      kind: z.literal('glitch'),
      of: wordParameter('of', GLITCHED).default('dollars'),
      factor: numberParameter('factor', { min: 0, max: MAX_GLITCH }).default(0.5),
      ...WHEN,
    }),
  ],
  `kind must be one of ${KINDS.join(', ')}`,
);

/** A fault that strikes requests. `times`, if present, counts down. */
export type Fault = z.output<typeof Fault>;

const List = z.strictObject({
  faults: z.array(Fault, 'faults must be a list').max(MAX_FAULTS, `faults has more than ${MAX_FAULTS} entries`),
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
    this.#faults = this.#faults.flatMap((fault) => (struck.includes(fault) ? withOneStrikeLess(fault) : [fault]));
    return struck;
  }
}

/** Requests that build transactions. */
const BUILDS = {
  decrease: /^\/position\/decrease-tx\/?$/,
  add: /^\/pools\/[^/]+\/add-tx\/?$/,
  claim: /^\/position\/claim-tx\/?$/,
  addTo: /^\/position\/add-tx\/?$/,
  swap: /^\/token\/swap-tx\/?$/,
} as const;
const ATTACKED: Readonly<Record<Attack, readonly RegExp[]>> = {
  sendSol: Object.values(BUILDS),
  tokenAuthority: Object.values(BUILDS),
  plantedAccount: Object.values(BUILDS),
  unknownProgram: Object.values(BUILDS),
  wrongPosition: [BUILDS.decrease, BUILDS.claim, BUILDS.addTo],
  overspend: [BUILDS.add, BUILDS.addTo, BUILDS.swap],
  splitOpening: [BUILDS.add],
  anyPrice: [BUILDS.add, BUILDS.addTo, BUILDS.swap],
  sellForDust: [BUILDS.decrease, BUILDS.add],
  sellWrappedSol: [BUILDS.decrease],
  depositOwnTokens: [BUILDS.add],
};

/** Requests that land transactions. */
const LANDINGS: readonly RegExp[] = [
  /^\/position\/landing-(?:decrease|claim)-tx\/?$/,
  /^\/pools\/landing-add-tx\/?$/,
  /^\/token\/landing-swap-tx\/?$/,
];

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
    case 'missingPosition':
    case 'glitch':
      return { method: 'GET', paths: LISTS };
    case 'latency':
    case 'status':
    case 'truncate':
    case 'wrongTypes':
    case 'drop':
      return undefined;
  }
}

function withOneStrikeLess(fault: Fault): readonly Fault[] {
  if (fault.times === undefined) {
    return [fault];
  }
  return fault.times === 1 ? [] : [{ ...fault, times: fault.times - 1 }];
}
