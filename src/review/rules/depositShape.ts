import { MAX_BINS_PER_POSITION, priceOfBin } from '../../base/dlmm/bins';
import { type Strategy, strategyWeight } from '../../base/dlmm/strategy';
import type { DepositIntent } from '../intents';
import type { OperationContext } from '../context';
import { type DecodedCall, integerAt, numberAt, recordsAt } from '../decode/instructions';
import type { PolicySettings } from '../policy';
import { exactBins, mostBins } from './landingPrices';

// A deposit may name a weight or an amount for each bin. Ranges above 70 bins need that: a strategy would repeat its shape in each
// instruction. Those numbers are the chosen shape, or the deposit is not what the user chose.

/** How far a weight or an amount may be from the shape, as a share of it: weights are whole numbers up to 65,535. */
const TOLERANCE = 0.02;
/** Below this greatest weight, rounding to whole numbers is no excuse. */
const LEAST_GREATEST = 1_000;

/** A bin with its part of a deposit, and the part by the chosen shape. Only ratios count. */
interface Part {
  readonly given: number;
  readonly wanted: number;
}

/** Returns whether the weights that a deposit names are the chosen shape; also `true` if it names none. */
export function hasShape(reading: DecodedCall, intent: DepositIntent): boolean {
  const weights = weightsIn(reading);
  const chosen = chosenOf(intent);
  return weights.length === 0 || (chosen !== undefined && haveShape(weights, reading, chosen));
}

/** Returns whether the amounts that the deposits of the operation name for each bin are the chosen shape. */
export function haveExactShape(intent: DepositIntent, { transactions }: OperationContext): boolean {
  const chosen = chosenOf(intent);
  const exact = transactions
    .flatMap(({ readings }) => readings)
    .flatMap((reading) => {
      const of = exactBins(reading, intent);
      return of === undefined ? [] : [{ ...of, raw: exactRaw(reading) }];
    });
  return (['x', 'y'] as const).every((token) => {
    const own = exact.filter((one) => one.token === token);
    const ids = own.flatMap(({ bins }) => bins.map(({ binId }) => binId));
    // All of them show where the shape begins.
    const [first, last] = [Math.min(...ids), Math.max(...ids)];
    return own.every(
      ({ bins, raw }) =>
        chosen !== undefined &&
        isShaped(
          bins.map(({ binId, amountRaw }) => ({
            given: Number(amountRaw),
            // Y goes by value, X by value over price.
            wanted: token === 'y' ? wantedBelow(binId, last, chosen) : wantedAbove(binId, first, chosen) / priceFrom(first, binId, intent),
          })),
          raw,
        ),
    );
  });
}

/** What the user chose; `undefined`: it is not known, or no position has as many bins. */
function chosenOf({ strategy, fromBinId, toBinId }: DepositIntent): Chosen | undefined {
  const isKnown = strategy !== undefined && fromBinId !== undefined && toBinId !== undefined;
  return isKnown && toBinId - fromBinId < MAX_BINS_PER_POSITION ? { strategy, fromBinId, toBinId } : undefined;
}

interface WeightedBin {
  readonly binId: number;
  readonly weight: number;
}

function weightsIn({ args }: DecodedCall): readonly WeightedBin[] {
  return recordsAt(args, 'liquidity_parameter', 'bin_liquidity_dist').flatMap((bin) => {
    const [binId, weight] = [numberAt(bin, 'bin_id'), numberAt(bin, 'weight')];
    return binId === undefined || weight === undefined ? [] : [{ binId, weight }];
  });
}

/** The amount of a token in a deposit by weights; deposits of one token have a single amount. */
function rawIn({ args }: DecodedCall, name: 'amount_x' | 'amount_y'): bigint {
  return integerAt(args, 'liquidity_parameter', name) ?? integerAt(args, 'liquidity_parameter', 'amount') ?? 0n;
}

interface Chosen {
  readonly strategy: Strategy;
  readonly fromBinId: number;
  readonly toBinId: number;
}

/** The part of a bin below the active bin, where Y goes down to the lowest bin of the range. */
function wantedBelow(binId: number, last: number, { strategy, fromBinId }: Chosen): number {
  return binId < fromBinId || binId > last ? 0 : Number(strategyWeight(strategy, last - binId + 1, last - fromBinId + 1));
}

/** The part of a bin above the active bin. */
function wantedAbove(binId: number, first: number, { strategy, toBinId }: Chosen): number {
  return binId > toBinId || binId < first ? 0 : Number(strategyWeight(strategy, binId - first + 1, toBinId - first + 1));
}

/**
 * Whether weights of value are the shape on both sides of the active bin. The active bin belongs to one of them; what the program puts into it
 * also depends on what it holds, so there may be less in it, and more if it is alone on its side.
 */
function haveShape(weights: readonly WeightedBin[], reading: DecodedCall, chosen: Chosen): boolean {
  const active = numberAt(reading.args, 'liquidity_parameter', 'active_id');
  if (active === undefined) {
    return false;
  }
  const isSideShaped = (bins: readonly WeightedBin[], wanted: (binId: number) => number, raw: number): boolean => {
    const parts = bins.map(({ binId, weight }) => ({ given: weight, wanted: wanted(binId), isActive: binId === active }));
    const [inActive] = parts.filter(({ isActive }) => isActive);
    const others = parts.filter(({ isActive }) => !isActive);
    const unit = unitOf(others);
    return (
      isShaped(others, raw) &&
      (inActive === undefined || unit === undefined || inActive.given <= inActive.wanted * unit * (1 + TOLERANCE) + 1)
    );
  };
  // The nearest bin for Y is the active one, or the next one below if that takes X alone.
  return [active, active - 1].some((nearest) => {
    const [lastY, firstX] = [Math.min(nearest, chosen.toBinId), Math.max(nearest + 1, chosen.fromBinId)];
    return (
      isSideShaped(
        weights.filter(({ binId }) => binId <= nearest),
        (binId) => wantedBelow(binId, lastY, chosen),
        Number(rawIn(reading, 'amount_y')),
      ) &&
      isSideShaped(
        weights.filter(({ binId }) => binId > nearest),
        (binId) => wantedAbove(binId, firstX, chosen),
        Number(rawIn(reading, 'amount_x')),
      )
    );
  });
}

/** Relative to the first bin, the numbers stay near one. Without a bin step no amount of X can be compared. */
function priceFrom(first: number, binId: number, { binStepBps }: DepositIntent): number {
  try {
    return binStepBps === undefined ? NaN : priceOfBin(binId - first, binStepBps);
  } catch (error) {
    if (error instanceof RangeError) {
      return NaN;
    }
    throw error;
  }
}

function exactRaw({ args }: DecodedCall): number {
  return Number(integerAt(args, 'liquidity_parameter', 'max_amount') ?? 0n);
}

/** What one unit of the shape is in given parts, by the bin in which most was given; `undefined`: nothing is wanted there, or nothing given. */
function unitOf(parts: readonly Part[]): number | undefined {
  const most = parts.reduce<Part | undefined>((found, part) => (found === undefined || part.given > found.given ? part : found), undefined);
  return most === undefined || most.given === 0 || !(most.wanted > 0) ? undefined : most.given / most.wanted;
}

/**
 * Whether parts are in the ratio of the shape.
 * @param raw the amount that they divide, raw units: each part of it was rounded to whole units
 */
function isShaped(parts: readonly Part[], raw: number): boolean {
  const given = parts.reduce((sum, part) => sum + part.given, 0);
  if (given === 0) {
    return true;
  }
  const unit = unitOf(parts);
  const greatest = Math.max(...parts.map((part) => part.given));
  const rounding = Math.min(1, greatest / LEAST_GREATEST) + (raw > 0 ? given / raw : 0);
  return (
    unit !== undefined && parts.every((part) => Math.abs(part.given - part.wanted * unit) <= part.wanted * unit * TOLERANCE + rounding)
  );
}

/** A deposit that names its bins, on one side of the active bin. */
interface Side {
  readonly token: 'x' | 'y';
  readonly bins: readonly number[];
  /** The bins that it may leave out: `y` has its bins below this one, `x` above it. */
  readonly activeBinId: number;
  readonly raw: number;
}

/**
 * Returns whether the deposits that name their bins leave none out, over the whole operation. A bin that would get less than one raw unit
 * may be missing.
 */
export function coverRange(intent: DepositIntent, { transactions, policy }: OperationContext): boolean {
  const chosen = chosenOf(intent);
  if (chosen === undefined) {
    return true;
  }
  const { fromBinId, toBinId } = chosen;
  const sides = transactions.flatMap(({ readings }) => readings).flatMap((reading) => sidesOf(reading, intent, policy));
  return (['x', 'y'] as const).every((token) => {
    const own = sides.filter((side) => side.token === token && side.bins.length > 0);
    const bins = new Set(own.flatMap((side) => side.bins));
    const raw = own.reduce((sum, side) => sum + side.raw, 0);
    return [...new Set(own.map(({ activeBinId }) => activeBinId))].every((activeBinId) => {
      const [first, last] =
        token === 'y' ? [fromBinId, Math.min(toBinId, activeBinId - 1)] : [Math.max(fromBinId, activeBinId + 1), toBinId];
      const wanted = Array.from({ length: Math.max(0, last - first + 1) }, (_, offset) => first + offset).map((binId) => ({
        binId,
        part: token === 'y' ? wantedBelow(binId, last, chosen) : wantedAbove(binId, first, chosen),
      }));
      const total = wanted.reduce((sum, { part }) => sum + part, 0);
      return wanted.every(({ binId, part }) => bins.has(binId) || (raw * part) / total < 1);
    });
  });
}

function sidesOf(reading: DecodedCall, intent: DepositIntent, policy: PolicySettings): readonly Side[] {
  const exact = exactBins(reading, intent);
  if (exact !== undefined) {
    // It names no active bin. Where none was shown it is a question anyway.
    const { activeBinId } = intent;
    const room = mostBins(intent, policy, intent.binStepBps);
    return activeBinId === undefined
      ? []
      : [
          {
            token: exact.token,
            bins: exact.bins.map(({ binId }) => binId),
            activeBinId: exact.token === 'y' ? activeBinId - room : activeBinId + room,
            raw: exactRaw(reading),
          },
        ];
  }
  const active = numberAt(reading.args, 'liquidity_parameter', 'active_id');
  if (active === undefined) {
    return [];
  }
  const used = weightsIn(reading)
    .filter(({ weight }) => weight > 0)
    .map(({ binId }) => binId);
  const raw = (name: 'amount_x' | 'amount_y'): number => Number(rawIn(reading, name));
  return [
    { token: 'y', bins: used.filter((binId) => binId < active), activeBinId: active, raw: raw('amount_y') },
    { token: 'x', bins: used.filter((binId) => binId > active), activeBinId: active, raw: raw('amount_x') },
  ];
}
