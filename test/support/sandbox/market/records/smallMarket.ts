import { binArraysOf } from '../../../../../src/base/dlmm/bins';
import { spreadOverBins, STRATEGIES } from '../../../../../src/base/dlmm/strategy';
import type { ProtocolNames } from '../../../../../src/engine/engine';
import type { RecordContext } from '../../../../../src/sandbox/market/records/recordContext';
import { Random } from '../../../../../src/sandbox/market/random';
import { rawTokens } from '../../../../../src/sandbox/market/units';
import type { MarketPool, Position } from '../../../../../src/sandbox/market/types';
import type { Address } from '../../../../../src/base/solana/address';
import { addressOf, DAY, HOUR, livelyWorld, NOON, OWNER, poolOf, type World } from '../worlds';

const PAST_DAYS = 45;
const STEP_HOURS = 8;
/** At the end time goes by in minutes, so that short spans have trades, too. */
const LAST_MINUTES = 45;
/** Where people of this market go: both types, and bin steps from 4 to 80. */
const POOL_KEYS = ['SOL-USDC-4', 'BONQ-SOL-25', 'WYFF-SOL-80', 'JUPP-SOL-DAMM-25', 'SOL-USDC-DAMM-4'];
const MOST_OPEN = 40;

/** How protocols are called in these tests: not as by default. */
export const PROTOCOLS: ProtocolNames = { bins: 'pretend', product: 'pretend_damm_v2' };

/** Everybody who has positions, but for the rest of the world. */
export const PEOPLE: readonly Address[] = [OWNER, ...Array.from({ length: 7 }, (_, index) => addressOf(`person ${index}`))];

/** A market with forty-five days behind it, in which a few people opened, changed and closed positions in five pools. */
export interface SmallMarket extends World {
  readonly reading: RecordContext;
  /** Every position there ever was, as it is now; the rest of the world's included. */
  readonly positions: () => readonly Readonly<Position>[];
}

/** Plays it; the same for the same seed. Everything is committed. */
export function smallMarket(seed: number): SmallMarket {
  const world = livelyWorld(seed, NOON - PAST_DAYS * DAY, 0.05);
  const { market, unit, database, chain } = world;
  const random = Random.seeded(seed, 'small market');
  const opened: Address[] = POOL_KEYS.flatMap((key) => market.positions.at(addressOf(`somebody in ${key}`))?.address ?? []);
  market.settleVaults();
  unit.commit();
  for (let hour = 0; hour < PAST_DAYS * 24; hour += STEP_HOURS) {
    market.step((STEP_HOURS * HOUR) / 1_000);
    live(world, random, opened);
    market.settleVaults();
    unit.commit();
  }
  for (let minute = 0; minute < LAST_MINUTES; minute += 1) {
    market.step(60);
  }
  market.settleVaults();
  unit.commit();
  return {
    ...world,
    reading: { database, market, chain, protocols: PROTOCOLS },
    positions: () => opened.map((address) => known(market.positions.at(address))),
  };
}

/** Once in eight hours a few people open, take a part out, collect or close. */
function live({ market }: World, random: Random, opened: Address[]): void {
  const open = opened
    .map((address) => known(market.positions.at(address)))
    .filter(({ closing, owner }) => closing === null && owner !== market.world);
  for (let count = random.integer(0, 3); count > 0 && open.length < MOST_OPEN; count -= 1) {
    opened.push(openOne(market, random, `position ${opened.length}`));
  }
  for (const { address, pool: poolAddress } of open) {
    const pool = known(market.poolAt(poolAddress));
    const chance = random.uniform();
    if (chance < 0.08) {
      withdraw(market, pool, address, 10_000);
      market.books.collect(pool, address);
      market.books.close(pool, address);
    } else if (chance < 0.13) {
      withdraw(market, pool, address, 2_500);
    } else if (chance < 0.2) {
      market.books.collect(pool, address);
    }
  }
}

function openOne(market: World['market'], random: Random, label: string): Address {
  const pool = poolOf(market, known(POOL_KEYS[random.integer(0, POOL_KEYS.length - 1)]));
  const owner = known(PEOPLE[random.integer(0, PEOPLE.length - 1)]);
  const address = addressOf(label);
  const usd = random.between(20, 4_000);
  const amounts = {
    x: rawTokens(usd / 2 / market.usd(pool.tokenX), pool.tokenX),
    y: rawTokens(usd / 2 / market.usd(pool.tokenY), pool.tokenY),
  };
  if (pool.type === 'product') {
    market.books.open({ address, owner, pool, strategy: 'Spot', range: undefined, nftMint: addressOf(`${label}'s NFT`) });
    market.books.depositLiquidity(pool, address, pool.liquidityFor(amounts));
    return address;
  }
  const half = random.integer(2, 34);
  const range = { fromBinId: pool.activeBinId - half, toBinId: pool.activeBinId + half };
  const strategy = known(STRATEGIES[random.integer(0, 2)]);
  binArraysOf(range.fromBinId, range.toBinId).forEach((index) => pool.addBinArray(index));
  market.books.open({ address, owner, pool, strategy, range, nftMint: undefined });
  market.books.depositBins(
    pool,
    address,
    spreadOverBins({
      ...range,
      activeBinId: pool.activeBinId,
      binStepBps: pool.spec.binStepBps,
      strategy,
      amountX: amounts.x,
      amountY: amounts.y,
    }),
  );
  return address;
}

function withdraw({ books, positions }: World['market'], pool: MarketPool, address: Address, shareBps: number): void {
  const { lowerBinId, upperBinId, holding } = known(positions.at(address));
  if (pool.type === 'bins') {
    books.withdrawBins(pool, address, { fromBinId: known(lowerBinId), toBinId: known(upperBinId) }, shareBps);
  } else if (holding?.type === 'product') {
    books.withdrawLiquidity(pool, address, (holding.liquidity * BigInt(shareBps)) / 10_000n, shareBps);
  }
}

/** @throws Error where there is none. */
export function known<Value>(value: Value | null | undefined): Value {
  if (value === undefined || value === null) {
    throw new Error('It is not there');
  }
  return value;
}
