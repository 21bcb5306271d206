import { BASIS_POINTS } from '../../base/basisPoints';
import { formatRaw } from '../../base/solana/amounts';
import type { AccountView } from '../decode/transaction';
import { accountIn, type DecodedCall } from '../decode/instructions';

/** All of an amount, where shares are given in billionths. */
export const ALL_BILLIONTHS = 1_000_000_000n;

/** Billionths in a basis point. */
export const BILLIONTHS_PER_BPS = 100_000n;

/**
 * One swap in the form that the rules on swaps read (policy §10), whatever program makes it: each program's own file only fills
 * it in. Amounts are raw units.
 */
export interface SwapTerms {
  /** "swap", "swap in the pool": what the summary calls the source of a minimum. */
  readonly name: string;
  /** Whose swap it is. `undefined`: the program's own rules look at that, and at whose accounts are paid into (DLMM-2, DLMM-6). */
  readonly authority: AccountView | undefined;
  /** What is sold comes from here. */
  readonly source: AccountView | undefined;
  /** What is bought goes here: all of them have to be the owner's. `'wallet'`: as SOL to whoever the swap is made for. */
  readonly destinations: readonly (AccountView | 'wallet')[];
  /** The mints that the instruction itself names; `undefined` where it names none. */
  readonly soldMint: AccountView | undefined;
  readonly boughtMint: AccountView | undefined;
  readonly amounts: SwapAmounts;
  /** How much less than quoted it may give; `undefined` where it says only what it gives at least. */
  readonly slippageBps: number | undefined;
  readonly fees: readonly SwapFee[];
  /** Why even a swap without fault needs a decision (SWP-8), also with a simulation: it carries no mark that one answers it. */
  readonly caution: string | undefined;
}

/** How much goes in and comes out. */
export interface SwapAmounts {
  /** The amount of the result is fixed, and what it costs may vary. */
  readonly isExactOut: boolean;
  /** The most that leaves the source, with fees on top; `undefined`: it depends on a balance. */
  readonly soldMost: bigint | undefined;
  /** The price that the swap goes by: so much in for so much out. */
  readonly quotedSold: bigint | undefined;
  readonly quotedBought: bigint | undefined;
  /** What it gives at least; `undefined`: it guarantees nothing. */
  readonly boughtLeast: bigint | undefined;
}

/** Something of the swap that others get. */
export interface SwapFee {
  /** What the summary calls who gets it: "platform fee". */
  readonly role: string;
  /** In billionths; `undefined`: it is not known how much. */
  readonly share: bigint | undefined;
  /** What it is a share of: "the swap". */
  readonly of: string;
  /** Up to here it is only mentioned. Billionths. */
  readonly mentionedUpTo: bigint;
  /** Who gets it, or parts of it; empty where the instruction does not name anybody. */
  readonly takers: readonly AccountView[];
}

/** Gives the account in a role that may be left out: the program's own id stands for "none" (Anchor). */
export function optionalAccountIn(reading: DecodedCall, role: string): AccountView | undefined {
  const account = accountIn(reading, role);
  const isOptional = reading.layout?.accounts.some(({ name, optional }) => name === role && optional === true) === true;
  return isOptional && account?.address === reading.view.program ? undefined : account;
}

/** Gives what is left of a quote at the most slippage, rounded down as the programs do; 0 for more than all of it. */
export function lessSlippage(quoted: bigint, slippageBps: bigint): bigint {
  return slippageBps > BASIS_POINTS ? 0n : (quoted * (BASIS_POINTS - slippageBps)) / BASIS_POINTS;
}

/** Gives what a quote may cost at the most slippage, rounded up. */
export function plusSlippage(quoted: bigint, slippageBps: bigint): bigint {
  return ceilDivided(quoted * (BASIS_POINTS + slippageBps), BASIS_POINTS);
}

/**
 * Gives the slippage of a swap that names what is expected and what comes out at least: the smallest number of basis points, 0 to
 * 10000, whose {@link lessSlippage} is not above `least`.
 */
export function slippageBetween(expected: bigint, least: bigint): number {
  if (least >= expected) {
    return 0;
  }
  return Number(BASIS_POINTS + 1n - ceilDivided((least + 1n) * BASIS_POINTS, expected));
}

/** Divides and rounds up; both at least 0, `by` above it. */
export function ceilDivided(amount: bigint, by: bigint): bigint {
  return (amount + by - 1n) / by;
}

/** Writes billionths as percent, exactly: 10_000_000n is "1". */
export function percent(billionths: bigint): string {
  return formatRaw(billionths, PERCENT_DECIMALS);
}

/** There are 10^7 billionths in a percent. */
const PERCENT_DECIMALS = 7;
