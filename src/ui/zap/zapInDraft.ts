import * as l10n from '@vscode/l10n';
import type { BinRange } from '../../base/dlmm/bins';
import { shortAddress } from '../../base/format/identifiers';
import type { Address } from '../../base/solana/address';
import type { PoolType, Token } from '../../service/common';
import { type PoolInfo, poolBinStep } from '../../service/poolInfo';
import type { Pool } from '../../service/pools';
import type { OpenPosition } from '../../service/positions';
import { UserError } from '../shell/errors';
import { plainText } from '../shell/views/text';
import { LAMPORTS_PER_SOL } from '../../base/solana/programs';
import { lamportsAsSol } from '../../base/format/money';

/** The pool of a zap-in. */
export interface ZapInTarget {
  readonly pool: Address;
  readonly poolType: KnownPoolType;
  readonly pairName: string;
  readonly tokenX: Address | undefined;
  readonly tokenY: Address | undefined;
  /** Safe for labels. */
  readonly symbolX: string;
  readonly symbolY: string;
  readonly decimalsX: number | undefined;
  readonly decimalsY: number | undefined;
  /** US dollars per whole token, as listed by the service; `undefined` if it lists none. */
  readonly priceXUsd: number | undefined;
  readonly priceYUsd: number | undefined;
  /** `undefined` if unknown, and for pools without bins. */
  readonly binStepBps: number | undefined;
}

/** The pool types whose transactions the review reads. */
export type KnownPoolType = Exclude<PoolType, 'other'>;

/**
 * Converts a listed pool.
 * @throws UserError if Binsight does not know its type
 */
export function targetOfPool(pool: Pool): ZapInTarget {
  return {
    pool: pool.address,
    poolType: knownPoolType(pool.poolType),
    pairName: plainText(pool.pairName),
    ...sidesOfPair(pool.token0, pool.token1),
    priceXUsd: pool.price0Usd,
    priceYUsd: pool.price1Usd,
    binStepBps: pool.binStepBps,
  };
}

/**
 * Converts the pool of a position.
 * @throws UserError if Binsight does not know its type, or the service does not report the pool
 */
export function targetOfPosition(position: OpenPosition): ZapInTarget {
  const { pool, token0, token1, price0Usd, price1Usd, binStepBps } = position;
  const poolType = knownPoolType(position.poolType);
  if (pool === undefined) {
    throw new UserError(
      `${l10n.t('The service did not report the address of this position or of its pool.')} ${l10n.t('Refresh your positions.')}`,
    );
  }
  const pairName = plainText(position.pairName);
  return { pool, poolType, pairName, ...sidesOfPair(token0, token1), priceXUsd: price0Usd, priceYUsd: price1Usd, binStepBps };
}

/**
 * Converts a pool that is known only by its details, because its address was entered.
 * @throws UserError like {@link targetOfPool}
 */
export function targetOfInfo(pool: Address, info: PoolInfo): ZapInTarget {
  const poolType = knownPoolType(info.poolType);
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
    binStepBps: poolBinStep(info),
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
 * Rejects pools whose instructions the review cannot read, before any request to the service: Binsight signs nothing that it cannot read.
 * @throws UserError for other pool types
 */
export function knownPoolType(type: PoolType): KnownPoolType {
  if (type === 'other') {
    throw new UserError(l10n.t('Binsight does not know this type of pool and signs nothing for it.'));
  }
  return type;
}

/** Answers about a deposit so far. `own`: still to be typed. `tokens`: the pool's tokens are deposited from the wallet. */
export interface ZapInDraft {
  readonly target?: ZapInTarget;
  readonly balances?: Balances;
  readonly amount?: bigint | 'own' | 'tokens';
  /** Raw units. */
  readonly amountX?: bigint | 'own';
  readonly amountY?: bigint | 'own';
  readonly activeBin?: ActiveBin | undefined;
  readonly range?: BinRange | undefined;
  readonly slippageBps?: number | 'own';
  /** It is for an existing position, whose range is given. */
  readonly isAddition?: boolean;
}

/** Active bin and price of a pool. */
export interface ActiveBin {
  readonly binId: number;
  /** Token Y per token X, in whole tokens. */
  readonly price: number | undefined;
}

export interface SolBalance {
  readonly lamports: bigint;
  readonly priceUsd: number | undefined;
}

/** What a wallet could deposit into the pool. */
export interface Balances {
  readonly sol: SolBalance;
  /** `undefined` if it holds none of the pool's tokens but SOL, or cannot deposit them as they are. */
  readonly tokens: TokensHeld | undefined;
}

/** A wallet's balances of a pool's two tokens. */
export interface TokensHeld {
  readonly x: HeldToken;
  readonly y: HeldToken;
}

export interface HeldToken {
  readonly mint: Address;
  /** Safe for labels, and not mistakable for another token's. */
  readonly symbol: string;
  readonly decimals: number;
  /** Amount that may be deposited, raw units: the balance, of SOL less the reserve for rent and fees. */
  readonly availableRaw: bigint;
}

/**
 * SOL that stays in the wallet. It covers the rent of a new DLMM position at the highest rate known (0.0574 SOL), its token accounts and fees, and
 * does not follow a lower rate: the rate may change before the transactions land. Missing bin arrays cost more; the review shows their cost.
 */
export const RESERVE_LAMPORTS = LAMPORTS_PER_SOL / 10n;

export const loadingBalancesText = (): string => l10n.t('Loading balances…');
export const allButReserveText = (): string => l10n.t`all but ${lamportsAsSol(RESERVE_LAMPORTS)} for rent and fees`;

/** Description of an earlier answer that is none of the offered ones. */
export const asChosen = (): string => l10n.t('your choice');

/** The title of every step. */
export function titleOf({ target, isAddition = false }: ZapInDraft): string {
  const title = isAddition ? l10n.t('Add Liquidity') : l10n.t('Zap In');
  return target === undefined ? title : `${title}: ${target.pairName}`;
}

/** Pools with bins need a range and a strategy. */
export function hasBins({ target }: ZapInDraft): boolean {
  return target?.poolType !== 'dammV2';
}
