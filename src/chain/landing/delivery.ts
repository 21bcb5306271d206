import { type Clock, pause } from '../../base/async/clock';
import { ChainRpcError } from '../rpc/errors';
import type { BundleSender } from './jito';
import type { LandingNetwork, TransactionStatus } from './network';
import type { LandingOutcome, LandingTransaction, StoredLanding } from './store';

/** What became of a landing. */
export type Delivered =
  | LandingOutcome
  /** The block engine has taken nothing of it, for certain: it may be tried again. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** The RPC no longer has the blocks in which it would be. */
  | { readonly kind: 'notKnown'; readonly reason: string };

/** Dependencies of {@link Delivery}. */
export interface DeliveryOptions {
  readonly network: LandingNetwork;
  /** `undefined`: transactions are sent one after another. */
  readonly bundles: BundleSender | undefined;
  readonly clock: Clock;
  /** Ends the delivery; what was written down stays. */
  readonly signal: AbortSignal;
  readonly log: (message: string) => void;
}

/** Two slots or so. */
const POLL_MS = 500;
const RESEND_MS = 2_000;
const HEIGHT_MS = 2_000;
/** Pause after a failed request, which the client of the RPC has already repeated. */
const FAILED_MS = 2_000;
/** Simulations of a transaction behind others that have landed: prices move back, too. */
const MOST_SIMULATIONS = 5;
/** For how long a part of a bundle may be confirmed before the rest. Bundles are atomic, except in blocks that a fork has dropped. */
const TORN_MS = 5_000;
const MOST_REFUSALS = 3;
/** A node has the statuses of the last minutes at least. */
const RECENT_MS = 60_000;

/** A transaction whose fate is being found out. */
interface Parcel {
  readonly transaction: LandingTransaction;
  fate: 'open' | 'landed' | 'failed' | 'expired' | 'withheld';
  status: TransactionStatus['kind'];
  /** It would succeed in the present state, or did when it was simulated. */
  isCleared: boolean;
  mayHaveBeenSent: boolean;
  simulations: number;
  sentAtMs: number;
}

/**
 * Sends the transactions of one landing, always the same bytes, until the chain shows each of them, or its blockhash has expired in a finalized
 * block. Only the chain decides what has landed; what is sent never ends without that.
 */
export class Delivery {
  readonly #options: DeliveryOptions;
  readonly #landing: StoredLanding;
  /** Transactions may have been sent before this process began. */
  readonly #isResumed: boolean;
  #problem: string | undefined;
  /** Slot of the last landed transaction: later ones are simulated by a node that knows it. */
  #landedSlot: number | undefined;
  #heightAtMs: number;
  #hasFailedRequest = false;

  constructor(options: DeliveryOptions, landing: StoredLanding, isResumed: boolean) {
    this.#options = options;
    this.#landing = landing;
    this.#isResumed = isResumed;
    // A new landing has just been compared with the height.
    this.#heightAtMs = isResumed ? -Infinity : options.clock.now();
  }

  /** Runs until the fate of all transactions is known. @throws ChainRpcError `cancelled` if it is ended before */
  async run(): Promise<Delivered> {
    const { transactions, variant } = this.#landing;
    // The order within a bundle matters; within a stage it does not.
    const inBundles = variant === 'tipped' && this.#options.bundles !== undefined;
    const isOneByOne = variant === 'tipped' && !inBundles;
    const landed: number[] = [];
    for (const part of partsOf(transactions, isOneByOne)) {
      const isFirst = landed.length === 0;
      const parcels = part.map((transaction) => this.#parcelOf(transaction, isFirst));
      const refusal = inBundles ? await this.#deliverBundle(parcels) : undefined;
      if (refusal !== undefined && isFirst) {
        return { kind: 'refused', reason: refusal };
      }
      this.#problem ??= refusal;
      if (refusal === undefined) {
        await this.#deliverEach(parcels, inBundles);
      }
      landed.push(...parcels.filter(({ fate }) => fate === 'landed').map(({ transaction }) => transaction.place));
      if (parcels.some(({ fate }) => fate !== 'landed')) {
        return this.#outcome(landed);
      }
    }
    return { kind: 'landed' };
  }

  #parcelOf(transaction: LandingTransaction, isFirst: boolean): Parcel {
    return {
      transaction,
      fate: 'open',
      status: 'unknown',
      // Those of the first part were simulated before anything was written down.
      isCleared: isFirst && !this.#isResumed,
      mayHaveBeenSent: this.#isResumed,
      simulations: 0,
      sentAtMs: -Infinity,
    };
  }

  async #outcome(landed: readonly number[]): Promise<Delivered> {
    const reason = this.#problem ?? 'The blockhash has expired.';
    if (landed.length === 0 && (await this.#isForgotten())) {
      return { kind: 'notKnown', reason: 'The history of the RPC does not reach back to when it was sent.' };
    }
    return landed.length === 0 ? { kind: 'notLanded', reason } : { kind: 'partial', landed: [...landed], reason };
  }

  /** Whether the node would know nothing of these transactions even if they had landed. */
  async #isForgotten(): Promise<boolean> {
    const { beganAtMs, beganSlot } = this.#landing;
    if (!this.#isResumed || this.#options.clock.now() - beganAtMs < RECENT_MS) {
      return false;
    }
    return this.#insistently(async () => {
      const first = await this.#options.network.firstSlot();
      return first === undefined || first > beganSlot;
    });
  }

  /**
   * Sends a bundle until it has landed, its fate is known, or it is torn: then some of it is in a block and the rest is not.
   * @returns why the engine took it for certain not; `undefined` otherwise
   */
  async #deliverBundle(parcels: readonly Parcel[]): Promise<string | undefined> {
    const { bundles, clock } = this.#options;
    const bytes = parcels.map(({ transaction }) => transaction.bytes);
    let [mayHaveBeenTaken, refusals, sentAtMs] = [this.#isResumed, 0, -Infinity];
    let id: string | undefined;
    let tornAtMs: number | undefined;
    for (;;) {
      await this.#look(parcels, this.#isResumed && sentAtMs === -Infinity);
      const open = parcels.filter(({ fate }) => fate === 'open');
      if (open.length < parcels.length) {
        tornAtMs ??= clock.now();
      }
      if (open.length === 0 || (tornAtMs !== undefined && clock.now() - tornAtMs > TORN_MS)) {
        return undefined;
      }
      const isUnseen = parcels.every(({ status }) => status === 'unknown');
      if (isUnseen && clock.now() - sentAtMs >= RESEND_MS && !(await this.#expire(parcels))) {
        sentAtMs = clock.now();
        if (id === undefined || bundles === undefined || !(await bundles.isInBlock(id))) {
          const answer = await bundles?.send(bytes);
          if (answer?.kind === 'refused') {
            refusals += 1;
            if (refusals >= MOST_REFUSALS && !mayHaveBeenTaken) {
              parcels.forEach((parcel) => (parcel.fate = 'withheld'));
              return answer.reason;
            }
          } else {
            mayHaveBeenTaken = true;
            id = answer?.kind === 'accepted' ? answer.id : id;
          }
          if (mayHaveBeenTaken) {
            parcels.forEach((parcel) => (parcel.mayHaveBeenSent = true));
          }
        }
      }
      await this.#pause(POLL_MS);
    }
  }

  /** Sends transactions by the RPC until the fate of each is known. Without a bundle they are one stage; of a torn bundle, they follow one another. */
  async #deliverEach(parcels: readonly Parcel[], isOrdered: boolean): Promise<void> {
    let isFirstLook = true;
    if (isOrdered) {
      // Of a torn bundle, each needs the ones before it.
      parcels.forEach((parcel) => (parcel.isCleared = false));
    }
    for (;;) {
      await this.#look(parcels, this.#isResumed && isFirstLook);
      isFirstLook = false;
      const open = parcels.filter(({ fate }) => fate === 'open');
      if (open.length === 0) {
        return;
      }
      if (await this.#expire(parcels)) {
        continue;
      }
      if (parcels.some(({ fate }) => fate === 'failed' || fate === 'withheld')) {
        // What was sent may still land. Nothing more is.
        open.filter(({ mayHaveBeenSent }) => !mayHaveBeenSent).forEach((parcel) => (parcel.fate = 'withheld'));
      } else {
        for (const parcel of isOrdered ? open.slice(0, 1) : open) {
          await this.#send(parcel);
        }
      }
      await this.#pause(POLL_MS);
    }
  }

  async #send(parcel: Parcel): Promise<void> {
    const { network, clock, log } = this.#options;
    if (parcel.status !== 'unknown' || clock.now() - parcel.sentAtMs < RESEND_MS) {
      return;
    }
    parcel.sentAtMs = clock.now();
    const { bytes, place, signature } = parcel.transaction;
    if (!parcel.isCleared) {
      const failure = await this.#insistently(() => network.simulate(bytes, this.#landedSlot));
      if (failure !== undefined && !failure.passing) {
        parcel.simulations += 1;
        if (parcel.simulations >= MOST_SIMULATIONS && !parcel.mayHaveBeenSent) {
          parcel.fate = 'withheld';
          this.#problem ??= `Transaction ${place + 1} would fail now, and was not sent: ${failure.words}.`;
        }
        return;
      }
      parcel.isCleared = true;
    }
    parcel.mayHaveBeenSent = true;
    const refusal = await network.send(bytes);
    if (refusal !== undefined) {
      log(`${signature}: ${refusal}`);
    }
  }

  /** Asks for the statuses. */
  async #look(parcels: readonly Parcel[], searchHistory: boolean): Promise<number> {
    const open = parcels.filter(({ fate }) => fate === 'open');
    if (open.length === 0) {
      return 0;
    }
    const signatures = open.map(({ transaction }) => transaction.signature);
    const { slot, of } = await this.#insistently(() => this.#options.network.statuses(signatures, searchHistory));
    for (const [index, status] of of.entries()) {
      const parcel = open[index];
      if (parcel !== undefined) {
        this.#note(parcel, status);
      }
    }
    return slot;
  }

  #note(parcel: Parcel, status: TransactionStatus): void {
    parcel.status = status.kind;
    if (status.kind === 'confirmed') {
      parcel.fate = 'landed';
      this.#landedSlot = Math.max(this.#landedSlot ?? 0, status.slot);
    } else if (status.kind === 'failed') {
      parcel.fate = 'failed';
      this.#problem ??= `Transaction ${parcel.transaction.place + 1} failed on the chain, and its fee was paid: ${status.reason}.`;
    }
  }

  /**
   * Looks from time to time whether the blockhash has expired in a finalized block, which no fork undoes. What a node that knows that block
   * has not seen then will never land.
   * @returns true if it has expired
   */
  async #expire(parcels: readonly Parcel[]): Promise<boolean> {
    const { clock, network } = this.#options;
    if (clock.now() - this.#heightAtMs < HEIGHT_MS) {
      return false;
    }
    this.#heightAtMs = clock.now();
    const { lastValidBlockHeight } = this.#landing.operation;
    const finalized = await this.#insistently(() => network.finalized());
    if (finalized.blockHeight <= lastValidBlockHeight) {
      return false;
    }
    // Another node may answer, which is behind.
    while ((await this.#look(parcels, true)) < finalized.slot && parcels.some(({ fate }) => fate === 'open')) {
      await this.#pause(POLL_MS);
    }
    const expired = parcels.filter(({ fate, status }) => fate === 'open' && status === 'unknown');
    expired.forEach((parcel) => (parcel.fate = 'expired'));
    if (expired.length > 0) {
      this.#problem ??= `Transaction ${(expired[0]?.transaction.place ?? 0) + 1} was not in a block before its blockhash expired, at block height ${lastValidBlockHeight}.`;
    }
    return true;
  }

  /** Repeats a request until it is answered: what was sent is not left alone. @throws ChainRpcError only if it is cancelled */
  async #insistently<Result>(ask: () => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof ChainRpcError) || error.kind === 'cancelled') {
          throw error;
        }
        if (!this.#hasFailedRequest) {
          this.#hasFailedRequest = true;
          this.#options.log(
            `Operation ${this.#landing.operation.number} is being landed, and the chain cannot be asked now: ${error.message}`,
          );
        }
        await this.#pause(FAILED_MS);
      }
    }
  }

  async #pause(ms: number): Promise<void> {
    const { signal, clock } = this.#options;
    await pause(ms, signal, clock);
    if (signal.aborted) {
      throw new ChainRpcError('cancelled', 'landing', 'The service is ending.');
    }
  }
}

/** Transactions that are sent at the same time, in the order of the parts. */
function partsOf(transactions: readonly LandingTransaction[], isOneByOne: boolean): readonly (readonly LandingTransaction[])[] {
  const parts = new Map<number, LandingTransaction[]>();
  for (const transaction of transactions) {
    const key = isOneByOne ? transaction.place : transaction.part;
    parts.set(key, [...(parts.get(key) ?? []), transaction]);
  }
  return [...parts.entries()].sort(([one], [other]) => one - other).map(([, part]) => part);
}
