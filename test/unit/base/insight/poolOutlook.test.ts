import assert from 'node:assert/strict';
import { uiPriceOfBin } from '../../../../src/base/dlmm/bins';
import {
  type AskedOutlook,
  type Expectation,
  feesPerDayUsd,
  type NotReported,
  outlookOf,
  planToAsk,
  type OutlookPlan,
  positionToAsk,
  type ReportedPool,
  shareToAsk,
  widthsOf,
} from '../../../../src/base/insight/poolOutlook';
import type { KnownOutlook } from '../../../../src/base/insight/outlook';
import { DAY_S, HOUR_MS } from '../../../../src/base/time';

const SOL = 'So11111111111111111111111111111111111111112';
const SOL_USD = 150;
const ACTIVE = -350;
const STEP = 100;
const sigma = { value: 0.05, low: 0.04, high: 0.06 };
const GIVEN: Expectation = { sigma, horizonS: DAY_S, solUsd: undefined, solMint: SOL };
const PLAN: OutlookPlan = { range: { fromBinId: ACTIVE - 20, toBinId: ACTIVE + 20 }, strategy: 'Spot', percentX: 0.5, amountSol: 2 };

/** BONK of 5 decimals against SOL; 10 SOL in each of 201 bins, and $300 of fees a day. */
function pool(part: Partial<ReportedPool> = {}): ReportedPool {
  const price = uiPriceOfBin(ACTIVE, STEP, 5, 9);
  return {
    poolType: 'dlmm',
    x: { decimals: 5, priceUsd: price * SOL_USD },
    y: { address: SOL, decimals: 9, priceUsd: SOL_USD },
    price,
    binStepBps: STEP,
    activeBinId: ACTIVE,
    bins: Array.from({ length: 201 }, (_, place) => {
      const binId = ACTIVE - 100 + place;
      return binId <= ACTIVE ? { binId, x: 0, y: 10 } : { binId, x: 10 / uiPriceOfBin(binId, STEP, 5, 9), y: 0 };
    }),
    fees: { fees24hUsd: 300, protocolPercent: 0 },
    feeStats: [],
    ...part,
  };
}

function known(asked: AskedOutlook | NotReported): KnownOutlook & { readonly usd: (value: number) => number } {
  assert.ok(typeof asked === 'object');
  const outlook = outlookOf(asked);
  assert.ok(outlook.known);
  return { ...outlook, usd: (value) => value * (asked.unit.usd ?? NaN) };
}

function near(value: number, expected: number, share: number): void {
  assert.ok(Math.abs(value - expected) <= share * Math.abs(expected), `${value} is not near ${expected}`);
}

describe('The outlook of a pool as services report it', () => {
  it('A plan in SOL has its worth in US dollars, and its share of the liquidity that the price crosses of all fees', () => {
    const outlook = known(planToAsk(pool(), PLAN, GIVEN));
    near(outlook.usd(outlook.depositY), 2 * SOL_USD, 1e-3);
    assert.ok(outlook.fees !== null);
    // 2 SOL in 41 bins with 10 SOL each of others; a few bins are out of the range.
    near(outlook.usd(outlook.fees.value), (300 * 2) / 41 / 10, 0.1);
    assert.ok(outlook.loss.value < 0 && outlook.timeInRange.value > 0.95);
  });

  it('A plan of one token beside the price has an outlook: it is in range for less time, and loses less', () => {
    const both = known(planToAsk(pool(), PLAN, GIVEN));
    for (const [range, percentX] of [
      [{ fromBinId: ACTIVE + 1, toBinId: ACTIVE + 20 }, 1],
      [{ fromBinId: ACTIVE - 20, toBinId: ACTIVE - 1 }, 0],
    ] as const) {
      const one = known(planToAsk(pool(), { ...PLAN, range, percentX }, GIVEN));
      near(one.depositY, both.depositY, 0.02);
      assert.ok(one.timeInRange.value > 0.2 && one.timeInRange.value < 0.6, String(one.timeInRange.value));
      assert.ok(one.loss.value < 0 && one.fees !== null && one.fees.value > 0);
    }
  });

  it('Where neither token is SOL, amounts follow from the price of SOL, and without it nothing is known', () => {
    const of = pool({ y: { decimals: 9, priceUsd: 1 }, x: { decimals: 5, priceUsd: uiPriceOfBin(ACTIVE, STEP, 5, 9) } });
    assert.equal(planToAsk(of, PLAN, GIVEN), 'prices');
    const outlook = known(planToAsk(of, PLAN, { ...GIVEN, solUsd: SOL_USD }));
    near(outlook.usd(outlook.depositY), 2 * SOL_USD, 1e-3);
  });

  it('Where token X is SOL, the amount follows from the price of the pool', () => {
    const price = uiPriceOfBin(ACTIVE, STEP, 9, 5);
    const bins = pool().bins.map(({ binId }) => ({ binId, x: 0, y: 10 }));
    const of = pool({ price, bins, x: { address: SOL, decimals: 9, priceUsd: SOL_USD }, y: { decimals: 5 } });
    const asked = planToAsk(of, PLAN, GIVEN);
    const outlook = known(asked);
    near(outlook.usd(outlook.depositY), 2 * SOL_USD, 0.01);
  });

  it('In a pool without bins the deposit has its share of all liquidity, and is always in range', () => {
    const of = pool({ poolType: 'dammV2', bins: [], activeBinId: undefined, binStepBps: undefined, tvlUsd: 2_700 });
    const outlook = known(planToAsk(of, { ...PLAN, range: undefined }, GIVEN));
    assert.ok(outlook.fees !== null);
    near(outlook.share, 0.1, 1e-9);
    assert.deepEqual([outlook.timeInRange.value, outlook.expectedExitS], [1, null]);
    const open = known(shareToAsk(of, 270, GIVEN));
    assert.ok(open.fees !== null);
    near(open.share, 0.1, 1e-9);
    assert.equal(planToAsk({ ...of, tvlUsd: undefined }, { ...PLAN, range: undefined }, GIVEN), 'liquidity');
  });

  it('The liquidity of an open position counts once: it is a part of what the pool reports', () => {
    const range = { fromBinId: ACTIVE - 20, toBinId: ACTIVE + 20 };
    const bins = pool()
      .bins.filter(({ binId }) => Math.abs(binId - ACTIVE) <= 20)
      .map(({ binId, x, y }) => ({ binId, x: x / 10, y: y / 10 }));
    const held = { bins, range, activeBinId: ACTIVE, valueUsd: 41 * SOL_USD };
    const outlook = known(positionToAsk(pool(), held, GIVEN));
    assert.ok(outlook.fees !== null);
    near(outlook.share, 0.1, 0.02);
    // Wrong decimals, for example, change what the bins are worth.
    for (const valueUsd of [20 * SOL_USD, 80 * SOL_USD]) {
      assert.equal(positionToAsk(pool(), { ...held, valueUsd }, GIVEN), 'contradiction');
    }
  });

  it('Without bins, decimals or a bin step nothing is known of a pool with bins', () => {
    assert.equal(planToAsk(pool({ binStepBps: undefined }), PLAN, GIVEN), 'bins');
    assert.equal(planToAsk(pool({ activeBinId: undefined }), PLAN, GIVEN), 'bins');
    assert.equal(planToAsk(pool({ x: {} }), PLAN, GIVEN), 'bins');
    assert.equal(planToAsk(pool(), { ...PLAN, range: { fromBinId: -1e7, toBinId: ACTIVE } }, GIVEN), 'bins');
    const unreported = outlookOf(planToAsk(pool({ bins: [] }), PLAN, GIVEN) as AskedOutlook);
    assert.ok(unreported.known && unreported.fees === null && unreported.why === 'binsNotReported');
  });

  it("The fees of a day are the mean of the last day's and the last week's, after the protocol's share", () => {
    const feeStats = Array.from({ length: 48 }, (_, hour) => ({ atMs: hour * HOUR_MS, feeUsd: 5 }));
    assert.equal(feesPerDayUsd({ fees: { fees24hUsd: 200, protocolPercent: 10 }, feeStats }), 144);
    assert.equal(feesPerDayUsd({ fees: { fees24hUsd: 200 }, feeStats: [] }), 200);
    assert.equal(feesPerDayUsd({ fees: {}, feeStats }), 120);
    assert.equal(feesPerDayUsd({ fees: {}, feeStats: feeStats.slice(0, 3) }), undefined);
  });

  it('Other widths are of one shape and around the price, and spread what the position is worth', () => {
    const asked = planToAsk(pool(), PLAN, GIVEN);
    assert.ok(typeof asked === 'object');
    const { depositY } = known(asked);
    const widths = widthsOf(asked, depositY, 'Curve', 0.5);
    assert.ok(widths?.known === true);
    assert.deepEqual([...new Set(widths.rows.map(({ strategy }) => strategy))], ['Curve']);
    assert.equal(widths.rows.length, 5);
    const [narrow, wide] = [widths.rows[0], widths.rows.at(-1)];
    assert.ok(narrow !== undefined && wide !== undefined && (narrow.fees ?? 0) > (wide.fees ?? 0) && narrow.timeInRange < wide.timeInRange);
  });

  it('Tiny and huge amounts give figures or a reason, and never NaN', () => {
    for (const amountSol of [0, 1e-9, 1e12, Infinity, NaN]) {
      const asked = planToAsk(pool(), { ...PLAN, amountSol }, GIVEN);
      const outlook = typeof asked === 'string' ? asked : outlookOf(asked);
      assert.doesNotMatch(JSON.stringify(outlook), /NaN/);
      assert.ok(
        typeof outlook === 'string' || !outlook.known || (Number.isFinite(outlook.depositY) && Number.isFinite(outlook.loss.value)),
      );
    }
  });
});
