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

/** Which calls go wrong. */
export interface Where {
  /** All methods by default. */
  readonly method?: string;
  /** How many requests go wrong; all by default. */
  readonly times?: number;
  /** The call is carried out, and only its answer goes wrong. A transaction lands then. */
  readonly carriedOut?: boolean;
}

/** A fault that meets a request. */
export interface Meeting {
  readonly fault: Fault;
  readonly method: string | undefined;
  readonly carriedOut: boolean;
}

interface Rule {
  readonly fault: Fault;
  readonly where: Where;
  left: number;
}

/** What a node sees otherwise than the chain is. */
export interface NodeFaults {
  /** The node has not seen the last slots. */
  lagSlots: number;
  /** After how many slots a transaction is confirmed. */
  confirmAfterSlots: number;
  /** The node has no history before this slot. */
  prunedBeforeSlot: number;
  /** `getTransaction` gives null for so many slots after a transaction was listed. */
  transactionsLateSlots: number;
  /** How many of the next sent transactions are answered with a signature and lost. */
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
  priorityFee = 10_000;
  /** The most requests in any second; more are answered with 429. `undefined`: no limit. */
  requestsPerSecond: number | undefined = undefined;
  readonly fork: (slots: number) => readonly string[];
  readonly #rules = new Set<Rule>();
  #recent: number[] = [];

  constructor(fork: (slots: number) => readonly string[]) {
    this.fork = fork;
  }

  /** Lets answers go wrong. @returns ends it */
  add(fault: Fault, where: Where = {}): () => void {
    const rule = { fault, where, left: where.times ?? Infinity };
    this.#rules.add(rule);
    return () => void this.#rules.delete(rule);
  }

  /** Refuses a method as public nodes do. @returns ends it */
  refuse(method: string, by: 'code' | 'gone' = 'code'): () => void {
    return this.add(
      by === 'gone'
        ? { kind: 'refuse', status: 410, code: -32010, message: `${method} is disabled on this node` }
        : { kind: 'refuse', code: -32010, message: `${method} is excluded from account secondary indexes; this RPC method unavailable` },
      { method },
    );
  }

  /** Ends all faults. */
  clear(): void {
    this.#rules.clear();
    this.lagSlots = 0;
    this.confirmAfterSlots = 0;
    this.prunedBeforeSlot = 0;
    this.transactionsLateSlots = 0;
    this.vanishingSends = 0;
    this.vanishingBundles = 0;
    this.requestsPerSecond = undefined;
  }

  /** The fault that meets a request with calls of these methods; the first that was added and fits. */
  meet(methods: readonly string[]): Meeting | undefined {
    if (this.#isTooOften()) {
      return { fault: { kind: 'rateLimit' }, method: undefined, carriedOut: false };
    }
    for (const rule of this.#rules) {
      const { method, carriedOut = false } = rule.where;
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

/** Waits for a fault that delays. */
export async function delayOf(meeting: Meeting | undefined): Promise<void> {
  if (meeting?.fault.kind === 'delay') {
    await wait(meeting.fault.ms);
  }
}
