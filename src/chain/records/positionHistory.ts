import type { BinRange } from '../../base/dlmm/bins';
import { SECOND_MS } from '../../base/time';
import { type KnownOrNull, NO_WORTH, sumOfWorths, UNKNOWN_WORTH, type UsdAndNative } from '../../engine/state/figures';
import type { EventFacts, PoolMoment, PositionFacts, RecordPool } from '../../engine/state/positionState';
import type { IndexedPosition, IndexedEvent } from '../index/types';
import type { OnchainPool } from '../pools/types';
import { isContradicted, type ReportedPosition, worthOfFlow } from './reported';
import { anchorsOf, type ValuationPrices, pairPrices, uiPriceOf, type UsdOf, worthOf } from './valuation';
import type { Address } from '../../base/solana/address';
import { USDC_MINT, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import type { NearestPrice } from './nearestPrices';

const WHOLE_BPS = 10_000;
/** The price at an event so near counts before the price of SOL from elsewhere, seconds. */
const NEAR_S = 3_600;

/** US dollars at a time; null: not known. */
export type UsdAt = (mint: Address, timeS: number) => KnownOrNull;

export interface PastPrices {
  readonly usdAt: UsdAt;
  readonly nearest: NearestPrice;
}

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
  return events.flatMap(({ kind, blockTimeS, rawPrice }) =>
    kind === 'create' || blockTimeS === undefined
      ? []
      : // Where the event has no price, that of SOL may stand in for it.
        (kind === 'feeClaim' && rawPrice === undefined ? [...new Set([...anchors, WRAPPED_SOL_MINT])] : anchors).map((mint) => ({
          mint,
          timeS: blockTimeS,
        })),
  );
}

/**
 * What went in and out of a position. Sums of an incomplete history are not known. Fees that were claimed in a transaction without a price of the
 * pool are valued at one of about that time, as an estimate: the event of a claim in DAMM v2 has none.
 */
export function historyOf(position: ReportedPosition, pool: OnchainPool, { usdAt, nearest }: PastPrices): PositionHistory {
  if (!position.complete && position.reported !== undefined) {
    const { createdAtS, deposits, withdrawals, fees } = position.reported;
    return {
      ...unknownHistoryOf(position),
      openedAt: createdAtS === undefined ? null : createdAtS * SECOND_MS,
      input: worthOfFlow(deposits),
      output: worthOfFlow(withdrawals),
      collectedFee: worthOfFlow(fees),
      collectedReward: rewardsOf(position, pool),
    };
  }
  if (!position.complete) {
    return { ...unknownHistoryOf(position), collectedReward: rewardsOf(position, pool) };
  }
  const events = priced(position);
  const worthsOf = (of: readonly PricedEvent[]): UsdAndNative =>
    sumOfWorths(...of.map((one) => worthOf(pool, one.event.amounts, pricesOf(one, pool, usdAt))));
  const worths = (kind: IndexedEvent['kind']): UsdAndNative => worthsOf(events.filter(({ event }) => event.kind === kind));
  const claims = events.filter(({ event }) => event.kind === 'feeClaim');
  const estimated = claims.map((claim) =>
    isWithoutPrice(claim, pool) ? { ...claim, rawPrice: estimateOf(claim, pool, usdAt, nearest) } : claim,
  );
  const isEstimate = estimated.some((claim, place) => claim !== claims[place] && claim.rawPrice !== undefined);
  return {
    ...unknownHistoryOf(position),
    input: worths('deposit'),
    output: worths('withdrawal'),
    collectedFee: worthsOf(estimated),
    ...(isEstimate ? { isFeeEstimated: true } : {}),
    collectedReward: rewardsOf(position, pool),
  };
}

/** Whether the price of the pool is needed and not in the transaction. What was claimed in SOL alone is worth so much SOL at any price. */
function isWithoutPrice({ event: { amounts }, rawPrice }: PricedEvent, { x, y }: OnchainPool): boolean {
  const needsPrice = (amount: bigint, mint: Address): boolean => amount > 0n && mint !== WRAPPED_SOL_MINT;
  return rawPrice === undefined && (needsPrice(amounts.x, x.mint) || needsPrice(amounts.y, y.mint));
}

/** A price of the pool at about the time of an event: that of a near event in the pool, else the price of SOL in a pool with USDC, else that of any event. */
function estimateOf({ event: { blockTimeS } }: PricedEvent, pool: OnchainPool, usdAt: UsdAt, nearest: NearestPrice): number | undefined {
  if (blockTimeS === undefined) {
    return undefined;
  }
  const near = nearest(pool.address, blockTimeS, NEAR_S);
  return near ?? rawPriceOfSol(pool, usdAt(WRAPPED_SOL_MINT, blockTimeS)) ?? nearest(pool.address, blockTimeS, Infinity);
}

/** The price of a pool of SOL and USDC. */
function rawPriceOfSol({ x, y }: OnchainPool, usdSol: KnownOrNull): number | undefined {
  const uiPrice =
    usdSol === null || usdSol <= 0
      ? undefined
      : x.mint === WRAPPED_SOL_MINT && y.mint === USDC_MINT
        ? usdSol
        : x.mint === USDC_MINT && y.mint === WRAPPED_SOL_MINT
          ? 1 / usdSol
          : undefined;
  return uiPrice === undefined ? undefined : uiPrice * 10 ** (y.decimals - x.decimals);
}

/** Claimed rewards are in tokens of their own, and not known once some were claimed, or while some may have been in what is not read yet. */
function rewardsOf({ complete, hasClaimedRewards }: IndexedPosition, { hasRewards }: OnchainPool): UsdAndNative {
  return hasClaimedRewards || (hasRewards && !complete) ? UNKNOWN_WORTH : NO_WORTH;
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
export function factsOf(position: ReportedPosition, pool: OnchainPool, recorded: RecordPool, history: PositionHistory): PositionFacts {
  const { address, owner, strategy = null, complete, reported } = position;
  return {
    address,
    owner,
    pool: recorded,
    strategy,
    range: rangeOf(position),
    ...history,
    ...(!complete && reported !== undefined ? { isReported: true } : {}),
    ...(isContradicted(position, pool) ? { isContradicted: true } : {}),
  };
}

/**
 * The events of a position for its logs, oldest first. The opening alone is none, nor is a claim of nothing. The share of a withdrawal (`bps`) is
 * null: the programs' events have its amounts, and neither the share that was asked for nor what the position held.
 */
export function eventsOf(position: IndexedPosition, pool: OnchainPool, usdAt: UsdAt): readonly (EventFacts & { readonly order: number })[] {
  return priced(position).flatMap((of) => {
    const { kind, amounts, order, signature } = of.event;
    if (kind === 'create' || (kind === 'feeClaim' && amounts.x === 0n && amounts.y === 0n)) {
      return [];
    }
    const { x, y, usdSol } = pricesOf(of, pool, usdAt);
    return [{ action: ACTIONS[kind], at: timeOf(of.event), amounts, usd0: x.usd, usd1: y.usd, usdSol, bps: null, signature, order }];
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
