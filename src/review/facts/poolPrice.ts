import { priceOfBin } from '../../base/dlmm/bins';
import type { PoolFact } from './facts';
import type { PriceReference } from '../types';

/** Scale of a price, bits: keeps all 53 significant bits of a double for every price of a pool (2^-64 to 2^64). */
const PRICE_BITS = 120;
const Q128 = 1n << 128n;

/**
 * Returns the price of a pool by its account on the chain, without fees: of the active bin, or of the constant-product curve.
 * `undefined` if there is no pool, or the program has no such bin, step or square root.
 */
export function priceOfPool(fact: PoolFact): PriceReference | undefined {
  if (fact.kind === 'none') {
    return undefined;
  }
  const { tokenX: inMint, tokenY: outMint } = fact;
  switch (fact.kind) {
    case 'dlmm': {
      const price = binPrice(fact.activeBinId, fact.binStepBps);
      return price === undefined
        ? undefined
        : { inMint, outMint, inAmountRaw: 1n << BigInt(PRICE_BITS), outAmountRaw: BigInt(Math.round(price * 2 ** PRICE_BITS)) };
    }
    case 'dammV2':
      return fact.sqrtPriceQ64 > 0n ? { inMint, outMint, inAmountRaw: Q128, outAmountRaw: fact.sqrtPriceQ64 ** 2n } : undefined;
  }
}

/** Raw units of Y for one raw unit of X; `undefined` for a bin or step that the program does not have. */
function binPrice(binId: number, binStepBps: number): number | undefined {
  try {
    return priceOfBin(binId, binStepBps);
  } catch (error) {
    if (error instanceof RangeError) {
      return undefined;
    }
    throw error;
  }
}
