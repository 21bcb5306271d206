import type { Address } from '../base/solana/address';
import type { Money, ParseWarning } from '../service/common';
import type { Pool } from '../service/pools';
import type { OpenPosition } from '../service/positions';
import type { RequestPace } from '../service/requestBudget';
import type { DiscoverQuery, LiquidityService } from '../service/service';
import type { Subscription, Clock } from '../base/async/clock';

/** How a list stands. `stale`: the last refresh failed, and what is shown is older. */
export type ListState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly asOf: Date }
  | { readonly kind: 'stale'; readonly asOf: Date; readonly error: Error }
  | { readonly kind: 'failed'; readonly error: Error };

/** The lists that are kept; each is read on its own. */
export type ListName = 'positions' | 'pools';

/** Sums over the open positions, US dollars and SOL; `undefined` where no position reports the figure. */
export interface PortfolioTotals {
  readonly count: number;
  readonly outOfRange: number;
  readonly valueUsd: number | undefined;
  readonly valueNative: number | undefined;
  readonly pnlUsd: number | undefined;
  readonly pnlNative: number | undefined;
  /** Percent of what was put in, over the positions that report both. */
  readonly pnlPercent: number | undefined;
  readonly pnlPercentNative: number | undefined;
  readonly uncollectedFeeUsd: number | undefined;
  readonly uncollectedFeeNative: number | undefined;
  /** What is not in the sums. */
  readonly leftOut: LeftOutOfTotals;
}

/** How many positions a sum leaves out, and why. */
export interface LeftOut {
  /** The service does not report the figure. */
  readonly notReported: number;
  /** The figure is too large to be real (snapshot.ts). */
  readonly implausible: number;
}

/** How many positions each of the sums leaves out, by currency. */
export type LeftOutOfTotals = Readonly<Record<'value' | 'pnl' | 'pnlPercent' | 'uncollectedFee', Readonly<Record<keyof Money, LeftOut>>>>;

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
  /** The owner, a list's state, whether there are more pools, or the totals changed. */
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

/** What the portfolio needs from outside. */
export interface PortfolioDependencies {
  /** Gives the service, or throws a worded error where there is none (no key, sandbox down). Loads it on first use. */
  readonly service: () => Promise<LiquidityService>;
  readonly log: (level: 'debug' | 'info' | 'warn', message: string) => void;
  readonly clock: Clock;
}

/**
 * The live state, and its one owner. Nobody else calls the service to read lists.
 * Sorted for attention: out of range first, then those whose range is not known, then by value, largest first.
 */
export interface PortfolioReader {
  readonly snapshot: PortfolioSnapshot;
  onDidChange(listener: (change: PortfolioChange) => void): Subscription;
  /** Records that were odd in the last answer; for the log and the tooltip. */
  readonly oddities: readonly ParseWarning[];
}

/** How long to wait, how often to look (no more often than the service allows), and what ends the wait early. */
export interface WaitOptions {
  readonly timeoutMs: number;
  readonly everyMs: number;
  readonly signal?: AbortSignal;
  /** For whom it looks; without it `panel`. */
  readonly pace?: RequestPace;
}

/** What may be asked of the portfolio besides reading. */
export interface PortfolioControl extends PortfolioReader {
  /** Another owner: what is shown of the last one goes at once. Reads nothing: its list is `idle` until it is refreshed. */
  setOwner(owner: Address | undefined): void;
  /** Another way to list pools: what is shown goes at once. Reads nothing. `page` is not heeded. */
  setPoolQuery(query: DiscoverQuery): void;
  /**
   * Reads the lists (both, unless they are named), one request at a time. Routine reasons (`startup`, `interval`,
   * `visible`, `focus`) join a refresh that is under way; the others, who know that something is new, get one more after
   * it. Never rejects: failures are in the snapshot.
   * @param pace for whom the service is asked; without it by the reason (requestPace.ts)
   */
  refresh(reason: RefreshReason, lists?: readonly ListName[], pace?: RequestPace): Promise<void>;
  /** Appends the next page of pools; nothing happens when there is none. Never rejects. @param pace for whom the service is asked; without it `user` */
  loadMorePools(pace?: RequestPace): Promise<void>;
  /**
   * Refreshes until `settled` holds of a snapshot whose positions were read after the call.
   * @returns true when it did, false when `timeoutMs` passed, `signal` was aborted, or the owner or the service changed first.
   */
  waitUntil(settled: (snapshot: PortfolioSnapshot) => boolean, options: WaitOptions): Promise<boolean>;
}
