import * as l10n from '@vscode/l10n';
import { PROGRAMS } from '../../base/solana/programs';
import { type InstructionRule, ownedMint, type TransactionContext } from '../context';
import { integerAt, numberAt } from '../decode/arguments';
import { accountIn, type DecodedCall } from '../decode/instructions';
import type { AccountView } from '../decode/transaction';
import { isPoolSwap } from './meteora';
import { optionalAccountIn, type SwapAmounts, type SwapFee } from './swapTerms';
import { reviewSwap } from './swaps';

/** What the two pool programs call the accounts of their swaps (IDLs of lb_clmm 0.12.0 and cp_amm 0.2.5). */
const DLMM_SWAP_ROLES = {
  source: 'user_token_in',
  destination: 'user_token_out',
  mints: ['token_x_mint', 'token_y_mint'],
  host: 'host_fee_in',
} as const;
const DAMM_SWAP_ROLES = {
  source: 'input_token_account',
  destination: 'output_token_account',
  mints: ['token_a_mint', 'token_b_mint'],
  host: 'referral_token_account',
} as const;

/**
 * Policy §10 for swaps in the pool itself, of DLMM and of DAMM v2 (SWP-2 to SWP-9), and what they take and give. Other instructions
 * pass. Whose accounts they are, and that it is the right pool, is a matter of the pool program's own rules (DLMM-1, -2 and -6,
 * DAMM-1 and -2).
 */
export const reviewPoolSwap: InstructionRule = (reading, context, notes) => {
  if (!isPoolSwap(reading)) {
    return;
  }
  const roles = reading.view.program === PROGRAMS.dammV2 ? DAMM_SWAP_ROLES : DLMM_SWAP_ROLES;
  const source = accountIn(reading, roles.source);
  const destination = accountIn(reading, roles.destination);
  const amounts = swapAmounts(reading);
  if (amounts === undefined) {
    notes.block('SWP-0', l10n.t('A swap in the pool names a way to swap that Binsight does not know.'));
    return;
  }
  const terms = {
    name: 'swap in the pool',
    authority: undefined,
    source,
    destinations: destination === undefined ? [] : [destination],
    soldMint: otherMint(reading, roles.mints, destination, context),
    boughtMint: otherMint(reading, roles.mints, source, context),
    amounts,
    slippageBps: numberAt(reading.args, 'max_price_impact_bps'),
    fees: hostFees(reading, roles.host),
    caution: l10n.t('Tokens are swapped directly in the pool, at whatever price it has then.'),
  };
  reviewSwap(terms, context, notes);
};

/** The later instruction of DAMM v2 says how it is to be swapped; so much is known of the modes (cp_amm SDK, `SwapMode`). */
const EXACT_OUT_MODE = 2;

/** `undefined`: the mode is not one that is known. */
function swapAmounts({ args }: DecodedCall): SwapAmounts | undefined {
  const mode = numberAt(args, '_params', 'swap_mode');
  if (mode !== undefined) {
    const [first, second] = [integerAt(args, '_params', 'amount_0'), integerAt(args, '_params', 'amount_1')];
    if (mode > EXACT_OUT_MODE) {
      return undefined;
    }
    return mode === EXACT_OUT_MODE ? exactOut(second, first) : exactIn(first, second);
  }
  const inDamm = integerAt(args, '_params', 'amount_in');
  if (inDamm !== undefined) {
    return exactIn(inDamm, integerAt(args, '_params', 'minimum_amount_out'));
  }
  const most = integerAt(args, 'max_in_amount');
  return most === undefined
    ? exactIn(integerAt(args, 'amount_in'), integerAt(args, 'min_amount_out'))
    : exactOut(most, integerAt(args, 'out_amount'));
}

/** The minimum stands for the quote, because nothing else is named. */
function exactIn(sold: bigint | undefined, least: bigint | undefined): SwapAmounts {
  return { isExactOut: false, soldMost: sold, quotedSold: sold, quotedBought: least, boughtLeast: least };
}

function exactOut(most: bigint | undefined, bought: bigint | undefined): SwapAmounts {
  return { isExactOut: true, soldMost: most, quotedSold: most, quotedBought: bought, boughtLeast: bought };
}

/** A pool has two tokens: what goes in is the one that does not come out. `undefined`: the other account's token is not known, or not the pool's. */
function otherMint(
  reading: DecodedCall,
  roles: readonly string[],
  of: AccountView | undefined,
  context: TransactionContext,
): AccountView | undefined {
  const mint = ownedMint(context, of?.address);
  const mints = roles.map((role) => accountIn(reading, role));
  const others = mints.filter((account) => account !== undefined && account.address !== mint);
  return mint !== undefined && others.length === 1 ? others[0] : undefined;
}

/** A part of the pool's fee for somebody who brought the trade. */
function hostFees(reading: DecodedCall, role: string): SwapFee[] {
  const taker = optionalAccountIn(reading, role);
  return taker === undefined
    ? []
    : [
        {
          role: 'host fee of the pool',
          share: undefined,
          of: l10n.t('what the pool charges for the swap'),
          mentionedUpTo: 0n,
          takers: [taker],
        },
      ];
}
