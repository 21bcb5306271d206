import assert from 'node:assert/strict';
import fc from 'fast-check';
import { subjectOf } from '../../../../src/ui/panels/panelProtocols';
import { pool } from '../../../support/portfolio/fixtures';

const POOL = pool(1).address;

describe('The subject of a restored panel', () => {
  it('The subject of a restored panel is read from the state of its page', () => {
    assert.equal(subjectOf('pool', { pool: POOL, mode: 'plan', plan: { amountText: '1.' } }), POOL);
    assert.equal(subjectOf('position', { key: 'some key', currency: 'usd' }), 'some key');
    assert.equal(subjectOf('overview', undefined), '');
    assert.equal(subjectOf('overview', { period: 'no' }), '');
  });

  it('The subject is unknown if the state of the page is invalid', () => {
    for (const state of [
      undefined,
      null,
      'x',
      {},
      { pool: 5 },
      { pool: '' },
      { pool: `${POOL.slice(1)}0` },
      { pool: POOL, mode: 'steal' },
      { pool: `${POOL}${POOL}` },
    ]) {
      assert.equal(subjectOf('pool', state), undefined, JSON.stringify(state));
    }
    for (const state of [undefined, {}, { key: '' }, { key: 5 }, { key: 'x'.repeat(201) }]) {
      assert.equal(subjectOf('position', state), undefined, JSON.stringify(state));
    }
  });

  it('Reading the subject never throws', () => {
    fc.assert(
      fc.property(fc.constantFrom('pool' as const, 'position' as const, 'overview' as const), fc.anything(), (id, state) => {
        const subject = subjectOf(id, state);
        assert.ok(subject === undefined || typeof subject === 'string');
      }),
    );
  });
});
