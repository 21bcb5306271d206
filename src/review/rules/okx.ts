import * as l10n from '@vscode/l10n';
import type { Arguments } from '../../base/solana/instructionCodec';
import { OKX_INSTRUCTIONS } from '../../base/solana/okxInstructions';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import type { InstructionRule } from '../context';
import { accountIn, addressIn, type DecodedCall, integerAt, numberAt } from '../decode/instructions';
import type { PlaceNotes } from '../notes';
import { claimedArguments, reviewRouteAccounts } from './routeAccounts';
import { ALL_BILLIONTHS, ceilDivided, optionalAccountIn, slippageBetween, type SwapFee, type SwapTerms } from './swapTerms';
import { reviewSwap } from './swaps';
import { foreignWords, unknownExchangeWords, unreadWords } from './words';

/** A commission of up to 1% is only mentioned (SWP-4). */
const MENTIONED_COMMISSION = ALL_BILLIONTHS / 100n;
const BILLIONTHS_PER_THOUSANDTH = ALL_BILLIONTHS / 1_000n;

/** Reviews the OKX routers (SWP-0 to SWP-9). The exchanges inside a route are not checked. */
export const reviewOkx: InstructionRule = (reading, context, notes) => {
  const { layout } = reading;
  if (layout === undefined || !OKX_INSTRUCTIONS.includes(layout)) {
    notes.block('SWP-0', foreignWords(reading));
    return;
  }
  const args = reading.args ?? claimedArguments(reading);
  if (args === undefined) {
    notes.block('SWP-5', unreadWords(reading));
    return;
  }
  const terms = swapTerms(reading, args);
  if (reading.args === undefined) {
    const { soldMost, boughtLeast } = terms.amounts;
    notes.confirm('SWP-5', unknownExchangeWords(soldMost, boughtLeast));
  }
  reviewFeesInSol(reading, args, notes);
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
    caution: l10n.t('The tokens are swapped through OKX. Binsight does not check its routes.'),
  };
}

/** Reads `commission_info` as the program does: the highest bit selects the side, the lower 30 bits are the share in billionths. */
function commissionOf(args: Arguments): { readonly share: bigint; readonly isOnSold: boolean } {
  const info = integerAt(args, 'commission_info') ?? 0n;
  return { share: info & ((1n << 30n) - 1n), isOnSold: info >> 31n === 1n };
}

/** A commission on the sold amount comes on top of it, as a share of the sum of both. A share of 100% or more counts as the whole amount. */
function commissionOnTop(sold: bigint, share: bigint): bigint {
  return share < ALL_BILLIONTHS ? ceilDivided(sold * share, ALL_BILLIONTHS - share) : sold;
}

/**
 * The commission, which includes the platform fee, and the trim: a share of the amount above the quote, paid to the last accounts. Any
 * trim is a question.
 */
function fees(reading: DecodedCall, args: Arguments): SwapFee[] {
  const { share } = commissionOf(args);
  const platformRoles = (numberAt(args, 'platform_fee_rate') ?? 0) > 0 ? ['platform_fee_account'] : [];
  const trim = BigInt(numberAt(args, 'trim_rate') ?? 0) * BILLIONTHS_PER_THOUSANDTH;
  const behind = reading.view.accounts.slice(reading.layout?.accounts.length);
  return [
    {
      role: l10n.t('commission'),
      share,
      mentionedUpTo: MENTIONED_COMMISSION,
      takers: ['commission_account', ...platformRoles].flatMap((role) => optionalAccountIn(reading, role) ?? []),
    },
    {
      role: l10n.t('fee on positive slippage'),
      share: trim,
      mentionedUpTo: 0n,
      takers: behind.slice(numberAt(args, 'charge_rate') === undefined ? -1 : -2),
    },
  ];
}

/**
 * The instructions with a trim can take their fees in SOL by closing the receiving account into OKX's own account and paying back only the
 * result. What the receiving account held before would stay with OKX.
 */
function reviewFeesInSol(reading: DecodedCall, args: Arguments, notes: PlaceNotes): void {
  const { share, isOnSold } = commissionOf(args);
  const trim = numberAt(args, 'trim_rate');
  const bought = addressIn(reading, 'destination_mint');
  const takesOfResult = trim !== undefined && (trim > 0 || (share > 0n && !isOnSold));
  if (takesOfResult && (bought === undefined || bought === WRAPPED_SOL_MINT)) {
    notes.confirm(
      'SWP-4',
      l10n.t('OKX may take its fees in SOL through its own account. Wrapped SOL that you have before the swap would then be lost.'),
    );
  }
}
