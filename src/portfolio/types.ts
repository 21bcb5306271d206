import type { Address } from '../base/solana/address';
import type { Incomplete, Money, ParseWarning } from '../service/common';
import type { Pool } from '../service/pools';
import type { OpenPosition } from '../service/positions';
import type { RequestPace } from '../service/budget/operationRequests';
import type { DiscoverQuery, LiquidityService } from '../service/service';
import type { Clock, Subscription } from '../base/async/clock';

/** The state of a list. `stale`: the last refresh failed, and the data is older. `incomplete`: why items may be missing. */
export type ListState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly asOf: Date; readonly incomplete?: Incomplete }
  | { readonly kind: 'stale'; readonly asOf: Date; readonly error: Error }
  | { readonly kind: 'failed'; readonly error: Error };

/** The lists of the portfolio. Each is read on its own. */
export type ListName = 'positions' | 'pools';

/** Sums over the open positions in US dollars and SOL; `undefined` if no position reports the figure. */
export interface PortfolioTotals {
  readonly count: number;
  readonly outOfRange: number;
  readonly valueUsd: number | undefined;
  readonly valueNative: number | undefined;
  readonly pnlUsd: number | undefined;
  readonly pnlNative: number | undefined;
  /** PnL in percent of the input, over the positions that report both. */
  readonly pnlPercent: number | undefined;
  readonly pnlPercentNative: number | undefined;
  readonly uncollectedFeeUsd: number | undefined;
  readonly uncollectedFeeNative: number | undefined;
  /** What the sums leave out. */
  readonly leftOut: LeftOutOfTotals;
}

/** Number of positions that a sum leaves out, by reason. */
export interface LeftOut {
  /** The service does not report the figure. */
  readonly notReported: number;
  /** The figure is too large to be real (snapshot.ts). */
  readonly implausible: number;
}

/** Number of positions that each sum leaves out, by currency. */
export type LeftOutOfTotals = Readonly<Record<'value' | 'pnl' | 'pnlPercent' | 'uncollectedFee', Readonly<Record<keyof Money, LeftOut>>>>;

/** The state of the portfolio at one moment. Immutable. */
export interface PortfolioSnapshot {
  readonly owner: Address | undefined;
  readonly positions: readonly OpenPosition[];
  readonly positionsState: ListState;
  readonly totals: PortfolioTotals;
  readonly pools: readonly Pool[];
  readonly poolsState: ListState;
  readonly poolsHaveMore: boolean;
}

/** The difference between two snapshots. */
export interface PortfolioChange {
  readonly snapshot: PortfolioSnapshot;
  readonly positions: ListChange;
  readonly pools: ListChange;
  /** The owner, the state of a list, `poolsHaveMore` or the totals changed. */
  readonly summaryChanged: boolean;
}

/** Keys (`OpenPosition.key`, `Pool.address`) of the added, changed and removed items. `reordered` is about the items in both lists. */
export interface ListChange {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  readonly reordered: boolean;
}

export type RefreshReason = 'startup' | 'interval' | 'manual' | 'visible' | 'focus' | 'afterOperation' | 'configuration' | 'owner';

export interface PortfolioDependencies {
  /** Returns the service, loaded on first use. @throws an error for the user if there is none (no key, sandbox down) */
  readonly service: () => Promise<LiquidityService>;
  readonly log: (level: 'debug' | 'info' | 'warn', message: string) => void;
  readonly clock: Clock;
}

/**
 * The live state. No other code calls the service to read lists. Positions are sorted for attention: those out of range first, then those
 * whose range is unknown, each by value, largest first.
 */
export interface PortfolioReader {
  readonly snapshot: PortfolioSnapshot;
  onDidChange(listener: (change: PortfolioChange) => void): Subscription;
  /** Warnings about the last answers, for the log and the tooltip. */
  readonly warnings: readonly ParseWarning[];
}

export interface WaitOptions {
  readonly timeoutMs: number;
  /** Interval of reads. The service's request limit may make it longer. */
  readonly everyMs: number;
  readonly signal?: AbortSignal;
  /** Pace of the reads. Default: `panel`. */
  readonly pace?: RequestPace;
}

/** The live state with its controls. */
export interface PortfolioControl extends PortfolioReader {
  /** When a refresh was last requested after an operation, milliseconds since 1970; 0: never. */
  readonly operatedAtMs: number;
  /** Changes the owner and drops the positions at once. Reads nothing: the list is `idle` until it is refreshed. */
  setOwner(owner: Address | undefined): void;
  /** Changes the pool query and drops the pools at once. Reads nothing. `page` is ignored. */
  setPoolQuery(query: DiscoverQuery): void;
  /**
   * Reads the lists (default: both), one request at a time. Routine reasons (`startup`, `interval`, `visible`, `focus`) join a refresh in
   * progress. The others, which know of a change, start another one after it. Never rejects: failures are in the snapshot.
   * @param pace priority of the requests. Default: by the reason (requestPace.ts)
   */
  refresh(reason: RefreshReason, lists?: readonly ListName[], pace?: RequestPace): Promise<void>;
  /** Appends the next page of pools, if there is one. Never rejects. @param pace priority of the requests. Default: `user` */
  loadMorePools(pace?: RequestPace): Promise<void>;
  /**
   * Refreshes until `settled` is true for a snapshot whose positions were read after the call.
   * @returns false if `timeoutMs` passed, `signal` was aborted, or the owner or service changed before that
   */
  waitUntil(settled: (snapshot: PortfolioSnapshot) => boolean, options: WaitOptions): Promise<boolean>;
}
