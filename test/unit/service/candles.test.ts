import assert from 'node:assert/strict';
import { candlesSince, readCandles } from '../../../src/service/candles';
import { ParseWarnings } from '../../../src/service/parsing/records';

const HOUR_S = 3_600;
const NOW_MS = 1_800_000_000_000;

describe('Candles of a pool', () => {
  it('are read in order of time, each time once, without those that are outside the span or contradict themselves', () => {
    const candle = (time: number, part: object = {}) => ({ time, open: 2, high: 4, low: 1, close: 3, volume: 5, ...part });
    const list = [
      candle(2 * HOUR_S),
      candle(HOUR_S),
      candle(HOUR_S, { close: 2 }),
      candle(0),
      candle(4 * HOUR_S),
      candle(3 * HOUR_S, { high: 2.5 }),
      candle(3 * HOUR_S, { low: 0 }),
      candle(3 * HOUR_S, { open: 'many' }),
    ];
    const read = readCandles(
      list,
      'data',
      { warnings: new ParseWarnings(), nowMs: NOW_MS },
      { length: '1h', fromS: HOUR_S, toS: 3 * HOUR_S },
    );
    assert.deepEqual(
      read.map(({ fromMs, toMs, close }) => [fromMs / 1_000, toMs / 1_000, close]),
      [
        [HOUR_S, 2 * HOUR_S, 2],
        [2 * HOUR_S, 3 * HOUR_S, 3],
      ],
    );
  });

  it('are asked for in the shortest length of which three hundred are enough, and never more of them', () => {
    const lengthFor = (hours: number) => candlesSince(NOW_MS - hours * 3_600_000, NOW_MS);
    assert.deepEqual(
      [1, 25, 26, 150, 151, 300, 301, 1_200, 1_201].map((hours) => lengthFor(hours).length),
      ['5m', '5m', '30m', '30m', '1h', '1h', '4h', '4h', '24h'],
    );
    const long = lengthFor(24 * 1_000);
    assert.deepEqual([long.length, long.toS - long.fromS], ['24h', 300 * 24 * HOUR_S]);
  });
});
