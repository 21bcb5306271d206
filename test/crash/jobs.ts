import type { DiscoveredPool } from '../sandbox/support/client';
import type { JobName } from './plans';
import type { Job } from './protocol';
import type { World } from './world';

/** Something to do, in a pool. */
export interface Task {
  readonly job: Job;
  readonly pool: string;
  /** By how much the pool's price was moved before, per cent. */
  readonly movedPercent: number;
}

const LAMPORTS_PER_SOL = 1e9;
const INPUT_SOL = 0.1;
/** So much that something is left to put back when bin arrays have to be paid for. */
const REBALANCED_SOL = 0.5;
/** Rent comes back, too: less than what is worth putting back again has to be left after the new position's. */
const SMALL_SOL = 0.005;
const HALF_WIDTH = 10;
/** 121 bins. */
const HALF_WIDTH_WIDE = 60;
/** Bins beyond the edge. */
const OUT_OF_RANGE_BINS = 3;
const SHARE_BPS = 4_000;
const RESERVE_LAMPORTS = 50_000_000n;
/** The wallet is to keep so much more than it has: of what comes out, the rest goes in. */
const KEPT_LAMPORTS = 100_000_000n;

/** Makes something to do; a position that is to be left is opened first. @param number which of the pools that there are for it, counted round and round */
export async function makeTask(name: JobName, number: number, world: World): Promise<Task> {
  const isProduct = name === 'zapOutProduct' || name === 'zapInProduct';
  const halfWidth = isProduct ? undefined : name.endsWith('Wide') ? HALF_WIDTH_WIDE : HALF_WIDTH;
  const pools = await world.pools(isProduct ? 'meteora_damm_v2' : 'meteora');
  const chosen = pools[number % pools.length];
  if (chosen === undefined) {
    throw new Error('There is no pool');
  }
  const { pool, pairName } = chosen;
  switch (name) {
    case 'zapIn':
    case 'zapInWide':
    case 'zapInProduct':
      return {
        pool,
        movedPercent: 0,
        job: { kind: 'zapIn', pool, pairName, inputLamports: BigInt(INPUT_SOL * LAMPORTS_PER_SOL), halfWidth },
      };
    case 'zapOut':
    case 'zapOutShare':
    case 'zapOutWide':
    case 'zapOutProduct': {
      const position = await world.enter(pool, INPUT_SOL, halfWidth);
      return {
        pool,
        movedPercent: 0,
        job: { kind: 'zapOut', position, shareBps: name === 'zapOutShare' ? SHARE_BPS : 10_000, output: 'allBaseToken' },
      };
    }
    case 'rebalance':
    case 'rebalanceWide':
      return outOfRange(chosen, halfWidth ?? HALF_WIDTH, world);
    case 'rebalanceReserve': {
      const position = await world.enter(pool, REBALANCED_SOL, halfWidth);
      const { lamports } = await world.estate();
      return { pool, movedPercent: 0, job: { kind: 'rebalance', position, halfWidth, reserveLamports: lamports + KEPT_LAMPORTS } };
    }
    case 'rebalanceSmall': {
      const position = await world.enter(pool, SMALL_SOL, halfWidth);
      return { pool, movedPercent: 0, job: { kind: 'rebalance', position, halfWidth, reserveLamports: RESERVE_LAMPORTS } };
    }
  }
}

/** A position that its pool's price has left. */
async function outOfRange({ pool, bin_step: binStep }: DiscoveredPool, halfWidth: number, world: World): Promise<Task> {
  const position = await world.enter(pool, REBALANCED_SOL, halfWidth);
  const movedPercent = ((1 + binStep / 10_000) ** (halfWidth + OUT_OF_RANGE_BINS) - 1) * 100;
  await world.shock(pool, movedPercent);
  return {
    pool,
    movedPercent,
    job: {
      kind: 'rebalance',
      position,
      halfWidth: halfWidth === HALF_WIDTH_WIDE ? undefined : halfWidth,
      reserveLamports: RESERVE_LAMPORTS,
    },
  };
}
