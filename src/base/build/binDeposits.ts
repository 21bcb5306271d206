import { BINS_PER_DEFAULT_POSITION, priceOfBin, widthOf, type BinRange } from '../dlmm/bins';
import { spreadOverBins, type BinAmounts } from '../dlmm/strategy';
import type { BinDepositAmounts } from './dlmmInstructions';
import type { BinAddPlan } from './types';

/** Maximum weight of a bin: a u16. */
const MAX_WEIGHT = 65_535;

/** Splits a range into ascending chunks of at most 70 bins, the maximum for the compute units of an instruction. */
export function binChunksOf({ fromBinId, toBinId }: BinRange): readonly BinRange[] {
  const chunks: BinRange[] = [];
  for (let first = fromBinId; first <= toBinId; first += BINS_PER_DEFAULT_POSITION) {
    chunks.push({ fromBinId: first, toBinId: Math.min(first + BINS_PER_DEFAULT_POSITION - 1, toBinId) });
  }
  return chunks;
}

/**
 * Splits a deposit into instructions: one by strategy for up to 70 bins; otherwise one per chunk by weights, because a strategy would repeat
 * its shape in each chunk. The amounts add up to those of the plan, except for a token that no bin of the range can hold.
 * @param chunks the range in ascending chunks
 */
export function depositsOf(plan: BinAddPlan, chunks: readonly BinRange[]): readonly BinDepositAmounts[] {
  const { strategy, fromBinId, toBinId, activeBinId, maxActiveBinSlippage, amountX, amountY } = plan;
  const terms = { activeBinId, maxActiveBinSlippage };
  if (widthOf(plan) <= BINS_PER_DEFAULT_POSITION) {
    return [{ ...terms, amountX, amountY, spread: { kind: 'strategy', strategy, fromBinId, toBinId } }];
  }
  const bins = spreadOverBins(plan);
  const rest = { x: amountX - total(bins, 'amountX'), y: amountY - total(bins, 'amountY') };
  return chunks
    .map((chunk) => bins.filter(({ binId }) => binId >= chunk.fromBinId && binId <= chunk.toBinId))
    .map((own) => {
      const x = total(own, 'amountX');
      const y = total(own, 'amountY');
      // The first chunk with a token gets the rounding remainder.
      const deposit = {
        ...terms,
        amountX: x > 0n ? x + rest.x : x,
        amountY: y > 0n ? y + rest.y : y,
        spread: { kind: 'weights' as const, bins: weightsOf(own, plan.binStepBps) },
      };
      rest.x = x > 0n ? 0n : rest.x;
      rest.y = y > 0n ? 0n : rest.y;
      return deposit;
    })
    .filter((deposit) => deposit.amountX + deposit.amountY > 0n);
}

/**
 * Amounts that each bin gets when a deposit lands at this active bin: ascending, raw, rounded down. A token without a bin that can hold it is
 * not deposited.
 */
export function depositPerBin(
  effect: Pick<BinDepositAmounts, 'amountX' | 'amountY' | 'spread'>,
  activeBinId: number,
  binStepBps: number,
): readonly BinAmounts[] {
  const { amountX, amountY, spread } = effect;
  if (spread.kind === 'strategy') {
    return spreadOverBins({ ...spread, activeBinId, binStepBps, amountX, amountY });
  }
  const lastY = amountY > 0n ? activeBinId : activeBinId - 1;
  const forY = spread.bins.map(({ binId, weight }) => (binId <= lastY ? weight : 0));
  const lowest = spread.bins[0]?.binId ?? activeBinId;
  // Only ratios matter: prices relative to the lowest bin keep the numbers near one.
  const forX = spread.bins.map(({ binId, weight }) => (binId > lastY ? weight / priceOfBin(binId - lowest, binStepBps) : 0));
  const x = shares(amountX, forX);
  const y = shares(amountY, forY);
  return spread.bins.map(({ binId }, index) => ({ binId, amountX: x[index] ?? 0n, amountY: y[index] ?? 0n }));
}

/** Weights of bins: value in token Y, scaled per token so that the largest is {@link MAX_WEIGHT}. */
function weightsOf(bins: readonly BinAmounts[], binStepBps: number): { binId: number; weight: number }[] {
  const lowest = bins[0]?.binId ?? 0;
  const values = bins.map(({ binId, amountX, amountY }) => ({
    y: Number(amountY),
    x: Number(amountX) * priceOfBin(binId - lowest, binStepBps),
  }));
  const greatestX = Math.max(...values.map(({ x }) => x));
  const greatestY = Math.max(...values.map(({ y }) => y));
  return bins.map(({ binId }, index) => {
    const { x, y } = values[index] ?? { x: 0, y: 0 };
    return { binId, weight: Math.round(MAX_WEIGHT * Math.max(ratio(x, greatestX), ratio(y, greatestY))) };
  });
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

/** Fixed-point scale of weights (at most 2^16): the rounding error is below any share of a raw amount. */
const WEIGHT_SCALE = 2 ** 44;

function shares(amount: bigint, by: readonly number[]): bigint[] {
  const scaled = by.map((weight) => BigInt(Math.round(weight * WEIGHT_SCALE)));
  const sum = scaled.reduce((all, weight) => all + weight, 0n);
  return scaled.map((weight) => (sum === 0n ? 0n : (amount * weight) / sum));
}

function total(bins: readonly BinAmounts[], token: 'amountX' | 'amountY'): bigint {
  return bins.reduce((sum, bin) => sum + bin[token], 0n);
}
