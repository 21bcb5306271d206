import assert from 'node:assert/strict';
import fc from 'fast-check';
import { subjectOf } from '../../../../src/ui/panels/panelTitle';
import { pool } from '../../portfolio/fixtures';

const POOL = pool(1).address;

describe('What a panel was about, when it is brought back', () => {
  it('is read from what its page remembered', async () => {
    assert.equal(await subjectOf('pool', { pool: POOL, mode: 'plan', plan: { amountText: '1.' } }), POOL);
    assert.equal(await subjectOf('position', { key: 'some key', currency: 'usd' }), 'some key');
    assert.equal(await subjectOf('overview', undefined), '');
    assert.equal(await subjectOf('overview', { period: 'no' }), '');
  });

  it('is not known where that is anything else', async () => {
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
      assert.equal(await subjectOf('pool', state), undefined, JSON.stringify(state));
    }
    for (const state of [undefined, {}, { key: '' }, { key: 5 }, { key: 'x'.repeat(201) }]) {
      assert.equal(await subjectOf('position', state), undefined, JSON.stringify(state));
    }
  });

  it('never throws', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('pool' as const, 'position' as const, 'overview' as const), fc.anything(), async (id, state) => {
        const subject = await subjectOf(id, state);
        assert.ok(subject === undefined || typeof subject === 'string');
      }),
    );
  });
});
