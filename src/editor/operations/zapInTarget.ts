import type { PoolType, Token } from '../../api/records/money';
import type { BinLiquidity, Pool, PoolInfo } from '../../api/records/pool';
import { shortAddress } from '../../format/places';
import type { Address } from '../../solana/address';
import { Refusal } from '../refusal';
import { plainText } from '../views/plainText';

/** The pool of a zap-in: what is known of it before it is entered. */
export interface ZapInTarget {
  readonly pool: Address;
  readonly pairName: string;
  readonly tokenX: Address | undefined;
  readonly tokenY: Address | undefined;
  /** Cleaned for labels. */
  readonly symbolX: string;
  readonly symbolY: string;
  readonly decimalsX: number | undefined;
  readonly decimalsY: number | undefined;
  /** `undefined` where it cannot be told. */
  readonly binStepBps: number | undefined;
}

/**
 * Gives a listed pool as a target.
 * @throws Refusal where it is no DLMM pool.
 */
export function targetOfPool(pool: Pool): ZapInTarget {
  refuseUnreadable(pool.poolType, 'enter');
  return {
    pool: pool.address,
    pairName: plainText(pool.pairName),
    ...sidesOfPair(pool.token0, pool.token1),
    binStepBps: pool.binStepBps,
  };
}

/**
 * Gives a pool that is known by its details alone (its address was pasted) as a target.
 * @throws Refusal as {@link targetOfPool}.
 */
export function targetOfInfo(pool: Address, info: PoolInfo): ZapInTarget {
  refuseUnreadable(info.poolType, 'enter');
  const unknown: Token = { address: undefined, symbol: '?', name: undefined, decimals: undefined };
  const [tokenX = unknown, tokenY = unknown] = info.tokens;
  const sides = sidesOfPair(tokenX, tokenY);
  return {
    pool,
    pairName: info.tokens.length < 2 ? shortAddress(pool) : `${sides.symbolX}/${sides.symbolY}`,
    ...sides,
    binStepBps: binStepOf(info.bins),
  };
}

/** The bin step that two neighbouring bins' prices tell, basis points; pool details do not name it. */
export function binStepOf(bins: readonly BinLiquidity[]): number | undefined {
  for (const [index, bin] of bins.entries()) {
    const next = bins[index + 1];
    if (next?.binId === bin.binId + 1 && bin.price !== undefined && next.price !== undefined && bin.price > 0) {
      const step = Math.round((next.price / bin.price - 1) * 10_000);
      return step >= 1 ? step : undefined;
    }
  }
  return undefined;
}

function sidesOfPair(x: Token, y: Token): Pick<ZapInTarget, 'tokenX' | 'tokenY' | 'symbolX' | 'symbolY' | 'decimalsX' | 'decimalsY'> {
  return { tokenX: x.address, tokenY: y.address, symbolX: plainText(x.symbol), symbolY: plainText(y.symbol), decimalsX: x.decimals, decimalsY: y.decimals };
}

/**
 * Nothing is signed that cannot be read, and the review reads the instructions of DLMM pools alone.
 * @throws Refusal for other kinds of pool, before anything is asked of the service.
 */
export function refuseUnreadable(type: PoolType, intent: 'enter' | 'leave'): void {
  switch (type) {
    case 'dlmm':
      return;
    case 'dammV2':
      throw new Refusal(`Binsight shows DAMM v2 pools, but cannot ${intent} them: it does not read their transactions, and signs nothing that it has not read.`);
    case 'other':
      throw new Refusal(`Binsight does not know this kind of pool, and cannot ${intent} it.`);
  }
}
