import assert from 'node:assert/strict';
import fc from 'fast-check';
import { priceOfBin } from '../../../../src/base/dlmm/bins';
import { STRATEGIES } from '../../../../src/base/dlmm/strategy';
import { binnedOutlook, breakEvenSigma, productOutlook } from '../../../../src/base/insight/outlook';
import { compareWidths } from '../../../../src/base/insight/widths';
import { gate } from '../../../../src/base/insight/gate';
import { evenPool, normalFrom, outlookOf, type PlanParts, planOf } from '../../../support/base/insight';

const anyPlan: fc.Arbitrary<Required<Pick<PlanParts, 'strategy' | 'fromBinId' | 'toBinId' | 'binStepBps' | 'sigmaPerDay' | 'horizonS'>>> =
  fc
    .record({
      strategy: fc.constantFrom(...STRATEGIES),
      below: fc.integer({ min: -30, max: 90 }),
      above: fc.integer({ min: -30, max: 90 }),
      binStepBps: fc.constantFrom(1, 4, 10, 20, 50, 100, 400),
      moves: fc.double({ min: 0.05, max: 20, noNaN: true }),
      horizonS: fc.integer({ min: 3_600, max: 604_800 }),
    })
    .filter(({ below, above }) => -below <= above)
    // The volatility as bins in the horizon: where the results differ.
    .map(({ below, above, moves, ...rest }) => ({
      ...rest,
      ...{
        fromBinId: -below,
        toBinId: above,
        sigmaPerDay: (moves * 4 * Math.log1p(rest.binStepBps / 1e4)) / Math.sqrt(rest.horizonS / 86_400),
      },
    }));

function near(actual: number, expected: number, share: number, scale = Math.abs(expected)): void {
  assert.ok(Math.abs(actual - expected) <= share * scale, `${actual} instead of ${expected}`);
}

function feesOf(parts: PlanParts): number {
  return outlookOf(parts).fees?.value ?? NaN;
}

describe('Insight: outlook', () => {
  for (const strategy of STRATEGIES) {
    it(`The loss of ${strategy} agrees with fifty thousand simulated prices, whose average is the price of today`, () => {
      const [sigma, binStepBps] = [0.08, 50];
      const plan = planOf({ strategy, binStepBps, sigmaPerDay: sigma, fromBinId: -20, toBinId: 26 });
      const start = priceOfBin(0, binStepBps) * Math.sqrt(priceOfBin(1, binStepBps));
      const bins = plan.own.map(({ binId, x, y }) => ({
        price: priceOfBin(binId, binStepBps),
        liquidity: x * priceOfBin(binId, binStepBps) + y,
      }));
      const held = plan.own.reduce((sum, { x, y }) => ({ x: sum.x + x, y: sum.y + y }), { x: 0, y: 0 });
      const normal = normalFrom(7);
      const paths = 50_000;
      let [sum, squares] = [0, 0];
      for (let path = 0; path < paths; path += 1) {
        const price = start * Math.exp(-(sigma * sigma) / 2 + sigma * normal());
        // Against holding at the same price, so that most of the noise cancels.
        const lost = bins.reduce((total, bin) => total + bin.liquidity * Math.min(price / bin.price, 1), 0) - held.x * price - held.y;
        sum += lost;
        squares += lost * lost;
      }
      const error = Math.sqrt(squares / paths - (sum / paths) ** 2) / Math.sqrt(paths);
      assert.ok(
        Math.abs(outlookOf({ strategy, binStepBps, sigmaPerDay: sigma, fromBinId: -20, toBinId: 26 }).loss.value - sum / paths) < 3 * error,
      );
    });
  }

  it('Spot loses σ²/(4w) of its value a day at first, Curve twice as much, BidAsk almost nothing', () => {
    const half = 70 * Math.log1p(0.001);
    const sigma = half / 8;
    const lossOf = (strategy: (typeof STRATEGIES)[number]): number => {
      const { loss, depositY } = outlookOf({ strategy, binStepBps: 10, fromBinId: -69, toBinId: 70, sigmaPerDay: sigma });
      return (-loss.value / depositY) * (half / (sigma * sigma));
    };
    near(lossOf('Spot'), 0.25, 0.05);
    near(lossOf('Curve'), 0.5, 0.12);
    assert.ok(lossOf('BidAsk') < 0.06, String(lossOf('BidAsk')));
  });

  it('An estimate of the fees that ignores the shape would be nine times too high for BidAsk in a calm pool', () => {
    const fees = (strategy: (typeof STRATEGIES)[number], sigmaPerDay: number): number => feesOf({ strategy, sigmaPerDay }) / 1e6;
    near(fees('Curve', 0.005) / fees('Spot', 0.005), 10.88 / 5.81, 0.1);
    assert.ok(fees('Spot', 0.005) / fees('BidAsk', 0.005) > 8);
    near(fees('Spot', 0.02), fees('Spot', 0.005), 0.02);
  });

  it('Volatility and time count only as σ√T', () => {
    fc.assert(
      fc.property(anyPlan, (parts) => {
        const [first, second] = [
          outlookOf(parts),
          outlookOf({ ...parts, sigmaPerDay: parts.sigmaPerDay / 2, horizonS: 4 * parts.horizonS, lpFeesPerDayY: 2.5e8 }),
        ];
        near(second.loss.value, first.loss.value, 1e-9, first.depositY);
        near(second.timeInRange.value, first.timeInRange.value, 1e-6, 1);
        near(second.staysInRange, first.staysInRange, 1e-9, 1);
        near(second.fees?.value ?? 0, first.fees?.value ?? 0, 1e-5, 1e9);
      }),
      { numRuns: 60 },
    );
  });

  it('A pool whose bins are all shifted has the same outlook', () => {
    fc.assert(
      fc.property(anyPlan, fc.integer({ min: -60, max: 60 }), (parts, shift) => {
        const scale = priceOfBin(Math.abs(shift), parts.binStepBps) ** Math.sign(shift);
        const plan = planOf(parts);
        const moved = (bins: readonly { binId: number; x: number; y: number }[]) =>
          bins.map(({ binId, x, y }) => ({ binId: binId + shift, x: x / scale, y }));
        const range = { fromBinId: parts.fromBinId + shift, toBinId: parts.toBinId + shift };
        const [first, second] = [
          binnedOutlook(plan),
          binnedOutlook({ ...plan, activeBinId: shift, range, own: moved(plan.own), others: moved(plan.others) }),
        ];
        assert.ok(first.known && second.known);
        near(second.loss.value, first.loss.value, 1e-9, first.depositY);
        near(second.depositY, first.depositY, 1e-9);
        near(second.timeInRange.value, first.timeInRange.value, 1e-9, 1);
        near(second.fees?.value ?? 0, first.fees?.value ?? 0, 1e-9, 1e9);
      }),
      { numRuns: 60 },
    );
  });

  it('Figures keep their order: shares from 0 to 1, no loss above 0, bands around their values, net of fees and loss', () => {
    fc.assert(
      fc.property(anyPlan, fc.double({ min: 1, max: 3, noNaN: true }), (parts, factor) => {
        const outlook = outlookOf({ ...parts, sigmaLow: parts.sigmaPerDay / factor, sigmaHigh: parts.sigmaPerDay * factor, costsY: 1_000 });
        for (const { value, low, high } of [outlook.timeInRange, outlook.loss, ...(outlook.fees === null ? [] : [outlook.fees])]) {
          assert.ok(low <= value && value <= high, `${low} ${value} ${high}`);
        }
        for (const share of [outlook.timeInRange.high, outlook.staysInRange, outlook.unknownTime]) {
          assert.ok(share >= 0 && share <= 1);
        }
        assert.ok(outlook.staysInRange <= outlook.timeInRange.value + 1e-9);
        assert.ok(outlook.loss.high <= 0 && outlook.loss.low >= -outlook.depositY);
        if (outlook.fees !== null) {
          assert.equal(outlook.netY, outlook.fees.value + outlook.loss.value);
          assert.ok(outlook.share >= 0 && outlook.share <= 1);
          assert.equal(outlook.costsCoveredAfterS === null, outlook.netY <= 0);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('More volatility never loses less, and twice the fees of the pool are twice the fees of the position', () => {
    fc.assert(
      fc.property(anyPlan, (parts) => {
        const { loss, depositY, fees } = outlookOf(parts);
        assert.ok(outlookOf({ ...parts, sigmaPerDay: 1.3 * parts.sigmaPerDay }).loss.value <= loss.value + 1e-9 * depositY);
        const twice = outlookOf({ ...parts, lpFeesPerDayY: 2e9 });
        near(twice.fees?.value ?? 0, 2 * (fees?.value ?? 0), 1e-12);
      }),
      { numRuns: 60 },
    );
  });

  it('A range beside the price earns something, has been left already, and has a break-even', () => {
    const parts: PlanParts = { fromBinId: -30, toBinId: -3, amountX: 0n, sigmaPerDay: 0.05 };
    const outlook = outlookOf(parts);
    assert.deepEqual([outlook.staysInRange, outlook.expectedExitS], [0, 0]);
    assert.ok((outlook.fees?.value ?? 0) > 0 && outlook.timeInRange.value > 0.2);
    assert.ok((breakEvenSigma(planOf({ ...parts, lpFeesPerDayY: 1e8 })) ?? 0) > 0);
  });

  it('There is no break-even where the volatility or the fees are not known', () => {
    const plan = planOf({});
    assert.equal(breakEvenSigma({ ...plan, sigma: undefined }), null);
    assert.equal(breakEvenSigma({ ...plan, lpFeesPerDayY: undefined }), null);
  });

  it('At the break-even volatility fees and loss are equal, and below it the fees are more', () => {
    fc.assert(
      fc.property(anyPlan, (parts) => {
        const sigma = breakEvenSigma(planOf(parts));
        if (sigma !== null) {
          const { fees, loss } = outlookOf({ ...parts, sigmaPerDay: sigma });
          near(-loss.value, fees?.value ?? -loss.value, 1e-3);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('Without the fees, the bins, the volatility or an amount it says which of them is missing, and gives the rest', () => {
    const whyOf = (parts: PlanParts): unknown => {
      const outlook = outlookOf(parts);
      return outlook.fees === null ? [outlook.why, outlook.loss.value < 0] : undefined;
    };
    assert.deepEqual(whyOf({ lpFeesPerDayY: undefined }), ['feesNotKnown', true]);
    assert.deepEqual(whyOf({ others: evenPool(0, 20, 2, 1e9), sigmaPerDay: 0.1 }), ['binsNotReported', true]);
    assert.deepEqual(whyOf({ others: [] }), ['binsNotReported', true]);
    assert.deepEqual(binnedOutlook({ ...planOf(), sigma: undefined }), { known: false, why: 'noVolatility' });
    assert.deepEqual(binnedOutlook(planOf({ amountX: 0n, amountY: 0n })), { known: false, why: 'noAmount' });
    assert.deepEqual(productOutlook({ ...planOf(), depositY: 0, othersY: 1 }), { known: false, why: 'noAmount' });
  });

  it('A pool without other liquidity gives all of its fees', () => {
    near(feesOf({ others: evenPool(0, 20, 140, 0), sigmaPerDay: 0.01 }), 1e9, 1e-9);
  });

  it('A full range loses 1 − exp(−σ²T/8), stays in range, and breaks even where that is its fees', () => {
    const input = { ...planOf({ sigmaPerDay: 0.1, horizonS: 604_800, lpFeesPerDayY: 3e9 }), depositY: 1e9, othersY: 5e11, costsY: 1e5 };
    const { own: _own, ...product } = input;
    const outlook = productOutlook(product);
    assert.ok(outlook.known && outlook.fees !== null);
    near(outlook.loss.value, 1e9 * (Math.exp((-0.01 * 7) / 8) - 1), 1e-12);
    near(outlook.fees.value, (2.1e10 * 1e9) / 5.01e11, 1e-12);
    const breakEven = breakEvenSigma(product);
    const there = productOutlook({ ...product, sigma: { value: breakEven ?? 0, low: breakEven ?? 0, high: breakEven ?? 0 } });
    assert.ok(there.known && there.fees !== null);
    near(there.netY, 0, 1e-9, there.fees.value);
  });
});

describe('Insight: widths and gate', () => {
  const input = { ...planOf({ sigmaPerDay: 0.05, others: evenPool(0, 20, 140, 1e10) }), amountX: 10n ** 9n, amountY: 10n ** 9n };

  it('No width is clearly better where none leaves anything', () => {
    const widths = compareWidths({ ...input, lpFeesPerDayY: 1e7 });
    assert.ok(widths.known);
    assert.deepEqual([widths.rows.length, widths.isClear, widths.best], [15, false, { halfWidthBins: 75, strategy: 'BidAsk' }]);
  });

  it('A width is clearly better if it is ahead of all others by more than the error of its fees', () => {
    const widths = compareWidths({ ...input, lpFeesPerDayY: 1e11 });
    assert.ok(widths.known && widths.best !== null);
    const { best, rows, isClear } = widths;
    const bestRow = rows.find(({ halfWidthBins, strategy }) => halfWidthBins === best.halfWidthBins && strategy === best.strategy);
    const others = rows.filter(({ halfWidthBins }) => halfWidthBins !== best.halfWidthBins).map(({ net }) => net ?? NaN);
    assert.equal(isClear, (bestRow?.net ?? 0) - Math.max(...others) > 0.3 * (bestRow?.fees ?? 0));
  });

  it('Without fees the rows stand alone, and the widest range fits into a position', () => {
    const widths = compareWidths({ ...input, lpFeesPerDayY: undefined, sigma: { value: 40, low: 40, high: 40 } });
    assert.ok(widths.known);
    assert.deepEqual([widths.best, widths.isClear, widths.rows.map(({ halfWidthBins }) => halfWidthBins)], [null, false, [699, 699, 699]]);
    assert.ok(widths.rows.every(({ fees, net, loss }) => fees === null && net === null && loss < 0));
  });

  const stay = planOf({ fromBinId: -80, toBinId: -11, amountX: 0n, lpFeesPerDayY: 1e10 });
  const enter = planOf({ amountX: 5n * 10n ** 8n, amountY: 5n * 10n ** 8n, lpFeesPerDayY: 1e10 });

  it('Re-centering is worth it only if the benefit exceeds the costs by the margin', () => {
    const answerAt = (costsY: number) => {
      const answer = gate({ stay, enter, costsY, margin: 1.5 });
      assert.ok(answer.known);
      return answer;
    };
    const { benefitY, enterY, stayY } = answerAt(0);
    assert.ok(benefitY > 0);
    assert.deepEqual([answerAt(benefitY / 1.51).act, answerAt(benefitY / 1.49).act, enterY - stayY], [true, false, benefitY]);
  });

  it('The horizon is the expected time in the new range, from six hours to seven days', () => {
    const horizonOf = (sigma: number) => {
      const answer = gate({ stay, enter: { ...enter, sigma: { value: sigma, low: sigma, high: sigma } }, costsY: 1, margin: 1.5 });
      return answer.known ? answer.horizonS : answer.why;
    };
    assert.deepEqual([horizonOf(0.001), horizonOf(0.3)], [604_800, 21_600]);
    near(Number(horizonOf(0.05)), ((34.5 * Math.log1p(0.002)) / 0.05) ** 2 * 86_400, 0.02);
  });

  it('Without fees the gate says so instead of an answer', () => {
    assert.deepEqual(gate({ stay, enter: { ...enter, lpFeesPerDayY: undefined }, costsY: 1, margin: 1.5 }), {
      known: false,
      why: 'feesNotKnown',
    });
    assert.deepEqual(gate({ stay: { ...stay, sigma: undefined }, enter, costsY: 1, margin: 1.5 }), { known: false, why: 'noVolatility' });
  });
});
