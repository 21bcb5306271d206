import assert from 'node:assert/strict';
import { address } from '../../../../src/base/solana/address';
import type { Candle, DataSpan, PoolDataApi } from '../../../../src/chain/dataApi/types';
import { DataApiError } from '../../../../src/chain/dataApi/types';
import type { IndexedPosition } from '../../../../src/chain/index/types';
import { PoolCandles } from '../../../../src/chain/records/poolCandles';
import { recordedCandles } from '../../../../src/chain/records/recordedPrices';
import { passingReadings } from '../../../../src/engine/counters/readings';
import type { WireCandle } from '../../../../src/engine/wire/candles';
import { poolAddressOf } from '../../../support/chain/dataPools';

const HOUR_S = 3_600;
const START_S = 1_000 * HOUR_S;
const COUNT = 500;
const MOST_AT_ONCE = 72;
const POOL = address(poolAddressOf(1));

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
    const readings = passingReadings();
    const range = { fromBinId: 0, toBinId: 0 };
    for (const [timeS, activeBinId] of [
      [START_S - 5, 0],
      [START_S + 10, 2],
      [START_S + 900, -1],
    ] as const) {
      readings.keep(POOL, { timeS, slot: timeS, activeBinId, active: { x: 0n, y: 0n }, range, bins: [] });
    }
    const event = { blockTimeS: START_S + 20, rawPrice: 0.003 };
    const index = { positions: () => [{ events: [event, { ...event, rawPrice: undefined }] }] as unknown as readonly IndexedPosition[] };
    const recorded = recordedCandles({ index, readings, now: () => now });
    return new PoolCandles({ dataApis: { dlmm: undefined, damm: api }, recorded, now: () => now, log: (line) => lines.push(line) });
  };
  const candlesOf = async (candles: PoolCandles, program: 'dlmm' | 'damm' = 'damm'): Promise<readonly WireCandle[]> => {
    const tokens = { x: { decimals: 9 }, y: { decimals: 6 } };
    const state = { address: POOL, program, binStep: 100, rawPrice: 0.002, ...tokens } as Parameters<PoolCandles['of']>[0]['state'];
    const span = { timeframe: '1h', fromS: START_S - 100 * HOUR_S, toS: START_S + (COUNT - 1) * HOUR_S } as const;
    return await candles.of({ state }, span);
  };
  const timesOf = async (candles: PoolCandles, program?: 'dlmm' | 'damm'): Promise<readonly number[]> =>
    (await candlesOf(candles, program)).map(({ time }) => time);
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

  it('Without the data API, or its answer, candles are those of recorded bins, of events and of the present, and the log says why once', async () => {
    now = (START_S + 2 * HOUR_S) * 1_000;
    const candles = reader('newest');
    const volume = null;
    const expected = [
      { time: START_S - HOUR_S, open: 1_000, high: 1_000, low: 1_000, close: 1_000, volume },
      { time: START_S, open: 1_020.1, high: 1_020.1, low: 3, close: 1_000 / 1.01, volume },
      { time: START_S + 2 * HOUR_S, open: 2, high: 2, low: 2, close: 2, volume },
    ];
    const rounded = (list: readonly WireCandle[]): unknown =>
      list.map((candle) =>
        Object.fromEntries(Object.entries(candle).map(([name, value]: [string, number | null]) => [name, value?.toPrecision(9)])),
      );
    assert.deepEqual(rounded(await candlesOf(candles, 'dlmm')), rounded(expected));
    failure = new DataApiError('unreachable', 'The data API cannot be reached');
    assert.deepEqual(rounded(await candlesOf(candles)), rounded(expected));
    now += 5_000;
    await candlesOf(candles);
    assert.deepEqual(lines, ['The data API cannot be reached: candles of DAMM v2 pools are made from recorded prices.']);
    failure = undefined;
    now += 5_000;
    assert.equal((await timesOf(candles)).length, COUNT);
  });
});
