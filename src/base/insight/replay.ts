import { priceOfBin } from '../dlmm/bins';
import { HOUR_S } from '../time';
import type { OutlookBin } from './outlook';

/** What a bin's account says at one moment (lb_clmm, `Bin`): supply of liquidity, and fees for each unit of it so far, Q64.64 that wrap around. */
export interface BinCounters {
  readonly binId: number;
  readonly supply: bigint;
  readonly feeX: bigint;
  readonly feeY: bigint;
}

/** Counters of the bins of a pool at one moment. */
export interface Snapshot {
  readonly timeS: number;
  readonly activeBinId: number;
  readonly bins: readonly BinCounters[];
}

/** Two or more readings of a pool, and a position in it. */
export interface ReplayInput {
  readonly snapshots: readonly Snapshot[];
  /** Liquidity shares by bin, as the position's account has them. */
  readonly position: readonly { readonly binId: number; readonly share: bigint }[];
  /** Whether the position was not there: its shares would have diluted those of the others. */
  readonly isHypothetical: boolean;
  /** A longer time between two readings is a gap. */
  readonly mostGapS?: number | undefined;
}

/** What a position earned between the first and the last reading. */
export type Replay =
  | { readonly known: false; readonly why: 'tooFewSnapshots' | 'noAmount' }
  | { readonly known: false; readonly why: 'binsMissing'; readonly missing: number }
  | {
      readonly known: true;
      /** Raw units. */
      readonly feeX: bigint;
      readonly feeY: bigint;
      /** 0 to 1; between two readings in doubt half of the time. */
      readonly timeInRange: number;
      readonly seconds: number;
      readonly gaps: number;
    };

const USUAL_GAP_S = 2 * HOUR_S;
/** The program drops these bits of a share, and of the product. */
const SCALE_BITS = 64n;
const COUNTER_BITS = 128;

/** The growth of a bin's counters over the intervals in which they grew. */
export interface BinGrowth {
  readonly binId: number;
  readonly intervals: readonly {
    /** Of both readings together. */
    readonly supplies: bigint;
    readonly x: bigint;
    readonly y: bigint;
  }[];
}

/** What readings say of positions that were not there, prepared so that another position costs little. */
export interface CounterRecord {
  /** Ascending by time. */
  readonly readings: readonly Pick<Snapshot, 'timeS' | 'activeBinId'>[];
  /** Bins of which it is known in each interval what they earned. */
  readonly bins: readonly BinGrowth[];
}

/** Prepares readings for {@link replayRecord}. */
export function recordOf(snapshots: readonly Snapshot[]): CounterRecord {
  const readings = orderedReadings(snapshots);
  const intervals = pairsOf(readings).map(([before, after]): Interval => ({ before, after, grown: grownBetween(before, after) }));
  const bins = [...(readings[0]?.byBin.keys() ?? [])].flatMap((binId): readonly BinGrowth[] => {
    const growths = intervals.map((interval) => dilutableGrowth(binId, interval));
    const known = growths.filter((growth) => growth !== undefined);
    return known.length < growths.length ? [] : [{ binId, intervals: known.filter(({ x, y }) => x > 0n || y > 0n) }];
  });
  return { readings: readings.map(({ timeS, activeBinId }) => ({ timeS, activeBinId })), bins };
}

/** What a position would have earned that was not there: in each interval L/(L + l), so the error is at most its own share of the liquidity. */
export function replayRecord({ readings, bins }: CounterRecord, position: ReplayInput['position'], mostGapS = USUAL_GAP_S): Replay {
  const byBin = new Map(bins.map((bin) => [bin.binId, bin]));
  return replayed(readings, position, mostGapS, ({ binId, share }) => {
    const bin = byBin.get(binId);
    return bin?.intervals.reduce(
      (sum, { supplies, x, y }) => {
        const all = supplies + 2n * share;
        return { x: sum.x + (x * supplies) / all, y: sum.y + (y * supplies) / all };
      },
      { x: 0n, y: 0n },
    );
  });
}

/**
 * Fees from the counters of bins, as the program computes them: ((share >> 64)·(C₁ − C₀ mod 2¹²⁸)) >> 64 for each bin and token
 * (programs/lb_clmm, `PositionV2::update_fees_and_rewards`). Exact for a position that was there throughout; for one that was not see
 * {@link replayRecord}.
 */
export function replay({ snapshots, position, isHypothetical, mostGapS = USUAL_GAP_S }: ReplayInput): Replay {
  if (isHypothetical) {
    return replayRecord(recordOf(snapshots), position, mostGapS);
  }
  const readings = orderedReadings(snapshots);
  const [first, last] = [readings[0], readings.at(-1)];
  return replayed(readings, position, mostGapS, ({ binId }) => {
    const [before, after] = [first?.byBin.get(binId), last?.byBin.get(binId)];
    return before === undefined || after === undefined ? undefined : growthBetween(before, after);
  });
}

/** What a position that is open earned, or would have earned with what it has now, and whether it was there throughout. */
export type OwnReplay = Replay & { readonly isExact: boolean };

/**
 * What an open position earned since its liquidity last changed, and would have earned with it before that.
 * @param sinceS when its liquidity last changed, by the clock of the readings; `undefined`: not known
 */
export function replayOpen(snapshots: readonly Snapshot[], position: ReplayInput['position'], sinceS: number | undefined): OwnReplay {
  const ordered = orderedReadings(snapshots);
  const [first, last] = [ordered[0], ordered.at(-1)];
  const start = sinceS === undefined ? undefined : ordered.find(({ timeS }) => timeS > sinceS);
  const isExact = start !== undefined && start === first;
  if (start === undefined || start === last || isExact) {
    return { ...replay({ snapshots, position, isHypothetical: !isExact }), isExact };
  }
  const before = replay({ snapshots: ordered.filter(({ timeS }) => timeS <= start.timeS), position, isHypothetical: true });
  const after = replay({ snapshots: ordered.filter(({ timeS }) => timeS >= start.timeS), position, isHypothetical: false });
  if (!before.known || !after.known) {
    return { ...(before.known ? after : before), isExact };
  }
  const seconds = before.seconds + after.seconds;
  return {
    known: true,
    feeX: before.feeX + after.feeX,
    feeY: before.feeY + after.feeY,
    timeInRange: (before.timeInRange * before.seconds + after.timeInRange * after.seconds) / seconds,
    seconds,
    gaps: before.gaps + after.gaps,
    isExact,
  };
}

/** The shares of a deposit: the program gives one for each unit of liquidity P·x + y, Q64.64, to whoever is first in a bin. */
export function sharesOf(bins: readonly OutlookBin[], binStepBps: number): ReplayInput['position'] {
  return bins.flatMap(({ binId, x, y }) => {
    const liquidity = (x === 0 ? 0 : x * priceOfBin(binId, binStepBps)) + y;
    return Number.isFinite(liquidity) && liquidity >= 1 ? [{ binId, share: BigInt(Math.floor(liquidity)) << SCALE_BITS }] : [];
  });
}

type Growth = Omit<BinGrowth['intervals'][number], 'supplies'>;
type Reading = Snapshot & { readonly byBin: ReadonlyMap<number, BinCounters> };
interface Interval {
  readonly before: Reading;
  readonly after: Reading;
  /** The lowest and the highest bin whose counters grew. */
  readonly grown: { readonly lowest: number; readonly highest: number };
}

/** @param growthOf what the counters grew for a position; `undefined`: not known */
function replayed(
  readings: CounterRecord['readings'],
  position: ReplayInput['position'],
  mostGapS: number,
  growthOf: (bin: ReplayInput['position'][number]) => Growth | undefined,
): Replay {
  const [first, last] = [readings[0], readings.at(-1)];
  if (first === undefined || last === undefined || first.timeS === last.timeS) {
    return { known: false, why: 'tooFewSnapshots' };
  }
  const shares = position.filter(({ share }) => share > 0n);
  if (shares.length === 0) {
    return { known: false, why: 'noAmount' };
  }
  const missing = new Set<number>();
  let [feeX, feeY] = [0n, 0n];
  for (const bin of shares) {
    const growth = growthOf(bin);
    if (growth === undefined) {
      missing.add(bin.binId);
    } else {
      feeX += earned(bin.share, growth.x);
      feeY += earned(bin.share, growth.y);
    }
  }
  if (missing.size > 0) {
    return { known: false, why: 'binsMissing', missing: missing.size };
  }
  const ids = shares.map(({ binId }) => binId);
  const [from, to] = [ids.reduce((least, id) => Math.min(least, id)), ids.reduce((most, id) => Math.max(most, id))];
  const steps = pairsOf(readings);
  const isIn = ({ activeBinId }: CounterRecord['readings'][number]): number => (activeBinId >= from && activeBinId <= to ? 1 : 0);
  const seconds = last.timeS - first.timeS;
  return {
    known: true,
    feeX,
    feeY,
    timeInRange:
      steps.reduce((sum, [before, after]) => sum + ((isIn(before) + isIn(after)) / 2) * (after.timeS - before.timeS), 0) / seconds,
    seconds,
    gaps: steps.filter(([before, after]) => after.timeS - before.timeS > mostGapS).length,
  };
}

function orderedReadings(snapshots: readonly Snapshot[]): readonly Reading[] {
  return snapshots
    .toSorted((first, second) => first.timeS - second.timeS)
    .map((snapshot) => ({ ...snapshot, byBin: new Map(snapshot.bins.map((bin) => [bin.binId, bin])) }));
}

function growthBetween(before: BinCounters, after: BinCounters): Growth {
  return { x: BigInt.asUintN(COUNTER_BITS, after.feeX - before.feeX), y: BigInt.asUintN(COUNTER_BITS, after.feeY - before.feeY) };
}

function grownBetween(before: Reading, after: Reading): Interval['grown'] {
  const ids = after.bins.flatMap((bin) => {
    const earlier = before.byBin.get(bin.binId);
    return earlier === undefined || (earlier.feeX === bin.feeX && earlier.feeY === bin.feeY) ? [] : [bin.binId];
  });
  return {
    lowest: ids.reduce((least, id) => Math.min(least, id), Infinity),
    highest: ids.reduce((most, id) => Math.max(most, id), -Infinity),
  };
}

/** The growth of a bin's counters over an interval, for a position that was not there; `undefined`: not known. */
function dilutableGrowth(binId: number, interval: Interval): BinGrowth['intervals'][number] | undefined {
  const [before, after] = [interval.before.byBin.get(binId), interval.after.byBin.get(binId)];
  if (before === undefined || after === undefined) {
    return undefined;
  }
  const growth = growthBetween(before, after);
  // Where nobody's liquidity was there to count with, only far from the price nothing can have been earned.
  return (before.supply > 0n && after.supply > 0n) || (growth.x === 0n && growth.y === 0n && isUntouched(binId, interval))
    ? { supplies: before.supply + after.supply, ...growth }
    : undefined;
}

/** Whether the price was on the same side of a bin at both readings, and no counter on the other side grew. */
function isUntouched(binId: number, { before, after, grown }: Interval): boolean {
  const side = Math.sign(before.activeBinId - binId);
  return side !== 0 && Math.sign(after.activeBinId - binId) === side && (side > 0 ? grown.lowest >= binId : grown.highest <= binId);
}

function earned(share: bigint, growth: bigint): bigint {
  return ((share >> SCALE_BITS) * growth) >> SCALE_BITS;
}

function pairsOf<Item>(items: readonly Item[]): readonly (readonly [Item, Item])[] {
  return items.slice(1).flatMap((after, index) => {
    const before = items[index];
    return before === undefined ? [] : [[before, after] as const];
  });
}
