import type { Address } from '../../base/solana/address';
import { eventAuthority } from '../../base/solana/pda';
import type { InstructionLayout } from '../../base/solana/instructionCodec';
import { PROGRAMS } from '../../base/solana/programs';
import { shareOf, WHOLE_BPS } from '../../base/basisPoints';
import { anchorInstruction } from './instruction';
import { accountOf, hopAccounts, VENUES } from './routeHops';
import { tokensBought, tokensOfSwap } from './swapTokens';
import { step, together, type Step } from './transactions';
import type { SwapPlan } from './types';
import { createTokenAccount } from './walletInstructions';

/**
 * Jupiter v6 `route` as the sandbox writes it: each venue is only its number, which holds for venues without fields
 * (layout: Jupiter's IDL).
 */
export const JUPITER_ROUTE: InstructionLayout = {
  name: 'route',
  discriminator: 'e517cb977ae3ad2a',
  accounts: [
    { name: 'token_program' },
    { name: 'user_transfer_authority', signer: true },
    { name: 'user_source_token_account', writable: true },
    { name: 'user_destination_token_account', writable: true },
    { name: 'destination_token_account', writable: true, optional: true },
    { name: 'destination_mint' },
    { name: 'platform_fee_account', writable: true, optional: true },
    { name: 'event_authority' },
    { name: 'program' },
  ],
  args: [
    [
      'route_plan',
      {
        vec: {
          struct: [
            ['swap', 'u8'],
            ['percent', 'u8'],
            ['input_index', 'u8'],
            ['output_index', 'u8'],
          ],
        },
      },
    ],
    ['in_amount', 'u64'],
    ['quoted_out_amount', 'u64'],
    ['slippage_bps', 'u16'],
    ['platform_fee_bps', 'u8'],
  ],
};

/** Most trades of one swap: the accounts of a third would not fit into a transaction. */
export const MAX_HOPS = 2;

const EVENT_AUTHORITY = eventAuthority(PROGRAMS.jupiterV6);

/** Minimum output of a swap, raw: the quote less the slippage, rounded down. */
export function minimumOut({ quotedOut, slippageBps }: Pick<SwapPlan, 'quotedOut' | 'slippageBps'>): bigint {
  return shareOf(quotedOut, WHOLE_BPS - slippageBps);
}

/**
 * A swap through the router, without a platform fee.
 * @throws PlanError if a trade does not sell what the one before it bought, or a token occurs twice.
 */
export function routeSwap(owner: Address, swap: SwapPlan): Step {
  const { sold, bought } = tokensOfSwap(swap);
  const roles = {
    token_program: sold.tokenProgram,
    user_transfer_authority: owner,
    user_source_token_account: accountOf(owner, sold),
    user_destination_token_account: accountOf(owner, bought),
    destination_mint: bought.mint,
    event_authority: EVENT_AUTHORITY,
    program: PROGRAMS.jupiterV6,
  };
  const args = {
    // Each trade sells all of the token before it; the tokens are numbered in order of appearance.
    route_plan: swap.hops.map(({ type }, index) => ({
      swap: VENUES[type].number,
      percent: 100,
      input_index: index,
      output_index: index + 1,
    })),
    in_amount: swap.inAmount,
    quoted_out_amount: swap.quotedOut,
    slippage_bps: swap.slippageBps,
    platform_fee_bps: 0,
  };
  const remaining = swap.hops.flatMap((hop) => hopAccounts(owner, hop));
  const computeUnits = swap.hops.reduce((sum, { type }) => sum + VENUES[type].computeUnits, 0);
  return step(computeUnits, anchorInstruction(PROGRAMS.jupiterV6, JUPITER_ROUTE, roles, args, remaining));
}

/** A swap through the router, after creating the token accounts that it needs. */
export function routeWithAccounts(owner: Address, swap: SwapPlan): Step {
  return together(...tokensBought(swap).map((token) => createTokenAccount(owner, token)), routeSwap(owner, swap));
}
