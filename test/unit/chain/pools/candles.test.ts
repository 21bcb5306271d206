import assert from 'node:assert/strict';
import { address } from '../../../../src/base/solana/address';
import type { Candle, DataSpan, PoolDataApi } from '../../../../src/chain/dataApi/types';
import { DataApiError } from '../../../../src/chain/dataApi/types';
import { PoolCandles } from '../../../../src/chain/records/poolCandles';
import { poolAddressOf } from '../../../support/chain/dataPools';

const HOUR_S = 3_600;
const START_S = 1_000 * HOUR_S;
const COUNT = 500;
const MOST_AT_ONCE = 72;

describe('chain: candles of a pool', () => {
  let spans: DataSpan[];
  let failure: DataApiError | undefined;
  const lines: string[] = [];
  let now: number;

  beforeEach(() => {
    spans = [];
    failure = undefined;
    lines.length = 0;
    now = 0;
  });

  /** An API with candles of some hours; of a span it answers so many at its beginning or its end. */
  const reader = (side: 'oldest' | 'newest', count = COUNT): PoolCandles => {
    const all = Array.from({ length: count }, (_, hour): Candle => {
      const timeS = START_S + hour * HOUR_S;
      return { timeS, open: 1, high: 3, low: 1, close: 2, volumeUsd: hour };
    });
    const candles: PoolDataApi['candles'] = async (_pool, span) => {
      spans.push(span);
      if (failure !== undefined) {
        throw failure;
      }
      const within = all.filter(({ timeS }) => timeS >= span.startS && timeS <= span.endS);
      return side === 'oldest' ? within.slice(0, MOST_AT_ONCE) : within.slice(-MOST_AT_ONCE);
    };
    const api = { candles } as unknown as PoolDataApi;
    return new PoolCandles({ dataApis: { dlmm: undefined, damm: api }, now: () => now, log: (line) => lines.push(line) });
  };
  const timesOf = async (candles: PoolCandles, program: 'dlmm' | 'damm' = 'damm'): Promise<readonly number[]> => {
    const state = { address: address(poolAddressOf(1)), program } as Parameters<PoolCandles['of']>[0]['state'];
    const span = { timeframe: '1h', fromS: START_S - 100 * HOUR_S, toS: START_S + (COUNT - 1) * HOUR_S } as const;
    return (await candles.of({ state }, span)).map(({ time }) => time);
  };
  const hours = (count: number): readonly number[] => Array.from({ length: count }, (_, hour) => START_S + hour * HOUR_S);

  for (const side of ['oldest', 'newest'] as const) {
    it(`All candles of a span come, although the API answers only its ${side} 72 at once`, async () => {
      assert.deepEqual(await timesOf(reader(side)), hours(COUNT));
      assert.ok(spans.length <= 20, `${spans.length} requests`);
    });
  }

  it('A pool that has not been traded since has the candles that there are, and the same question is asked once in half a minute', async () => {
    const candles = reader('newest', 10);
    assert.deepEqual(await timesOf(candles), hours(10));
    const asked = spans.length;
    await timesOf(candles);
    assert.equal(spans.length, asked);
    now += 30_000;
    await timesOf(candles);
    assert.equal(spans.length, 2 * asked);
  });

  it('Without the data API, or its answer, no candle is known, and the log says why once', async () => {
    const candles = reader('newest');
    assert.deepEqual(await timesOf(candles, 'dlmm'), []);
    failure = new DataApiError('unreachable', 'The data API cannot be reached');
    assert.deepEqual(await timesOf(candles), []);
    now += 5_000;
    assert.deepEqual(await timesOf(candles), []);
    assert.deepEqual(lines, ['The data API cannot be reached: candles of DAMM v2 pools are not known.']);
    failure = undefined;
    now += 5_000;
    assert.equal((await timesOf(candles)).length, COUNT);
  });
});
