import { BINS_PER_DEFAULT_POSITION, priceOfBin, widthOf, type BinRange } from '../../base/dlmm/bins';
import { spreadOverBins, type BinAmounts } from '../../base/dlmm/strategy';
import type { Deposit } from './dlmmInstructions';
import type { AddLiquidityEffect, BinAddPlan } from './types';

/** The greatest weight of a bin: a u16. */
const MAX_WEIGHT = 65_535;

/** Cuts a range into pieces of at most 70 bins, ascending: as many as an instruction has compute units for. */
export function binChunksOf({ fromBinId, toBinId }: BinRange): readonly BinRange[] {
  const chunks: BinRange[] = [];
  for (let first = fromBinId; first <= toBinId; first += BINS_PER_DEFAULT_POSITION) {
    chunks.push({ fromBinId: first, toBinId: Math.min(first + BINS_PER_DEFAULT_POSITION - 1, toBinId) });
  }
  return chunks;
}

/**
 * Gives what each instruction of a deposit puts in: one by strategy where the range is narrow; above 70 bins one a chunk,
 * by weights, since a strategy would begin its shape again in every chunk. The amounts of all add up to the plan's, but for
 * a token that the range has no bins for: that stays with the owner.
 * @param chunks the range in ascending pieces
 */
export function depositsOf(plan: BinAddPlan, chunks: readonly BinRange[]): readonly Deposit[] {
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
      // What rounding left over goes with the first chunk that has the token.
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
 * Gives what each bin gets of a deposit that lands at this active bin, ascending, raw units, each rounded down. A token
 * that the deposit has no bins for is not spread.
 */
export function depositPerBin(
  effect: Pick<AddLiquidityEffect, 'amountX' | 'amountY' | 'spread'>,
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
  // Only ratios count: prices relative to the lowest bin's keep the numbers near one.
  const forX = spread.bins.map(({ binId, weight }) => (binId > lastY ? weight / priceOfBin(binId - lowest, binStepBps) : 0));
  const x = shares(amountX, forX);
  const y = shares(amountY, forY);
  return spread.bins.map(({ binId }, index) => ({ binId, amountX: x[index] ?? 0n, amountY: y[index] ?? 0n }));
}

/** Each bin's weight among those of its token: its value in token Y, scaled so that the greatest is the greatest weight. */
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

/** Weights are at most 2^16 and lose their last bits next to 2^44: further than any share of a raw amount shows. */
const WEIGHT_SCALE = 2 ** 44;

function shares(amount: bigint, by: readonly number[]): bigint[] {
  const scaled = by.map((weight) => BigInt(Math.round(weight * WEIGHT_SCALE)));
  const sum = scaled.reduce((all, weight) => all + weight, 0n);
  return scaled.map((weight) => (sum === 0n ? 0n : (amount * weight) / sum));
}

function total(bins: readonly BinAmounts[], token: 'amountX' | 'amountY'): bigint {
  return bins.reduce((sum, bin) => sum + bin[token], 0n);
}
