import assert from 'node:assert/strict';
import type { Address } from '../../../src/base/solana/address';
import type { LiquidityService } from '../../../src/service/service';
import { readVolatility } from '../../../src/service/volatility';
import { type PriceReading, type PriceRecord, recordedCandles, withPriceRecord } from '../../../src/service/priceRecord';
import { addressOf, openPosition } from '../../support/portfolio/fixtures';
import { POOL, poolInfo } from '../../support/ui/panels/poolFixtures';

const NOW_MS = 1_800_000_000_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const signal = AbortSignal.timeout(60_000);

/** Keeps every reading. */
class Kept implements PriceRecord {
  readonly readings: (PriceReading & { readonly pool: Address })[] = [];

  add(pool: Address, reading: PriceReading): void {
    this.readings.push({ pool, ...reading });
  }

  since(pool: Address, fromMs: number): Promise<readonly PriceReading[]> {
    return Promise.resolve(this.readings.filter((reading) => reading.pool === pool && reading.atMs >= fromMs));
  }
}

/** Readings every five minutes up to now whose logarithm moves by `step` up or down at each, by the bits of a number. */
function walk(hours: number, step: number): readonly PriceReading[] {
  let [log, bits] = [0, 12_345];
  return Array.from({ length: hours * 12 + 1 }, (_, place) => {
    bits = (bits * 1_103_515_245 + 12_345) % 2_147_483_648;
    log += bits > 1_073_741_824 ? step : -step;
    return { atMs: NOW_MS - (hours * 12 - place) * 5 * MINUTE_MS, price: Math.exp(log) };
  });
}

describe('The prices of a service that has none of the past', () => {
  it('are noted with each read of positions and of pools, where bins give them', async () => {
    const record = new Kept();
    const service = {
      openPositions: () =>
        Promise.resolve({
          items: [
            openPosition(1, { pool: POOL, activeBinId: 100, binStepBps: 100 }),
            openPosition(2, { pool: addressOf(502), activeBinId: undefined }),
            openPosition(3, { pool: addressOf(503), activeBinId: 9_999_999, binStepBps: 100 }),
          ],
          warnings: [],
        }),
      poolInfo: () => Promise.resolve(poolInfo({ activeBin: { binId: 101, price: undefined } })),
    } as unknown as LiquidityService;
    const recorded = withPriceRecord(service, record, () => NOW_MS);
    await recorded.openPositions(addressOf(1));
    assert.deepEqual(record.readings, [{ pool: POOL, atMs: NOW_MS, price: record.readings[0]?.price }]);
    assert.ok(Math.abs((record.readings[0]?.price ?? 0) / 1.01 ** 100 - 1) < 1e-12);
    await recorded.poolInfo(POOL);
    assert.equal(record.readings.length, 2);
  });

  it('give the volatility from six hours on, near the true one, and none before', async () => {
    const record = new Kept();
    const recorded = withPriceRecord({} as LiquidityService, record, () => NOW_MS);
    const read = async (hours: number) => {
      record.readings.length = 0;
      walk(hours, 0.004).forEach((reading) => record.add(POOL, reading));
      return readVolatility(recorded, POOL, 0, NOW_MS, signal);
    };
    assert.deepEqual(await read(5), { known: false, why: 'noCandles' });
    for (const hours of [8, 24, 72]) {
      const found = await read(hours);
      assert.ok(found.known && !found.isRough, `${hours} hours: ${JSON.stringify(found)}`);
      // 288 moves of 0.4% a day.
      const truth = 0.004 * Math.sqrt(288);
      assert.ok(found.low < truth && truth < found.high, `${hours} hours: ${found.low} to ${found.high}, not ${truth}`);
    }
  });

  it('say nothing of a time in which nothing was read for more than six hours', () => {
    const span = { length: '30m', fromS: 0, toS: NOW_MS / 1_000 } as const;
    const daily = [3, 2, 1, 0].map((days) => ({ atMs: NOW_MS - days * 24 * HOUR_MS, price: 1 }));
    assert.deepEqual(recordedCandles(daily, span), []);
    assert.equal(recordedCandles(walk(7, 0.001), span).length, 15);
  });
});
