import assert from 'node:assert/strict';
import { SETTING } from '../../../src/editor/names';
import { READ } from '../../../src/editor/settings/values';

describe('A setting', () => {
  const cases = [
    [SETTING.refreshIntervalSeconds, [15, 60, 3600], [14, 3601, 60.5, '60', null, undefined, NaN]],
    [SETTING.slippageBps, [0, 100, 10_000], [-1, 10_001, 0.5, '100', true]],
    [SETTING.poolsSortBy, ['tvl', 'vol_24h', 'fee_tvl_ratio'], ['TVL', '', 7, {}]],
    [SETTING.statusBarCurrency, ['usd', 'sol'], ['eur', 'USD', undefined]],
  ] as const;

  for (const [key, right, wrong] of cases) {
    it(`${key} is taken within its bounds`, () => {
      for (const raw of right) {
        assert.deepEqual(READ[key](raw), { ok: true, value: raw });
      }
    });

    it(`${key} is refused outside of them, with what was found and what would be right`, () => {
      for (const raw of wrong) {
        const reading = READ[key](raw);
        assert.equal(reading.ok, false);
        assert.match(reading.message, /has to be (a whole number of|one of) .+, not .+/);
      }
    });
  }

  it('is quoted shortened where it is long', () => {
    const reading = READ[SETTING.poolsSortBy]('x'.repeat(1_000));
    assert.ok(!reading.ok && reading.message.length < 200);
  });
});
