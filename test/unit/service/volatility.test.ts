import assert from 'node:assert/strict';
import type { CandlesSpan, PoolCandle } from '../../../src/service/candles';
import { type PoolVolatility, readVolatility } from '../../../src/service/volatility';
import { addressOf } from '../../support/portfolio/fixtures';

const NOW_MS = 1_800_000_000_000;
const LENGTHS_MS: Readonly<Partial<Record<CandlesSpan['length'], number>>> = { '30m': 1_800_000, '5m': 300_000 };

/** What is read of a pool whose candles of each length have these closing prices, the last one now. */
async function read(prices: Partial<Record<CandlesSpan['length'], readonly number[]>> | undefined): Promise<PoolVolatility> {
  const candles = (_: unknown, { length }: CandlesSpan): Promise<readonly PoolCandle[] | undefined> => {
    const lengthMs = LENGTHS_MS[length] ?? assert.fail(length);
    const known = prices?.[length] ?? [];
    const found = known.map((close, place): PoolCandle => {
      const open = known[place - 1] ?? close;
      const toMs = NOW_MS - (known.length - 1 - place) * lengthMs;
      return { fromMs: toMs - lengthMs, toMs, open, close, low: Math.min(open, close), high: Math.max(open, close), volumeUsd: undefined };
    });
    return Promise.resolve(prices === undefined ? undefined : found);
  };
  return readVolatility({ candles }, addressOf(1), 20, NOW_MS, AbortSignal.timeout(60_000));
}

const swinging = (count: number): readonly number[] => Array.from({ length: count }, (_, place) => 1 + 0.01 * (place % 2));

describe('The volatility of a pool', () => {
  it('A pool of some days has it from half hours, a younger one from five minutes, and one of an hour roughly', async () => {
    const old = await read({ '30m': swinging(336) });
    assert.ok(old.known && !old.isRough && old.candles === 336);
    const young = await read({ '30m': swinging(14), '5m': swinging(84) });
    assert.ok(young.known && !young.isRough, JSON.stringify(young));
    const new_ = await read({ '30m': swinging(2), '5m': swinging(12) });
    assert.ok(new_.known && new_.isRough && new_.candles === 12);
    assert.ok(new_.high / new_.low > 3.9);
  });

  it('Where it is not known there is the reason: no candles, too few, a price that stays, or prices that contradict each other', async () => {
    const why = async (...parameters: Parameters<typeof read>): Promise<string> => {
      const view = await read(...parameters);
      return view.known ? 'known' : view.why;
    };
    assert.equal(await why(undefined), 'noCandles');
    assert.equal(await why({}), 'noCandles');
    assert.equal(await why({ '30m': swinging(3) }), 'tooFewCandles');
    assert.equal(await why({ '30m': Array.from({ length: 100 }, () => 1) }), 'noMovement');
    // One candle in twenty is somewhere else.
    assert.equal(await why({ '30m': swinging(336).map((price, place) => (place % 20 === 10 ? 3 * price : price)) }), 'contradicting');
  });
});
