import type { SolanaRpc } from '../../rpc/types';
import { ServiceError } from '../../service/errors';
import type { LiquidityService } from '../../service/service';
import { errorMessageOf } from '../errors';
import { isEnd } from '../journal/states';
import type { JournalEntry, OperationRecord } from '../journal/types';
import type { HeldLock } from '../locks/types';
import type { WatcherDependencies } from '../types';
import { causeOf } from './attribution';
import { OPERATIONS } from '../operations';
import type { Evidence } from './evidence';
import { journalChanges, lamportsBackOf, measured, SERVICE_PATIENCE_MS } from './measure';
import { observeNetwork, readListing, type NetworkObservation } from './observations';
import { canLand, conclude, type Conclusion, knownByMs, mayLandUntilMs, OBSERVATIONS_REQUIRED } from './reconcile';

/** An operation whose lock this window holds while it determines the outcome. */
export interface LockedOperation {
  readonly entry: JournalEntry;
  readonly lock: HeldLock;
  /** For an operation that was never sent, also the locks of its positions or pool: a window that has just begun it still holds those. */
  readonly targets: readonly HeldLock[];
}

export type LandingProbeDependencies = Pick<
  WatcherDependencies,
  'journal' | 'portfolio' | 'clock' | 'serviceId' | 'rpc' | 'service' | 'log' | 'settleEveryMs'
>;

/** Observations of an operation by this window so far. */
interface Count {
  readonly showing: number;
  readonly notShowing: number;
  /** Number of network observations in a row, after it could no longer land, without an executed transaction. */
  readonly silent: number;
  /** Number of failed measurements. */
  readonly unmeasured: number;
}

/** The user's RPC; `client`: `undefined` if it is set and not available now. */
type Rpc = { readonly isSet: false; readonly client: undefined } | { readonly isSet: true; readonly client: SolanaRpc | undefined };

/** One observation of an operation. */
interface Seen {
  readonly taken: LockedOperation;
  readonly network: NetworkObservation | undefined;
  readonly mayLand: boolean;
  /** The time for its age, milliseconds since 1970: `nowFor` of the journal. */
  readonly nowMs: number;
}

const NOTHING_SEEN: Count = { showing: 0, notShowing: 0, silent: 0, unmeasured: 0 };
/** After this many identical listings, further ones become rarer. */
const MOST_CLOSE = 10;
/** Interval of network observations while it can still land; they cost no request of the service. */
const ASK_NETWORK_EVERY_MS = 3_000;
/** Maximum age of a listing while the network has nothing of an operation that can still land: the service's requests are limited. */
const LIST_EVERY_MS = 15_000;
/** Longest pause between observations of an operation that can still land, if only listings can show it. */
const LONGEST_WITHOUT_LISTING_MS = 30_000;
/** Attempts to measure the proceeds of a rebalance's zap-out before they count as not measured. */
const MOST_UNMEASURED = 5;

/**
 * Observes sent operations until the outcome is proven; one listing must confirm another. Used by the run after sending (run/waiting.ts)
 * and by the watcher, so both apply the same rules.
 */
export class LandingProbe {
  readonly #dependencies: LandingProbeDependencies;
  readonly #write: (taken: LockedOperation, conclusion: Conclusion) => Promise<boolean>;
  readonly #counts = new Map<string, Count>();
  /** Time of the last listing, milliseconds since 1970. */
  #listedAtMs = Number.NEGATIVE_INFINITY;

  /** @param write journals a conclusion; returns whether it is on disk */
  constructor(dependencies: LandingProbeDependencies, write: (taken: LockedOperation, conclusion: Conclusion) => Promise<boolean>) {
    this.#dependencies = dependencies;
    this.#write = write;
  }

  /**
   * Observes sent operations: the network first, so the listing is younger than the network's state.
   * @returns milliseconds until another observation can settle one of them; `undefined`: none is expected to
   */
  async observe(taken: readonly LockedOperation[]): Promise<number | undefined> {
    const { journal, portfolio, clock, serviceId } = this.#dependencies;
    const { owner } = portfolio.snapshot;
    const service = serviceId();
    const ours = taken.filter(({ entry: { record } }) => record.created.owner === owner && record.created.service === service);
    if (owner === undefined || service === undefined || ours.length === 0) {
      return undefined;
    }
    const rpc = await this.#rpc();
    const seen = await Promise.all(
      ours.map(async (one): Promise<Seen> => {
        const network = await observeNetwork(one.entry.record, rpc.client, (message) => this.#log('warn', message));
        const nowMs = journal.nowFor(one.entry.record);
        return { taken: one, network, nowMs, mayLand: canLand(one.entry.record, { nowMs, network }) };
      }),
    );
    const isListed = clock.now() - this.#listedAtMs >= LIST_EVERY_MS || clock.now() < this.#listedAtMs || seen.some(takesListing);
    const listing = isListed ? await readListing(portfolio, owner, () => serviceId() === service) : undefined;
    this.#listedAtMs = isListed ? clock.now() : this.#listedAtMs;
    let dueInMs: number | undefined;
    for (const one of seen) {
      const { record } = one.taken.entry;
      const count = this.#counted(one, listing?.evidence(record));
      const isOver = await this.#conclude(one, count, rpc);
      dueInMs = isOver ? dueInMs : least(dueInMs, this.#dueInMs(one, count, listing !== undefined));
    }
    return dueInMs;
  }

  /** Milliseconds until another observation can tell more; `undefined`: not known. */
  #dueInMs(
    {
      network,
      mayLand,
      nowMs,
      taken: {
        entry: { record },
      },
    }: Seen,
    { showing, notShowing, silent }: Count,
    hasListing: boolean,
  ): number | undefined {
    const { settleEveryMs } = this.#dependencies;
    const seenSoFar = showing + notShowing;
    if (hasListing && seenSoFar > 0 && seenSoFar <= MOST_CLOSE) {
      return settleEveryMs;
    }
    if (network !== undefined) {
      // Bounded, in case the chain makes no blocks.
      return silent < OBSERVATIONS_REQUIRED && (!mayLand || nowMs <= knownByMs(record, true)) ? ASK_NETWORK_EVERY_MS : undefined;
    }
    // Right after the last moment at which it can land: listings count from then on.
    const restMs = mayLand ? mayLandUntilMs(record) - nowMs : undefined;
    return restMs === undefined ? undefined : Math.max(0, Math.min(restMs, LONGEST_WITHOUT_LISTING_MS));
  }

  /** Forgets the observations of all others. */
  forgetAllBut(records: readonly OperationRecord[]): void {
    const ids = new Set(records.map(({ id }) => id));
    for (const id of this.#counts.keys()) {
      if (!ids.has(id)) {
        this.#counts.delete(id);
      }
    }
  }

  #counted(
    {
      taken: {
        entry: {
          record: { id },
        },
      },
      network,
      mayLand,
    }: Seen,
    evidence: Evidence | undefined,
  ): Count {
    const known = this.#counts.get(id) ?? NOTHING_SEEN;
    // A missing answer of the network, or a failed listing, doesn't interrupt a row.
    const silent =
      network === undefined
        ? known.silent
        : !mayLand && !network.statuses.some((status) => status !== undefined && status.error === undefined)
          ? known.silent + 1
          : 0;
    const before: Count = { ...known, silent };
    const count: Count =
      evidence === undefined
        ? before
        : {
            ...before,
            showing: evidence === 'shows' ? before.showing + 1 : 0,
            notShowing: evidence === 'doesNotShow' && !mayLand ? before.notShowing + 1 : 0,
          };
    this.#counts.set(id, count);
    return count;
  }

  /** Journals the conclusion, if any. @returns whether the operation has ended */
  async #conclude({ taken, network, mayLand, nowMs }: Seen, count: Count, rpc: Rpc): Promise<boolean> {
    const { record } = taken.entry;
    const { showing, notShowing, silent } = count;
    const { records } = showing > 0 ? await this.#dependencies.journal.read() : { records: [] };
    const conclusion = conclude(record, {
      nowMs,
      network,
      showing,
      notShowing,
      silent,
      hasRpc: rpc.isSet,
      cause: causeOf(record, records),
    });
    if (conclusion === undefined) {
      return false;
    }
    // An end needs listings that were read after the operation could no longer land; time has passed since.
    if (mayLand && (conclusion.kind === 'expired' || conclusion.kind === 'failed')) {
      return false;
    }
    const complete =
      conclusion.kind === 'settled'
        ? await this.#measured(record, conclusion, count, rpc.client)
        : await this.#withChanges(record, conclusion, rpc.client);
    if (complete === undefined) {
      return false;
    }
    this.#log('info', `${record.id}: ${complete.kind}`);
    return (await this.#write(taken, complete)) && isEnd(complete.kind);
  }

  /** Adds the measured effect; `undefined`: required but not available yet, to be tried again. */
  async #measured(
    record: OperationRecord,
    conclusion: Extract<Conclusion, { kind: 'settled' }>,
    count: Count,
    rpc: SolanaRpc | undefined,
  ): Promise<Conclusion | undefined> {
    const { created } = record;
    const { isMeasured } = OPERATIONS[created.operation];
    if (!isMeasured && rpc === undefined) {
      return conclusion;
    }
    const { journal, clock } = this.#dependencies;
    const isForReentry = isMeasured && created.parent !== undefined;
    const service = isForReentry ? await this.#service() : undefined;
    const seen = { isRefused: false };
    const change = await measured(
      record,
      { journal, rpc, service: service && reportingRefusals(service, () => (seen.isRefused = true)), nowMs: () => clock.now(), clock },
      {
        landed: conclusion.landedTransactions ?? 'all',
        patienceMs: service === undefined ? 0 : SERVICE_PATIENCE_MS,
        signal: new AbortController().signal,
      },
    );
    const lamportsBack = lamportsBackOf(record, change);
    if (lamportsBack === undefined && isForReentry && (seen.isRefused || count.unmeasured < MOST_UNMEASURED)) {
      // A rate limit is not a failed measurement: ask again.
      this.#counts.set(record.id, { ...count, unmeasured: count.unmeasured + (seen.isRefused ? 0 : 1) });
      this.#log('info', `${record.id}: the proceeds cannot be measured yet`);
      return undefined;
    }
    return { ...conclusion, lamportsBack, changes: journalChanges(change) };
  }

  /** Adds the wallet changes by the landed part of a partial execution. */
  async #withChanges(
    record: OperationRecord,
    conclusion: Exclude<Conclusion, { kind: 'settled' }>,
    rpc: SolanaRpc | undefined,
  ): Promise<Conclusion> {
    if (conclusion.kind !== 'failed' || (conclusion.landedTransactions ?? 0) === 0 || rpc === undefined) {
      return conclusion;
    }
    const { journal, clock } = this.#dependencies;
    const change = await measured(
      record,
      { journal, rpc, service: undefined, nowMs: () => clock.now(), clock },
      { landed: conclusion.landedTransactions ?? 'all', patienceMs: 0, signal: new AbortController().signal },
    );
    return { ...conclusion, changes: journalChanges(change) };
  }

  async #rpc(): Promise<Rpc> {
    try {
      const client = await this.#dependencies.rpc();
      return client === undefined ? { isSet: false, client } : { isSet: true, client };
    } catch (error) {
      this.#log('warn', `the RPC is not at hand: ${errorMessageOf(error)}`);
      return { isSet: true, client: undefined };
    }
  }

  async #service(): Promise<LiquidityService | undefined> {
    try {
      return await this.#dependencies.service?.();
    } catch (error) {
      this.#log('warn', `the service is not at hand: ${errorMessageOf(error)}`);
      return undefined;
    }
  }

  #log(level: 'info' | 'warn', message: string): void {
    this.#dependencies.log(level, `Watching operations: ${message}`);
  }
}

/** The service's balances; calls `refused` if the request limit is used up. */
function reportingRefusals(service: LiquidityService, refused: () => void): Pick<LiquidityService, 'tokenBalances'> {
  return {
    tokenBalances: (query, options) =>
      service.tokenBalances(query, options).catch((error: unknown) => {
        if (error instanceof ServiceError && error.kind === 'rateLimited') {
          refused();
        }
        throw error;
      }),
  };
}

/** Whether a listing may add evidence: not while the network has nothing of it so far and it can still land. */
function takesListing({ network, mayLand }: Seen): boolean {
  return network === undefined || !mayLand || network.statuses.some((status) => status !== undefined);
}

function least(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}
