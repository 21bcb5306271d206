import { binArrayIndex, BINS_PER_ARRAY, BINS_PER_DEFAULT_POSITION, widthOf, type BinRange } from '../../base/dlmm/bins';
import { spreadOverBins } from '../../base/dlmm/strategy';
import { addressFromBytes } from '../../base/solana/address';
import { isOneSided } from './binDeposits';
import type { BinDepositAmounts } from './dlmmInstructions';
import { type Assembly, type BuildStep, fitsTogether, pack } from './transactions';
import type { BinAddPlan, BinDepositPlan } from './types';
import { addVersions } from './versions';
import { withTip } from './walletInstructions';

/** Fewest bins that fill the rest of a v1 transaction: a deposit into fewer is not worth its fixed cost, and may be too small to take any. */
const MIN_FILLING_BINS = 20;

/** Placeholder tip that reserves space, so that transactions are split the same way with and without a tip. */
export const ROOM_FOR_TIP = { account: addressFromBytes(new Uint8Array(32).fill(1)), lamports: 1n };

export interface DepositSteps {
  /** Create the missing bin arrays of a range. */
  readonly binArrays: (range: BinRange) => readonly BuildStep[];
  /** Deposits into existing bin arrays. */
  readonly deposit: (deposit: BinDepositAmounts) => BuildStep;
  /** Creates the missing bin arrays and deposits. */
  readonly whole: (deposit: BinDepositAmounts) => BuildStep;
}

/**
 * Splits a range into ascending chunks whose deposits each fit into a transaction, the last one with space for a tip. Empty bins at the ends are
 * left out. A deposit of both tokens that is written as the program spreads it (`activeBin`) has a chunk with the active bin in its middle: in
 * no other chunk may the price be when it lands.
 */
export function depositChunks(plan: BinAddPlan, steps: DepositSteps, before: readonly BuildStep[]): readonly BinRange[] {
  if (widthOf(plan) <= BINS_PER_DEFAULT_POSITION) {
    return [plan];
  }
  const filled = spreadOverBins(plan).filter(({ amountX, amountY }) => amountX + amountY > 0n);
  const all = { fromBinId: filled[0]?.binId ?? plan.fromBinId, toBinId: filled.at(-1)?.binId ?? plan.toBinId };
  const assembly: Assembly = { terms: plan, version: addVersions(plan).pool };
  if (assembly.version === 1) {
    const stepOf = stepOfChunk(plan, all.toBinId, steps.deposit);
    const segments = segmentsOf(plan, all, (piece) => fitsTogether([stepOf(piece)], assembly));
    return fillingChunks(segments, { steps, stepOf, assembly, before });
  }
  const stepOf = stepOfChunk(plan, all.toBinId, steps.whole);
  return separateChunks(plan, all, (chunk) => fitsTogether([stepOf(chunk)], assembly));
}

/** Splits bins into chunks that each fit. The active bin is in the middle of its chunk, if the deposit is written as the program spreads it. */
export function separateChunks(plan: BinDepositPlan, all: BinRange, fits: (chunk: BinRange) => boolean): readonly BinRange[] {
  return segmentsOf(plan, all, fits).flatMap((segment) => {
    const chunks: BinRange[] = [];
    for (let first = segment.fromBinId; first <= segment.toBinId;) {
      const most = Math.min(first + BINS_PER_DEFAULT_POSITION - 1, segment.toBinId);
      // A bin alone is not checked: assembling says if even that is too large.
      const last = greatest(first, most, (value) => value === first || fits({ fromBinId: first, toBinId: value })) ?? first;
      chunks.push({ fromBinId: first, toBinId: last });
      first = last + 1;
    }
    return chunks;
  });
}

/**
 * Chunks that also fill what the steps before them leave of a transaction. Each but that around the active bin is in one bin array, which may be
 * created at the end of an earlier transaction.
 */
function fillingChunks(
  segments: readonly Segment[],
  {
    steps,
    stepOf,
    assembly,
    before,
  }: {
    readonly steps: DepositSteps;
    readonly stepOf: (chunk: BinRange) => BuildStep;
    readonly assembly: Assembly;
    readonly before: readonly BuildStep[];
  },
): readonly BinRange[] {
  const chunks: BinRange[] = [];
  // What the present transaction carries out already.
  let held: readonly BuildStep[] = pack(before, assembly).at(-1)?.steps ?? [];
  let arraysUntil = -Infinity;
  for (const { isWhole, ...segment } of segments) {
    for (let first = segment.fromBinId; first <= segment.toBinId;) {
      const most = isWhole ? segment.toBinId : Math.min(lastBinOfArray(first), segment.toBinId);
      if (most > arraysUntil) {
        for (const array of steps.binArrays({ fromBinId: Math.max(first, arraysUntil + 1), toBinId: most })) {
          held = fitsTogether([...held, array], assembly) ? [...held, array] : [array];
        }
        arraysUntil = lastBinOfArray(most);
      }
      const isNew = held.length === 0;
      const least = isWhole ? most : isNew ? first : Math.min(first + MIN_FILLING_BINS - 1, most);
      const fits = (last: number): boolean =>
        (isNew && last === least) || fitsTogether([...held, stepOf({ fromBinId: first, toBinId: last })], assembly);
      const last = greatest(least, most, fits);
      if (last === undefined) {
        held = [];
        continue;
      }
      const chunk = { fromBinId: first, toBinId: last };
      chunks.push(chunk);
      held = [...held, stepOf(chunk)];
      first = last + 1;
    }
  }
  return chunks;
}

function lastBinOfArray(binId: number): number {
  return (binArrayIndex(binId) + 1) * BINS_PER_ARRAY - 1;
}

/** The step of a chunk as far as its size matters. */
function stepOfChunk(
  plan: BinAddPlan,
  lastBinId: number,
  depositStep: (deposit: BinDepositAmounts) => BuildStep,
): (chunk: BinRange) => BuildStep {
  const { activeBinId, maxActiveBinSlippage } = plan;
  return (chunk) => {
    const ids = Array.from({ length: widthOf(chunk) }, (_, index) => chunk.fromBinId + index);
    const spread = isOneSided(plan)
      ? { kind: 'amounts' as const, token: 'x' as const, bins: ids.map((binId) => ({ binId, amount: 1 })), multiplier: 1n }
      : { kind: 'weights' as const, bins: ids.map((binId) => ({ binId, weight: 1 })) };
    const alone = depositStep({ amountX: 1n, amountY: 1n, activeBinId, maxActiveBinSlippage, spread });
    const [withRoom = alone] = chunk.toBinId === lastBinId ? withTip([alone], { ...plan, tip: ROOM_FOR_TIP }) : [];
    return withRoom;
  };
}

/** A part of a range that no chunk crosses. */
interface Segment extends BinRange {
  /** It is one chunk. */
  readonly isWhole: boolean;
}

/** The range in parts that no chunk crosses: all of it, or what is below, around and above the active bin. */
function segmentsOf(plan: BinDepositPlan, all: BinRange, fits: (chunk: BinRange) => boolean): readonly Segment[] {
  const { activeBinId, activeBin } = plan;
  const { fromBinId, toBinId } = all;
  if (activeBin === undefined || isOneSided(plan)) {
    return [{ ...all, isWhole: false }];
  }
  const around = (half: number): BinRange => ({
    fromBinId: Math.max(fromBinId, activeBinId - half),
    toBinId: Math.min(toBinId, activeBinId + half),
  });
  const most = Math.floor((BINS_PER_DEFAULT_POSITION - 1) / 2);
  const middle = around(greatest(0, most, (half) => half === 0 || fits(around(half))) ?? 0);
  return [
    { fromBinId, toBinId: middle.fromBinId - 1, isWhole: false },
    { ...middle, isWhole: true },
    { fromBinId: middle.toBinId + 1, toBinId, isWhole: false },
  ];
}

/** The greatest whole number from `least` to `most` that passes, where all below one that passes do; `undefined` if none does. */
function greatest(least: number, most: number, passes: (value: number) => boolean): number | undefined {
  let [found, tooMuch]: [number | undefined, number] = [undefined, most + 1];
  for (let value = most; (found ?? least - 1) + 1 < tooMuch; value = Math.floor(((found ?? least - 1) + tooMuch) / 2)) {
    if (passes(value)) {
      found = value;
    } else {
      tooMuch = value;
    }
  }
  return found;
}
