import * as l10n from '@vscode/l10n';
import { PROGRAMS } from '../../base/solana/programs';
import { deposits, poolFactOf } from '../intents';
import { type InstructionRule, ownedMint, type TransactionContext } from '../context';
import { accountIn, type DecodedCall, integerAt, isInstruction, numberAt } from '../decode/instructions';
import type { AccountView } from '../decode/transaction';
import { mostBins } from './landingPrices';
import { isPoolSwap } from '../decode/meteora';
import { optionalAccountIn, type SwapAmounts, type SwapFee } from './swapTerms';
import { reviewSwap } from './swaps';
import { acceptWords, inPoolWords, unknownInstructionWords } from './words';

/** Roles of the swap accounts in the two pool programs (IDLs of lb_clmm 0.12.0 and cp_amm 0.2.5). */
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
 * Applies SWP-2 to SWP-9 to swaps in the pool itself, of DLMM and of DAMM v2. Ignores other instructions. The pool and the owner of the
 * accounts are checked by the pool programs' own rules (DLMM-1, DLMM-2, DLMM-6, DAMM-1, DAMM-2).
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
    notes.block('SWP-0', unknownInstructionWords(reading.view.program));
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
    caution: inPoolWords(),
  };
  reviewSwap(terms, context, notes);
  reviewImpactBin(reading, context, notes);
};

/** SWP-9: a price impact bounds the price only together with the bin that it is counted from. */
const reviewImpactBin: InstructionRule = (reading, { intent, policy, facts }, notes) => {
  if (!isInstruction(reading, PROGRAMS.dlmm, 'swap_with_price_impact', 'swap_with_price_impact2')) {
    return;
  }
  const from = numberAt(reading.args, 'active_id');
  if (from === undefined) {
    notes.confirm(
      'SWP-9',
      l10n.t('The price impact of the swap counts from the bin that is active when it lands, so nothing limits its price.'),
    );
    return;
  }
  const pool = poolFactOf(intent, facts);
  const known = [
    ...(deposits(intent) ? [{ binId: intent.activeBinId, binStepBps: intent.binStepBps }] : []),
    ...(pool?.kind === 'dlmm' ? [{ binId: pool.activeBinId, binStepBps: pool.binStepBps }] : []),
  ];
  for (const { binId, binStepBps } of known) {
    if (binId !== undefined && Math.abs(binId - from) > mostBins(intent, policy, binStepBps)) {
      notes.confirm(
        'SWP-9',
        `${l10n.t`The price impact of the swap counts from bin ${from}, but the active bin is ${binId}: it could pay out as much less.`} ${acceptWords()}`,
      );
      return;
    }
  }
};

/** The last mode of DAMM v2's `swap2` that is known (cp_amm SDK, `SwapMode`). */
const EXACT_OUT_MODE = 2;

/** Returns the amounts of the swap; `undefined` for an unknown mode. */
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

/** The minimum doubles as the quote, because the instruction names no other amount. */
function exactIn(sold: bigint | undefined, least: bigint | undefined): SwapAmounts {
  return { isExactOut: false, soldMost: sold, quotedSold: sold, quotedBought: least, boughtLeast: least };
}

function exactOut(most: bigint | undefined, bought: bigint | undefined): SwapAmounts {
  return { isExactOut: true, soldMost: most, quotedSold: most, quotedBought: bought, boughtLeast: bought };
}

/** The pool's other token: a swap sells the one that it does not buy. `undefined`: the given account's token is unknown or not the pool's. */
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

/** The part of the pool's fee that goes to the host or referrer of the swap. */
function hostFees(reading: DecodedCall, role: string): SwapFee[] {
  const taker = optionalAccountIn(reading, role);
  return taker === undefined ? [] : [{ role: l10n.t('host fee'), share: undefined, mentionedUpTo: 0n, takers: [taker] }];
}
