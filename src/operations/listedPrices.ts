import type { Pool } from '../api/records/pool';
import type { OpenPosition } from '../api/records/position';
import { uiPriceOfBin } from '../dlmm/bins';
import type { PortfolioSnapshot } from '../portfolio/types';
import type { ListedPrice } from '../review/types';
import type { Address } from '../solana/address';
import { WRAPPED_SOL_MINT } from '../solana/programs';
import { solPriceOf } from './shownFigures';
import type { ZapInPlan } from './types';

/** More prices of one operation are not compared: lists may hold thousands of pools with SOL. */
const MOST_ELSEWHERE = 48;

/** The lists that the user sees, as far as they tell prices. */
export type PricedLists = Pick<PortfolioSnapshot, 'positions' | 'pools'>;

/** The prices of a position's tokens and of SOL: by its own record, and by everything else that the service lists. */
export function listedPricesOfPosition(position: OpenPosition, lists: PricedLists): readonly ListedPrice[] {
  const { token0, token1, price0Usd, price1Usd } = position;
  const shown = [...priceOf(token0.address, price0Usd), ...priceOf(token1.address, price1Usd), ...priceOf(WRAPPED_SOL_MINT, solPriceOf(position))];
  const others = { ...lists, positions: lists.positions.filter(({ key }) => key !== position.key) };
  return withElsewhere(shown, [...priceOf(token0.address, priceByBin(position)).map((price) => ({ ...price, isByBin: true })), ...pricesIn(others)]);
}

/** The prices of a pool's tokens and of SOL: those that the user chose by, and those of everything else that the service lists. */
export function listedPricesOfPlan({ tokenX, tokenY, prices: { priceXUsd, priceYUsd, solUsd } }: Pick<ZapInPlan, 'tokenX' | 'tokenY' | 'prices'>, lists: PricedLists): readonly ListedPrice[] {
  return withElsewhere([...priceOf(tokenX, priceXUsd), ...priceOf(tokenY, priceYUsd), ...priceOf(WRAPPED_SOL_MINT, solUsd)], pricesIn(lists));
}

function withElsewhere(prices: readonly ListedPrice[], others: readonly ListedPrice[]): readonly ListedPrice[] {
  // SOL may be one of the pair as well.
  const shown = prices.filter(({ mint, usd }, place) => prices.findIndex((other) => other.mint === mint && other.usd === usd) === place);
  const mints = new Set(shown.map(({ mint }) => mint));
  const elsewhere = others.filter(({ mint }) => mints.has(mint)).slice(0, MOST_ELSEWHERE);
  return [...shown, ...elsewhere.map((price) => ({ ...price, isElsewhere: true }))];
}

function pricesIn({ positions, pools }: PricedLists): readonly ListedPrice[] {
  const pairs: readonly Pick<Pool, 'token0' | 'token1' | 'price0Usd' | 'price1Usd'>[] = [...positions, ...pools];
  return pairs.flatMap(({ token0, token1, price0Usd, price1Usd }) => [...priceOf(token0.address, price0Usd), ...priceOf(token1.address, price1Usd)]);
}

/** What the active bin of a position's pool says that token 0 costs, where token 1 costs what is listed. */
function priceByBin({ activeBinId, binStepBps, token0, token1, price1Usd }: OpenPosition): number | undefined {
  if (activeBinId === undefined || binStepBps === undefined || token0.decimals === undefined || token1.decimals === undefined || price1Usd === undefined) {
    return undefined;
  }
  try {
    return uiPriceOfBin(activeBinId, binStepBps, token0.decimals, token1.decimals) * price1Usd;
  } catch (error) {
    if (error instanceof RangeError) {
      return undefined;
    }
    throw error;
  }
}

/** What is not above 0 is not a price; the review asks where one is missing. */
function priceOf(mint: Address | undefined, usd: number | undefined): readonly ListedPrice[] {
  return mint === undefined || usd === undefined || !(usd > 0 && Number.isFinite(usd)) ? [] : [{ mint, usd }];
}
