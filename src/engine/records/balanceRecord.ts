import { formatRaw } from '../../base/solana/amounts';
import type { WireTokenBalance } from '../wire/positions';
import { type KnownOrNull, mapped } from './figures';
import type { RecordToken } from './positionState';
import { wholeTokens } from './positionRecord';

/** An owner's balance of a token. @param price US dollars for one whole token; null: not known */
export function balanceRecord(token: RecordToken, raw: bigint, price: KnownOrNull): WireTokenBalance {
  const balance = wholeTokens(raw, token);
  return {
    address: token.mint,
    uiAmount: formatRaw(raw, token.decimals),
    tokenAddress: token.mint,
    balance,
    rawBalance: raw.toString(),
    symbol: token.symbol,
    decimals: token.decimals,
    logo: token.logo,
    balanceInUsd: mapped(price, (usd) => balance * usd),
    price,
  };
}
