import * as z from 'zod';
import type { Address } from '../base/solana/address';
import { formatRaw, parseDecimal } from '../base/solana/amounts';
import { KNOWN_DECIMALS, KNOWN_TOKENS, WRAPPED_SOL_MINT } from '../base/solana/programs';
import type { Money, PoolType, Token } from './common';
import { decimal, group, label, rawUnits, solanaAddress, tokenDecimals, wireRecord } from './parsing/fields';
import { isExactDecimal, plainDecimal, rawAmount } from './parsing/scalars';
import { type FieldPath, type ParseContext, readRecords, withoutRepeats } from './parsing/records';

/** A wallet's balance of one token. */
export interface TokenBalance {
  /** The mint; for native SOL, the mint of wrapped SOL. */
  readonly mint: Address;
  readonly symbol: string | undefined;
  readonly decimals: number | undefined;
  /** In the token's smallest unit; `undefined` if it is not known exactly. */
  readonly amountRaw: bigint | undefined;
  /** Whole tokens as exact decimal text. */
  readonly amountText: string;
  readonly priceUsd: number | undefined;
  /** Lamports of SOL in the wallet's own account for wrapped SOL, a part of the balance. Only our own service reports it, and only of SOL. */
  readonly wrappedLamports?: bigint | undefined;
}

/** `token0Info` and `token1Info` of a position. Some answers have `symbol` and `name` instead. */
export const tokenInfo = group({
  token_symbol: label,
  symbol: label,
  token_name: label,
  name: label,
  token_decimals: tokenDecimals,
  token_address: solanaAddress,
});

/** Symbol of a token whose symbol and mint are unknown. */
const UNKNOWN = '?';

/** The token fields of a record. */
export interface TokenParts {
  readonly address: Address | undefined;
  readonly symbol: string | undefined;
  readonly name: string | undefined;
  readonly decimals: number | undefined;
}

/** Creates a token with a symbol for display: its own, the well-known one, its shortened address, or "?". */
export function tokenFrom({ address, symbol, name, decimals }: TokenParts): Token {
  const known = address === undefined ? undefined : KNOWN_TOKENS.get(address);
  return { address, symbol: symbol ?? known?.symbol ?? shortAddress(address), name, decimals: decimals ?? known?.decimals };
}

/** Splits a pair label: "A/B" and "A · B" name both symbols, "A" only the base. */
export function pairSides(pairName: string | undefined): { readonly base: string | undefined; readonly quote: string | undefined } {
  const [base, quote, ...more] = (pairName ?? '').split(/\s*[/·]\s*|\s+[-–|]\s+/).filter((side) => side !== '');
  return more.length > 0 ? { base: undefined, quote: undefined } : { base, quote };
}

/**
 * "BONK/SOL": the service's label if it names both tokens, else the two symbols, else the shortened address of the row, so two rows of
 * unknown pairs don't look the same.
 * @param row the address of the position, or else of the pool
 */
export function pairNameOf(pairName: string | undefined, token0: Token, token1: Token, row: Address | undefined): string {
  const { base, quote } = pairSides(pairName);
  if ((base === undefined || quote === undefined) && token0.symbol === UNKNOWN && token1.symbol === UNKNOWN) {
    return shortAddress(row);
  }
  return base === undefined || quote === undefined ? `${token0.symbol}/${token1.symbol}` : `${base}/${quote}`;
}

/** Maps a `protocol` or `type` of the service to a pool type. */
export function poolTypeOf(protocol: string | undefined): PoolType | undefined {
  switch (protocol?.toLowerCase()) {
    case undefined:
      return undefined;
    case 'meteora':
    case 'meteora_dlmm':
      return 'dlmm';
    case 'meteora_damm_v2':
      return 'dammV2';
    default:
      return 'other';
  }
}

export function money(usd: number | undefined, native: number | undefined): Money {
  return { usd, native };
}

function shortAddress(address: Address | undefined): string {
  return address === undefined ? UNKNOWN : `${address.slice(0, 4)}…${address.slice(-4)}`;
}

/** Native SOL has no mint and may be listed as "SOL" or "native": read as the mint of wrapped SOL. */
const mint = z.preprocess((value) => (value === 'SOL' || value === 'native' ? WRAPPED_SOL_MINT : value), solanaAddress);

/** An amount in whole tokens, kept as text: a float could lose digits. */
const wholeAmount = z
  .unknown()
  .transform((value, context): { readonly text: string; readonly exact: boolean } | undefined => {
    if (value === undefined || value === null || value === '') {
      return undefined;
    }
    const text = typeof value === 'string' || typeof value === 'number' ? plainDecimal(value) : undefined;
    if (text === undefined) {
      context.addIssue('is not an amount');
      return z.NEVER;
    }
    return { text, exact: typeof value === 'string' || (typeof value === 'number' && isExactDecimal(value)) };
  })
  .optional();

/** A token of /token/balance, in either of its two forms (README.md). */
const balanceRecord = wireRecord({
  tokenAddress: mint,
  address: mint,
  symbol: label,
  decimals: tokenDecimals,
  rawBalance: rawUnits,
  rawWrappedBalance: rawUnits,
  uiAmount: wholeAmount,
  balance: wholeAmount,
  price: decimal,
  balanceInUsd: decimal,
});

type BalanceRecord = z.output<typeof balanceRecord>;

/** Reads the balances of a wallet. Records without a mint or an amount are dropped. */
export function readBalances(list: readonly unknown[], path: string, reading: ParseContext): TokenBalance[] {
  return withoutRepeats(readRecords(balanceRecord, list, path, reading, toBalance), (balance) => balance.mint, path, reading);
}

function toBalance(wire: BalanceRecord, place: FieldPath): TokenBalance | undefined {
  const mint = wire.tokenAddress ?? wire.address;
  if (mint === undefined) {
    place.warnings.add(place.path, 'left out: nothing in it says which token it is');
    return undefined;
  }
  const decimals = wire.decimals ?? KNOWN_DECIMALS.get(mint);
  const amount = amountOf(wire, decimals);
  if (amount === undefined) {
    place.warnings.add(place.path, `left out: it has no amount of ${mint}`);
    return undefined;
  }
  return {
    mint,
    symbol: wire.symbol,
    decimals,
    ...amount,
    priceUsd: wire.price ?? priceFromValue(wire, amount.amountText),
    ...(mint === WRAPPED_SOL_MINT && wire.rawWrappedBalance !== undefined ? { wrappedLamports: wire.rawWrappedBalance } : {}),
  };
}

/** The raw amount is exact; the amount in whole tokens is exact only as text, or as a float with few digits. */
function amountOf(wire: BalanceRecord, decimals: number | undefined): Pick<TokenBalance, 'amountRaw' | 'amountText'> | undefined {
  if (wire.rawBalance !== undefined && decimals !== undefined) {
    return { amountRaw: wire.rawBalance, amountText: formatRaw(wire.rawBalance, decimals) };
  }
  const whole = wire.uiAmount ?? wire.balance;
  if (whole === undefined) {
    return undefined;
  }
  const amountRaw = wire.rawBalance ?? (whole.exact && decimals !== undefined ? rawAmount(whole.text, decimals) : undefined);
  return { amountRaw, amountText: whole.text };
}

function priceFromValue({ balanceInUsd }: BalanceRecord, amountText: string): number | undefined {
  const amount = Number(amountText);
  return balanceInUsd === undefined || !(amount > 0) ? undefined : balanceInUsd / amount;
}

/** A balance in the token's smallest unit: the raw amount, else the text if it is exact. `undefined`: not known exactly. */
export function exactAmountOf(
  { amountRaw, amountText }: Pick<TokenBalance, 'amountRaw' | 'amountText'>,
  decimals: number,
): bigint | undefined {
  return amountRaw ?? parseDecimal(amountText, decimals);
}
