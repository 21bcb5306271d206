import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { PositionEvent } from '../../../../src/protocol/position';
import { againstHolding } from '../../../../webview/position/againstHolding';

/** 90 X at $2 and 60 Y at $1 now, $3 of unclaimed and $2 of claimed fees. */
const POSITION = {
  x: { symbol: 'X', amount: 90, priceUsd: 2, uncollectedFee: 0 },
  y: { symbol: 'Y', amount: 60, priceUsd: 1, uncollectedFee: 0 },
  input: { usd: 200, native: undefined },
  output: { usd: 0, native: undefined },
  collectedFee: { usd: 2, native: undefined },
  uncollectedFee: { usd: 3, native: undefined },
};

/** Tokens X and Y of six decimals, when X cost $1. */
const event = (action: string, x: number | undefined, y: number | undefined, more: Partial<PositionEvent> = {}): PositionEvent => ({
  action,
  atMs: 1,
  amount0Raw: x === undefined ? undefined : String(Math.round(x * 1e6)),
  amount1Raw: y === undefined ? undefined : String(Math.round(y * 1e6)),
  decimals0: 6,
  decimals1: 6,
  price0Usd: 1,
  price1Usd: 1,
  ...more,
});
const DEPOSIT = event('add_liquidity', 100, 100);

describe('A position compared with holding', () => {
  it('The comparison takes the deposited tokens at current prices, and adds fees', () => {
    const compared = againstHolding(POSITION, [event('claim_fee', 1, 1), DEPOSIT]);
    assert.ok(typeof compared === 'object');
    const { heldUsd, nowUsd, priceEffectUsd, feesUsd, differenceUsd, differencePercent } = compared;
    assert.deepEqual([heldUsd, nowUsd, priceEffectUsd, feesUsd, differenceUsd], [300, 240, -60, 5, -55]);
    assert.ok(Math.abs(differencePercent + 55 / 3) < 1e-9);
  });

  it('Withdrawn tokens count at current prices, too', () => {
    const compared = againstHolding({ ...POSITION, output: { usd: 20 } }, [event('decrease', 10, 10), DEPOSIT]);
    assert.ok(typeof compared === 'object');
    assert.deepEqual([compared.nowUsd, compared.heldUsd], [270, 300]);
  });

  it('There is no comparison unless every deposit and withdrawal is known', () => {
    for (const [reason, events, part] of [
      ['noEvents', undefined, {}],
      ['noEvents', [], {}],
      ['noEvents', [event('claim_fee', 1, 1)], {}],
      ['unknownAmounts', [event('add', undefined, 100)], {}],
      ['unknownAmounts', [event('deposit', 100, 100, { decimals0: undefined })], {}],
      ['unknownAmounts', [DEPOSIT, event('migrate', 5, 0)], {}],
      ['unknownAmounts', [DEPOSIT], { collectedFee: {} }],
      ['incomplete', [DEPOSIT], { input: { usd: 260 } }],
      ['incomplete', [DEPOSIT], { output: { usd: 20 } }],
      ['incomplete', [DEPOSIT], { input: {} }],
      ['incomplete', [DEPOSIT], { output: {} }],
      ['incomplete', [event('remove', 10, 10), DEPOSIT], {}],
      ['incomplete', [event('add', 100, 100, { price0Usd: undefined })], {}],
      ['noPrices', [DEPOSIT], { x: { ...POSITION.x, priceUsd: undefined } }],
      ['noPrices', [DEPOSIT], { y: { ...POSITION.y, amount: undefined } }],
    ] as const) {
      assert.equal(againstHolding({ ...POSITION, ...part }, events), reason, `${reason} ${JSON.stringify(part)}`);
    }
  });

  it('A position that still holds its deposit differs from holding by its fees, whatever the prices are', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1e6, noNaN: true }), fc.double({ min: 1e-6, max: 1e6, noNaN: true }), (priceX, priceY) => {
        const [x, y] = [
          { ...POSITION.x, amount: 100, priceUsd: priceX },
          { ...POSITION.y, amount: 100, priceUsd: priceY },
        ];
        const compared = againstHolding({ ...POSITION, x, y }, [DEPOSIT]);
        assert.ok(typeof compared === 'object');
        assert.ok(Math.abs(compared.differenceUsd - 5) < 1e-6 && Math.abs(compared.priceEffectUsd) < 1e-6);
      }),
    );
  });
});
