import * as z from 'zod';
import { WRAPPED_SOL_MINT } from '../../solana/programs';
import type { TokenBalance } from '../records/token';
import { isExactDecimal, plainDecimal, rawAmount, wholeTokens } from './decimals';
import { readRecords, withoutRepeats, type FieldPath, type ParseContext } from './reading';
import { decimal, label, rawUnits, solanaAddress, tokenDecimals, wireRecord } from './scalars';
import { knownDecimals } from './token';

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
      context.addIssue('is not an amount');
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
    place.oddities.add(place.path, 'left out: nothing in it says which token it is');
    return undefined;
  }
  const decimals = wire.decimals ?? knownDecimals(mint);
  const amount = amountOf(wire, decimals);
  if (amount === undefined) {
    place.oddities.add(place.path, `left out: it has no amount of ${mint}`);
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
