import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ageOf, checkRange, gainOf, worthOf } from '../../../src/autoRebalance/plausibility';
import { openPosition } from '../../support/portfolio/fixtures';
import { above, GLITCHES, HOUR_MS, listed, START_MS } from '../../support/autoRebalance/listed';

const ALONE = { pool: undefined, ledgerProblem: undefined };

describe('Plausible figures of a position', () => {
  it('Consistent figures are plausible', () => {
    const life = fc.record({
      active: fc.integer({ min: -400, max: -360 }),
      valueUsd: fc.double({ min: 1, max: 1e6, noNaN: true }),
      feeUsd: fc.double({ min: 0, max: 100, noNaN: true }),
      inputUsd: fc.double({ min: 20, max: 1e5, noNaN: true }),
    });
    fc.assert(
      fc.property(life, ({ active, valueUsd, feeUsd, inputUsd }) => {
        const position = listed({ active, valueUsd, feeUsd, inputUsd });
        assert.equal(checkRange(position, undefined).kind, active < -386 || active > -376 ? 'out' : 'in');
        assert.deepEqual(worthOf(position), { isPlausible: true, value: valueUsd });
        for (const currency of ['usd', 'native'] as const) {
          const gain = gainOf(position, currency, ALONE);
          const percent = (100 * (valueUsd + feeUsd - inputUsd)) / inputUsd;
          assert.equal(gain.isPlausible, percent >= -90);
          assert.ok(!gain.isPlausible || Math.abs(gain.value - percent) < 1e-6);
        }
      }),
    );
  });

  it('A position out of range reports on which side the price is, and how many bins away', () => {
    assert.deepEqual(checkRange(above({}, 7), undefined), { kind: 'out', side: 'above', bins: 7 });
    assert.deepEqual(checkRange(listed({ active: -390 }), undefined), { kind: 'out', side: 'below', bins: 4 });
    assert.deepEqual(checkRange(listed({ active: -386 }), undefined), { kind: 'in' });
    assert.deepEqual(checkRange(listed({ active: -376 }), undefined), { kind: 'in' });
  });

  for (const [name, { spoils, of }] of Object.entries(GLITCHES)) {
    it(`A spoiled figure is implausible: ${name}`, () => {
      for (const position of [above(), listed({ valueUsd: 60 }), listed({ active: -400, valueUsd: 300 })]) {
        const glitched = of(position);
        const plausible = {
          range: checkRange(glitched, undefined).kind !== 'unclear',
          worth: worthOf(glitched).isPlausible,
          gain: gainOf(glitched, 'usd', ALONE).isPlausible,
        };
        assert.equal(plausible[spoils], false, `${name}: ${JSON.stringify(plausible)}`);
      }
    });
  }

  it('A gain or loss against deposits from public data alone is no reason to act', () => {
    const position = listed({ valueUsd: 60 });
    assert.equal(gainOf(position, 'usd', ALONE).isPlausible, true);
    assert.equal(gainOf({ ...position, doubt: 'reported' }, 'usd', ALONE).isPlausible, false);
    assert.equal(gainOf({ ...position, doubt: 'contradicted' }, 'usd', ALONE).isPlausible, true);
  });

  it('A position reported out of range may not hold both tokens', () => {
    const both = { ...above(), amount0: listed().amount0, amount1: listed().amount1 };
    assert.equal(checkRange(both, undefined).kind, 'unclear');
  });

  it('The reported PnL may include rewards or not', () => {
    const position = listed({ valueUsd: 90 });
    for (const counted of [0, 5]) {
      const usd = (position.pnl.usd ?? 0) + counted;
      assert.equal(
        gainOf(
          { ...position, collectedReward: { usd: 5, native: 0 }, pnl: { usd, native: 0 }, pnlPercent: { usd, native: 0 } },
          'usd',
          ALONE,
        ).isPlausible,
        true,
      );
    }
  });

  it('A DAMM v2 position has no range', () => {
    assert.deepEqual(
      checkRange(openPosition(0, { poolType: 'dammV2', lowerBinId: undefined, upperBinId: undefined, inRange: true }), undefined),
      { kind: 'none' },
    );
  });

  it('The age comes from the creation time, else the reported age, and is unknown without a plausible one', () => {
    assert.equal(ageOf(listed({ ageMs: HOUR_MS }), START_MS), HOUR_MS);
    assert.equal(ageOf({ ...listed({ ageMs: HOUR_MS }), ageHours: 0 }, START_MS), HOUR_MS);
    assert.equal(ageOf({ ...listed(), createdAt: undefined, ageHours: 2 }, START_MS), 2 * HOUR_MS);
    assert.equal(ageOf({ ...listed(), createdAt: new Date(START_MS + 8 * HOUR_MS), ageHours: 2 }, START_MS), 2 * HOUR_MS);
    assert.equal(ageOf({ ...listed(), createdAt: new Date(START_MS + 8 * HOUR_MS), ageHours: undefined }, START_MS), undefined);
    assert.equal(ageOf({ ...listed(), createdAt: undefined, ageHours: undefined }, START_MS), undefined);
  });
});
