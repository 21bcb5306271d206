import * as z from 'zod';
import { binArrayIndex, BINS_PER_DEFAULT_POSITION, MAX_BIN_ID, MAX_BINS_PER_POSITION, MIN_BIN_ID } from '../../base/dlmm/bins';
import { STRATEGIES } from '../../base/dlmm/strategy';
import { dlmmBinArray } from '../../base/solana/pda';
import type { InstructionLayout } from '../../base/solana/instructionCodec';
import { WHOLE_BPS } from '../../base/basisPoints';
import { EffectError } from '../chain/types';
import {
  addLiquidity,
  claimFee,
  closePosition,
  increasePositionLength,
  initializeBinArray,
  initializePosition,
  removeLiquidity,
  spreadRange,
  STRATEGY_VARIANTS,
  type PositionRoles,
} from '../../engine/assembly/dlmmInstructions';
import { accountByRole, argumentsOf, type DecodedEffect, type DecodedAnchorInstruction } from './decodedInstruction';
import type { DepositSpread } from '../../engine/assembly/types';

/** An instruction and its layout. */
interface Parts {
  readonly instruction: DecodedAnchorInstruction;
  readonly layout: InstructionLayout;
}

/**
 * Decodes an instruction of the DLMM program; `undefined` if the sandbox does not support it.
 * @throws EffectError if the instruction is malformed
 */
export function readDlmm(instruction: DecodedAnchorInstruction, layout: InstructionLayout): DecodedEffect | undefined {
  const parts = { instruction, layout };
  switch (layout.name) {
    case 'initialize_position2':
      return readInitializePosition(parts);
    case 'increase_position_length2':
      return readIncreaseLength(parts);
    case 'initialize_bin_array':
      return readInitializeBinArray(parts);
    case 'add_liquidity_by_strategy2':
      return readAdd(parts, strategySpread(parts));
    case 'add_liquidity_by_weight2':
      return readAdd(parts, weightSpread(parts));
    case 'remove_liquidity_by_range2':
      return readRemove(parts);
    case 'claim_fee2':
      return readClaim(parts);
    case 'close_position2':
      return readClose(parts, { onlyIfEmpty: false });
    case 'close_position_if_empty':
      return readClose(parts, { onlyIfEmpty: true });
    default:
      return undefined;
  }
}

const POSITION_RANGE = z.object({ lower_bin_id: z.number(), width: z.number().min(1).max(BINS_PER_DEFAULT_POSITION) });

function readInitializePosition(parts: Parts): DecodedEffect {
  const { lower_bin_id: fromBinId, width } = argumentsOf(parts.instruction, parts.layout, POSITION_RANGE);
  const { owner, pool, position } = positionAccounts(parts, 'owner');
  return {
    effect: { kind: 'initializePosition', owner, pool: pool.pool, position, fromBinId, toBinId: fromBinId + width - 1 },
    expected: initializePosition({ owner, pool, position }, fromBinId, width),
  };
}

const NEW_LENGTH = z.object({ minimum_upper_bin_id: z.number() });

function readIncreaseLength(parts: Parts): DecodedEffect {
  const { minimum_upper_bin_id: toBinId } = argumentsOf(parts.instruction, parts.layout, NEW_LENGTH);
  const { owner, pool, position } = positionAccounts(parts, 'owner');
  return {
    effect: { kind: 'increasePositionLength', owner, pool: pool.pool, position, toBinId },
    expected: increasePositionLength({ owner, pool, position }, toBinId),
  };
}

const BIN_ARRAY = z.object({
  index: z
    .bigint()
    .min(BigInt(binArrayIndex(MIN_BIN_ID)))
    .max(BigInt(binArrayIndex(MAX_BIN_ID))),
});

function readInitializeBinArray(parts: Parts): DecodedEffect {
  const index = Number(argumentsOf(parts.instruction, parts.layout, BIN_ARRAY).index);
  const owner = accountByRole(parts.instruction, parts.layout, 'funder');
  const pool = accountByRole(parts.instruction, parts.layout, 'lb_pair');
  return {
    effect: { kind: 'initializeBinArray', owner, pool, binArray: dlmmBinArray(pool, index), index },
    expected: initializeBinArray({ owner, pool: { pool } }, index),
  };
}

const AMOUNTS = z.object({
  liquidity_parameter: z.object({ amount_x: z.bigint(), amount_y: z.bigint(), active_id: z.number(), max_active_bin_slippage: z.number() }),
});

function readAdd(parts: Parts, spread: DepositSpread): DecodedEffect {
  const {
    amount_x: amountX,
    amount_y: amountY,
    active_id: activeBinId,
    max_active_bin_slippage: maxActiveBinSlippage,
  } = argumentsOf(parts.instruction, parts.layout, AMOUNTS).liquidity_parameter;
  checkBins(spreadRange(spread));
  const roles = liquidityAccounts(parts, { x: 'token_x_program', y: 'token_y_program' });
  const deposit = { amountX, amountY, activeBinId, maxActiveBinSlippage, spread };
  return {
    effect: { kind: 'addLiquidity', owner: roles.owner, pool: roles.pool.pool, position: roles.position, ...deposit },
    expected: addLiquidity(roles, deposit),
  };
}

const VARIANT = z.object({ kind: z.string() });
const BY_STRATEGY = z.object({
  liquidity_parameter: z.object({
    strategy_parameters: z.object({ min_bin_id: z.number(), max_bin_id: z.number(), strategy_type: VARIANT }),
  }),
});

function strategySpread({ instruction, layout }: Parts): DepositSpread {
  const {
    min_bin_id: fromBinId,
    max_bin_id: toBinId,
    strategy_type,
  } = argumentsOf(instruction, layout, BY_STRATEGY).liquidity_parameter.strategy_parameters;
  const strategy = STRATEGIES.find((name) => STRATEGY_VARIANTS[name] === strategy_type.kind);
  if (strategy === undefined) {
    throw new EffectError(`The sandbox does not spread liquidity by ${strategy_type.kind}`);
  }
  return { kind: 'strategy', strategy, fromBinId, toBinId };
}

const BY_WEIGHT = z.object({
  liquidity_parameter: z.object({ bin_liquidity_dist: z.array(z.object({ bin_id: z.number(), weight: z.number() })).min(1) }),
});

function weightSpread({ instruction, layout }: Parts): DepositSpread {
  const bins = argumentsOf(instruction, layout, BY_WEIGHT).liquidity_parameter.bin_liquidity_dist.map(({ bin_id: binId, weight }) => ({
    binId,
    weight,
  }));
  if (bins.some(({ binId }, index) => index > 0 && binId !== (bins[index - 1]?.binId ?? 0) + 1)) {
    throw new EffectError('The bins of a deposit by weight are not one after the other');
  }
  return { kind: 'weights', bins };
}

const REMOVAL = z.object({ from_bin_id: z.number(), to_bin_id: z.number(), bps_to_remove: z.number().max(WHOLE_BPS) });

function readRemove(parts: Parts): DecodedEffect {
  const { from_bin_id: fromBinId, to_bin_id: toBinId, bps_to_remove: shareBps } = argumentsOf(parts.instruction, parts.layout, REMOVAL);
  checkBins({ fromBinId, toBinId });
  const roles = liquidityAccounts(parts, { x: 'token_x_program', y: 'token_y_program' });
  return {
    effect: { kind: 'removeLiquidity', owner: roles.owner, pool: roles.pool.pool, position: roles.position, fromBinId, toBinId, shareBps },
    expected: removeLiquidity(roles, fromBinId, toBinId, shareBps),
  };
}

const CLAIM = z.object({ min_bin_id: z.number(), max_bin_id: z.number() });

function readClaim(parts: Parts): DecodedEffect {
  const { min_bin_id: fromBinId, max_bin_id: toBinId } = argumentsOf(parts.instruction, parts.layout, CLAIM);
  checkBins({ fromBinId, toBinId });
  const roles = liquidityAccounts(parts, { x: 'token_program_x', y: 'token_program_y' });
  return {
    effect: { kind: 'claimFee', owner: roles.owner, pool: roles.pool.pool, position: roles.position, fromBinId, toBinId },
    expected: claimFee(roles, fromBinId, toBinId),
  };
}

function readClose({ instruction, layout }: Parts, how: { readonly onlyIfEmpty: boolean }): DecodedEffect {
  const owner = accountByRole(instruction, layout, 'sender');
  const position = accountByRole(instruction, layout, 'position');
  return { effect: { kind: 'closePosition', owner, position, ...how }, expected: closePosition({ owner, position }, how) };
}

function positionAccounts(
  { instruction, layout }: Parts,
  ownerRole: string,
): Omit<PositionRoles, 'pool'> & { readonly pool: Pick<PositionRoles['pool'], 'pool'> } {
  return {
    owner: accountByRole(instruction, layout, ownerRole),
    pool: { pool: accountByRole(instruction, layout, 'lb_pair') },
    position: accountByRole(instruction, layout, 'position'),
  };
}

function liquidityAccounts(parts: Parts, programs: { readonly x: string; readonly y: string }): PositionRoles {
  const { instruction, layout } = parts;
  const { owner, pool, position } = positionAccounts(parts, 'sender');
  return {
    owner,
    position,
    pool: {
      ...pool,
      tokenX: { mint: accountByRole(instruction, layout, 'token_x_mint'), tokenProgram: accountByRole(instruction, layout, programs.x) },
      tokenY: { mint: accountByRole(instruction, layout, 'token_y_mint'), tokenProgram: accountByRole(instruction, layout, programs.y) },
    },
  };
}

/** Refuses impossible ranges before their bin array addresses are derived. */
function checkBins({ fromBinId, toBinId }: { readonly fromBinId: number; readonly toBinId: number }): void {
  if (!(fromBinId >= MIN_BIN_ID && toBinId <= MAX_BIN_ID && fromBinId <= toBinId && toBinId - fromBinId < MAX_BINS_PER_POSITION)) {
    throw new EffectError(`No position reaches from bin ${fromBinId} to bin ${toBinId}`);
  }
}
