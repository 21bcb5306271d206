import type { TransactionInstruction } from '@solana/web3.js';
import { binArraysOf, type BinRange } from '../../base/dlmm/bins';
import { type Address, address } from '../../base/solana/address';
import { associatedTokenAddress, dlmmBinArray, dlmmBitmapExtension, dlmmReserve, eventAuthority } from '../../base/solana/pda';
import { DLMM_INSTRUCTIONS } from '../../base/solana/generated/dlmmInstructions';
import { instructionNamed, type Arguments, type EnumValue } from '../../base/solana/instructionCodec';
import { PROGRAMS } from '../../base/solana/programs';
import { anchorInstruction, type RemainingAccount, type Roles } from './anchorInstruction';
import { step, type BuildStep } from './transactions';
import type { PoolAccounts, DepositSpread, ExactAmounts, RewardAccounts } from './types';

/** Variants of `strategy_type` that distribute each token on its side of the active bin. */
export const STRATEGY_VARIANTS = { Spot: 'SpotImBalanced', Curve: 'CurveImBalanced', BidAsk: 'BidAskImBalanced' } as const;

/** Size of the strategy parameters, which these strategies do not use. */
const STRATEGY_PARAMETER_BYTES = 64;

/** No transfer hooks for either token, in the form of the program's own client. */
const NO_TRANSFER_HOOKS = {
  slices: [
    { accounts_type: variant('TransferHookX'), length: 0 },
    { accounts_type: variant('TransferHookY'), length: 0 },
  ],
};

/**
 * Upper bounds of compute units: a fixed part, and a part per bin. Measured with lb_clmm 0.12 in pools of 4 to 100 basis points, tokens with
 * transfer fees included, at most: new position 15,000; extension 13,000; bin array 214,000 below bin 0 and 258,000 above; bitmap extension
 * 15,000; deposit 46,000 and per bin 9,500 where token X goes, 3,400 elsewhere; exact amounts 3,600 per bin; withdrawal 26,000 and
 * 4,200 per bin; claim 20,000 and 1,300 per bin.
 */
const COMPUTE_UNITS = {
  initializePosition: 30_000,
  increasePositionLength: 20_000,
  initializeBinArrayBelowZero: 235_000,
  initializeBinArray: 280_000,
  initializeBitmapExtension: 30_000,
  close: 25_000,
  fixed: 60_000,
  perBinWithX: 10_500,
  perBinAdded: 5_000,
  perBinRemoved: 5_500,
  perBinClaimed: 2_000,
};

const EVENT_AUTHORITY = eventAuthority(PROGRAMS.dlmm);

const RENT_SYSVAR = address('SysvarRent111111111111111111111111111111111');

/** Owner, pool and position. */
export interface PositionRoles {
  readonly owner: Address;
  readonly pool: PoolAccounts;
  readonly position: Address;
  readonly hasBitmapExtension?: boolean | undefined;
}

/** Owner, pool and position, for instructions that move no tokens. */
export interface BareRoles {
  readonly owner: Address;
  readonly pool: Pick<PoolAccounts, 'pool'>;
  readonly position: Address;
}

/** Creates a position. Its key signs. */
export function initializePosition(roles: BareRoles, fromBinId: number, width: number): BuildStep {
  const { owner, pool, position } = roles;
  return step(
    COMPUTE_UNITS.initializePosition,
    dlmm('initialize_position2', { payer: owner, position, lb_pair: pool.pool, owner }, { lower_bin_id: fromBinId, width }),
  );
}

/** Extends a position up to `toBinId`, inclusive. */
export function increasePositionLength(roles: BareRoles, toBinId: number): BuildStep {
  const { owner, pool, position } = roles;
  return step(
    COMPUTE_UNITS.increasePositionLength,
    dlmm('increase_position_length2', { funder: owner, lb_pair: pool.pool, position, owner }, { minimum_upper_bin_id: toBinId }),
  );
}

/** Creates a bin array. */
export function initializeBinArray({ owner, pool }: Omit<BareRoles, 'position'>, index: number): BuildStep {
  return step(
    index < 0 ? COMPUTE_UNITS.initializeBinArrayBelowZero : COMPUTE_UNITS.initializeBinArray,
    dlmm(
      'initialize_bin_array',
      { lb_pair: pool.pool, bin_array: dlmmBinArray(pool.pool, index), funder: owner },
      { index: BigInt(index) },
    ),
  );
}

/** A deposit by one instruction. Amounts are raw. */
export interface BinDepositAmounts {
  readonly amountX: bigint;
  readonly amountY: bigint;
  readonly activeBinId: number;
  readonly maxActiveBinSlippage: number;
  readonly spread: DepositSpread | ExactAmounts;
}

/** Creates the extension of the pool's bitmap of bin arrays. */
export function initializeBitmapExtension({ owner, pool }: Omit<BareRoles, 'position'>): BuildStep {
  const roles = { lb_pair: pool.pool, bin_array_bitmap_extension: dlmmBitmapExtension(pool.pool), funder: owner, rent: RENT_SYSVAR };
  return step(COMPUTE_UNITS.initializeBitmapExtension, dlmm('initialize_bin_array_bitmap_extension', roles, {}));
}

/** Deposits into bins, by strategy, by weight, or an amount of one token for each. */
export function addLiquidity(roles: PositionRoles, deposit: BinDepositAmounts): BuildStep {
  const { fromBinId, toBinId } = spreadRange(deposit.spread);
  if (deposit.spread.kind === 'amounts') {
    return addExactAmounts(roles, deposit.spread, deposit.amountX + deposit.amountY);
  }
  const amounts = {
    amount_x: deposit.amountX,
    amount_y: deposit.amountY,
    active_id: deposit.activeBinId,
    max_active_bin_slippage: deposit.maxActiveBinSlippage,
  };
  const [name, how] = depositArguments(deposit.spread);
  const isBelowPrice = toBinId < deposit.activeBinId - deposit.maxActiveBinSlippage;
  const perBin = isBelowPrice || deposit.amountX === 0n ? COMPUTE_UNITS.perBinAdded : COMPUTE_UNITS.perBinWithX;
  return step(
    COMPUTE_UNITS.fixed + perBin * (toBinId - fromBinId + 1),
    dlmm(
      name,
      { ...liquidityRoles(roles), sender: roles.owner },
      { liquidity_parameter: { ...amounts, ...how }, remaining_accounts_info: NO_TRANSFER_HOOKS },
      binArrays(roles.pool, fromBinId, toBinId),
    ),
  );
}

/**
 * Deposits exact amounts of one token. The program refuses bins on the other token's side of the price.
 * @param most what may leave the owner's account for that, with the transfer fee
 */
function addExactAmounts(roles: PositionRoles, { token, bins, multiplier }: ExactAmounts, most: bigint): BuildStep {
  const { owner, pool, position } = roles;
  const { mint, tokenProgram } = token === 'x' ? pool.tokenX : pool.tokenY;
  const [fromBinId, toBinId] = [Math.min(...bins.map(({ binId }) => binId)), Math.max(...bins.map(({ binId }) => binId))];
  return step(
    COMPUTE_UNITS.fixed + COMPUTE_UNITS.perBinAdded * (toBinId - fromBinId + 1),
    dlmm(
      'add_liquidity_one_side_precise2',
      {
        position,
        lb_pair: pool.pool,
        ...extensionOf(roles),
        user_token: associatedTokenAddress(owner, mint, tokenProgram),
        reserve: dlmmReserve(pool.pool, mint),
        token_mint: mint,
        token_program: tokenProgram,
        sender: owner,
      },
      {
        liquidity_parameter: {
          bins: bins.map(({ binId, amount }) => ({ bin_id: binId, amount })),
          decompress_multiplier: multiplier,
          max_amount: most,
        },
        remaining_accounts_info: { slices: [{ accounts_type: variant(token === 'x' ? 'TransferHookX' : 'TransferHookY'), length: 0 }] },
      },
      binArrays(pool, fromBinId, toBinId),
    ),
  );
}

/** Removes a share of each bin. */
export function removeLiquidity(roles: PositionRoles, fromBinId: number, toBinId: number, shareBps: number): BuildStep {
  return step(
    COMPUTE_UNITS.fixed + COMPUTE_UNITS.perBinRemoved * (toBinId - fromBinId + 1),
    dlmm(
      'remove_liquidity_by_range2',
      { ...liquidityRoles(roles), sender: roles.owner, memo_program: PROGRAMS.memo },
      { from_bin_id: fromBinId, to_bin_id: toBinId, bps_to_remove: shareBps, remaining_accounts_info: NO_TRANSFER_HOOKS },
      binArrays(roles.pool, fromBinId, toBinId),
    ),
  );
}

/** Claims the fees of the bins. */
export function claimFee(roles: PositionRoles, fromBinId: number, toBinId: number): BuildStep {
  const { tokenX, tokenY } = roles.pool;
  return step(
    COMPUTE_UNITS.fixed + COMPUTE_UNITS.perBinClaimed * (toBinId - fromBinId + 1),
    dlmm(
      'claim_fee2',
      {
        ...liquidityRoles(roles),
        sender: roles.owner,
        memo_program: PROGRAMS.memo,
        token_program_x: tokenX.tokenProgram,
        token_program_y: tokenY.tokenProgram,
      },
      { min_bin_id: fromBinId, max_bin_id: toBinId, remaining_accounts_info: NO_TRANSFER_HOOKS },
      binArrays(roles.pool, fromBinId, toBinId),
    ),
  );
}

/** Claims a reward of the bins. Its token has no transfer hook. */
export function claimReward({ owner, pool, position }: PositionRoles, reward: RewardAccounts, { fromBinId, toBinId }: BinRange): BuildStep {
  const { index, token, vault } = reward;
  return step(
    COMPUTE_UNITS.fixed + COMPUTE_UNITS.perBinClaimed * (toBinId - fromBinId + 1),
    dlmm(
      'claim_reward2',
      {
        lb_pair: pool.pool,
        position,
        sender: owner,
        reward_vault: vault,
        reward_mint: token.mint,
        user_token_account: associatedTokenAddress(owner, token.mint, token.tokenProgram),
        token_program: token.tokenProgram,
        memo_program: PROGRAMS.memo,
      },
      { reward_index: BigInt(index), min_bin_id: fromBinId, max_bin_id: toBinId, remaining_accounts_info: { slices: [] } },
      binArrays(pool, fromBinId, toBinId),
    ),
  );
}

/** Closes a position; its rent goes to the owner. If it is not empty, this fails, or does nothing with `onlyIfEmpty`. */
export function closePosition({ owner, position }: Omit<BareRoles, 'pool'>, { onlyIfEmpty }: { readonly onlyIfEmpty: boolean }): BuildStep {
  const name = onlyIfEmpty ? 'close_position_if_empty' : 'close_position2';
  return step(COMPUTE_UNITS.close, dlmm(name, { position, sender: owner, rent_receiver: owner }, {}));
}

/** First and last bin of a deposit. */
export function spreadRange(spread: DepositSpread | ExactAmounts): { readonly fromBinId: number; readonly toBinId: number } {
  if (spread.kind === 'strategy') {
    return spread;
  }
  const ids = spread.bins.map(({ binId }) => binId);
  return { fromBinId: Math.min(...ids), toBinId: Math.max(...ids) };
}

function depositArguments(spread: DepositSpread): readonly [string, Arguments] {
  switch (spread.kind) {
    case 'strategy': {
      const strategy_parameters = {
        min_bin_id: spread.fromBinId,
        max_bin_id: spread.toBinId,
        strategy_type: variant(STRATEGY_VARIANTS[spread.strategy]),
        parameteres: new Uint8Array(STRATEGY_PARAMETER_BYTES),
      };
      return ['add_liquidity_by_strategy2', { strategy_parameters }];
    }
    case 'weights':
      return ['add_liquidity_by_weight2', { bin_liquidity_dist: spread.bins.map(({ binId, weight }) => ({ bin_id: binId, weight })) }];
  }
}

function liquidityRoles({ owner, pool, position, hasBitmapExtension }: PositionRoles): Roles {
  const { tokenX, tokenY } = pool;
  return {
    position,
    lb_pair: pool.pool,
    ...extensionOf({ pool, hasBitmapExtension }),
    user_token_x: associatedTokenAddress(owner, tokenX.mint, tokenX.tokenProgram),
    user_token_y: associatedTokenAddress(owner, tokenY.mint, tokenY.tokenProgram),
    reserve_x: dlmmReserve(pool.pool, tokenX.mint),
    reserve_y: dlmmReserve(pool.pool, tokenY.mint),
    token_x_mint: tokenX.mint,
    token_y_mint: tokenY.mint,
    token_x_program: tokenX.tokenProgram,
    token_y_program: tokenY.tokenProgram,
  };
}

function extensionOf({ pool, hasBitmapExtension }: Pick<PositionRoles, 'pool' | 'hasBitmapExtension'>): Roles {
  return hasBitmapExtension === true ? { bin_array_bitmap_extension: dlmmBitmapExtension(pool.pool) } : {};
}

function binArrays(pool: PoolAccounts, fromBinId: number, toBinId: number): RemainingAccount[] {
  return binArraysOf(fromBinId, toBinId).map((index) => ({ address: dlmmBinArray(pool.pool, index), writable: true }));
}

function dlmm(name: string, roles: Roles, args: Arguments, remaining: readonly RemainingAccount[] = []): TransactionInstruction {
  const everywhere = { system_program: PROGRAMS.system, event_authority: EVENT_AUTHORITY, program: PROGRAMS.dlmm };
  return anchorInstruction(PROGRAMS.dlmm, instructionNamed(DLMM_INSTRUCTIONS, name), { ...roles, ...everywhere }, args, remaining);
}

function variant(kind: string): EnumValue {
  return { kind };
}
