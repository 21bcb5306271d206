import { difference, mapped } from '../../engine/state/figures';
import { wholeTokens } from '../../engine/wire/positionRecord';
import type { ProtocolNames } from '../../engine/engine';
import type { PoolDetailsState, ListedPoolState, PoolTokenState } from '../../engine/state/poolState';
import type { DataPool, DataToken, DataWindow } from '../dataApi/types';
import type { MintFacts } from '../pools/mints';
import type { PoolDetails } from '../pools/poolReader';
import { protocolOf, recordToken } from './recordPool';

/** The part of a pool's accounts that lists show. */
export type PoolOfTokens = Pick<PoolDetails, 'state' | 'x' | 'y'>;

/** A pool of which the amounts are known. */
export type OwnPoolState = Pick<PoolDetailsState, keyof ListedPoolState>;

/** A pool as the data API lists it. The API has no organic score, largest holder, price changes or other windows of time. */
export function stateFromData(pool: DataPool, protocols: ProtocolNames, now: number): ListedPoolState {
  const { x, y, dynamicFeePercent } = pool;
  const [token0, token1] = [listedToken(x), listedToken(y)];
  return {
    address: pool.address,
    protocol: protocolOf(pool.program, protocols),
    pairName: `${token0.symbol}/${token1.symbol}`,
    token0,
    token1,
    binStepBps: pool.binStepBps ?? null,
    amount0: pool.amountX ?? null,
    amount1: pool.amountY ?? null,
    tvlUsd: pool.tvlUsd ?? null,
    baseFeePercent: pool.baseFeePercent,
    // The part of the fee that follows the pool's recent volatility.
    volatility: dynamicFeePercent === undefined ? null : Math.max(dynamicFeePercent - pool.baseFeePercent, 0),
    ...tradingOf(pool),
    readAt: now,
  };
}

/** A pool as its accounts describe it; they do not contain its trading. @param prices US dollars for one whole token */
export function stateFromChain(
  { state, x, y }: PoolOfTokens,
  prices: ReadonlyMap<string, number>,
  protocols: ProtocolNames,
  now: number,
): OwnPoolState {
  const [usdX, usdY] = [prices.get(x.mint), prices.get(y.mint)];
  const [amount0, amount1] = [wholeTokens(state.reserves.x, x), wholeTokens(state.reserves.y, y)];
  const { basePercent, dynamicPercent } = state.fees;
  return {
    address: state.address,
    protocol: protocolOf(state.program, protocols),
    pairName: `${x.symbol}/${y.symbol}`,
    token0: ownToken(x, usdX),
    token1: ownToken(y, usdY),
    binStepBps: state.binStep ?? null,
    amount0,
    amount1,
    tvlUsd: worthOf(amount0, usdX, amount1, usdY),
    baseFeePercent: basePercent,
    volatility: mapped(difference(dynamicPercent, basePercent), (percent) => Math.max(percent, 0)),
    ...tradingOf(undefined),
    readAt: now,
  };
}

/** What the data API knows of a pool's trading; without it, nothing is known. */
export function tradingOf(pool: DataPool | undefined): Pick<ListedPoolState, 'volumeUsd' | 'feesUsd' | 'feesOverTvl' | 'createdAt'> {
  const inWindows = (of: (window: DataWindow) => number | undefined): ListedPoolState['volumeUsd'] => ({
    '1h': of('1h') ?? null,
    '24h': of('24h') ?? null,
  });
  return {
    volumeUsd: inWindows((window) => pool?.volumeUsd[window]),
    feesUsd: inWindows((window) => pool?.feesUsd[window]),
    feesOverTvl: inWindows((window) => {
      const percent = pool?.feeTvlPercent[window];
      return percent === undefined ? undefined : percent / 100;
    }),
    createdAt: pool?.createdAtMs ?? null,
  };
}

/** The value of all of a token, US dollars; null: not known. The mint of wrapped SOL counts no supply. */
function fullyDilutedValue(token: Pick<MintFacts, 'supply' | 'decimals'>, usd: number | undefined): number | null {
  return usd === undefined || token.supply === 0n ? null : wholeTokens(token.supply, token) * usd;
}

/** The value of two amounts of whole tokens, US dollars. An amount of 0 needs no price. */
function worthOf(amountX: number, usdX: number | undefined, amountY: number, usdY: number | undefined): number | null {
  const [x, y] = [amountX === 0 ? 0 : usdX, amountY === 0 ? 0 : usdY];
  return x === undefined || y === undefined ? null : amountX * x + amountY * y;
}

/** A token as its mint describes it. @param usd US dollars for one whole token */
function ownToken(token: MintFacts, usd: number | undefined): PoolTokenState {
  return { ...recordToken(token), usd: usd ?? null, fdvUsd: fullyDilutedValue(token, usd), mintOrFreezeEnabled: token.hasAuthority };
}

/** Of the mint, where there is no symbol. */
const SYMBOL_OF_MINT = 6;

function listedToken({ mint, symbol, name, decimals, ...token }: DataToken): PoolTokenState {
  return {
    mint,
    symbol: symbol ?? mint.slice(0, SYMBOL_OF_MINT),
    name: name ?? mint,
    decimals,
    logo: null,
    usd: token.priceUsd ?? null,
    marketCapUsd: token.marketCapUsd ?? null,
    fdvUsd: token.supply === undefined || token.priceUsd === undefined ? null : token.supply * token.priceUsd,
    holders: token.holders ?? null,
    // The API does not have the mint authority.
    mintOrFreezeEnabled: token.hasFreezeAuthority ? true : null,
  };
}
