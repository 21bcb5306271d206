import { formatRaw } from '../../base/solana/amounts';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { type KnownOrNull, mapped } from '../state/figures';
import type { RecordToken } from '../state/positionState';
import { wholeTokens } from './positionRecord';

/**
 * Whether a balance is listed: that of SOL (native and wrapped together, under the mint of wrapped SOL) always, others if they are not zero.
 * @param mints only these; `undefined`: all
 */
export function isListedBalance(mint: string, raw: bigint, mints: readonly string[] | undefined): boolean {
  return (mints === undefined || mints.includes(mint)) && (raw > 0n || mint === WRAPPED_SOL_MINT);
}

/** An owner's balance of one token, also under the published contract's names. */
export interface WireTokenBalance {
  readonly address: string;
  /** Whole tokens, decimal text. */
  readonly uiAmount: string;
  readonly tokenAddress: string;
  readonly balance: number;
  /** Raw, decimal text. */
  readonly rawBalance: string;
  readonly symbol: string;
  readonly decimals: number;
  readonly logo: string | null;
  readonly balanceInUsd: number | null;
  readonly price: number | null;
  /**
   * Only of SOL: the part of it in the owner's own account for wrapped SOL, which `POST /token/swap-tx` unwraps. Raw, decimal text. Not in the
   * published contract.
   */
  readonly rawWrappedBalance?: string;
}

/**
 * An owner's balance of a token.
 * @param price US dollars for one whole token; null: not known
 * @param wrapped lamports of the balance in the owner's own account for wrapped SOL
 */
export function balanceRecord(token: RecordToken, raw: bigint, price: KnownOrNull, wrapped: bigint): WireTokenBalance {
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
    ...(token.mint === WRAPPED_SOL_MINT ? { rawWrappedBalance: wrapped.toString() } : {}),
  };
}
