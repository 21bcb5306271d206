import { formatRaw } from '../solana/amounts';

const DECIMALS = 9;

/**
 * Lamports as a number of SOL, exact to the last lamport when it is written as JSON; `undefined` where a binary float cannot
 * hold it (from some eight million SOL on).
 */
export function exactSol(lamports: bigint): number | undefined {
  if (lamports > BigInt(Number.MAX_SAFE_INTEGER)) {
    return undefined;
  }
  const sol = Number(lamports) / 10 ** DECIMALS;
  return BigInt(sol.toFixed(DECIMALS).replace('.', '')) === lamports ? sol : undefined;
}

/** So many significant digits of a decimal number every binary float keeps (IEEE 754). */
const EXACT_DIGITS = 15;

/**
 * A raw amount as a number of whole tokens, rounded down to fifteen digits where it has more: as JSON it is written to just those
 * digits, and never stands for more than the amount. `decimals`: 0 to 255.
 */
export function wholeTokens(amountRaw: bigint, decimals: number): number {
  const digits = amountRaw.toString().length;
  const scale = 10n ** BigInt(Math.max(digits - EXACT_DIGITS, 0));
  return Number(formatRaw(amountRaw - (amountRaw % scale), decimals));
}
