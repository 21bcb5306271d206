import assert from 'node:assert/strict';
import { actionLabels, eventAmount, eventValueUsd } from '../../../../webview/position/eventModel';

describe('the events of a position', () => {
  for (const action of ['add_liquidity', 'addLiquidity', 'ADD LIQUIDITY', ' add-liquidity ']) {
    it(`knows ${JSON.stringify(action)}, however it is written`, () => assert.equal(actionLabels(action).label, 'Put in'));
  }

  it('shows an unknown action as words, and no more of it than fits', () => {
    assert.equal(actionLabels('swap_and_bridge').label, 'Swap and bridge');
    assert.equal(actionLabels('x'.repeat(500)).label.length, 61);
    assert.equal(actionLabels('  ').label, 'Event of an unknown kind');
    assert.equal(actionLabels('constructor').label, 'Constructor');
  });

  it('writes amounts by their decimals, and "–" where they make none', () => {
    assert.equal(eventAmount('1234567000', 6, 'en'), '1,234.56');
    assert.equal(eventAmount('1234567000', undefined, 'en'), '–');
    assert.equal(eventAmount('1', -3, 'en'), '–');
    assert.equal(eventAmount('1', 1.5, 'en'), '–');
    assert.equal(eventAmount(undefined, 6, 'en'), '–');
  });

  it('values both sides, and says nothing where one has no price', () => {
    const event = { action: 'claim_fee', amount0Raw: '2000', decimals0: 3, price0Usd: 1.5, amount1Raw: '5', decimals1: 0, price1Usd: 10 };
    assert.equal(eventValueUsd(event), 53);
    assert.equal(eventValueUsd({ ...event, price1Usd: undefined }), undefined);
    assert.equal(eventValueUsd({ ...event, amount1Raw: '0', price1Usd: undefined }), 3);
  });
});
