import assert from 'node:assert/strict';
import { shortAddress } from '../../../../src/base/format/identifiers';
import { poolNames } from '../../../../src/ui/pools/poolNames';
import { poolRow } from '../../../../src/ui/pools/poolRow';
import { pool } from '../../../support/portfolio/fixtures';

const namesOf = (...pools: readonly ReturnType<typeof pool>[]) => [...poolNames(pools).values()];

describe('The names of pools', () => {
  const WYFF = { pairName: 'WYFF/SOL' };

  it('A pair that is listed once is its own name', () => {
    assert.deepEqual(namesOf(pool(1), pool(2)), ['P1/SOL', 'P2/SOL']);
  });

  it('Pools of one pair are told apart by bin step or type, then by base fee, then by address', () => {
    assert.deepEqual(
      namesOf(
        pool(1, { ...WYFF, binStepBps: 20 }),
        pool(2, { ...WYFF, binStepBps: 100, baseFeePercent: 1 }),
        pool(3, { ...WYFF, binStepBps: 100, baseFeePercent: 0.25 }),
        pool(4, { ...WYFF, binStepBps: undefined, poolType: 'dammV2' }),
        pool(5),
      ),
      ['WYFF/SOL 20 bps', 'WYFF/SOL 100 bps, 1% fee', 'WYFF/SOL 100 bps, 0.25% fee', 'WYFF/SOL DAMM v2', 'P5/SOL'],
    );
    const same = namesOf(pool(1, WYFF), pool(2, WYFF), pool(3, { ...WYFF, baseFeePercent: undefined }));
    assert.equal(new Set(same).size, 3);
    assert.ok(same[0]?.endsWith(` (${shortAddress(pool(1).address)})`), same[0]);
  });

  it('A favorite that is listed as well counts once', () => {
    assert.deepEqual(namesOf(pool(1), pool(1)), ['P1/SOL']);
  });

  it('The row begins with the name, which a narrow sidebar does not cut off', () => {
    const { label, spoken } = poolRow(pool(1), undefined, undefined, false, 'P1/SOL 100 bps');
    assert.equal(label, 'P1/SOL 100 bps');
    assert.match(spoken, /^P1\/SOL 100 bps, DLMM, /);
  });
});
