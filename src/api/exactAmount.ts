import { parseDecimal } from '../solana/amounts';
import type { TokenBalance } from './records/token';

/** A balance in the token's smallest unit: the text is exact where the raw amount is missing. `undefined`: it cannot be told exactly. */
export function exactAmountOf({ amountRaw, amountText }: Pick<TokenBalance, 'amountRaw' | 'amountText'>, decimals: number): bigint | undefined {
  return amountRaw ?? parseDecimal(amountText, decimals);
}
