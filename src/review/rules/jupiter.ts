import * as l10n from '@vscode/l10n';
import { WHOLE_BPS } from '../../base/basisPoints';
import type { Arguments } from '../../base/solana/instructionCodec';
import { PROGRAMS, RENT_LAMPORTS, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import type { InstructionRule, TransactionContext } from '../context';
import { integerAt, numberAt } from '../decode/arguments';
import { accountIn, addressIn, type DecodedCall, isInstruction } from '../decode/instructions';
import type { AccountView } from '../decode/transaction';
import type { PlaceNotes } from '../notes';
import { claimedArguments } from './claimedArguments';
import { reviewRouteAccounts } from './routeAccounts';
import {
  BILLIONTHS_PER_BPS,
  lessSlippage,
  optionalAccountIn,
  plusSlippage,
  type SwapAmounts,
  type SwapFee,
  type SwapTerms,
} from './swapTerms';
import { reviewSwap } from './swaps';

const DESTINATION_ROLES = ['user_destination_token_account', 'destination_token_account'];

/** Policy §10: the Jupiter router (SWP). What the route does inside is Jupiter's, and not checked. */
export const reviewJupiter: InstructionRule = (reading, context, notes) => {
  const { layout } = reading;
  if (isInstruction(reading, PROGRAMS.jupiterV6, 'create_token_account')) {
    reviewNewAccount(reading, context, notes);
    return;
  }
  if (layout === undefined || !layout.args.some(([name]) => name === 'route_plan')) {
    const what = layout === undefined ? l10n.t('An instruction to Jupiter') : l10n.t`The Jupiter instruction "${layout.name}"`;
    notes.block('SWP-0', l10n.t`${what} is not one that swaps, or not one that Binsight knows.`);
    return;
  }
  const args = reading.args ?? claimedArguments(reading);
  if (args === undefined) {
    notes.block(
      'SWP-5',
      l10n.t`The Jupiter instruction "${layout.name}" cannot be read: ${reading.problem?.message ?? l10n.t('its data is odd')}.`,
    );
    return;
  }
  const terms = swapTerms(reading, args);
  if (reading.args === undefined) {
    const { soldMost, boughtLeast } = terms.amounts;
    notes.confirm(
      'SWP-5',
      l10n.t`The route trades in a way that is newer than Binsight. It claims to take at most ${String(soldMost ?? 'unknown')} raw units and to give at least ${String(boughtLeast ?? 'unknown')}; what it really does could not be checked.`,
    );
  }
  reviewRouteAccounts(reading, terms, context, notes);
  reviewSwap(terms, context, notes);
};

/** SWP-0: an account of a token of the pool may be made for the owner, which costs rent; the account is a new one every time. */
function reviewNewAccount(reading: DecodedCall, { intent, poolMints }: TransactionContext, notes: PlaceNotes): void {
  const [user, mint, account] = ['user', 'mint', 'token_account'].map((role) => addressIn(reading, role));
  if (reading.args === undefined || user !== intent.owner || mint === undefined || !poolMints.has(mint)) {
    notes.block(
      'SWP-0',
      l10n.t`Jupiter would make a token account of ${mint ?? l10n.t('an unknown token')} for ${user ?? l10n.t('an unknown wallet')}, which this operation does not need.`,
      { address: user },
    );
    return;
  }
  const lamports = addressIn(reading, 'token_program') === PROGRAMS.token ? RENT_LAMPORTS.tokenAccount : RENT_LAMPORTS.token2022Account;
  notes.confirm(
    'SWP-0',
    l10n.t`Jupiter makes a token account of ${mint} for you, ${account ?? l10n.t('named by a lookup table')}. You pay its rent.`,
    { address: account },
  );
  notes.effect({ kind: 'rent', lamports, refundable: true });
}

function swapTerms(reading: DecodedCall, args: Arguments): SwapTerms {
  return {
    name: 'swap',
    authority: accountIn(reading, 'user_transfer_authority'),
    source: accountIn(reading, 'user_source_token_account') ?? accountIn(reading, 'source_token_account'),
    destinations: DESTINATION_ROLES.flatMap((role) => optionalAccountIn(reading, role) ?? []),
    soldMint: accountIn(reading, 'source_mint'),
    boughtMint: accountIn(reading, 'destination_mint'),
    amounts: swapAmounts(args),
    slippageBps: numberAt(args, 'slippage_bps') ?? WHOLE_BPS,
    fees: fees(reading, args),
    caution: undefined,
  };
}

function swapAmounts(args: Arguments): SwapAmounts {
  const slippageBps = BigInt(numberAt(args, 'slippage_bps') ?? WHOLE_BPS);
  const exactOut = integerAt(args, 'out_amount');
  if (exactOut !== undefined) {
    const quotedSold = integerAt(args, 'quoted_in_amount') ?? 0n;
    return { isExactOut: true, soldMost: plusSlippage(quotedSold, slippageBps), quotedSold, quotedBought: exactOut, boughtLeast: exactOut };
  }
  // Without an amount it is the difference to what a "token ledger" has noted before.
  const sold = integerAt(args, 'in_amount');
  const quotedBought = integerAt(args, 'quoted_out_amount') ?? 0n;
  return { isExactOut: false, soldMost: sold, quotedSold: sold, quotedBought, boughtLeast: lessSlippage(quotedBought, slippageBps) };
}

/** The platform's share of the swap, and of what it gives beyond its quote; the later instructions do not name who gets them. */
function fees(reading: DecodedCall, args: Arguments): SwapFee[] {
  const named = optionalAccountIn(reading, 'platform_fee_account');
  const takers = named === undefined ? [] : [named];
  const shares = [
    ['platform_fee_bps', l10n.t('the swap'), l10n.t('platform fee')],
    ['positive_slippage_bps', l10n.t('what the swap gives beyond its quote'), l10n.t('fee on positive slippage')],
  ] as const;
  return shares.map(([name, of, role]) => ({
    role,
    of,
    takers,
    share: (integerAt(args, name) ?? 0n) * BILLIONTHS_PER_BPS,
    mentionedUpTo: 0n,
  }));
}

/** Policy §10: swaps with a market maker through Jupiter's order engine (RFQ). Both amounts are fixed; the maker signs, too (SIG-4). */
export const reviewRfq: InstructionRule = (reading, context, notes) => {
  const { layout, args } = reading;
  if (layout === undefined || args === undefined) {
    notes.block(
      'SWP-0',
      l10n.t`An instruction to Jupiter RFQ ${layout === undefined ? l10n.t('is not one that Binsight knows') : l10n.t`cannot be read (${layout.name})`}.`,
    );
    return;
  }
  const source = optionalAccountIn(reading, 'taker_input_mint_token_account');
  if (source === undefined) {
    notes.block(
      'SWP-1',
      l10n.t(
        'The market maker would be paid in SOL straight from your wallet, not from your wrapped SOL, where the limits of the operation are.',
      ),
    );
  }
  const sold = integerAt(args, 'input_amount') ?? 0n;
  const bought = integerAt(args, 'output_amount') ?? 0n;
  const terms = {
    name: 'swap',
    authority: accountIn(reading, 'taker'),
    source,
    destinations: destinations(reading),
    soldMint: accountIn(reading, 'input_mint'),
    boughtMint: accountIn(reading, 'output_mint'),
    amounts: { isExactOut: false, soldMost: sold, quotedSold: sold, quotedBought: bought, boughtLeast: bought },
    slippageBps: 0,
    fees: [],
    caution: l10n.t('Tokens are swapped with a market maker, at the price that the maker names.'),
  };
  reviewSwap(terms, context, notes);
};

/** Without an account the result is SOL, and goes to the wallet of the taker; the program allows that for wrapped SOL only. */
function destinations(reading: DecodedCall): readonly (AccountView | 'wallet')[] {
  const given = optionalAccountIn(reading, 'taker_output_mint_token_account');
  if (given !== undefined) {
    return [given];
  }
  return addressIn(reading, 'output_mint') === WRAPPED_SOL_MINT ? ['wallet'] : [];
}
