import { WRAPPED_SOL_MINT } from '../../solana/programs';
import { integerAt } from '../argumentValues';
import type { AccountView } from '../decode';
import { accountIn, addressIn, type DecodedCall } from '../reading';
import type { InstructionRule } from './rule';
import { reviewSwap } from './swaps';
import { optionalAccountIn } from './swapTerms';

/** Policy §10: swaps with a market maker through Jupiter's order engine (RFQ). Both amounts are fixed; the maker signs, too (SIG-4). */
export const reviewRfq: InstructionRule = (reading, context, notes) => {
  const { layout, args } = reading;
  if (layout === undefined || args === undefined) {
    notes.block('SWP-0', `An instruction to Jupiter RFQ ${layout === undefined ? 'is not one that Binsight knows' : `cannot be read (${layout.name})`}.`);
    return;
  }
  const source = optionalAccountIn(reading, 'taker_input_mint_token_account');
  if (source === undefined) {
    notes.block('SWP-1', 'The market maker would be paid in SOL straight from your wallet, not from your wrapped SOL, where the limits of the operation are.');
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
    caution: 'Tokens are swapped with a market maker, at the price that the maker names.',
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
