import assert from 'node:assert/strict';
import type { WireCandle } from '../../../../src/engine/wire/candles';
import { recordedCandles } from '../../../../src/sandbox/market/records/candles';
import { PoolTurnover, turnoverRows } from '../../../../src/sandbox/market/turnover';
import { Database } from '../../../../src/sandbox/store/database';
import { UnitOfWork } from '../../../../src/sandbox/store/unitOfWork';
import { livelyWorld, MINUTE, NOON, poolOf } from '../../../support/sandbox/market/worlds';

const SECOND_MS = 1_000;
/** US dollars for one whole Y. */
const USD_Y = 2;
const PRESENT_USD = 9;
const VOLUME_USD = 10;

describe('Candles of the sandbox', () => {
  const world = livelyWorld(1);
  const pool = poolOf(world.market, 'BONQ-SOL-25');

  /** Candles of five minutes after trades, by minutes after noon. */
  const candlesOf = (
    trades: readonly (readonly [minute: number, priceUsd: number])[],
    nowMinute: number,
    from = 0,
  ): readonly WireCandle[] => {
    const database = Database.inMemory();
    const unit = new UnitOfWork(database);
    const rows = turnoverRows(database);
    unit.enlist(rows);
    const book = new PoolTurnover(pool.address, rows);
    trades.forEach(([minute, priceUsd]) => book.record(NOON + minute * MINUTE, { volumeUsd: VOLUME_USD, feeUsd: 0 }, priceUsd));
    const market = {
      now: NOON + nowMinute * MINUTE,
      pools: [],
      turnoverOf: () => book,
      usd: (token: { readonly mint: string }) => (token.mint === pool.tokenY.mint ? USD_Y : PRESENT_USD),
    };
    return recordedCandles(market, pool, { timeframe: '5m', fromS: at(from), toS: at(nowMinute) });
  };
  const at = (minute: number): number => (NOON + minute * MINUTE) / SECOND_MS;

  it('A candle has the first, highest, lowest and next price of its trades in whole Y, and their volume', () => {
    const trades = [
      [0, 4],
      [1, 8],
      [3, 2],
      [5, 6],
    ] as const;
    assert.deepEqual(candlesOf(trades, 60)[0], { time: at(0), open: 2, high: 4, low: 1, close: 3, volume: 3 * VOLUME_USD });
  });

  it('Intervals without trades have no candle, and the last one before them does not close at a price from behind them', () => {
    const trades = [
      [0, 4],
      [40, 8],
    ] as const;
    const flat = (minute: number, price: number) => ({
      time: at(minute),
      open: price,
      high: price,
      low: price,
      close: price,
      volume: VOLUME_USD,
    });
    assert.deepEqual(candlesOf(trades, 59), [flat(0, 2), flat(40, 4)]);
  });

  it('The candle of the present closes at the present price, and only candles that start in the span are answered', () => {
    const trades = [
      [0, 4],
      [20, 8],
    ] as const;
    assert.deepEqual(candlesOf(trades, 22, 1), [{ time: at(20), open: 4, high: 4.5, low: 4, close: 4.5, volume: VOLUME_USD }]);
  });
});
