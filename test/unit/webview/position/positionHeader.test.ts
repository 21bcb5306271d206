import assert from 'node:assert/strict';
import type { PositionView } from '../../../../src/protocol/position';
import { mainOperation } from '../../../../webview/position/positionHeader';

type State = Pick<PositionView, 'inRange' | 'poolType' | 'uncollectedFee'>;

describe('The main button of a position’s panel', () => {
  const of = (change: Partial<State>, isOwnService = true) =>
    mainOperation({ inRange: true, poolType: 'dlmm', uncollectedFee: { usd: 0.2 }, ...change }, isOwnService);

  it('Out of range it rebalances, whatever fees wait; pools without a range have nothing to come back to', () => {
    assert.equal(of({ inRange: false, uncollectedFee: { usd: 50 } }), 'rebalance');
    assert.equal(of({ inRange: false, poolType: 'dammV2' }), 'zapOut');
  });

  it('It claims where the service can and a dollar or more waits, and otherwise zaps out', () => {
    assert.equal(of({ uncollectedFee: { usd: 1 } }), 'claim');
    assert.equal(of({ uncollectedFee: { usd: 50 } }, false), 'zapOut');
    assert.equal(of({ uncollectedFee: {} }), 'zapOut');
    assert.equal(of({}), 'zapOut');
  });
});
