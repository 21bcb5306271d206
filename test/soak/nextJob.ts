import type { Job, ListedPosition } from '../crash/protocol';
import type { Random } from '../fuzz/random';
import type { DiscoveredPool } from '../support/sandbox/client';

const INPUT_LAMPORTS = 100_000_000n;
const HALF_WIDTH_BINS = 10;
/** More bins than fit into one transaction. */
const HALF_WIDTH_WIDE_BINS = 60;
const WHOLE_BPS = 10_000;
const SHARE_BPS = 4_000;
const RESERVE_LAMPORTS = 50_000_000n;
/** With more positions one is closed, with fewer one is opened, so that they stay about as many. */
const MOST_POSITIONS = 10;
const LEAST_POSITIONS = 5;

/** The pools of the market with SOL on one side. */
export interface SoakPools {
  readonly withBins: readonly DiscoveredPool[];
  readonly withoutBins: readonly DiscoveredPool[];
}

/** What the user does next. */
export function nextJob(random: Random, positions: readonly ListedPosition[], pools: SoakPools): Job {
  if (positions.length < LEAST_POSITIONS) {
    return zapIn(random, pools);
  }
  const { address: position, hasBins } = random.of(positions);
  const zapOut = (shareBps: number): Job => ({ kind: 'zapOut', position, shareBps, output: 'allBaseToken' });
  if (positions.length > MOST_POSITIONS) {
    return zapOut(WHOLE_BPS);
  }
  switch (random.below(6)) {
    case 0:
    case 1:
      return zapIn(random, pools);
    case 2:
      return zapOut(SHARE_BPS);
    case 3:
      return hasBins ? { kind: 'rebalance', position, halfWidth: HALF_WIDTH_BINS, reserveLamports: RESERVE_LAMPORTS } : zapOut(WHOLE_BPS);
    default:
      return zapOut(WHOLE_BPS);
  }
}

function zapIn(random: Random, { withBins, withoutBins }: SoakPools): Job {
  const hasNoBins = random.once(6);
  const { pool, pairName } = random.of(hasNoBins ? withoutBins : withBins);
  const halfWidth = hasNoBins ? undefined : random.once(4) ? HALF_WIDTH_WIDE_BINS : HALF_WIDTH_BINS;
  return { kind: 'zapIn', pool, pairName, inputLamports: INPUT_LAMPORTS, halfWidth };
}

/** How far a price moves, in percent, so that positions of the usual width are out of range. */
export function beyondRange({ bin_step: binStep }: DiscoveredPool): number {
  return ((1 + binStep / 10_000) ** (HALF_WIDTH_BINS + 3) - 1) * 100;
}
