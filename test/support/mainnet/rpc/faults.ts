import { setTimeout as wait } from 'node:timers/promises';

/** What goes wrong with an answer. */
export type Fault =
  /** HTTP 429. */
  | { readonly kind: 'rateLimit'; readonly retryAfterS?: number }
  /** The error of a node or its provider, by default that of a method that it does not offer; with an HTTP status, where given. */
  | { readonly kind: 'refuse'; readonly code?: number; readonly message?: string; readonly status?: number }
  /** No answer, until the client gives up. */
  | { readonly kind: 'timeout' }
  | { readonly kind: 'delay'; readonly ms: number }
  /** An HTTP error with a page instead of JSON. */
  | { readonly kind: 'http'; readonly status: number }
  /** The connection breaks in the middle of the body. */
  | { readonly kind: 'cut' }
  /** HTTP 200 with a page instead of JSON. */
  | { readonly kind: 'page' }
  /** The result is null. */
  | { readonly kind: 'null' };

/** To which calls a fault applies. */
export interface FaultConditions {
  /** All methods by default. */
  readonly method?: string;
  /** To how many requests; to all by default. */
  readonly times?: number;
  /** The call is executed, and only its answer is affected: a transaction lands. */
  readonly carriedOut?: boolean;
}

/** A fault that applies to a request. */
export interface ActiveFault {
  readonly fault: Fault;
  readonly method: string | undefined;
  readonly carriedOut: boolean;
}

interface Rule {
  readonly fault: Fault;
  readonly conditions: FaultConditions;
  left: number;
}

const USUAL_PRIORITY_FEE = 10_000;

/** How the view of a node differs from the chain. */
export interface NodeFaults {
  /** The node has not seen the last slots. */
  lagSlots: number;
  /** After how many slots a transaction is confirmed. */
  confirmAfterSlots: number;
  /** The node has no history before this slot. */
  prunedBeforeSlot: number;
  /** `getTransaction` gives null for so many slots after a transaction was listed. */
  transactionsLateSlots: number;
  /** How many of the next transactions are answered with their signature and lost. */
  vanishingSends: number;
  /** How many of the next bundles are accepted and lost. */
  vanishingBundles: number;
  /** Priority fees of the last blocks, micro-lamports a compute unit. */
  priorityFee: number;
  /** The network leaves the branch of the last slots; see `LittleChain.fork`. */
  readonly fork: (slots: number) => readonly string[];
}

/** Faults of the little mainnet's RPC; they may change at any time. */
export class Faults implements NodeFaults {
  lagSlots = 0;
  confirmAfterSlots = 0;
  prunedBeforeSlot = 0;
  transactionsLateSlots = 0;
  vanishingSends = 0;
  vanishingBundles = 0;
  priorityFee = USUAL_PRIORITY_FEE;
  /** The most requests in any second; more are answered with 429. `undefined`: no limit. */
  requestsPerSecond: number | undefined = undefined;
  readonly fork: (slots: number) => readonly string[];
  readonly #rules = new Set<Rule>();
  #recent: number[] = [];

  constructor(fork: (slots: number) => readonly string[]) {
    this.fork = fork;
  }

  /** Adds a fault. @returns removes it */
  add(fault: Fault, conditions: FaultConditions = {}): () => void {
    const rule = { fault, conditions, left: conditions.times ?? Infinity };
    this.#rules.add(rule);
    return () => void this.#rules.delete(rule);
  }

  /** Refuses a method as public nodes do. @returns removes the fault */
  refuse(method: string, by: 'code' | 'gone' = 'code'): () => void {
    return this.add(
      by === 'gone'
        ? { kind: 'refuse', status: 410, code: -32010, message: `${method} is disabled on this node` }
        : { kind: 'refuse', code: -32010, message: `${method} is excluded from account secondary indexes; this RPC method unavailable` },
      { method },
    );
  }

  /** Removes all faults. */
  clear(): void {
    this.#rules.clear();
    this.lagSlots = 0;
    this.confirmAfterSlots = 0;
    this.prunedBeforeSlot = 0;
    this.transactionsLateSlots = 0;
    this.vanishingSends = 0;
    this.vanishingBundles = 0;
    this.priorityFee = USUAL_PRIORITY_FEE;
    this.requestsPerSecond = undefined;
    this.#recent = [];
  }

  /** The fault that applies to a request with calls of these methods: the first one added. */
  next(methods: readonly string[]): ActiveFault | undefined {
    if (this.#isTooOften()) {
      return { fault: { kind: 'rateLimit' }, method: undefined, carriedOut: false };
    }
    for (const rule of this.#rules) {
      const { method, carriedOut = false } = rule.conditions;
      if (method === undefined || methods.includes(method)) {
        rule.left -= 1;
        if (rule.left <= 0) {
          this.#rules.delete(rule);
        }
        return { fault: rule.fault, method, carriedOut };
      }
    }
    return undefined;
  }

  #isTooOften(): boolean {
    if (this.requestsPerSecond === undefined) {
      return false;
    }
    const now = performance.now();
    this.#recent = this.#recent.filter((at) => at > now - 1_000);
    if (this.#recent.length >= this.requestsPerSecond) {
      return true;
    }
    this.#recent.push(now);
    return false;
  }
}

/** Waits as long as a fault delays the answer. */
export async function delayBy(active: ActiveFault | undefined): Promise<void> {
  if (active?.fault.kind === 'delay') {
    await wait(active.fault.ms);
  }
}
