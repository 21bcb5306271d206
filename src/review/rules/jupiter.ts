import * as l10n from '@vscode/l10n';
import { WHOLE_BPS } from '../../base/basisPoints';
import type { Arguments } from '../../base/solana/instructionCodec';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import type { InstructionRule, TransactionContext } from '../context';
import { accountIn, addressIn, type DecodedCall, integerAt, isInstruction, numberAt, staticAddressIn } from '../decode/instructions';
import type { AccountView } from '../decode/transaction';
import type { PlaceNotes } from '../notes';
import { claimedArguments, reviewRouteAccounts } from './routeAccounts';
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
import { createsAccountWords, foreignWords, unknownExchangeWords, unreadWords } from './words';

const DESTINATION_ROLES = ['user_destination_token_account', 'destination_token_account'];

/** Reviews the Jupiter router (SWP-0 to SWP-9). The exchanges inside a route are not checked. */
export const reviewJupiter: InstructionRule = (reading, context, notes) => {
  const { layout } = reading;
  if (isInstruction(reading, PROGRAMS.jupiterV6, 'create_token_account')) {
    reviewNewAccount(reading, context, notes);
    return;
  }
  if (layout === undefined || !layout.args.some(([name]) => name === 'route_plan')) {
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
  reviewRouteAccounts(reading, terms, context, notes);
  reviewSwap(terms, context, notes);
};

/** SWP-0: a token account for one of the pool's tokens may be created for the owner. It costs rent, and is a new account every time. */
function reviewNewAccount(reading: DecodedCall, { intent, poolMints, rent }: TransactionContext, notes: PlaceNotes): void {
  const [user, mint, account] = ['user', 'mint', 'token_account'].map((role) => addressIn(reading, role));
  if (reading.args === undefined || user !== intent.owner || mint === undefined || !poolMints.has(mint)) {
    notes.block('SWP-0', foreignWords(reading), { address: user });
    return;
  }
  const lamports = addressIn(reading, 'token_program') === PROGRAMS.token ? rent.tokenAccount : rent.token2022Account;
  notes.confirm('SWP-0', createsAccountWords(mint, lamports), { address: account });
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
  // Without an amount, the program sells what the account gained since a "token ledger" recorded its balance.
  const sold = integerAt(args, 'in_amount');
  const quotedBought = integerAt(args, 'quoted_out_amount') ?? 0n;
  return { isExactOut: false, soldMost: sold, quotedSold: sold, quotedBought, boughtLeast: lessSlippage(quotedBought, slippageBps) };
}

/** The platform's share of the swap and of positive slippage. The newer instructions do not name the recipient. */
function fees(reading: DecodedCall, args: Arguments): SwapFee[] {
  const named = optionalAccountIn(reading, 'platform_fee_account');
  const takers = named === undefined ? [] : [named];
  const shares = [
    ['platform_fee_bps', l10n.t('platform fee')],
    ['positive_slippage_bps', l10n.t('fee on positive slippage')],
  ] as const;
  return shares.map(([name, role]) => ({ role, takers, share: (integerAt(args, name) ?? 0n) * BILLIONTHS_PER_BPS, mentionedUpTo: 0n }));
}

/** Reviews swaps with a market maker through Jupiter's order engine (RFQ). Both amounts are fixed, and the maker signs as well (SIG-4). */
export const reviewRfq: InstructionRule = (reading, context, notes) => {
  const { layout, args } = reading;
  if (layout === undefined || args === undefined) {
    notes.block('SWP-0', unreadWords(reading));
    return;
  }
  const source = optionalAccountIn(reading, 'taker_input_mint_token_account');
  if (source === undefined) {
    notes.block('SWP-1', l10n.t('The market maker would be paid from your wallet directly, past the limits of this operation.'));
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
    caution: l10n.t('The tokens are swapped with a market maker, who sets the price.'),
  };
  reviewSwap(terms, context, notes);
};

/** Without an account the taker's wallet gets SOL. The program allows that for wrapped SOL only; any other token has no destination then. */
function destinations(reading: DecodedCall): readonly (AccountView | 'wallet')[] {
  const given = optionalAccountIn(reading, 'taker_output_mint_token_account');
  if (given !== undefined) {
    return [given];
  }
  return staticAddressIn(reading, 'output_mint') === WRAPPED_SOL_MINT ? ['wallet'] : [];
}
