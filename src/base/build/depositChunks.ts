import { BINS_PER_DEFAULT_POSITION, widthOf, type BinRange } from '../dlmm/bins';
import { spreadOverBins } from '../dlmm/strategy';
import { addressFromBytes } from '../solana/address';
import { isOneSided } from './binDeposits';
import type { BinDepositAmounts } from './dlmmInstructions';
import { type Assembly, type BuildStep, fitsTogether, pack } from './transactions';
import type { BinAddPlan } from './types';
import { addVersions } from './versions';
import { withTip } from './walletInstructions';

/** Fewest bins that fill the rest of a v1 transaction: a deposit into fewer is not worth its fixed cost, and may be too small to take any. */
const MIN_FILLING_BINS = 20;

/** Placeholder tip that reserves space, so that transactions are split the same way with and without a tip. */
const ROOM_FOR_TIP = { account: addressFromBytes(new Uint8Array(32).fill(1)), lamports: 1n };

/**
 * Splits a range into ascending chunks whose deposits each fit into a transaction, the last one with space for a tip. In v1 they also fill
 * what the steps before them leave of a transaction. Empty bins at the ends are left out. A deposit of both tokens that is written as the
 * program spreads it (`activeBin`) has a chunk with the active bin in its middle: in no other chunk may the price be when it lands.
 */
export function depositChunks(
  plan: BinAddPlan,
  depositStep: (deposit: BinDepositAmounts) => BuildStep,
  before: readonly BuildStep[],
): readonly BinRange[] {
  if (widthOf(plan) <= BINS_PER_DEFAULT_POSITION) {
    return [plan];
  }
  const assembly: Assembly = { terms: plan, version: addVersions(plan).pool };
  const filled = spreadOverBins(plan).filter(({ amountX, amountY }) => amountX + amountY > 0n);
  const all = { fromBinId: filled[0]?.binId ?? plan.fromBinId, toBinId: filled.at(-1)?.binId ?? plan.toBinId };
  const stepOf = stepOfChunk(plan, all.toBinId, depositStep);
  const chunks: BinRange[] = [];
  // What the present transaction carries out already; always empty in legacy and v0, whose chunks have a transaction each.
  let held = assembly.version === 1 ? (pack(before, assembly).at(-1)?.steps ?? []) : [];
  for (const segment of segmentsOf(plan, all, (piece) => fitsTogether([stepOf(piece)], assembly))) {
    for (let first = segment.fromBinId; first <= segment.toBinId;) {
      const isNew = held.length === 0;
      // A bin alone is not checked: assembling says if even that is too large.
      const least = isNew ? first : Math.min(first + MIN_FILLING_BINS, segment.toBinId + 1) - 1;
      const fits = (last: number): boolean =>
        (isNew && last === first) || fitsTogether([...held, stepOf({ fromBinId: first, toBinId: last })], assembly);
      const last = greatest(least, Math.min(first + BINS_PER_DEFAULT_POSITION - 1, segment.toBinId), fits);
      if (last === undefined) {
        held = [];
        continue;
      }
      const chunk = { fromBinId: first, toBinId: last };
      chunks.push(chunk);
      held = assembly.version === 1 ? [...held, stepOf(chunk)] : [];
      first = last + 1;
    }
  }
  return chunks;
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

/** The range in parts that no chunk crosses: all of it, or what is below, around and above the active bin. */
function segmentsOf(plan: BinAddPlan, all: BinRange, fits: (chunk: BinRange) => boolean): readonly BinRange[] {
  const { activeBinId, activeBin } = plan;
  const { fromBinId, toBinId } = all;
  if (activeBin === undefined || isOneSided(plan)) {
    return [all];
  }
  const around = (half: number): BinRange => ({
    fromBinId: Math.max(fromBinId, activeBinId - half),
    toBinId: Math.min(toBinId, activeBinId + half),
  });
  const most = Math.floor((BINS_PER_DEFAULT_POSITION - 1) / 2);
  const middle = around(greatest(0, most, (half) => half === 0 || fits(around(half))) ?? 0);
  return [{ fromBinId, toBinId: middle.fromBinId - 1 }, middle, { fromBinId: middle.toBinId + 1, toBinId }];
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
