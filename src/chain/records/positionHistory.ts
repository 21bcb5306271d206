import type { BinRange } from '../../base/dlmm/bins';
import { SECOND_MS } from '../../base/time';
import { type KnownOrNull, NO_WORTH, sumOfWorths, UNKNOWN_WORTH, type UsdAndNative } from '../../engine/state/figures';
import type { EventFacts, PoolMoment, PositionFacts, RecordPool } from '../../engine/state/positionState';
import type { IndexedPosition, IndexedEvent } from '../index/types';
import type { OnchainPool } from '../pools/types';
import { anchorsOf, type ValuationPrices, pairPrices, uiPriceOf, type UsdOf, worthOf } from './valuation';
import type { Address } from '../../base/solana/address';

const WHOLE_BPS = 10_000;

/** US dollars at a time; null: not known. */
export type UsdAt = (mint: Address, timeS: number) => KnownOrNull;

/** A price that is needed. */
export interface NeededPrice {
  readonly mint: Address;
  readonly timeS: number;
}

/** What a closed or open position did, with the prices of those times. */
export type PositionHistory = Omit<PositionFacts, 'address' | 'owner' | 'pool' | 'strategy' | 'range'>;

/** An event with the price of its pool then. */
interface PricedEvent {
  readonly event: IndexedEvent;
  readonly rawPrice: number | undefined;
}

const ACTIONS = {
  deposit: 'add_liquidity',
  withdrawal: 'remove_liquidity',
  feeClaim: 'claim_fee',
  close: 'close_position',
} as const satisfies Readonly<Record<Exclude<IndexedEvent['kind'], 'create'>, EventFacts['action']>>;

/** The prices that the records of a position need. */
export function pricesNeeded({ events }: IndexedPosition, pool: OnchainPool): readonly NeededPrice[] {
  const anchors = anchorsOf(pool);
  return events.flatMap(({ kind, blockTimeS }) =>
    kind === 'create' || blockTimeS === undefined ? [] : anchors.map((mint) => ({ mint, timeS: blockTimeS })),
  );
}

/** What went in and out of a position. Sums of an incomplete history are not known. */
export function historyOf(position: IndexedPosition, pool: OnchainPool, usdAt: UsdAt): PositionHistory {
  if (!position.complete) {
    return { ...unknownHistoryOf(position), collectedReward: rewardsOf(position, pool) };
  }
  const events = priced(position);
  const worths = (kind: IndexedEvent['kind']): UsdAndNative =>
    sumOfWorths(
      ...events.filter(({ event }) => event.kind === kind).map((of) => worthOf(pool, of.event.amounts, pricesOf(of, pool, usdAt))),
    );
  return {
    ...unknownHistoryOf(position),
    input: worths('deposit'),
    output: worths('withdrawal'),
    collectedFee: worths('feeClaim'),
    collectedReward: rewardsOf(position, pool),
  };
}

/**
 * Rewards are in tokens of their own, and not known once some were claimed, or while some may be waiting in an open position. A position is
 * closed only after everything is claimed.
 */
function rewardsOf({ complete, closed, hasClaimedRewards }: IndexedPosition, { hasRewards }: OnchainPool): UsdAndNative {
  return hasClaimedRewards || (hasRewards && !(complete && closed)) ? UNKNOWN_WORTH : NO_WORTH;
}

/** The times of a position without what went in and out of it. */
export function unknownHistoryOf({ events, complete }: IndexedPosition): PositionHistory {
  return {
    input: UNKNOWN_WORTH,
    output: UNKNOWN_WORTH,
    collectedFee: UNKNOWN_WORTH,
    collectedReward: UNKNOWN_WORTH,
    openedAt: complete ? timeOf(events[0]) : null,
    updatedAt: timeOf(events.at(-1)),
  };
}

/** When a position was closed; null: it is open, or the time is not known. */
export function closedAtOf({ closed, events }: Pick<IndexedPosition, 'closed' | 'events'>): number | null {
  return closed ? timeOf(events.findLast(({ kind }) => kind === 'close') ?? events.at(-1)) : null;
}

/** What open and closed positions have in common. */
export function factsOf(position: IndexedPosition, pool: RecordPool, history: PositionHistory): PositionFacts {
  const { address, owner, strategy = null } = position;
  return { address, owner, pool, strategy, range: rangeOf(position), ...history };
}

/**
 * The events of a position for its logs, oldest first. The opening alone is none, nor is a claim of nothing. The share of a withdrawal (`bps`) is
 * null: the programs' events have its amounts, and neither the share that was asked for nor what the position held.
 */
export function eventsOf(position: IndexedPosition, pool: OnchainPool, usdAt: UsdAt): readonly (EventFacts & { readonly order: number })[] {
  return priced(position).flatMap((of) => {
    const { kind, amounts, order } = of.event;
    if (kind === 'create' || (kind === 'feeClaim' && amounts.x === 0n && amounts.y === 0n)) {
      return [];
    }
    const { x, y, usdSol } = pricesOf(of, pool, usdAt);
    return [{ action: ACTIONS[kind], at: timeOf(of.event), amounts, usd0: x.usd, usd1: y.usd, usdSol, bps: null, order }];
  });
}

/** Prices and active bin of the pool when a position was closed, from its last event with a price. */
export function momentOfClosing(position: IndexedPosition, pool: OnchainPool, usdAt: UsdAt): PoolMoment {
  const last = priced(position).at(-1);
  const prices = last === undefined ? undefined : pricesOf(last, pool, usdAt);
  const rawPrice = last?.rawPrice;
  return {
    usd0: prices?.x.usd ?? null,
    usd1: prices?.y.usd ?? null,
    uiPrice: rawPrice === undefined ? null : uiPriceOf(pool, rawPrice),
    activeBinId: rawPrice === undefined || pool.binStep === undefined ? null : binOf(rawPrice, pool.binStep),
  };
}

/** The range of a position; null in pools without bins, and if it is not in the history. */
export function rangeOf({ range }: Pick<IndexedPosition, 'range'>): BinRange | null {
  return range === undefined ? null : { fromBinId: range.lowerBinId, toBinId: range.upperBinId };
}

/** Events with the price of the pool. An event without one takes it from another event of its transaction: nothing moves in between but fees. */
function priced({ events }: IndexedPosition): readonly PricedEvent[] {
  const known = new Map<string, number>();
  for (const { signature, rawPrice } of events) {
    if (rawPrice !== undefined) {
      known.set(signature, rawPrice);
    }
  }
  return events.map((event) => ({ event, rawPrice: event.rawPrice ?? known.get(event.signature) }));
}

function pricesOf({ event, rawPrice }: PricedEvent, pool: OnchainPool, usdAt: UsdAt): ValuationPrices {
  const { blockTimeS } = event;
  const usdOf: UsdOf = (mint) => (blockTimeS === undefined ? null : usdAt(mint, blockTimeS));
  return pairPrices(pool, rawPrice === undefined ? null : uiPriceOf(pool, rawPrice), usdOf);
}

/** The bin of a price that is a bin's own. */
function binOf(rawPrice: number, stepBps: number): number {
  const binId = Math.round(Math.log(rawPrice) / Math.log1p(stepBps / WHOLE_BPS));
  return binId === 0 ? 0 : binId; // never -0
}

function timeOf(event: IndexedEvent | undefined): number | null {
  return event?.blockTimeS === undefined ? null : event.blockTimeS * SECOND_MS;
}
