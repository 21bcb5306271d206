import * as l10n from '@vscode/l10n';
import type { Arguments } from '../../base/solana/instructionCodec';
import { OKX_INSTRUCTIONS } from '../../base/solana/okxInstructions';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import type { InstructionRule, TransactionContext } from '../context';
import { integerAt, numberAt } from '../decode/arguments';
import { accountIn, addressIn, type DecodedCall } from '../decode/instructions';
import type { PlaceNotes } from '../notes';
import { claimedArguments } from './claimedArguments';
import { reviewRouteAccounts } from './routeAccounts';
import { ALL_BILLIONTHS, ceilDivided, optionalAccountIn, percent, slippageBetween, type SwapFee, type SwapTerms } from './swapTerms';
import { reviewSwap } from './swaps';

/** Up to 1 % of commission is only mentioned (SWP-4). */
const MENTIONED_COMMISSION = ALL_BILLIONTHS / 100n;
const BILLIONTHS_PER_THOUSANDTH = ALL_BILLIONTHS / 1_000n;

/** Policy §10: OKX's routers (SWP). What the route does inside is OKX's, and not checked. */
export const reviewOkx: InstructionRule = (reading, context, notes) => {
  const { layout } = reading;
  if (layout === undefined || !OKX_INSTRUCTIONS.includes(layout)) {
    const what = layout === undefined ? l10n.t('An instruction to the OKX router') : l10n.t`The OKX instruction "${layout.name}"`;
    notes.block('SWP-0', l10n.t`${what} is not one that swaps for you alone, or not one that Binsight knows.`);
    return;
  }
  const args = reading.args ?? claimedArguments(reading);
  if (args === undefined) {
    notes.block(
      'SWP-5',
      l10n.t`The OKX instruction "${layout.name}" cannot be read: ${reading.problem?.message ?? l10n.t('its data is odd')}.`,
    );
    return;
  }
  const terms = swapTerms(reading, args);
  if (reading.args === undefined) {
    const { soldMost, boughtLeast } = terms.amounts;
    notes.confirm(
      'SWP-5',
      l10n.t`The route trades in a way that Binsight cannot read for certain. It claims to take at most ${String(soldMost ?? 'unknown')} raw units, to give at least ${String(boughtLeast ?? 'unknown')}, and a commission of ${percent(commissionOf(args).share)} %; what it really does could not be checked.`,
    );
  }
  reviewFeesInSol(reading, args, context, notes);
  reviewRouteAccounts(reading, terms, context, notes);
  reviewSwap(terms, context, notes);
};

function swapTerms(reading: DecodedCall, args: Arguments): SwapTerms {
  const [sold, expected, least] = ['amount_in', 'expect_amount_out', 'min_return'].map((name) => integerAt(args, name) ?? 0n);
  const { share, isOnSold } = commissionOf(args);
  const soldMost = (sold ?? 0n) + (isOnSold ? commissionOnTop(sold ?? 0n, share) : 0n);
  return {
    name: 'swap',
    authority: accountIn(reading, 'payer'),
    source: accountIn(reading, 'source_token_account'),
    destinations: ['destination_token_account'].flatMap((role) => accountIn(reading, role) ?? []),
    soldMint: accountIn(reading, 'source_mint'),
    boughtMint: accountIn(reading, 'destination_mint'),
    amounts: { isExactOut: false, soldMost, quotedSold: soldMost, quotedBought: expected, boughtLeast: least },
    slippageBps: slippageBetween(expected ?? 0n, least ?? 0n),
    fees: fees(reading, args),
    caution: l10n.t('Tokens are swapped through OKX, whose routes Binsight does not check.'),
  };
}

/** What the program reads out of `commission_info`: the highest bit says of what it is, the lower thirty how much, in billionths. */
function commissionOf(args: Arguments): { readonly share: bigint; readonly isOnSold: boolean } {
  const info = integerAt(args, 'commission_info') ?? 0n;
  return { share: info & ((1n << 30n) - 1n), isOnSold: info >> 31n === 1n };
}

/** A commission on what is sold comes on top of it: that share of the sum of both. All of it, where the share is not below the whole. */
function commissionOnTop(sold: bigint, share: bigint): bigint {
  return share < ALL_BILLIONTHS ? ceilDivided(sold * share, ALL_BILLIONTHS - share) : sold;
}

/**
 * The commission, of which the platform's fee is a part; and the trim, which the last accounts of all get: a share of what the swap
 * gives beyond what it expects. About the trim the policy is silent, so any at all is asked about.
 */
function fees(reading: DecodedCall, args: Arguments): SwapFee[] {
  const { share, isOnSold } = commissionOf(args);
  const platformRoles = (numberAt(args, 'platform_fee_rate') ?? 0) > 0 ? ['platform_fee_account'] : [];
  const trim = BigInt(numberAt(args, 'trim_rate') ?? 0) * BILLIONTHS_PER_THOUSANDTH;
  const behind = reading.view.accounts.slice(reading.layout?.accounts.length);
  return [
    {
      role: 'commission',
      share,
      of: isOnSold ? l10n.t('what is sold') : l10n.t('what is bought'),
      mentionedUpTo: MENTIONED_COMMISSION,
      takers: ['commission_account', ...platformRoles].flatMap((role) => optionalAccountIn(reading, role) ?? []),
    },
    {
      role: 'trim',
      share: trim,
      of: l10n.t('what the swap gives, as far as it is more than expected,'),
      mentionedUpTo: 0n,
      takers: behind.slice(numberAt(args, 'charge_rate') === undefined ? -1 : -2),
    },
  ];
}

/**
 * The instructions with a trim can take their fees in SOL by closing the account that gets the result into OKX's own, and pay back
 * only the result: what was in that account before would stay there.
 */
function reviewFeesInSol(reading: DecodedCall, args: Arguments, { intent }: TransactionContext, notes: PlaceNotes): void {
  const { share, isOnSold } = commissionOf(args);
  const trim = numberAt(args, 'trim_rate');
  const bought = addressIn(reading, 'destination_mint');
  const takesOfResult = trim !== undefined && (trim > 0 || (share > 0n && !isOnSold));
  if (takesOfResult && (bought === undefined || bought === WRAPPED_SOL_MINT)) {
    const earlier = intent.kind === 'zapOut' ? l10n.t(', such as what was withdrawn before,') : '';
    notes.confirm(
      'SWP-4',
      l10n.t`The fees may be taken in SOL through an account of OKX's: wrapped SOL that is in your account before the swap${earlier} would then be lost.`,
    );
  }
}
