import { BASIS_POINTS } from '../../base/basisPoints';
import { formatRaw } from '../../base/solana/amounts';
import type { AccountView } from '../decode/transaction';
import { accountIn, type DecodedCall } from '../decode/instructions';

/** The whole of an amount, in billionths. */
export const ALL_BILLIONTHS = 1_000_000_000n;

/** Billionths in a basis point. */
export const BILLIONTHS_PER_BPS = 100_000n;

/**
 * A swap in the form that the rules on swaps read (SWP-1 to SWP-9), whichever program executes it. Amounts are raw units.
 */
export interface SwapTerms {
  /** The source of a minimum amount: "swap", "swap in the pool". */
  readonly name: string;
  /** The wallet that the swap is made for. `undefined`: the program's own rules check it and the destinations (DLMM-2, DLMM-6). */
  readonly authority: AccountView | undefined;
  /** The token account that the sold tokens come from. */
  readonly source: AccountView | undefined;
  /** The accounts that receive the bought tokens; all must be the owner's. `'wallet'`: SOL goes to the wallet of `authority`. */
  readonly destinations: readonly (AccountView | 'wallet')[];
  /** The mints that the instruction itself names; `undefined` where it names none. */
  readonly soldMint: AccountView | undefined;
  readonly boughtMint: AccountView | undefined;
  readonly amounts: SwapAmounts;
  /** The slippage tolerance; `undefined` if the instruction states only a minimum amount. */
  readonly slippageBps: number | undefined;
  readonly fees: readonly SwapFee[];
  /** Why even a flawless swap is a question (SWP-8). A simulation does not answer it. */
  readonly caution: string | undefined;
}

/** The amounts that a swap takes and pays out, raw units. */
export interface SwapAmounts {
  /** The bought amount is fixed and the price may vary. */
  readonly isExactOut: boolean;
  /** The most that leaves the source, including fees; `undefined`: it depends on a balance. */
  readonly soldMost: bigint | undefined;
  /** The quote: this amount in for that amount out. */
  readonly quotedSold: bigint | undefined;
  readonly quotedBought: bigint | undefined;
  /** The guaranteed minimum; `undefined`: there is none. */
  readonly boughtLeast: bigint | undefined;
}

/** A share of the swap that others get. */
export interface SwapFee {
  /** The recipient's role in the summary: "platform fee". */
  readonly role: string;
  /** In billionths; `undefined`: unknown. */
  readonly share: bigint | undefined;
  /** Up to this share, in billionths, the fee is only mentioned. */
  readonly mentionedUpTo: bigint;
  /** The recipients; empty if the instruction names none. */
  readonly takers: readonly AccountView[];
}

/** Returns the account in an optional role; the program's own id means "none" (Anchor). */
export function optionalAccountIn(reading: DecodedCall, role: string): AccountView | undefined {
  const account = accountIn(reading, role);
  const isOptional = reading.layout?.accounts.some(({ name, optional }) => name === role && optional === true) === true;
  return isOptional && account?.address === reading.view.program ? undefined : account;
}

/** Returns the minimum that a slippage tolerance leaves of a quote, rounded down as the programs do; 0 above 10,000 basis points. */
export function lessSlippage(quoted: bigint, slippageBps: bigint): bigint {
  return slippageBps > BASIS_POINTS ? 0n : (quoted * (BASIS_POINTS - slippageBps)) / BASIS_POINTS;
}

/** Returns the most that a quote may cost within a slippage tolerance, rounded up. */
export function plusSlippage(quoted: bigint, slippageBps: bigint): bigint {
  return ceilDivided(quoted * (BASIS_POINTS + slippageBps), BASIS_POINTS);
}

/**
 * Returns the slippage tolerance implied by an expected and a minimum amount: the smallest number of basis points, 0 to 10,000, whose
 * {@link lessSlippage} is not above `least`.
 */
export function slippageBetween(expected: bigint, least: bigint): number {
  if (least >= expected) {
    return 0;
  }
  return Number(BASIS_POINTS + 1n - ceilDivided((least + 1n) * BASIS_POINTS, expected));
}

/** Divides and rounds up. `amount` is at least 0, `by` above 0. */
export function ceilDivided(amount: bigint, by: bigint): bigint {
  return (amount + by - 1n) / by;
}

/** Formats billionths as a percentage without the sign, exactly: 10_000_000n is "1". */
export function percent(billionths: bigint): string {
  return formatRaw(billionths, PERCENT_DECIMALS);
}

/** There are 10^7 billionths in a percent. */
const PERCENT_DECIMALS = 7;
