import { widthOf } from '../../base/dlmm/bins';
import { spreadOverBins } from '../../base/dlmm/strategy';
import type { RentRate } from '../../base/solana/rent';
import { amountSlippageBps, binsOfSlippage, reducedByGrowth } from '../assembly/slippage';
import type { BinDepositPlan, DepositOf, ProductAddPlan } from '../assembly/types';
import { type AddParameters, type DepositParameters, EngineError } from '../engine';
import { type Build, wait } from './build';
import { checkedRange, checkSides, SOURCES } from './depositRange';
import { withEngineErrors } from './handOut';
import type { BuildAmounts, BuildBinPool, BuildPool, ProductPoolState } from './ports';

/** How a deposit is made. */
export type DepositTerms = Pick<AddParameters, 'strategy'> & Pick<DepositParameters, 'fromBinId' | 'toBinId' | 'slippageBps' | 'input'>;

/** What the accounts cost that a deposit creates. */
export interface DepositRent {
  readonly rate: RentRate;
  /** The position opens with the deposit. */
  readonly isNew: boolean;
}

/** A deposit of given amounts into a pool. */
export interface PlannedDeposit {
  readonly plan: BinDepositPlan | DepositOf<ProductAddPlan>;
  /** Rent of the accounts that it creates. */
  readonly rentLamports: bigint;
}

/**
 * Plans the deposit of these raw amounts at the pool's price.
 * @param rent of the accounts that the deposit creates
 * @throws EngineError if the range is missing or invalid, or the pool would take nothing
 */
export function* plannedDeposit(
  pool: BuildPool,
  parameters: DepositTerms,
  amounts: BuildAmounts,
  rent: DepositRent,
): Build<PlannedDeposit> {
  return pool.type === 'bins' ? yield* intoBins(pool, parameters, amounts, rent) : intoProduct(pool, parameters, amounts, rent);
}

function* intoBins(
  pool: BuildBinPool,
  parameters: DepositTerms,
  { x, y }: BuildAmounts,
  { rate, isNew }: DepositRent,
): Build<PlannedDeposit> {
  const { strategy, slippageBps } = parameters;
  const { binStepBps, activeBinId } = pool;
  const range = checkedRange(parameters, binStepBps);
  checkSides({ activeBinId, symbolX: pool.x.name, symbolY: pool.y.name }, range, parameters, { x, y });
  const bins = withEngineErrors(() => spreadOverBins({ ...range, activeBinId, binStepBps, strategy, amountX: x, amountY: y }));
  if (bins.every(({ amountX, amountY }) => amountX === 0n && amountY === 0n)) {
    throw new EngineError('invalid', `The amounts are too small for ${widthOf(range)} bins: none of them would get anything`);
  }
  const surroundings = yield* wait(pool.surroundings(range));
  const binArrays = BigInt(surroundings.missingBinArrayIndexes.length) * rate.binArray;
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
      ...surroundings,
    },
    rentLamports:
      (isNew ? rate.positionOf(widthOf(range)) : 0n) + binArrays + (surroundings.bitmapExtension === 'missing' ? rate.bitmapExtension : 0n),
  };
}

/**
 * The program takes a fixed amount of liquidity, whatever it costs at landing. The liquidity is chosen so that the amounts suffice at any price
 * within the slippage; the rest stays with the owner.
 */
function intoProduct(
  pool: ProductPoolState,
  { slippageBps, input }: DepositTerms,
  amounts: BuildAmounts,
  { rate, isNew }: DepositRent,
): PlannedDeposit {
  const growthBps = amountSlippageBps(slippageBps);
  const { liquidity, cost } = pool.liquidityFor({ x: reducedByGrowth(amounts.x, growthBps), y: reducedByGrowth(amounts.y, growthBps) });
  if (liquidity === 0n) {
    throw new EngineError(
      'invalid',
      `${SOURCES[input.mode].product} nothing to put in: the pool takes both ${pool.x.name} and ${pool.y.name}, in the ratio of its price`,
    );
  }
  return {
    plan: { type: 'product', liquidity, amountX: cost.x, amountY: cost.y, slippageBps: growthBps },
    rentLamports: isNew ? rate.productPositionWithNft : 0n,
  };
}
