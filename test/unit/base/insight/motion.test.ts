import assert from 'node:assert/strict';
import { expectedExit, expectedTimeBelow, probabilityToStay, shareOfTime } from '../../../../src/base/insight/motion';
import { normalBelow } from '../../../../src/base/insight/normal';
import { normalFrom } from '../../../support/base/insight';

/** ∫₀ᵀ P(u(t) < b) dt by the midpoint rule in √t, where the integrand is smooth. */
function timeBelowByNumbers(distance: number, sigma: number, days: number): number {
  const steps = 20_000;
  let sum = 0;
  for (let step = 0; step < steps; step += 1) {
    const root = Math.sqrt(days) * ((step + 0.5) / steps);
    sum += normalBelow((distance + (sigma * sigma * root * root) / 2) / (sigma * root)) * 2 * root;
  }
  return (sum * Math.sqrt(days)) / steps;
}

describe('Insight: a price without a trend', () => {
  it('The normal distribution is right to 15 digits', () => {
    // Abramowitz, Stegun, table 26.1, and Φ(−10).
    for (const [z, expected] of [
      [0, 0.5],
      [0.5, 0.691462461274013],
      [1, 0.841344746068543],
      [2, 0.977249868051821],
      [-3, 0.001349898031630095],
      [-6, 9.865876450376981e-10],
      [-10, 7.61985302416053e-24],
      [Infinity, 1],
      [-Infinity, 0],
    ] as const) {
      assert.ok(Math.abs(normalBelow(z) - expected) <= 2e-15 + 1e-13 * expected * Number(expected < 0.01), `Φ(${z}) = ${normalBelow(z)}`);
    }
  });

  for (const [distance, sigma, days] of [
    [0.01, 0.05, 1],
    [-0.01, 0.05, 1],
    [0, 0.1, 1],
    [0.3, 0.5, 7],
    [-2, 3, 7],
    [5, 3, 7],
    [1e-4, 0.003, 1],
    [1e-4, 0.000_5, 1],
    [-2e-5, 0.000_999, 1],
    [1e-3, 0.001_001, 1],
  ] as const) {
    it(`The time below ${distance} at a volatility of ${sigma} over ${days} days agrees with the integral`, () => {
      const closed = expectedTimeBelow(distance, sigma, days);
      assert.ok(Math.abs(closed - timeBelowByNumbers(distance, sigma, days)) < 2e-7 * days, String(closed));
    });
  }

  it('The time in range, the exit and the probability to stay agree with four thousand simulated paths', () => {
    const [ends, sigma, days, paths, steps] = [{ below: 0.04, above: 0.06 }, 0.05, 1, 4_000, 1_600];
    const normal = normalFrom(20);
    const step = days / steps;
    let [inside, stays, exits] = [0, 0, 0];
    for (let path = 0; path < paths; path += 1) {
      let [place, exit] = [0, -1];
      for (let time = 0; time < 8 * steps && (time < steps || exit < 0); time += 1) {
        place += -(sigma * sigma * step) / 2 + sigma * Math.sqrt(step) * normal();
        const isInside = place > -ends.below && place < ends.above;
        inside += isInside && time < steps ? 1 : 0;
        exit = isInside || exit >= 0 ? exit : time + 1;
        stays += time === steps - 1 && exit < 0 ? 1 : 0;
      }
      exits += (exit < 0 ? 8 * steps : exit) * step;
    }
    // Barriers that are looked at in steps are 0.5826·σ√step further away (Broadie, Glasserman, Kou 1997).
    const shift = 0.5826 * sigma * Math.sqrt(step);
    const seen = { below: ends.below + shift, above: ends.above + shift };
    const close = (actual: number, expected: number, error: number) =>
      assert.ok(Math.abs(actual - expected) < error, `${actual} instead of ${expected} ± ${error}`);
    close(shareOfTime(ends, sigma, days), inside / paths / steps, 0.012);
    close(probabilityToStay(seen, sigma, days), stays / paths, 0.025);
    close(expectedExit(seen, sigma), exits / paths, 0.035);
  });

  it('The two series of the probability to stay give the same, and a wider range is not left sooner', () => {
    let last = 0;
    for (let width = 0.5; width < 12; width += 0.01) {
      const stays = probabilityToStay({ below: 0.4 * width * 0.1, above: 0.6 * width * 0.1 }, 0.1, 1);
      assert.ok(stays >= last - 1e-12 && stays <= 1 && stays - last < 0.02, `${width}: ${last} → ${stays}`);
      last = stays;
    }
  });

  it('Ranges of any width and any volatility have a probability to stay', () => {
    for (const width of [1e-4, 0.1, 1, 10, 44]) {
      for (const sigma of [1e-6, 1e-3, 0.1, 1, 10, 100]) {
        const stays = probabilityToStay({ below: width, above: width }, sigma, 1);
        assert.ok(stays >= 0 && stays <= 1, `${width}, ${sigma}: ${stays}`);
        // Reflection at both ends counts twice what leaves at one.
        const leavesAtOneEnd = normalBelow((-width + (sigma * sigma) / 2) / sigma) + normalBelow((-width - (sigma * sigma) / 2) / sigma);
        assert.ok(stays >= 1 - 2 * Math.exp(Math.min(width / 2, 50)) * leavesAtOneEnd - 1e-9, `${width}, ${sigma}: ${stays}`);
      }
    }
  });

  it('A price outside of the range has left it', () => {
    assert.equal(probabilityToStay({ below: -0.1, above: 0.2 }, 0.1, 1), 0);
    assert.equal(expectedExit({ below: 0.2, above: -0.1 }, 0.1), 0);
  });

  it('A narrow range is left after D·U/σ²', () => {
    assert.ok(Math.abs(expectedExit({ below: 5e-5, above: 2e-4 }, 0.05) / ((5e-5 * 2e-4) / 0.0025) - 1) < 1e-3);
  });
});
