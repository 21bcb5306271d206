import type { Address } from '../../../solana/address';
import { formatRaw } from '../../../solana/amounts';
import type { Chain } from '../../chain/types';
import type { WireTokenBalance } from '../../wire/tokens';
import type { WireDecreaseQuote } from '../../wire/transactions';
import { worthOf } from '../books';
import type { Market } from '../market';
import { wholeTokens, type Pool, type PoolToken } from '../pool';
import type { PositionState } from '../position';
import { expectedOut } from '../zapOutPlan';

/** What an owner holds: SOL (wrapped or not, under the mint of wrapped SOL) always, other tokens where there are any. */
export function tokenBalances(market: Market, chain: Chain, owner: Address, mints: readonly string[] | undefined): readonly WireTokenBalance[] {
  return market.tokens
    .filter(({ mint }) => mints === undefined || mints.includes(mint))
    .map((token) => {
      const tokens = chain.tokenBalance(owner, token.mint);
      return { token, raw: token.mint === market.sol.mint ? chain.lamports(owner) + tokens : tokens };
    })
    .filter(({ token, raw }) => raw > 0n || token.mint === market.sol.mint)
    .map(({ token, raw }) => balanceRecord(market, token, raw));
}

/** What a share of a position would give, without swaps. */
export function decreaseQuoteRecord(market: Market, pool: Pool, position: PositionState, bps: number): WireDecreaseQuote {
  const { liquidity, fees } = expectedOut(pool, position, bps);
  const worth = worthOf(market, pool, { x: liquidity.x + fees.x, y: liquidity.y + fees.y });
  const side = ({ mint, spec }: PoolToken, amount: bigint, fee: bigint): WireDecreaseQuote['token0'] => ({
    address: mint,
    amount: formatRaw(amount, spec.decimals),
    fee: formatRaw(fee, spec.decimals),
  });
  return {
    price: { token0: market.usd(pool.tokenX), token1: market.usd(pool.tokenY) },
    token0: side(pool.tokenX, liquidity.x, fees.x),
    token1: side(pool.tokenY, liquidity.y, fees.y),
    value: worth.usd,
    valueNative: worth.native,
  };
}

function balanceRecord(market: Market, token: PoolToken, raw: bigint): WireTokenBalance {
  const { spec, mint } = token;
  const price = market.usd(token);
  const balance = wholeTokens(raw, token);
  return {
    address: mint,
    uiAmount: formatRaw(raw, spec.decimals),
    tokenAddress: mint,
    balance,
    rawBalance: raw.toString(),
    symbol: spec.symbol,
    decimals: spec.decimals,
    logo: null,
    balanceInUsd: balance * price,
    price,
  };
}
