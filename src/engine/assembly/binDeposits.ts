import { BINS_PER_DEFAULT_POSITION, priceOfBin, widthOf, type BinRange } from '../../base/dlmm/bins';
import { spreadOverBins, type BinAmounts } from '../../base/dlmm/strategy';
import type { BinDepositAmounts } from './dlmmInstructions';
import type { BinDepositPlan, DepositSpread } from './types';

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
export function depositsOf(plan: BinDepositPlan, chunks: readonly BinRange[]): readonly BinDepositAmounts[] {
  const { strategy, fromBinId, toBinId, activeBinId, maxActiveBinSlippage, amountX, amountY } = plan;
  const terms = { activeBinId, maxActiveBinSlippage };
  if (widthOf(plan) <= BINS_PER_DEFAULT_POSITION && !isInActiveBinAlone(plan)) {
    return [{ ...terms, amountX, amountY, spread: { kind: 'strategy', strategy, fromBinId, toBinId } }];
  }
  if (isOneSided(plan)) {
    return exactAmountsOf(plan, chunks);
  }
  if (plan.activeBin !== undefined) {
    return balancedDepositsOf({ ...plan, activeBin: plan.activeBin }, chunks);
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
 * The deposit of all of the plan's amounts into a chunk of its range, at most 70 bins, in the shape that the strategy has there. `undefined`: no
 * bin gets anything. An even shape is the same in each chunk. The others go by weights, and beside the active bin the price has to stay out of the
 * chunk until the deposit lands: weights of one token would deposit nothing then.
 */
export function depositIntoChunk(plan: BinDepositPlan, chunk: BinRange): BinDepositAmounts | undefined {
  const { activeBinId, activeBin, binStepBps, strategy, maxActiveBinSlippage } = plan;
  const bins = spreadOverBins(plan, chunk);
  const [amountX, amountY] = [total(bins, 'amountX') > 0n ? plan.amountX : 0n, total(bins, 'amountY') > 0n ? plan.amountY : 0n];
  if (amountX + amountY === 0n) {
    return undefined;
  }
  const taken = { ...plan, amountX, amountY };
  const terms = { activeBinId, maxActiveBinSlippage, amountX, amountY };
  const isEven = widthOf(plan) <= BINS_PER_DEFAULT_POSITION || strategy === 'Spot';
  if (isEven && !isInActiveBinAlone({ ...taken, ...chunk })) {
    return { ...terms, spread: { kind: 'strategy', strategy, fromBinId: chunk.fromBinId, toBinId: chunk.toBinId } };
  }
  const distance = Math.max(chunk.fromBinId - activeBinId, activeBinId - chunk.toBinId, 0);
  if (distance === 0 && activeBin !== undefined) {
    const isBoth = amountX > 0n && amountY > 0n;
    const [deposit] = isBoth ? balancedDepositsOf({ ...taken, activeBin }, [chunk], chunk) : exactAmountsOf(taken, [chunk], chunk);
    return deposit;
  }
  const room = distance === 0 ? maxActiveBinSlippage : Math.min(maxActiveBinSlippage, distance - 1);
  return { ...terms, maxActiveBinSlippage: room, spread: { kind: 'weights', bins: weightsOf(spreadOverBins(taken, chunk), binStepBps) } };
}

/** Returns whether a deposit into more than 70 bins is of one token alone, and has to be written as the program spreads it. */
export function isOneSided(plan: BinDepositPlan): boolean {
  const { activeBin, activeBinId, fromBinId, toBinId, amountX, amountY } = plan;
  return activeBin !== undefined && (amountX === 0n || amountY === 0n || activeBinId < fromBinId || activeBinId > toBinId);
}

/** Returns whether the active bin alone could take the deposit: of a strategy it takes token Y only (measured with lb_clmm 0.12). */
function isInActiveBinAlone({ activeBin, activeBinId, toBinId, amountY }: BinDepositPlan): boolean {
  return activeBin !== undefined && amountY === 0n && toBinId === activeBinId;
}

/** Maximum amount of a bin before it is multiplied: a u32. */
const MAX_COMPRESSED = 2n ** 32n - 1n;

/**
 * One token, with an amount for each bin: weights of one token alone deposit nothing once the price is among the bins. As with a strategy, token X
 * goes to the active bin only if there is no other. The transfer fee of each deposit is deducted from its bins.
 */
function exactAmountsOf(plan: BinDepositPlan, chunks: readonly BinRange[], within: BinRange = plan): readonly BinDepositAmounts[] {
  const { activeBinId, maxActiveBinSlippage, received } = plan;
  const bins = spreadOverBins(plan.amountX > 0n ? aboveActiveBin(plan) : plan, within);
  return chunks.flatMap((chunk) => {
    const own = bins.filter(({ binId }) => binId >= chunk.fromBinId && binId <= chunk.toBinId);
    const [amountX, amountY] = [total(own, 'amountX'), total(own, 'amountY')];
    const [token, sent] = amountX > 0n ? (['x', amountX] as const) : (['y', amountY] as const);
    const arriving = received?.(token, sent) ?? sent;
    const amounts = own.map((bin) => ({ binId: bin.binId, amount: sent === 0n ? 0n : ((bin.amountX + bin.amountY) * arriving) / sent }));
    const most = amounts.reduce((found, { amount }) => (amount > found ? amount : found), 0n);
    const multiplier = (most + MAX_COMPRESSED - 1n) / MAX_COMPRESSED;
    const compressed = amounts.map(({ binId, amount }) => ({ binId, amount: most === 0n ? 0 : Number(amount / multiplier) }));
    const spread = { kind: 'amounts' as const, token, bins: compressed.filter(({ amount }) => amount > 0), multiplier };
    return spread.bins.length === 0 ? [] : [{ amountX, amountY, activeBinId, maxActiveBinSlippage, spread }];
  });
}

/** The deposit without the active bin, unless that is the only bin that takes token X. */
function aboveActiveBin(plan: BinDepositPlan): BinDepositPlan {
  const { activeBinId, fromBinId, toBinId } = plan;
  return activeBinId >= fromBinId && activeBinId < toBinId ? { ...plan, fromBinId: activeBinId + 1 } : plan;
}

/** Weights of bins are exact to this many parts, far more than their u16 keeps. */
const PARTS = 1_000_000_000_000;

/**
 * A deposit of both tokens by weights of value, as the program spreads it: the active bin takes both tokens in the ratio that it holds, and of
 * the chunk with the active bin the program takes both tokens in the ratio of the weights, not all of both. So what the active bin takes of X
 * instead of Y moves from the bins above it to those below. The price may not leave the chunk with the active bin until it lands.
 */
function balancedDepositsOf(
  plan: BinDepositPlan & { readonly activeBin: NonNullable<BinDepositPlan['activeBin']> },
  chunks: readonly BinRange[],
  within: BinRange = plan,
): readonly BinDepositAmounts[] {
  const { activeBinId, activeBin, binStepBps, fromBinId, toBinId } = plan;
  const price = priceOfBin(activeBinId, binStepBps);
  const held = { x: Number(activeBin.amountX) * price, y: Number(activeBin.amountY) };
  const shareOfX = held.x + held.y === 0 ? 0.5 : held.x / (held.x + held.y);
  const bins = spreadOverBins(plan, within);
  const planned = Number(bins.find(({ binId }) => binId === activeBinId)?.amountY ?? 0n);
  const takenX = (planned * shareOfX) / price;
  const scaleX = Number(plan.amountX) / (Number(plan.amountX) + takenX);
  const scaleY = Number(plan.amountY) / Math.max(1, Number(plan.amountY) - planned * shareOfX);
  const scaled = (amount: bigint, scale: number): bigint => (amount * BigInt(Math.floor(scale * PARTS))) / BigInt(PARTS);
  const amounts = bins.map(({ binId, amountX, amountY }) =>
    binId === activeBinId
      ? {
          binId,
          amountX: BigInt(Math.floor(takenX * scaleX)),
          amountY: BigInt(Math.floor(Number(amountY) * (1 - shareOfX) * Math.min(scaleY, Number.MAX_SAFE_INTEGER))),
        }
      : { binId, amountX: scaled(amountX, scaleX), amountY: scaled(amountY, scaleY) },
  );
  const middle = chunks.find((chunk) => chunk.fromBinId <= activeBinId && activeBinId <= chunk.toBinId);
  const room =
    middle === undefined
      ? 0
      : Math.min(
          middle.fromBinId === fromBinId ? Infinity : activeBinId - middle.fromBinId,
          middle.toBinId === toBinId ? Infinity : middle.toBinId - activeBinId,
        );
  const maxActiveBinSlippage = Math.min(plan.maxActiveBinSlippage, room);
  return chunks.flatMap((chunk) => {
    const own = amounts.filter(({ binId }) => binId >= chunk.fromBinId && binId <= chunk.toBinId);
    const [amountX, amountY] = [total(own, 'amountX'), total(own, 'amountY')];
    const spread = { kind: 'weights' as const, bins: valueWeightsOf(own, binStepBps, activeBinId) };
    return amountX + amountY === 0n ? [] : [{ activeBinId, maxActiveBinSlippage, amountX, amountY, spread }];
  });
}

/** Weights of bins: value in token Y, scaled so that the largest is {@link MAX_WEIGHT}. */
function valueWeightsOf(bins: readonly BinAmounts[], binStepBps: number, activeBinId: number): { binId: number; weight: number }[] {
  const values = bins.map(({ binId, amountX, amountY }) => ({
    binId,
    // Relative to the active bin, the numbers stay near each other.
    value:
      Number(amountX) * priceOfBin(activeBinId, binStepBps) * Math.exp((binId - activeBinId) * Math.log1p(binStepBps / 10_000)) +
      Number(amountY),
  }));
  const most = Math.max(...values.map(({ value }) => value));
  return values
    .map(({ binId, value }) => ({ binId, weight: Math.round(MAX_WEIGHT * ratio(value, most)) }))
    .filter(({ weight }) => weight > 0);
}

/**
 * Amounts that each bin gets when a deposit lands at this active bin: ascending, raw, rounded down. A token without a bin that can hold it is
 * not deposited.
 */
export function depositPerBin(
  effect: Pick<BinDepositAmounts, 'amountX' | 'amountY'> & { readonly spread: DepositSpread },
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
