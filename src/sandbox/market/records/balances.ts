import type { Address } from '../../../base/solana/address';
import { formatRaw } from '../../../base/solana/amounts';
import type { WireTokenBalance } from '../../../server/wire/tokens';
import { wholeTokens } from '../tokens';
import type { Market, PoolToken } from '../types';
import { logoOf } from './common';
import type { RecordContext } from './reading';

/** What an owner holds: SOL (wrapped or not, under the mint of wrapped SOL) always, other tokens where there are any. Mints that the market does not know are left out. */
export function tokenBalances(
  { market, chain }: RecordContext,
  owner: Address,
  mints: readonly string[] | undefined,
): readonly WireTokenBalance[] {
  return market.tokens
    .filter(({ mint }) => mints === undefined || mints.includes(mint))
    .map((token) => {
      const tokens = chain.tokenBalance(owner, token.mint);
      return { token, raw: token.mint === market.sol.mint ? chain.lamports(owner) + tokens : tokens };
    })
    .filter(({ token, raw }) => raw > 0n || token.mint === market.sol.mint)
    .map(({ token, raw }) => balanceRecord(market, token, raw));
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
    logo: logoOf(token),
    balanceInUsd: balance * price,
    price,
  };
}
