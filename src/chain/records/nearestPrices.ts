import type { Address } from '../../base/solana/address';
import type { HistoryIndex } from '../index/types';

/** The price of a pool (token Y per token X, smallest units) at the event nearest to a time, if one is that near; `undefined`: none is. */
export type NearestPrice = (pool: Address, timeS: number, withinS: number) => number | undefined;

/** A price at a time: token Y per token X, smallest units; seconds since 1970. */
export interface TimedPrice {
  readonly timeS: number;
  readonly rawPrice: number;
}

/** The prices of a pool at the events of all known positions in it, in no order. */
export function pricesAtEvents(index: Pick<HistoryIndex, 'positions'>, pool: Address): readonly TimedPrice[] {
  return index
    .positions({ pool })
    .flatMap(({ events }) =>
      events.flatMap(({ blockTimeS: timeS, rawPrice }) => (timeS === undefined || rawPrice === undefined ? [] : [{ timeS, rawPrice }])),
    );
}

/** Finds prices of pools among the events of all known positions in them. Reads each pool once: make one for each answer. */
export function nearestPrices(index: Pick<HistoryIndex, 'positions'>): NearestPrice {
  const known = new Map<Address, readonly TimedPrice[]>();
  const pricesOf = (pool: Address): readonly TimedPrice[] => {
    const prices = known.get(pool) ?? pricesAtEvents(index, pool);
    known.set(pool, prices);
    return prices;
  };
  return (pool, timeS, withinS) => {
    const distance = (price: TimedPrice): number => Math.abs(price.timeS - timeS);
    let nearest: TimedPrice | undefined;
    for (const price of pricesOf(pool)) {
      if (distance(price) <= withinS && (nearest === undefined || distance(price) < distance(nearest))) {
        nearest = price;
      }
    }
    return nearest?.rawPrice;
  };
}
