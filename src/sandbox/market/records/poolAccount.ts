import * as z from 'zod';
import { maxBinIdOf } from '../../../base/dlmm/bins';
import { dammVault, dlmmOracle, dlmmReserve } from '../../../base/solana/pda';
import { SECOND_MS } from '../../../base/time';
import { BIN_FEE_PERIODS } from '../pools/binFees';
import { MAX_SQRT_PRICE, MIN_SQRT_PRICE, PRODUCT_FEE_PERIODS } from '../pools/productMath';
import type { BinPool, MarketPool, ProductPool } from '../types';
import type { RecordContext } from './recordContext';

const SQL = 'SELECT state FROM pool WHERE address = ?';
const StateRow = z.object({ state: z.string() }).transform(({ state }): unknown => JSON.parse(state));

const SQRT_PRICE_BOUNDS = { sqrtMinPrice: MIN_SQRT_PRICE.toString(), sqrtMaxPrice: MAX_SQRT_PRICE.toString() };

const Text = z.string();
const BinState = z.object({
  volatility: z.object({ accumulator: z.number(), reference: z.number(), referenceBin: z.number(), movedAt: z.number() }),
  protocolFeeX: Text,
  protocolFeeY: Text,
});
const ProductState = z.object({
  protocolFeeX: Text,
  protocolFeeY: Text,
  feeX: Text,
  feeY: Text,
  volatilityAccumulator: Text,
  volatilityReference: Text,
  sqrtPriceReference: Text,
  volatilityUpdatedAt: z.number(),
});

/** The account of a pool as its program stores it: names of the published IDLs in camel case, 64-bit and larger numbers as text. */
export function poolAccount(context: RecordContext, pool: MarketPool): Readonly<Record<string, unknown>> {
  const state = context.database.get(StateRow, SQL, pool.address);
  return pool.type === 'bins' ? binState(pool, BinState.parse(state)) : productState(pool, ProductState.parse(state));
}

function binState(pool: BinPool, { volatility, protocolFeeX, protocolFeeY }: z.output<typeof BinState>): Readonly<Record<string, unknown>> {
  const { spec, address, tokenX, tokenY, activeBinId } = pool;
  const highest = maxBinIdOf(spec.binStepBps);
  return {
    parameters: {
      baseFactor: spec.baseFactor,
      ...BIN_FEE_PERIODS,
      variableFeeControl: spec.variableFeeControl,
      maxVolatilityAccumulator: spec.maxVolatility,
      minBinId: -highest,
      maxBinId: highest,
      protocolShare: spec.protocolShareBps,
      baseFeePowerFactor: spec.power,
      collectFeeMode: 0,
    },
    vParameters: {
      volatilityAccumulator: volatility.accumulator,
      volatilityReference: volatility.reference,
      indexReference: volatility.referenceBin,
      lastUpdateTimestamp: String(volatility.movedAt),
    },
    activeId: activeBinId,
    binStep: spec.binStepBps,
    status: 0,
    pairType: 0,
    tokenXMint: tokenX.mint,
    tokenYMint: tokenY.mint,
    reserveX: dlmmReserve(address, tokenX.mint),
    reserveY: dlmmReserve(address, tokenY.mint),
    protocolFee: { amountX: protocolFeeX, amountY: protocolFeeY },
    oracle: dlmmOracle(address),
    activationType: 1,
    activationPoint: String(Math.floor(pool.createdAt / SECOND_MS)),
  };
}

function productState(pool: ProductPool, state: z.output<typeof ProductState>): Readonly<Record<string, unknown>> {
  const { spec, address, tokenX, tokenY } = pool;
  return {
    poolFees: {
      baseFee: { cliffFeeNumerator: String(spec.baseFeeBps * 100_000) },
      protocolFeePercent: spec.protocolShareBps / 100,
      dynamicFee: {
        initialized: spec.dynamicFee ? 1 : 0,
        binStep: 1,
        ...PRODUCT_FEE_PERIODS,
        volatilityAccumulator: state.volatilityAccumulator,
        volatilityReference: state.volatilityReference,
        sqrtPriceReference: state.sqrtPriceReference,
        lastUpdateTimestamp: String(state.volatilityUpdatedAt),
      },
    },
    tokenAMint: tokenX.mint,
    tokenBMint: tokenY.mint,
    tokenAVault: dammVault(address, tokenX.mint),
    tokenBVault: dammVault(address, tokenY.mint),
    liquidity: pool.totalLiquidity.toString(),
    protocolAFee: state.protocolFeeX,
    protocolBFee: state.protocolFeeY,
    ...SQRT_PRICE_BOUNDS,
    sqrtPrice: pool.sqrtPriceQ64.toString(),
    feeAPerLiquidity: state.feeX,
    feeBPerLiquidity: state.feeY,
    poolStatus: 0,
    collectFeeMode: 0,
    activationType: 1,
    activationPoint: String(Math.floor(pool.createdAt / SECOND_MS)),
  };
}
