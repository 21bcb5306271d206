import type { Address } from '../solana/address';
import type { Oddity } from '../api/records/money';
import type { Pool } from '../api/records/pool';
import type { OpenPosition } from '../api/records/position';
import type { DiscoverQuery, LiquidityService } from '../api/service';

/** How a list stands. `stale`: the last refresh failed, and what is shown is older. */
export type ListState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly asOf: Date }
  | { readonly kind: 'stale'; readonly asOf: Date; readonly error: Error }
  | { readonly kind: 'failed'; readonly error: Error };

/** Sums over the open positions, US dollars and SOL; `undefined` where no position reports the figure. */
export interface PortfolioTotals {
  readonly count: number;
  readonly outOfRange: number;
  readonly valueUsd: number | undefined;
  readonly valueNative: number | undefined;
  readonly pnlUsd: number | undefined;
  readonly pnlNative: number | undefined;
  /** Percent of what was put in. */
  readonly pnlPercent: number | undefined;
  readonly pnlPercentNative: number | undefined;
  readonly uncollectedFeeUsd: number | undefined;
  /** Positions whose figures were left out because the service did not report them. */
  readonly unpriced: number;
}

/** Everything that is known at one moment. Immutable: a change makes another one. */
export interface PortfolioSnapshot {
  readonly owner: Address | undefined;
  readonly positions: readonly OpenPosition[];
  readonly positionsState: ListState;
  readonly totals: PortfolioTotals;
  readonly pools: readonly Pool[];
  readonly poolsState: ListState;
  readonly poolsHaveMore: boolean;
}

/** What differs between two snapshots. */
export interface PortfolioChange {
  readonly snapshot: PortfolioSnapshot;
  readonly positions: ListChange;
  readonly pools: ListChange;
  /** The owner, a list's state or the totals changed. */
  readonly summaryChanged: boolean;
}

/** Keys (`OpenPosition.key`, `Pool.address`) that came, differ or went. `reordered`: the order of those that stayed. */
export interface ListChange {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  readonly reordered: boolean;
}

/** Why a refresh runs. */
export type RefreshReason = 'startup' | 'interval' | 'manual' | 'visible' | 'focus' | 'afterOperation' | 'configuration' | 'owner';

/** Ends a subscription. */
export interface Subscription {
  dispose(): void;
}

/** What the portfolio needs from outside. */
export interface PortfolioDependencies {
  /** Gives the service, or throws a worded error where there is none (no key, sandbox down). Loads it on first use. */
  readonly service: () => Promise<LiquidityService>;
  readonly log: (level: 'debug' | 'info' | 'warn', message: string) => void;
  readonly now: () => number;
}

/**
 * The live state, and its one owner. Nobody else calls the service to read lists.
 * Sorted for attention: out of range first, then those whose range is not known, then by value, largest first.
 */
export interface PortfolioReader {
  readonly snapshot: PortfolioSnapshot;
  onDidChange(listener: (change: PortfolioChange) => void): Subscription;
  /** Records that were odd in the last answer; for the log and the tooltip. */
  readonly oddities: readonly Oddity[];
}

/** What may be asked of the portfolio besides reading. */
export interface PortfolioControl extends PortfolioReader {
  /** Another owner: what is shown of the last one goes at once. */
  setOwner(owner: Address | undefined): void;
  setPoolQuery(query: DiscoverQuery): void;
  /** Joins the refresh that is under way, if any, and then resolves; never rejects: failures are in the snapshot. */
  refresh(reason: RefreshReason): Promise<void>;
  loadMorePools(): Promise<void>;
  /**
   * Refreshes until `settled` holds of a snapshot whose positions were read after the call.
   * @returns true when it did, false when `timeoutMs` passed or `signal` was aborted first.
   */
  waitUntil(settled: (snapshot: PortfolioSnapshot) => boolean, options: { readonly timeoutMs: number; readonly everyMs: number; readonly signal?: AbortSignal }): Promise<boolean>;
}
