import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { PoolView } from '../../../../../src/protocol/pool';
import { expectedFees, expectedFeesView } from '../../../../../webview/pool/plan/expectedFees';
import { estimatePlan } from '../../../../../webview/pool/plan/planModel';
import type { PlanDraft } from '../../../../../webview/pool/plan/types';
import { figuresOf } from '../../../../../webview/shared/figures';
import { ACTIVE, planState, poolView } from './samples';

const { x, y, fees } = poolView();

/** $100 in each of the 201 bins around the price, and $50 of fees a day. SOL is worth $100. */
function pool(part: Partial<PoolView['fees']> = {}, more: Partial<PoolView> = {}): PoolView {
  return poolView({
    x: { ...x, priceUsd: 0.001 },
    y: { ...y, priceUsd: 100 },
    bins: Array.from({ length: 201 }, (_, place) => ({
      binId: ACTIVE - 100 + place,
      x: place > 100 ? 100_000 : 0,
      y: place > 100 ? 0 : 1,
    })),
    fees: { ...fees, fees24hUsd: 50, ...part },
    ...more,
  });
}

/** 1 SOL, so $100, over 11 bins. */
const DRAFT: PlanDraft = { fromBinId: ACTIVE - 5, toBinId: ACTIVE + 5, strategy: 'Spot', amountText: '1' };

function expected(draft: PlanDraft, of: PoolView): ReturnType<typeof expectedFees> {
  return expectedFees(of, estimatePlan(planState(draft, { pool: of })));
}

describe('The expected fees of a plan', () => {
  it("The expected fees are the plan's share of the liquidity in its bins, times the pool's fees of a day", () => {
    const found = expected(DRAFT, pool());
    assert.ok(typeof found === 'object');
    assert.deepEqual([found.bins, Math.round(found.poolUsd), found.poolFees24hUsd], [11, 1_100, 50]);
    assert.ok(Math.abs(found.share - 100 / 1_200) < 1e-6, String(found.share));
    assert.ok(Math.abs(found.perDayUsd - 50 / 12) < 1e-4);
    assert.ok(Math.abs(found.dailyReturn - 50 / 1_200) < 1e-6);
    // A bin array of 0.0714 SOL, 3 transactions at 0.001 SOL and a tip of 0.01 SOL: $8.44.
    assert.ok(found.daysToCoverCosts !== undefined && Math.abs(found.daysToCoverCosts - 8.44376 / (50 / 12)) < 1e-3);
  });

  it("The protocol's share of the fees is deducted if it is known", () => {
    const [all, rest] = [expected(DRAFT, pool()), expected(DRAFT, pool({ protocolPercent: 20 }))];
    assert.ok(typeof all === 'object' && typeof rest === 'object');
    assert.ok(Math.abs(rest.perDayUsd - 0.8 * all.perDayUsd) < 1e-9);
  });

  it('The rule says what is deducted for the protocol, and that its share is not reported', () => {
    const rule = (protocolPercent: number | undefined): string => {
      const of = pool({ protocolPercent });
      return JSON.stringify(expectedFeesView(of, estimatePlan(planState(DRAFT, { pool: of })), figuresOf('en-US')));
    };
    assert.match(rule(undefined), /of pool fees in 24h, before the protocol's share, which is not reported\./);
    assert.match(rule(20), /of pool fees in 24h, less [\d.]+% for the protocol\./);
    assert.match(rule(0), /of pool fees in 24h\./);
  });

  it('Bins that the service does not report are counted neither for the plan nor for the pool', () => {
    const found = expected({ ...DRAFT, fromBinId: ACTIVE - 300, toBinId: ACTIVE + 300 }, pool());
    assert.ok(typeof found === 'object');
    assert.equal(found.bins, 201);
    assert.ok(found.share > 0 && found.share < 100 / (100 + 20_100));
  });

  it('There is no estimate where a figure is missing, and none while the price is outside of the range', () => {
    assert.equal(expected({ ...DRAFT, amountText: '' }, pool()), 'noAmount');
    assert.equal(expected({ ...DRAFT, fromBinId: ACTIVE + 1 }, pool()), 'outOfRange');
    assert.equal(expected(DRAFT, pool({ fees24hUsd: undefined })), 'notKnown');
    assert.equal(expected(DRAFT, pool({}, { bins: [] })), 'notKnown');
    assert.equal(expected(DRAFT, pool({}, { x })), 'notKnown');
    assert.equal(expected(DRAFT, pool({}, { binStepBps: undefined })), 'notKnown');
  });

  it("The expected fees never exceed the pool's, and a larger deposit never earns less", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4_000 }),
        fc.nat(150),
        fc.nat(150),
        fc.constantFrom('Spot', 'Curve', 'BidAsk'),
        (hundredths, below, above, strategy) => {
          const draft = { fromBinId: ACTIVE - below, toBinId: ACTIVE + above, strategy };
          const [one, twice] = [hundredths, 2 * hundredths].map((amount) =>
            expected({ ...draft, amountText: String(amount / 1_000) }, pool()),
          );
          assert.ok(typeof one === 'object' && typeof twice === 'object');
          assert.ok(one.perDayUsd >= 0 && twice.perDayUsd <= 50 && twice.perDayUsd >= one.perDayUsd);
        },
      ),
    );
  });
});
