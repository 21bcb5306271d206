import { shareOf } from '../../../base/basisPoints';
import type { BinRange } from '../../../base/dlmm/bins';
import { amountSlippageBps } from '../../../engine/assembly/slippage';
import type { PositionBin, PlannedWithdrawal, WithdrawalPlan, WithdrawnShare } from '../../../engine/build/ports';
import { EngineError } from '../../../engine/engine';
import type { Amounts, Market, MarketPool, Position } from '../types';
import { binsOf } from '../records/positionStates';
import type { BuildContext } from './buildContext';
import { poolState } from './poolState';
import { marketSwaps } from './swaps';

/**
 * What a withdrawal of a share of an open position would give now. Its swaps are planned within a dry run, in which it is made again.
 * @throws EngineError if the bins are not the position's
 */
export function withdrawalOf(
  { market, unit }: Pick<BuildContext, 'market' | 'unit'>,
  pool: MarketPool,
  position: Readonly<Position>,
  share: WithdrawnShare,
): PlannedWithdrawal {
  const { address, owner } = position;
  const part = withdrawnPart(position, share);
  const withdraw = (): Pick<PlannedWithdrawal, 'liquidity' | 'fees'> => ({
    liquidity: withdrawPart(market, pool, position, part),
    fees: market.books.collect(pool, address, part.type === 'bins' ? part.range : undefined),
  });
  const { liquidity, fees } = unit.dryRun(withdraw);
  const proceeds = { x: liquidity.x + fees.x, y: liquidity.y + fees.y };
  return {
    position: address,
    owner,
    pool: poolState(pool),
    liquidity,
    fees,
    proceeds,
    // The dry run has replaced the position.
    bins: () => heldBins(pool, market.positions.at(address) ?? position, part),
    isMoving: false,
    plan: planOf(position, part, liquidity, share),
    swaps: ({ slippageBps }) => {
      withdraw();
      return marketSwaps(market, pool, slippageBps);
    },
    worth: () => {
      const { usd, native } = market.books.worthOf(pool, proceeds);
      return { priceX: market.usd(pool.tokenX), priceY: market.usd(pool.tokenY), usd, native };
    },
  };
}

/** Bins or liquidity to withdraw. */
type WithdrawnPart =
  | { readonly type: 'bins'; readonly range: BinRange; readonly shareBps: number }
  | { readonly type: 'product'; readonly liquidity: bigint; readonly shareBps: number };

function heldBins(pool: MarketPool, position: Readonly<Position>, part: WithdrawnPart): readonly PositionBin[] {
  return pool.type !== 'bins' || part.type !== 'bins'
    ? []
    : binsOf(pool, position)
        .flatMap(({ bins }) => bins)
        .filter(({ binId }) => part.range.fromBinId <= binId && binId <= part.range.toBinId)
        .map(({ binId, own, fees }) => ({ binId, liquidity: own, fees }));
}

function withdrawnPart({ holding, address, lowerBinId, upperBinId }: Readonly<Position>, share: WithdrawnShare): WithdrawnPart {
  if (holding?.type === 'product') {
    return { type: 'product', liquidity: shareOf(holding.liquidity, share.bps), shareBps: share.bps };
  }
  if (lowerBinId === null || upperBinId === null) {
    throw new RangeError(`The position ${address} has no range`);
  }
  const range = {
    fromBinId: Math.max(share.fromBinId ?? lowerBinId, lowerBinId),
    toBinId: Math.min(share.toBinId ?? upperBinId, upperBinId),
  };
  if (range.fromBinId > range.toBinId) {
    throw new EngineError('invalid', `fromBinId and toBinId name none of the position's bins, ${lowerBinId} to ${upperBinId}`);
  }
  return { type: 'bins', range, shareBps: share.bps };
}

/** @throws RangeError if the position has less, or is of the other type */
function withdrawPart({ books }: Market, pool: MarketPool, { address }: Readonly<Position>, part: WithdrawnPart): Amounts {
  if (pool.type === 'bins' && part.type === 'bins') {
    return books.withdrawBins(pool, address, part.range, part.shareBps);
  }
  if (pool.type === 'product' && part.type === 'product') {
    return books.withdrawLiquidity(pool, address, part.liquidity, part.shareBps);
  }
  throw new RangeError(`${pool.pairName} is a pool of the other type`);
}

function planOf({ nftMint }: Readonly<Position>, part: WithdrawnPart, { x, y }: Amounts, { slippageBps }: WithdrawnShare): WithdrawalPlan {
  const { type, shareBps } = part;
  if (type === 'bins') {
    return { type, ...part.range, shareBps };
  }
  if (nftMint === null) {
    throw new RangeError('The position has no NFT');
  }
  return { type, nftMint, liquidity: part.liquidity, amountX: x, amountY: y, slippageBps: amountSlippageBps(slippageBps), shareBps };
}
