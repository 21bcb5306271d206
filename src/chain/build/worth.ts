import type { Address } from '../../base/solana/address';
import { SOL_DECIMALS, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import type { BuildAmounts, BuildWorth } from '../../engine/build/ports';
import type { PriceSource } from '../prices/types';
import type { LivePool, LiveToken } from './livePool';

/** The value of amounts of a pool's tokens, and what each token costs. */
export async function worthOf(prices: PriceSource, pool: LivePool, amounts: BuildAmounts): Promise<BuildWorth> {
  const known = await prices.now([...new Set([pool.x.mint, pool.y.mint, WRAPPED_SOL_MINT])]);
  const [usdX, usdY] = [usdOf(known, pool.x, amounts.x), usdOf(known, pool.y, amounts.y)];
  const usd = usdX === undefined || usdY === undefined ? null : usdX + usdY;
  return {
    priceX: known.get(pool.x.mint) ?? null,
    priceY: known.get(pool.y.mint) ?? null,
    usd,
    native: nativeOf(pool, amounts) ?? divided(usd, known.get(WRAPPED_SOL_MINT)),
  };
}

/** `undefined` if a token with an amount has no known price. */
function usdOf(prices: ReadonlyMap<Address, number>, { mint, decimals }: LiveToken, raw: bigint): number | undefined {
  const price = prices.get(mint);
  return raw === 0n ? 0 : price === undefined ? undefined : (Number(raw) / 10 ** decimals) * price;
}

/** The value in SOL by the pool's own price, if one of its tokens is SOL. */
function nativeOf(pool: LivePool, amounts: BuildAmounts): number | undefined {
  const [x, y] = [Number(amounts.x), Number(amounts.y)];
  const scale = 10 ** SOL_DECIMALS;
  if (pool.x.mint === WRAPPED_SOL_MINT) {
    return (x + y / pool.rawPrice) / scale;
  }
  return pool.y.mint === WRAPPED_SOL_MINT ? (y + x * pool.rawPrice) / scale : undefined;
}

function divided(usd: number | null, price: number | undefined): number | null {
  return usd === null || price === undefined || price === 0 ? null : usd / price;
}
