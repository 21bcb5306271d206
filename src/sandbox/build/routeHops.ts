import { addressFromBytes, type Address } from '../../base/solana/address';
import { associatedTokenAddress, dammVault, dlmmOracle, dlmmReserve, eventAuthority } from '../../base/solana/pda';
import { DAMM_INSTRUCTIONS } from '../../base/solana/generated/dammInstructions';
import { DLMM_INSTRUCTIONS } from '../../base/solana/generated/dlmmInstructions';
import { instructionNamed, type InstructionLayout } from '../../base/solana/instructionCodec';
import { DAMM_POOL_AUTHORITY, PROGRAMS } from '../../base/solana/programs';
import { anchorAccounts, type RemainingAccount, type Roles } from './instruction';
import { tokensOfHop } from './swapTokens';
import type { SwapHop, TokenAccounts } from './types';

/** How the router trades in pools of a type. */
export interface Venue {
  readonly type: SwapHop['type'];
  /** Number among the venues of Jupiter v6 (its IDL, enum `Swap`); both have no fields. */
  readonly number: number;
  readonly program: Address;
  /** The program's instruction that the router calls: these are the accounts of the trade, after the program itself. */
  readonly layout: InstructionLayout;
  /** Compute units that a trade through the router takes, about. */
  readonly computeUnits: number;
}

/** `MeteoraDlmm` and `MeteoraDammV2`. */
export const VENUES: Readonly<Record<SwapHop['type'], Venue>> = {
  bins: { type: 'bins', number: 38, program: PROGRAMS.dlmm, layout: instructionNamed(DLMM_INSTRUCTIONS, 'swap'), computeUnits: 180_000 },
  product: {
    type: 'product',
    number: 77,
    program: PROGRAMS.dammV2,
    layout: instructionNamed(DAMM_INSTRUCTIONS, 'swap'),
    computeUnits: 120_000,
  },
};

/** Bin arrays that one trade may touch. */
export const MAX_SWAP_BIN_ARRAYS = 3;

/** Ends a list of accounts whose length the router cannot know, as that of bin arrays. */
export const END_OF_LIST = PROGRAMS.jupiterV6;

const EVENT_AUTHORITIES = { bins: eventAuthority(PROGRAMS.dlmm), product: eventAuthority(PROGRAMS.dammV2) };

/**
 * The accounts of a trade, after those of the route: the venue's program, the accounts of its swap, and in bin pools the bin
 * arrays and the router's own id as their end (as MeteoraAg/zap-program, protocol-zap, reads routes). Fees for third parties
 * are written as "none".
 */
export function hopAccounts(owner: Address, hop: SwapHop): readonly RemainingAccount[] {
  const { type, program, layout } = VENUES[hop.type];
  const swap = anchorAccounts(program, layout, {
    ...(type === 'bins' ? binRoles(owner, hop) : productRoles(owner, hop)),
    event_authority: EVENT_AUTHORITIES[type],
    program,
  });
  return [
    { address: program, writable: false },
    ...swap.map(({ pubkey, isWritable }) => ({ address: addressFromBytes(pubkey.toBytes()), writable: isWritable })),
    ...(hop.type === 'bins'
      ? [...hop.binArrays.map((address) => ({ address, writable: true })), { address: END_OF_LIST, writable: false }]
      : []),
  ];
}

/** The owner's account for a token. */
export function accountOf(owner: Address, { mint, tokenProgram }: TokenAccounts): Address {
  return associatedTokenAddress(owner, mint, tokenProgram);
}

function binRoles(owner: Address, hop: SwapHop): Roles {
  const { pool, tokenX, tokenY } = hop.via;
  const { sold, bought } = tokensOfHop(hop);
  return {
    lb_pair: pool,
    reserve_x: dlmmReserve(pool, tokenX.mint),
    reserve_y: dlmmReserve(pool, tokenY.mint),
    user_token_in: accountOf(owner, sold),
    user_token_out: accountOf(owner, bought),
    token_x_mint: tokenX.mint,
    token_y_mint: tokenY.mint,
    oracle: dlmmOracle(pool),
    user: owner,
    token_x_program: tokenX.tokenProgram,
    token_y_program: tokenY.tokenProgram,
  };
}

function productRoles(owner: Address, hop: SwapHop): Roles {
  const { pool, tokenX, tokenY } = hop.via;
  const { sold, bought } = tokensOfHop(hop);
  return {
    pool_authority: DAMM_POOL_AUTHORITY,
    pool,
    input_token_account: accountOf(owner, sold),
    output_token_account: accountOf(owner, bought),
    token_a_vault: dammVault(pool, tokenX.mint),
    token_b_vault: dammVault(pool, tokenY.mint),
    token_a_mint: tokenX.mint,
    token_b_mint: tokenY.mint,
    payer: owner,
    token_a_program: tokenX.tokenProgram,
    token_b_program: tokenY.tokenProgram,
  };
}
