import { WRAPPED_SOL_MINT } from '../../src/base/solana/programs';
import type { DiscoveredPool } from '../support/sandbox/client';
import type { JobName } from './plans';
import type { Job } from './protocol';
import type { World } from './world';

/** A job in a pool. */
export interface Task {
  readonly job: Job;
  readonly pool: string;
  /** How far the pool's price was moved before, in percent. */
  readonly movedPercent: number;
}

const LAMPORTS_PER_SOL = 1e9;
const INPUT_SOL = 0.1;
/** Enough to re-enter even if bin arrays must be paid for. */
const REBALANCED_SOL = 0.5;
/** Below the minimum for a re-entry after the rent of the new position, although rent is refunded, too. */
const SMALL_SOL = 0.005;
const HALF_WIDTH = 10;
/** 121 bins. */
const HALF_WIDTH_WIDE = 60;
/** Bins beyond the bound of the range. */
const OUT_OF_RANGE_BINS = 3;
const SHARE_BPS = 4_000;
/** A swap sells this part of a token of the wallet: many trials share it. */
const SOLD_PART = 1_000n;
const LEAST_SOLD_RAW = 1_000_000n;
/** Moves the price within the range. */
const TRADED_PERCENT = 1;
const RESERVE_LAMPORTS = 50_000_000n;
/** The reserve exceeds the balance by this amount, so only a part of the proceeds is re-entered. */
const KEPT_LAMPORTS = 100_000_000n;

/** Creates a task; opens a position first if the job closes one. @param number index of a suitable pool, modulo their number */
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
    case 'claim': {
      const position = await world.enter(pool, INPUT_SOL, halfWidth);
      // Trading in its bins.
      await world.shock(pool, TRADED_PERCENT);
      return { pool, movedPercent: TRADED_PERCENT, job: { kind: 'claim', position } };
    }
    case 'compound': {
      const position = await world.enter(pool, INPUT_SOL, halfWidth);
      await world.shock(pool, TRADED_PERCENT);
      return { pool, movedPercent: TRADED_PERCENT, job: { kind: 'addLiquidity', position, inputLamports: undefined } };
    }
    case 'add':
    case 'addWide': {
      const position = await world.enter(pool, INPUT_SOL, halfWidth);
      return { pool, movedPercent: 0, job: { kind: 'addLiquidity', position, inputLamports: BigInt(INPUT_SOL * LAMPORTS_PER_SOL) } };
    }
    case 'swap': {
      const { tokens } = await world.estate();
      const [mint, held] = [...tokens].find(([one, amount]) => one !== WRAPPED_SOL_MINT && amount > LEAST_SOLD_RAW * SOLD_PART) ?? [];
      if (mint === undefined || held === undefined) {
        throw new Error('The wallet has no tokens');
      }
      return { pool, movedPercent: 0, job: { kind: 'swap', mint, amountRaw: held / SOLD_PART } };
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

/** A position that is out of range. */
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
