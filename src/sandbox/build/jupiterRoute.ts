import type { Address } from '../../solana/address';
import { associatedTokenAddress, dlmmOracle, dlmmReserve, eventAuthority } from '../../solana/derive';
import type { InstructionLayout } from '../../solana/instructionCodec';
import { PROGRAMS } from '../../solana/programs';
import { anchorInstruction, type RemainingAccount } from './instruction';
import { tokensBought, tokensOfHop, tokensOfSwap } from './swapTokens';
import { step, together, type Step } from './transactions';
import type { SwapHop, SwapPlan, TokenAccounts } from './types';
import { createTokenAccount } from './walletInstructions';

/** Number of the trading venue "Meteora DLMM" among those of Jupiter v6 (its IDL, enum `Swap`). */
const VENUE_METEORA_DLMM = 38;

/**
 * Jupiter v6 `route`, as far as the sandbox writes it: a venue is its number alone, which is so for those without fields
 * (layout: Jupiter's IDL; review policy §10).
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
    ['route_plan', { vec: { struct: [['swap', 'u8'], ['percent', 'u8'], ['input_index', 'u8'], ['output_index', 'u8']] } }],
    ['in_amount', 'u64'],
    ['quoted_out_amount', 'u64'],
    ['slippage_bps', 'u16'],
    ['platform_fee_bps', 'u8'],
  ],
};

/** Roles of the accounts that the trade in a DLMM pool takes, after those of the route; bin arrays follow. */
export const HOP_ACCOUNTS = [
  'venue', 'pool', 'bitmap_extension', 'reserve_x', 'reserve_y', 'user_token_in', 'user_token_out', 'token_x_mint', 'token_y_mint', 'oracle',
  'host_fee_in', 'user', 'token_x_program', 'token_y_program', 'event_authority', 'program',
] as const;

type HopRoles = Readonly<Record<(typeof HOP_ACCOUNTS)[number], Address>>;

const HOP_WRITABLE: ReadonlySet<string> = new Set(['pool', 'reserve_x', 'reserve_y', 'user_token_in', 'user_token_out', 'oracle']);

/** Trades of one swap: the accounts of a third would not fit into a transaction. */
export const MAX_HOPS = 2;

/** Bin arrays that one trade may touch. */
export const MAX_SWAP_BIN_ARRAYS = 3;

/** Compute units that a trade through the router takes, about. */
const COMPUTE_UNITS = 180_000;

const BASIS_POINTS = 10_000n;

const JUPITER_EVENT_AUTHORITY = eventAuthority(PROGRAMS.jupiterV6);
const DLMM_EVENT_AUTHORITY = eventAuthority(PROGRAMS.dlmm);

/** The least that a swap gives, raw: what was quoted less the slippage, rounded down. */
export function minimumOut({ quotedOut, slippageBps }: Pick<SwapPlan, 'quotedOut' | 'slippageBps'>): bigint {
  return (quotedOut * (BASIS_POINTS - BigInt(slippageBps))) / BASIS_POINTS;
}

/**
 * Swaps through the router, without a fee for the platform.
 * @throws PlanError where a trade does not sell what the one before it bought, or a token comes up twice.
 */
export function routeSwap(owner: Address, swap: SwapPlan): Step {
  const { sold, bought } = tokensOfSwap(swap);
  const roles = {
    token_program: sold.tokenProgram,
    user_transfer_authority: owner,
    user_source_token_account: accountOf(owner, sold),
    user_destination_token_account: accountOf(owner, bought),
    destination_mint: bought.mint,
    event_authority: JUPITER_EVENT_AUTHORITY,
    program: PROGRAMS.jupiterV6,
  };
  const args = {
    // Each trade takes all of the token before it: the tokens are numbered in the order in which they come up.
    route_plan: swap.hops.map((_, index) => ({ swap: VENUE_METEORA_DLMM, percent: 100, input_index: index, output_index: index + 1 })),
    in_amount: swap.inAmount,
    quoted_out_amount: swap.quotedOut,
    slippage_bps: swap.slippageBps,
    platform_fee_bps: 0,
  };
  const remaining = swap.hops.flatMap((hop) => hopAccounts(owner, hop));
  return step(COMPUTE_UNITS * swap.hops.length, anchorInstruction(PROGRAMS.jupiterV6, JUPITER_ROUTE, roles, args, remaining));
}

/** Swaps through the router, with the token accounts that it needs made before it. */
export function routeWithAccounts(owner: Address, swap: SwapPlan): Step {
  return together(...tokensBought(swap).map((token) => createTokenAccount(owner, token)), routeSwap(owner, swap));
}

/** The owner's account for a token. */
export function accountOf(owner: Address, { mint, tokenProgram }: TokenAccounts): Address {
  return associatedTokenAddress(owner, mint, tokenProgram);
}

function hopAccounts(owner: Address, hop: SwapHop): readonly RemainingAccount[] {
  const roles = hopRoles(owner, hop);
  return [
    ...HOP_ACCOUNTS.map((role) => ({ address: roles[role], writable: HOP_WRITABLE.has(role) })),
    ...hop.binArrays.map((binArray) => ({ address: binArray, writable: true })),
  ];
}

/** The accounts of a trade in a DLMM pool; roles that it does without hold the DLMM program. */
function hopRoles(owner: Address, hop: SwapHop): HopRoles {
  const { via } = hop;
  const { sold, bought } = tokensOfHop(hop);
  return {
    venue: PROGRAMS.dlmm,
    pool: via.pool,
    bitmap_extension: PROGRAMS.dlmm,
    reserve_x: dlmmReserve(via.pool, via.tokenX.mint),
    reserve_y: dlmmReserve(via.pool, via.tokenY.mint),
    user_token_in: accountOf(owner, sold),
    user_token_out: accountOf(owner, bought),
    token_x_mint: via.tokenX.mint,
    token_y_mint: via.tokenY.mint,
    oracle: dlmmOracle(via.pool),
    host_fee_in: PROGRAMS.dlmm,
    user: owner,
    token_x_program: via.tokenX.tokenProgram,
    token_y_program: via.tokenY.tokenProgram,
    event_authority: DLMM_EVENT_AUTHORITY,
    program: PROGRAMS.dlmm,
  };
}
