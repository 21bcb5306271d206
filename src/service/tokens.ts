import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import type { Address } from '../base/solana/address';
import { parseDecimal } from '../base/solana/amounts';
import { SOL_DECIMALS, USDC_MINT, WRAPPED_SOL_MINT } from '../base/solana/programs';
import type { Money, PoolType, Token } from './common';
import { decimal, group, label, rawUnits, solanaAddress, tokenDecimals, wireRecord } from './parsing/fields';
import { isExactDecimal, plainDecimal, rawAmount, wholeTokens } from './parsing/numbers';
import { type FieldPath, type ParseContext, readRecords, withoutRepeats } from './parsing/records';

/** What an owner holds of one token (spec §4.7, and the published shape). */
export interface TokenBalance {
  /** The mint; the native token goes by the mint of wrapped SOL. */
  readonly mint: Address;
  readonly symbol: string | undefined;
  readonly decimals: number | undefined;
  /** In the token's smallest unit; `undefined` where it cannot be told exactly. */
  readonly amountRaw: bigint | undefined;
  /** Whole tokens, as decimal text; exact. */
  readonly amountText: string;
  readonly priceUsd: number | undefined;
}

/** `token0Info` and `token1Info` of a position; `symbol` and `name` are what some answers have instead. */
export const tokenInfo = group({
  token_symbol: label,
  symbol: label,
  token_name: label,
  name: label,
  token_decimals: tokenDecimals,
  token_address: solanaAddress,
});

/** What stands for a token of which neither symbol nor mint is known. */
const UNKNOWN = '?';

/** What a record tells of a token; what it leaves out is filled in. */
export interface TokenParts {
  readonly address: Address | undefined;
  readonly symbol: string | undefined;
  readonly name: string | undefined;
  readonly decimals: number | undefined;
}

const WELL_KNOWN: ReadonlyMap<Address, { readonly symbol: string; readonly decimals: number }> = new Map([
  [WRAPPED_SOL_MINT, { symbol: 'SOL', decimals: SOL_DECIMALS }],
  [USDC_MINT, { symbol: 'USDC', decimals: 6 }],
]);

/** Gives the decimals of the few mints that records name without them. */
export function knownDecimals(mint: Address): number | undefined {
  return WELL_KNOWN.get(mint)?.decimals;
}

/** Gives a token with a symbol to show: its own, the well-known one, its shortened address, or "?". */
export function tokenFrom({ address, symbol, name, decimals }: TokenParts): Token {
  const known = address === undefined ? undefined : WELL_KNOWN.get(address);
  return { address, symbol: symbol ?? known?.symbol ?? shortAddress(address), name, decimals: decimals ?? known?.decimals };
}

/** The two symbols of a pair label: "A/B" and "A · B" name both, "A" names only the base. */
export function pairSides(pairName: string | undefined): { readonly base: string | undefined; readonly quote: string | undefined } {
  const [base, quote, ...more] = (pairName ?? '').split(/\s*[/·]\s*|\s+[-–|]\s+/).filter((side) => side !== '');
  return more.length > 0 ? { base: undefined, quote: undefined } : { base, quote };
}

/**
 * Gives "BONK/SOL": the service's own label where it names both tokens, else one from their symbols, else the shortened address of the row
 * itself: two rows of unknown pairs must not look the same.
 * @param row the address of the position, or else of the pool
 */
export function pairNameOf(pairName: string | undefined, token0: Token, token1: Token, row: Address | undefined): string {
  const { base, quote } = pairSides(pairName);
  if ((base === undefined || quote === undefined) && token0.symbol === UNKNOWN && token1.symbol === UNKNOWN) {
    return shortAddress(row);
  }
  return base === undefined || quote === undefined ? `${token0.symbol}/${token1.symbol}` : `${base}/${quote}`;
}

/** Gives the kind of pool that a `protocol` or `type` of the service means. */
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

/** Puts a figure in both currencies together. */
export function money(usd: number | undefined, native: number | undefined): Money {
  return { usd, native };
}

function shortAddress(address: Address | undefined): string {
  return address === undefined ? UNKNOWN : `${address.slice(0, 4)}…${address.slice(-4)}`;
}

/** A name under which the native token, which has no mint, may be listed: read as the mint of wrapped SOL. */
const mint = z.preprocess((value) => (value === 'SOL' || value === 'native' ? WRAPPED_SOL_MINT : value), solanaAddress);

/** An amount in whole tokens, kept as it is written: a float would lose digits of one that is text. */
const wholeAmount = z
  .unknown()
  .transform((value, context): { readonly text: string; readonly exact: boolean } | undefined => {
    if (value === undefined || value === null || value === '') {
      return undefined;
    }
    const text = typeof value === 'string' || typeof value === 'number' ? plainDecimal(value) : undefined;
    if (text === undefined) {
      context.addIssue(l10n.t('is not an amount'));
      return z.NEVER;
    }
    return { text, exact: typeof value === 'string' || (typeof value === 'number' && isExactDecimal(value)) };
  })
  .optional();

/** A token of /token/balance: `address` and `uiAmount` (spec §4.7), or the names of the published contract. */
const balanceRecord = wireRecord({
  tokenAddress: mint,
  address: mint,
  symbol: label,
  decimals: tokenDecimals,
  rawBalance: rawUnits,
  uiAmount: wholeAmount,
  balance: wholeAmount,
  price: decimal,
  balanceInUsd: decimal,
});

type BalanceRecord = z.output<typeof balanceRecord>;

/** Reads what an owner holds. A token without a mint or without an amount is left out. */
export function readBalances(list: readonly unknown[], path: string, reading: ParseContext): TokenBalance[] {
  return withoutRepeats(readRecords(balanceRecord, list, path, reading, toBalance), (balance) => balance.mint, path, reading);
}

function toBalance(wire: BalanceRecord, place: FieldPath): TokenBalance | undefined {
  const mint = wire.tokenAddress ?? wire.address;
  if (mint === undefined) {
    place.oddities.add(place.path, l10n.t('left out: nothing in it says which token it is'));
    return undefined;
  }
  const decimals = wire.decimals ?? knownDecimals(mint);
  const amount = amountOf(wire, decimals);
  if (amount === undefined) {
    place.oddities.add(place.path, l10n.t`left out: it has no amount of ${mint}`);
    return undefined;
  }
  return { mint, symbol: wire.symbol, decimals, ...amount, priceUsd: wire.price ?? priceFromValue(wire, amount.amountText) };
}

/** The raw amount says it exactly; the one in whole tokens does where it is text, or a float of few digits. */
function amountOf(wire: BalanceRecord, decimals: number | undefined): Pick<TokenBalance, 'amountRaw' | 'amountText'> | undefined {
  if (wire.rawBalance !== undefined && decimals !== undefined) {
    return { amountRaw: wire.rawBalance, amountText: wholeTokens(wire.rawBalance, decimals) };
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

/** A balance in the token's smallest unit: the text is exact where the raw amount is missing. `undefined`: it cannot be told exactly. */
export function exactAmountOf(
  { amountRaw, amountText }: Pick<TokenBalance, 'amountRaw' | 'amountText'>,
  decimals: number,
): bigint | undefined {
  return amountRaw ?? parseDecimal(amountText, decimals);
}
