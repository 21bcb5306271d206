import assert from 'node:assert/strict';
import { actionLabels, eventAmount, eventValueUsd } from '../../../../webview/position/events';

describe('Position events', () => {
  for (const action of ['add_liquidity', 'addLiquidity', 'ADD LIQUIDITY', ' add-liquidity ']) {
    it(`Position events recognize ${JSON.stringify(action)} as a deposit`, () => assert.equal(actionLabels(action).label, 'Deposited'));
  }

  it('An unknown action is shown in words, and truncated if it is long', () => {
    assert.equal(actionLabels('swap_and_bridge').label, 'Swap and bridge');
    assert.equal(actionLabels('x'.repeat(500)).label.length, 61);
    assert.equal(actionLabels('  ').label, 'Unknown event');
    assert.equal(actionLabels('constructor').label, 'Constructor');
  });

  it('Amounts are formatted by their decimals, or as "–" if the decimals are unknown or invalid', () => {
    assert.equal(eventAmount('1234567000', 6, 'en'), '1,234.56');
    assert.equal(eventAmount('1234567000', undefined, 'en'), '–');
    assert.equal(eventAmount('1', -3, 'en'), '–');
    assert.equal(eventAmount('1', 1.5, 'en'), '–');
    assert.equal(eventAmount(undefined, 6, 'en'), '–');
  });

  it('An event is valued from both tokens, unless one of them has no price', () => {
    const event = { action: 'claim_fee', amount0Raw: '2000', decimals0: 3, price0Usd: 1.5, amount1Raw: '5', decimals1: 0, price1Usd: 10 };
    assert.equal(eventValueUsd(event), 53);
    assert.equal(eventValueUsd({ ...event, price1Usd: undefined }), undefined);
    assert.equal(eventValueUsd({ ...event, amount1Raw: '0', price1Usd: undefined }), 3);
  });
});
