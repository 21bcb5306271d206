import type { Attack } from '../hostile/attacks';
import type { Fault } from './faultRules';
import { LISTS } from '../hostile/lyingLists';
import { BASE_PATH } from '../../server/paths';

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
