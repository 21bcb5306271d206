import * as l10n from '@vscode/l10n';
import type { PoolType, Token } from '../../service/common';
import type { Pool, PoolInfo } from '../../service/pools';
import { binStepOf } from '../../base/dlmm/binStep';
import { shortAddress } from '../../base/format/places';
import type { Address } from '../../base/solana/address';
import { UserError } from '../shell/userError';
import { plainText } from '../shell/views/text';

/** The pool of a zap-in: what is known of it before it is entered. */
export interface ZapInTarget {
  readonly pool: Address;
  readonly poolType: KnownPoolType;
  readonly pairName: string;
  readonly tokenX: Address | undefined;
  readonly tokenY: Address | undefined;
  /** Cleaned for labels. */
  readonly symbolX: string;
  readonly symbolY: string;
  readonly decimalsX: number | undefined;
  readonly decimalsY: number | undefined;
  /** US dollars for one whole token, as the service listed them; `undefined` where it does not. */
  readonly priceXUsd: number | undefined;
  readonly priceYUsd: number | undefined;
  /** `undefined` where it cannot be told, and for pools without bins. */
  readonly binStepBps: number | undefined;
}

/** The kinds of pool whose transactions the review reads. */
export type KnownPoolType = Exclude<PoolType, 'other'>;

/**
 * Gives a listed pool as a target.
 * @throws Refusal where it is of a kind that Binsight does not know.
 */
export function targetOfPool(pool: Pool): ZapInTarget {
  return {
    pool: pool.address,
    poolType: knownPoolType(pool.poolType, 'enter'),
    pairName: plainText(pool.pairName),
    ...sidesOfPair(pool.token0, pool.token1),
    priceXUsd: pool.price0Usd,
    priceYUsd: pool.price1Usd,
    binStepBps: pool.binStepBps,
  };
}

/**
 * Gives a pool that is known by its details alone (its address was pasted) as a target.
 * @throws Refusal as {@link targetOfPool}.
 */
export function targetOfInfo(pool: Address, info: PoolInfo): ZapInTarget {
  const poolType = knownPoolType(info.poolType, 'enter');
  const unknown = { address: undefined, symbol: '?', name: undefined, decimals: undefined, priceUsd: undefined };
  const [tokenX = unknown, tokenY = unknown] = info.tokens;
  const sides = sidesOfPair(tokenX, tokenY);
  return {
    pool,
    poolType,
    pairName: info.tokens.length < 2 ? shortAddress(pool) : `${sides.symbolX}/${sides.symbolY}`,
    ...sides,
    priceXUsd: tokenX.priceUsd,
    priceYUsd: tokenY.priceUsd,
    binStepBps: binStepOf(info.bins),
  };
}

function sidesOfPair(x: Token, y: Token): Pick<ZapInTarget, 'tokenX' | 'tokenY' | 'symbolX' | 'symbolY' | 'decimalsX' | 'decimalsY'> {
  return {
    tokenX: x.address,
    tokenY: y.address,
    symbolX: plainText(x.symbol),
    symbolY: plainText(y.symbol),
    decimalsX: x.decimals,
    decimalsY: y.decimals,
  };
}

/**
 * Nothing is signed that cannot be read, and the review reads the instructions of the pools that it knows alone.
 * @throws Refusal for other kinds of pool, before anything is asked of the service.
 */
export function knownPoolType(type: PoolType, intent: 'enter' | 'leave'): KnownPoolType {
  if (type === 'other') {
    throw new UserError(
      l10n.t`Binsight does not know this kind of pool, and cannot ${intent} it: it signs nothing that it cannot read. Meteora DLMM and DAMM v2 are what it reads.`,
    );
  }
  return type;
}
