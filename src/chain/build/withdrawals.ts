import type { LbPosition } from '@meteora-ag/dlmm';
import { AccountLayout } from '@solana/spl-token';
import { shareOf, WHOLE_BPS } from '../../base/basisPoints';
import { amountSlippageBps } from '../../engine/assembly/slippage';
import type { BuildAmounts, PlannedWithdrawal, WithdrawnShare } from '../../engine/build/ports';
import { BINS_PER_DEFAULT_POSITION, type BinRange } from '../../base/dlmm/bins';
import { type Address, addressFromBytes, parseAddress } from '../../base/solana/address';
import { dammPositionNftAccount } from '../../base/solana/pda';
import { PROGRAMS } from '../../base/solana/programs';
import { EngineError } from '../../engine/engine';
import { addressOf, type ChainAccountInfo, readAccounts } from './accounts';
import { LiveBinPool } from './binPool';
import { bigintOf, bothReceived, requireNoHooks } from './livePool';
import type { AnyPool, ChainBuildContext } from './operations';
import { decodeProductPosition, LiveProductPool } from './productPool';
import { waitingRewards } from './rewards';
import { swapSource } from './swapSource';
import { worthOf } from './worth';

/** Places in a DLMM position: the pool, behind the discriminator. */
const POOL_AT = 8;
const ADDRESS_BYTES = 32;
const POSITION_DISCRIMINATORS: ReadonlySet<string> = new Set(['75b0d4c7f5b485b6', 'aabc8fe47a40f7d0']);

/**
 * Reads an open position, and what a withdrawal of a share of it would give.
 * @throws EngineError if there is no such position, or the bins are not its
 */
export async function withdrawalOf(context: ChainBuildContext, positionId: string, share: WithdrawnShare): Promise<PlannedWithdrawal> {
  const position = parseAddress(positionId) ?? missing(positionId);
  const account = (await readAccounts(context.rpc, [position])).get(position) ?? missing(positionId);
  if (!POSITION_DISCRIMINATORS.has(account.data.subarray(0, 8).toString('hex'))) {
    return missing(positionId);
  }
  switch (addressOf(account.owner)) {
    case PROGRAMS.dlmm:
      return fromBins(context, position, account, share);
    case PROGRAMS.dammV2:
      return fromProduct(context, position, account, share);
    default:
      return missing(positionId);
  }
}

async function fromBins(
  context: ChainBuildContext,
  position: Address,
  account: ChainAccountInfo,
  { bps, fromBinId, toBinId }: WithdrawnShare,
): Promise<PlannedWithdrawal> {
  const pool = await LiveBinPool.read(context.rpc, addressFromBytes(account.data.subarray(POOL_AT, POOL_AT + ADDRESS_BYTES)));
  requireNoHooks(pool);
  const { positionData } = await pool.position(position);
  const { lowerBinId, upperBinId } = positionData;
  const range: BinRange = {
    fromBinId: Math.max(fromBinId ?? lowerBinId, lowerBinId),
    toBinId: Math.min(toBinId ?? upperBinId, upperBinId),
  };
  if (range.fromBinId > range.toBinId) {
    throw new EngineError('invalid', `fromBinId and toBinId name none of the position's bins, ${lowerBinId} to ${upperBinId}`);
  }
  const within = positionData.positionBinData.filter(({ binId }) => binId >= range.fromBinId && binId <= range.toBinId);
  const filledRanges = rangesOf(within.filter(isFilled).map(({ binId }) => binId));
  const whole = bps === WHOLE_BPS && range.fromBinId === lowerBinId && range.toBinId === upperBinId;
  const { rewardOne, rewardTwo } = positionData;
  const rewards = pool.rewards([rewardOne, rewardTwo].map(bigintOf));
  const bins = within.map((bin) => ({
    binId: bin.binId,
    x: shareOf(bigintOf(bin.positionXAmount), bps),
    y: shareOf(bigintOf(bin.positionYAmount), bps),
    fees: { x: bigintOf(bin.positionFeeXAmount), y: bigintOf(bin.positionFeeYAmount) },
  }));
  const liquidity = sum(bins);
  const fees = sum(bins.map((bin) => bin.fees));
  return {
    position,
    owner: addressOf(positionData.owner),
    ...amountsOf(context, pool, pool.without(bins), { liquidity, fees }),
    bins: () =>
      within.map((bin) => ({
        binId: bin.binId,
        liquidity: { x: bigintOf(bin.positionXAmount), y: bigintOf(bin.positionYAmount) },
        fees: { x: bigintOf(bin.positionFeeXAmount), y: bigintOf(bin.positionFeeYAmount) },
      })),
    rewards: rewards.waiting,
    isMoving: range.fromBinId <= pool.activeBinId && pool.activeBinId <= range.toBinId,
    plan: {
      type: 'bins',
      ...range,
      filledRanges,
      hasBitmapExtension: pool.hasBitmapExtension,
      shareBps: bps,
      rewards: whole ? rewards.claimed : bps === 0 ? waitingRewards(rewards) : [],
      staysOpen: rewards.isStuck,
    },
  };
}

/** Returns whether a position has anything in a bin. */
function isFilled({
  positionLiquidity,
  positionFeeXAmount,
  positionFeeYAmount,
  positionRewardAmount,
}: LbPosition['positionData']['positionBinData'][number]): boolean {
  return [positionLiquidity, positionFeeXAmount, positionFeeYAmount, ...positionRewardAmount].some((amount) => bigintOf(amount) > 0n);
}

/** The bins, ascending, in ranges of at most 70: each begins and ends with one of them, so that its bin arrays exist. */
function rangesOf(binIds: readonly number[]): readonly BinRange[] {
  const ranges: BinRange[] = [];
  for (const binId of binIds) {
    const last = ranges.at(-1);
    if (last !== undefined && binId < last.fromBinId + BINS_PER_DEFAULT_POSITION) {
      ranges[ranges.length - 1] = { fromBinId: last.fromBinId, toBinId: binId };
    } else {
      ranges.push({ fromBinId: binId, toBinId: binId });
    }
  }
  return ranges;
}

async function fromProduct(
  context: ChainBuildContext,
  position: Address,
  account: ChainAccountInfo,
  { bps, slippageBps }: WithdrawnShare,
): Promise<PlannedWithdrawal> {
  const { rpc } = context;
  const state = decodeProductPosition(rpc, account);
  const nftMint = addressOf(state.nftMint);
  const nftAccount = dammPositionNftAccount(nftMint);
  const [[pool = missing(position)], found] = await Promise.all([
    LiveProductPool.readAll(rpc, [addressOf(state.pool)]),
    readAccounts(rpc, [nftAccount]),
  ]);
  requireNoHooks(pool);
  const holder = found.get(nftAccount)?.data;
  const rewards = pool.rewards(state);
  const locked = bigintOf(state.vestedLiquidity) + bigintOf(state.permanentLockedLiquidity);
  const liquidity = shareOf(bigintOf(state.unlockedLiquidity), bps);
  const amounts = pool.amountsOf(liquidity);
  const arriving = bothReceived(pool, amounts);
  return {
    position,
    owner: holder === undefined ? missing(position) : addressOf(AccountLayout.decode(holder).owner),
    ...amountsOf(context, pool, liquidity === 0n ? pool : pool.without(liquidity), { liquidity: amounts, fees: pool.feesOf(state) }),
    bins: () => [],
    rewards: rewards.waiting,
    isMoving: true,
    plan: {
      type: 'product',
      nftMint,
      liquidity,
      amountX: arriving.x,
      amountY: arriving.y,
      slippageBps: amountSlippageBps(slippageBps),
      // A position with locked liquidity or a reward that cannot be claimed is not closed: what is free is withdrawn.
      shareBps: locked > 0n || rewards.isStuck ? Math.min(bps, WHOLE_BPS - 1) : bps,
      rewards: bps === WHOLE_BPS ? rewards.claimed : bps === 0 ? waitingRewards(rewards) : [],
    },
  };
}

/**
 * What follows from the amounts.
 * @param poolAfter the pool without what is withdrawn: the swaps meet it so
 */
function amountsOf(
  context: ChainBuildContext,
  pool: AnyPool,
  poolAfter: AnyPool,
  { liquidity, fees }: Pick<PlannedWithdrawal, 'liquidity' | 'fees'>,
): Pick<PlannedWithdrawal, 'pool' | 'liquidity' | 'fees' | 'proceeds' | 'swaps' | 'worth'> {
  return {
    pool,
    liquidity,
    fees,
    // Each transfer has a fee of its own.
    proceeds: sum([bothReceived(pool, liquidity), bothReceived(pool, fees)]),
    swaps: (terms) => swapSource(context, poolAfter, terms),
    worth: () => worthOf(context.prices, pool, sum([liquidity, fees])),
  };
}

function sum(all: readonly BuildAmounts[]): BuildAmounts {
  return all.reduce((total, { x, y }) => ({ x: total.x + x, y: total.y + y }), { x: 0n, y: 0n });
}

function missing(position: string): never {
  throw new EngineError('notFound', `There is no open position ${position}`);
}
