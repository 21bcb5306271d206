import { HOUR_S } from '../time';

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

/**
 * Fees from the counters of bins, as the program computes them: ((share >> 64)·(C₁ − C₀ mod 2¹²⁸)) >> 64 for each bin and token
 * (programs/lb_clmm, `PositionV2::update_fees_and_rewards`). Exact for a position that was there throughout. For a hypothetical one each interval
 * counts L/(L + l), so the error is at most its own share of the liquidity.
 */
export function replay({ snapshots, position, isHypothetical, mostGapS = USUAL_GAP_S }: ReplayInput): Replay {
  const ordered = snapshots.toSorted((first, second) => first.timeS - second.timeS);
  const [first, last] = [ordered[0], ordered.at(-1)];
  if (first === undefined || last === undefined || first.timeS === last.timeS) {
    return { known: false, why: 'tooFewSnapshots' };
  }
  const shares = position.filter(({ share }) => share > 0n);
  if (shares.length === 0) {
    return { known: false, why: 'noAmount' };
  }
  const readings = ordered.map((snapshot) => ({ ...snapshot, byBin: new Map(snapshot.bins.map((bin) => [bin.binId, bin])) }));
  const intervals = isHypothetical ? pairsOf(readings) : pairsOf([readings[0], readings.at(-1)].filter((one) => one !== undefined));
  const missing = new Set<number>();
  let [feeX, feeY] = [0n, 0n];
  for (const { binId, share } of shares) {
    let [grownX, grownY] = [0n, 0n];
    for (const [before, after] of intervals) {
      const growth = growthOf(binId, share, before, after, isHypothetical);
      if (growth === undefined) {
        missing.add(binId);
      } else {
        grownX += growth.x;
        grownY += growth.y;
      }
    }
    feeX += earned(share, grownX);
    feeY += earned(share, grownY);
  }
  if (missing.size > 0) {
    return { known: false, why: 'binsMissing', missing: missing.size };
  }
  const ids = shares.map(({ binId }) => binId);
  const [from, to] = [ids.reduce((least, id) => Math.min(least, id)), ids.reduce((most, id) => Math.max(most, id))];
  const steps = pairsOf(ordered);
  const isIn = ({ activeBinId }: Snapshot): number => (activeBinId >= from && activeBinId <= to ? 1 : 0);
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

type Reading = Snapshot & { readonly byBin: ReadonlyMap<number, BinCounters> };

/** The growth of a bin's counters over an interval; `undefined` if it is not known. */
function growthOf(
  binId: number,
  share: bigint,
  before: Reading,
  after: Reading,
  isHypothetical: boolean,
): { readonly x: bigint; readonly y: bigint } | undefined {
  const [first, second] = [before.byBin.get(binId), after.byBin.get(binId)];
  if (first === undefined || second === undefined) {
    return undefined;
  }
  const x = BigInt.asUintN(COUNTER_BITS, second.feeX - first.feeX);
  const y = BigInt.asUintN(COUNTER_BITS, second.feeY - first.feeY);
  if (!isHypothetical) {
    return { x, y };
  }
  if (first.supply === 0n || second.supply === 0n) {
    // Nobody's liquidity was there to count with. Only far from the price nothing can have been earned.
    return x === 0n && y === 0n && isUntouched(binId, before, after) ? { x, y } : undefined;
  }
  const supplies = first.supply + second.supply;
  const diluted = (growth: bigint): bigint => (growth * supplies) / (supplies + 2n * share);
  return { x: diluted(x), y: diluted(y) };
}

/** Whether the price was on the same side of a bin at both readings, and no counter on the other side grew. */
function isUntouched(binId: number, before: Reading, after: Reading): boolean {
  const side = Math.sign(before.activeBinId - binId);
  if (side === 0 || Math.sign(after.activeBinId - binId) !== side) {
    return false;
  }
  return after.bins.every((bin) => {
    const earlier = before.byBin.get(bin.binId);
    const isBeyond = Math.sign(bin.binId - binId) === -side;
    return !isBeyond || earlier === undefined || (earlier.feeX === bin.feeX && earlier.feeY === bin.feeY);
  });
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
