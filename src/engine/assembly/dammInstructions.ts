import type { Address } from '../../base/solana/address';
import { associatedTokenAddress, dammPosition, dammPositionNftAccount, dammVault, eventAuthority } from '../../base/solana/pda';
import { DAMM_INSTRUCTIONS } from '../../base/solana/generated/dammInstructions';
import { instructionNamed, type Arguments } from '../../base/solana/instructionCodec';
import { DAMM_POOL_AUTHORITY, PROGRAMS } from '../../base/solana/programs';
import { anchorInstruction, type Roles } from './anchorInstruction';
import { step, type BuildStep } from './transactions';
import type { PoolAccounts, RewardAccounts } from './types';

/** Approximate compute units of the program. */
const COMPUTE_UNITS = { createPosition: 130_000, addLiquidity: 90_000, removeLiquidity: 90_000, claimFee: 70_000, closePosition: 60_000 };

const EVENT_AUTHORITY = eventAuthority(PROGRAMS.dammV2);

/** Owner, pool, position, and the account of the position's NFT. */
export interface ProductRoles {
  readonly owner: Address;
  readonly pool: PoolAccounts;
  readonly position: Address;
  readonly nftAccount: Address;
}

/** Owner, pool and NFT mint, for instructions that move no tokens. */
export interface NftRoles {
  readonly owner: Address;
  readonly pool: Pick<PoolAccounts, 'pool'>;
  readonly nftMint: Address;
}

/** Slippage limits of both tokens, raw. */
export interface Thresholds {
  readonly x: bigint;
  readonly y: bigint;
}

/** Creates an empty position and mints its NFT to the owner. The key of the NFT mint signs. */
export function createProductPosition(roles: NftRoles): BuildStep {
  return damm(
    COMPUTE_UNITS.createPosition,
    'create_position',
    { ...nftRoles(roles), owner: roles.owner, payer: roles.owner, system_program: PROGRAMS.system },
    {},
  );
}

/** Adds liquidity for at most these amounts. */
export function addProductLiquidity(roles: ProductRoles, liquidity: bigint, most: Thresholds): BuildStep {
  return damm(COMPUTE_UNITS.addLiquidity, 'add_liquidity', liquidityRoles(roles), {
    params: { liquidity_delta: liquidity, ...thresholds(most) },
  });
}

/** Removes liquidity for at least these amounts. */
export function removeProductLiquidity(roles: ProductRoles, liquidity: bigint | 'all', least: Thresholds): BuildStep {
  return liquidity === 'all'
    ? damm(COMPUTE_UNITS.removeLiquidity, 'remove_all_liquidity', liquidityRoles(roles), thresholds(least))
    : damm(COMPUTE_UNITS.removeLiquidity, 'remove_liquidity', liquidityRoles(roles), {
        params: { liquidity_delta: liquidity, ...thresholds(least) },
      });
}

export function claimProductFee(roles: ProductRoles): BuildStep {
  return damm(COMPUTE_UNITS.claimFee, 'claim_position_fee', liquidityRoles(roles), {});
}

export function claimProductReward(
  { owner, pool, position, nftAccount }: ProductRoles,
  { index, token, vault }: RewardAccounts,
): BuildStep {
  return damm(
    COMPUTE_UNITS.claimFee,
    'claim_reward',
    {
      pool_authority: DAMM_POOL_AUTHORITY,
      pool: pool.pool,
      position,
      reward_vault: vault,
      reward_mint: token.mint,
      user_token_account: associatedTokenAddress(owner, token.mint, token.tokenProgram),
      position_nft_account: nftAccount,
      signer: owner,
      token_program: token.tokenProgram,
    },
    { reward_index: index, skip_reward: 0 },
  );
}

/** Closes the position and burns its NFT; all rent goes to the owner. Fails if the position is not empty. */
export function closeProductPosition(roles: NftRoles): BuildStep {
  return damm(COMPUTE_UNITS.closePosition, 'close_position', { ...nftRoles(roles), owner: roles.owner, rent_receiver: roles.owner }, {});
}

function nftRoles({ pool, nftMint }: NftRoles): Roles {
  return {
    position_nft_mint: nftMint,
    position_nft_account: dammPositionNftAccount(nftMint),
    position: dammPosition(nftMint),
    pool: pool.pool,
    token_program: PROGRAMS.token2022,
  };
}

function liquidityRoles({ owner, pool, position, nftAccount }: ProductRoles): Roles {
  const { tokenX, tokenY } = pool;
  return {
    pool: pool.pool,
    position,
    token_a_account: associatedTokenAddress(owner, tokenX.mint, tokenX.tokenProgram),
    token_b_account: associatedTokenAddress(owner, tokenY.mint, tokenY.tokenProgram),
    token_a_vault: dammVault(pool.pool, tokenX.mint),
    token_b_vault: dammVault(pool.pool, tokenY.mint),
    token_a_mint: tokenX.mint,
    token_b_mint: tokenY.mint,
    position_nft_account: nftAccount,
    signer: owner,
    token_a_program: tokenX.tokenProgram,
    token_b_program: tokenY.tokenProgram,
  };
}

function thresholds({ x, y }: Thresholds): Arguments {
  return { token_a_amount_threshold: x, token_b_amount_threshold: y };
}

function damm(computeUnits: number, name: string, roles: Roles, args: Arguments): BuildStep {
  const everywhere = { pool_authority: DAMM_POOL_AUTHORITY, event_authority: EVENT_AUTHORITY, program: PROGRAMS.dammV2 };
  return step(
    computeUnits,
    anchorInstruction(PROGRAMS.dammV2, instructionNamed(DAMM_INSTRUCTIONS, name), { ...roles, ...everywhere }, args),
  );
}
