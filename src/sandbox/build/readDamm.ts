import * as z from 'zod';
import { dammPosition } from '../../base/solana/pda';
import type { InstructionLayout } from '../../base/solana/instructionCodec';
import {
  addProductLiquidity,
  claimProductFee,
  closeProductPosition,
  createProductPosition,
  removeProductLiquidity,
  type NftRoles,
  type ProductRoles,
} from '../../engine/assembly/dammInstructions';
import { accountByRole, argumentsOf, type DecodedEffect, type DecodedAnchorInstruction } from './decodedInstruction';

/** An instruction and its layout. */
interface Parts {
  readonly instruction: DecodedAnchorInstruction;
  readonly layout: InstructionLayout;
}

/**
 * Decodes an instruction of the DAMM v2 program; `undefined` if the sandbox does not support it. The NFT account is not checked against the
 * position here, because the accounts do not contain the mint.
 * @throws EffectError if the instruction is malformed
 */
export function readDamm(instruction: DecodedAnchorInstruction, layout: InstructionLayout): DecodedEffect | undefined {
  const parts = { instruction, layout };
  switch (layout.name) {
    case 'create_position':
      return readCreate(parts);
    case 'add_liquidity':
      return readAdd(parts);
    case 'remove_liquidity':
      return readRemove(parts);
    case 'remove_all_liquidity':
      return readRemoveAll(parts);
    case 'claim_position_fee':
      return readClaim(parts);
    case 'close_position':
      return readClose(parts);
    default:
      return undefined;
  }
}

function readCreate(parts: Parts): DecodedEffect {
  const roles = nftRoles(parts);
  return { effect: { kind: 'createProductPosition', ...named(roles) }, expected: createProductPosition(roles) };
}

const THRESHOLDS = z.object({ token_a_amount_threshold: z.bigint(), token_b_amount_threshold: z.bigint() });
const CHANGE = z.object({ params: THRESHOLDS.extend({ liquidity_delta: z.bigint().min(1n) }) });

function readAdd({ instruction, layout }: Parts): DecodedEffect {
  const {
    liquidity_delta: liquidity,
    token_a_amount_threshold: maximumX,
    token_b_amount_threshold: maximumY,
  } = argumentsOf(instruction, layout, CHANGE).params;
  const roles = liquidityRoles({ instruction, layout });
  return {
    effect: { kind: 'addProductLiquidity', ...held(roles), liquidity, maximumX, maximumY },
    expected: addProductLiquidity(roles, liquidity, { x: maximumX, y: maximumY }),
  };
}

function readRemove({ instruction, layout }: Parts): DecodedEffect {
  const { liquidity_delta: liquidity, ...least } = argumentsOf(instruction, layout, CHANGE).params;
  return removal({ instruction, layout }, liquidity, least);
}

function readRemoveAll({ instruction, layout }: Parts): DecodedEffect {
  return removal({ instruction, layout }, 'all', argumentsOf(instruction, layout, THRESHOLDS));
}

function removal(parts: Parts, liquidity: bigint | 'all', least: z.output<typeof THRESHOLDS>): DecodedEffect {
  const { token_a_amount_threshold: minimumX, token_b_amount_threshold: minimumY } = least;
  const roles = liquidityRoles(parts);
  return {
    effect: { kind: 'removeProductLiquidity', ...held(roles), liquidity, minimumX, minimumY },
    expected: removeProductLiquidity(roles, liquidity, { x: minimumX, y: minimumY }),
  };
}

function readClaim(parts: Parts): DecodedEffect {
  const roles = liquidityRoles(parts);
  return { effect: { kind: 'claimProductFee', ...held(roles) }, expected: claimProductFee(roles) };
}

function readClose(parts: Parts): DecodedEffect {
  const roles = nftRoles(parts);
  return { effect: { kind: 'closeProductPosition', ...named(roles) }, expected: closeProductPosition(roles) };
}

function nftRoles({ instruction, layout }: Parts): NftRoles {
  return {
    owner: accountByRole(instruction, layout, 'owner'),
    pool: { pool: accountByRole(instruction, layout, 'pool') },
    nftMint: accountByRole(instruction, layout, 'position_nft_mint'),
  };
}

function liquidityRoles({ instruction, layout }: Parts): ProductRoles {
  return {
    owner: accountByRole(instruction, layout, 'signer'),
    position: accountByRole(instruction, layout, 'position'),
    nftAccount: accountByRole(instruction, layout, 'position_nft_account'),
    pool: {
      pool: accountByRole(instruction, layout, 'pool'),
      tokenX: {
        mint: accountByRole(instruction, layout, 'token_a_mint'),
        tokenProgram: accountByRole(instruction, layout, 'token_a_program'),
      },
      tokenY: {
        mint: accountByRole(instruction, layout, 'token_b_mint'),
        tokenProgram: accountByRole(instruction, layout, 'token_b_program'),
      },
    },
  };
}

/** Common fields of the effects of instructions with the NFT mint. */
function named({ owner, pool, nftMint }: NftRoles) {
  return { owner, pool: pool.pool, position: dammPosition(nftMint), nftMint };
}

/** Common fields of the effects of instructions with the NFT account. */
function held({ owner, pool, position, nftAccount }: ProductRoles) {
  return { owner, pool: pool.pool, position, nftAccount };
}
