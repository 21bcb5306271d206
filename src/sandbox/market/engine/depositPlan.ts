import { BINS_PER_DEFAULT_POSITION, binArraysOf, MAX_BINS_PER_POSITION, maxBinIdOf, widthOf, type BinRange } from '../../../base/dlmm/bins';
import { spreadOverBins } from '../../../base/dlmm/strategy';
import { RENT_LAMPORTS } from '../../../base/solana/programs';
import type { BinAddPlan, ProductAddPlan } from '../../build/types';
import { EngineError, type AddParameters } from '../../../server/engine';
import type { Amounts, BinPool, Pool, ProductPool } from '../types';
import { amountSlippageBps, binsOfSlippage, lessRoom } from './terms';
import { planned } from './buildContext';

/** What an instruction to deposit says, beside who, where and what is swapped before it. */
type Deposit<Plan extends BinAddPlan | ProductAddPlan> = Omit<
  Plan,
  'owner' | 'blockhash' | 'microLamportsPerComputeUnit' | 'tip' | 'pool' | 'positionSeed' | 'wrapLamports' | 'swaps'
>;

/** How amounts are put into a pool. */
export interface DepositPlan {
  readonly plan: Deposit<BinAddPlan> | Deposit<ProductAddPlan>;
  /** What the accounts that it makes cost. */
  readonly rentLamports: bigint;
}

/**
 * How these amounts, which the owner has by then, are put into the pool as it is now.
 * @throws EngineError where the range is missing or makes no sense, or nothing of the amounts would go in.
 */
export function depositPlan(pool: Pool, parameters: AddParameters, amounts: Amounts): DepositPlan {
  return pool.type === 'bins' ? intoBins(pool, parameters, amounts) : intoProduct(pool, parameters, amounts);
}

function intoBins(pool: BinPool, parameters: AddParameters, { x, y }: Amounts): DepositPlan {
  const { strategy, slippageBps } = parameters;
  const { activeBinId, spec } = pool;
  const { binStepBps } = spec;
  const range = rangeOf(parameters, binStepBps);
  checkSides(pool, range, parameters, { x, y });
  const bins = planned(() => spreadOverBins({ ...range, activeBinId, binStepBps, strategy, amountX: x, amountY: y }));
  if (bins.every(({ amountX, amountY }) => amountX === 0n && amountY === 0n)) {
    throw new EngineError('invalid', `The amounts are too small for ${widthOf(range)} bins: none of them would get anything`);
  }
  const missingBinArrayIndexes = binArraysOf(range.fromBinId, range.toBinId).filter((index) => !pool.binArrayIndexes.includes(index));
  const binsAboveDefault = Math.max(0, widthOf(range) - BINS_PER_DEFAULT_POSITION);
  return {
    plan: {
      type: 'bins',
      binStepBps,
      strategy,
      ...range,
      activeBinId,
      maxActiveBinSlippage: binsOfSlippage(slippageBps, binStepBps),
      amountX: x,
      amountY: y,
      missingBinArrayIndexes,
    },
    rentLamports:
      RENT_LAMPORTS.position +
      BigInt(binsAboveDefault) * RENT_LAMPORTS.positionPerBinAbove70 +
      BigInt(missingBinArrayIndexes.length) * RENT_LAMPORTS.binArray,
  };
}

/**
 * The program takes what a fixed amount of liquidity costs when it lands. So much of both amounts is left out, and stays with
 * the owner, that they suffice wherever the price goes within the slippage.
 */
function intoProduct(pool: ProductPool, { slippageBps, input }: AddParameters, amounts: Amounts): DepositPlan {
  const growthBps = amountSlippageBps(slippageBps);
  const liquidity = pool.liquidityFor({ x: lessRoom(amounts.x, growthBps), y: lessRoom(amounts.y, growthBps) });
  if (liquidity === 0n) {
    const cause = input.mode === 'zap-in' ? 'percentX and inputSOL leave' : 'amountX and amountY leave';
    throw new EngineError(
      'invalid',
      `${cause} nothing to put in: a constant-product pool takes both ${pool.tokenX.spec.symbol} and ${pool.tokenY.spec.symbol}, in equal value`,
    );
  }
  const { x, y } = pool.amountsFor(liquidity, 'up');
  return {
    plan: { type: 'product', liquidity, amountX: x, amountY: y, slippageBps: growthBps },
    rentLamports: RENT_LAMPORTS.productPosition + RENT_LAMPORTS.productNftMint + RENT_LAMPORTS.productNftAccount,
  };
}

function rangeOf({ fromBinId, toBinId }: AddParameters, binStepBps: number): BinRange {
  if (fromBinId === undefined || toBinId === undefined) {
    throw new EngineError('invalid', `${fromBinId === undefined ? 'fromBinId' : 'toBinId'} is required: this is a pool with bins`);
  }
  if (fromBinId > toBinId) {
    throw new EngineError('invalid', `fromBinId has to be at most toBinId: ${fromBinId} is above ${toBinId}`);
  }
  const last = maxBinIdOf(binStepBps);
  for (const [name, binId] of Object.entries({ fromBinId, toBinId })) {
    if (Math.abs(binId) > last) {
      throw new EngineError('invalid', `${name} is ${binId}; bins of ${binStepBps} basis points go from -${last} to ${last}`);
    }
  }
  const width = toBinId - fromBinId + 1;
  if (width > MAX_BINS_PER_POSITION) {
    throw new EngineError('invalid', `fromBinId and toBinId span ${width} bins; a position has at most ${MAX_BINS_PER_POSITION}`);
  }
  return { fromBinId, toBinId };
}

/** Refuses what nothing could be put in of. */
function checkSides(
  { activeBinId, tokenX, tokenY }: BinPool,
  { fromBinId, toBinId }: BinRange,
  { input }: AddParameters,
  deposit: Amounts,
): void {
  const takesX = deposit.x > 0n && toBinId >= activeBinId;
  const takesY = deposit.y > 0n && fromBinId <= activeBinId;
  if (!takesX && !takesY) {
    const where = toBinId < activeBinId ? 'below' : 'above';
    const cause = input.mode === 'zap-in' ? 'percentX leaves' : 'amountX and amountY leave';
    throw new EngineError(
      'invalid',
      `${cause} nothing to put in: the range lies ${where} the active bin ${activeBinId}, where only ${where === 'below' ? tokenY.spec.symbol : tokenX.spec.symbol} goes`,
    );
  }
}
