import assert from 'node:assert/strict';
import { SOL_KEY, TOKENS, tokenSpec } from '../../../src/sandbox/market/catalog';
import { inMemory, PriceWalk, startingStates } from '../../../src/sandbox/market/prices';
import { Random } from '../../../src/sandbox/market/random';

const HOUR_SECONDS = 3_600;

function walkOf(seed: number): PriceWalk {
  return new PriceWalk(inMemory(startingStates(seed)), Random.seeded(seed, 'prices'));
}

/** Logarithmic returns of a token, one for each step. */
function returnsOf(keys: readonly string[], seed: number, steps: number, seconds: number): number[][] {
  const walk = walkOf(seed);
  const specs = keys.map(tokenSpec);
  let before = specs.map((spec) => walk.usd(spec));
  const returns: number[][] = keys.map(() => []);
  for (let step = 0; step < steps; step += 1) {
    walk.step(seconds);
    const after = specs.map((spec) => walk.usd(spec));
    returns.forEach((of, index) => of.push(Math.log((after[index] ?? NaN) / (before[index] ?? NaN))));
    before = after;
  }
  return returns;
}

function correlation(a: readonly number[], b: readonly number[]): number {
  const mean = (of: readonly number[]): number => of.reduce((sum, value) => sum + value, 0) / of.length;
  const [meanA, meanB] = [mean(a), mean(b)];
  let [ab, aa, bb] = [0, 0, 0];
  a.forEach((value, index) => {
    const other = b[index] ?? NaN;
    ab += (value - meanA) * (other - meanB);
    aa += (value - meanA) ** 2;
    bb += (other - meanB) ** 2;
  });
  return ab / Math.sqrt(aa * bb);
}

function deviation(of: readonly number[]): number {
  return Math.sqrt(of.reduce((sum, value) => sum + value * value, 0) / of.length);
}

describe('Prices', () => {
  it('Prices are the same for the same seed and steps, and differ for another seed', () => {
    const path = (seed: number): number[] => {
      const walk = walkOf(seed);
      return [1, 1, 60, 1_800, 5].map((seconds) => {
        walk.step(seconds);
        return walk.usd(tokenSpec('BONQ'));
      });
    };
    assert.deepEqual(path(4), path(4));
    assert.notDeepEqual(path(4), path(5));
  });

  it('Prices follow the path of an earlier copy and do not move with it', () => {
    const walk = walkOf(9);
    walk.step(60);
    const copy = walk.copy();
    const standing = TOKENS.map((token) => walk.usd(token));
    const preview = Array.from({ length: 50 }, () => {
      copy.step(900);
      return TOKENS.map((token) => copy.usd(token));
    });
    assert.deepEqual(
      TOKENS.map((token) => walk.usd(token)),
      standing,
    );
    const played = preview.map(() => {
      walk.step(900);
      return TOKENS.map((token) => walk.usd(token));
    });
    assert.deepEqual(played, preview);
  });

  it('Each token follows SOL as far as its correlation says', () => {
    const [sol = [], jupp = [], popkat = [], usdc = [], sandsol = []] = returnsOf(
      [SOL_KEY, 'JUPP', 'POPKAT', 'USDC', 'SANDSOL'],
      11,
      4_000,
      HOUR_SECONDS,
    );
    const withSol = { jupp: correlation(sol, jupp), popkat: correlation(sol, popkat), sandsol: correlation(sol, sandsol) };
    assert.ok(withSol.jupp > 0.5 && withSol.jupp < 0.85, `JUPP: ${withSol.jupp}`);
    assert.ok(withSol.popkat > 0.2 && withSol.popkat < withSol.jupp, `POPKAT: ${withSol.popkat}`);
    assert.ok(withSol.sandsol > 0.99, `sandSOL: ${withSol.sandsol}`);
    assert.ok(usdc.every((change) => change === 0));
  });

  it('Volatility clusters: large moves follow large moves for hours', () => {
    const [returns = []] = returnsOf([SOL_KEY], 12, 40_000, 300);
    // Jumps would drown what is looked for.
    const most = 4 * deviation(returns);
    const sizes = returns.map((change) => Math.min(Math.abs(change), most));
    const lagged = (lag: number): number => correlation(sizes.slice(0, -lag), sizes.slice(lag));
    assert.ok(lagged(1) > 0.06, `after five minutes: ${lagged(1)}`);
    assert.ok(lagged(12) > 0.03, `after an hour: ${lagged(12)}`);
    assert.ok(Math.abs(lagged(1_000)) < 0.03, `after days: ${lagged(1_000)}`);
    assert.ok(Math.abs(correlation(returns.slice(0, -1), returns.slice(1))) < 0.03, 'their direction is not remembered');
  });

  it('Prices have the yearly volatility of the catalog for every step size', () => {
    for (const seconds of [60, 1_800]) {
      for (const key of [SOL_KEY, 'WYFF']) {
        const steps = seconds === 60 ? 30_000 : 8_000;
        const { volatility, beta } = tokenSpec(key);
        const expected = key === SOL_KEY ? volatility : Math.hypot(volatility, beta * tokenSpec(SOL_KEY).volatility);
        const [returns = []] = returnsOf([key], 13, steps, seconds);
        const yearly = deviation(returns) * Math.sqrt((365 * 86_400) / seconds);
        // Restlessness and jumps come on top.
        assert.ok(yearly > expected && yearly < 1.5 * expected, `${key} in steps of ${seconds} s: ${yearly} instead of ${expected}`);
      }
    }
  });

  it('Prices stay near their level for months, and pegs hold', () => {
    for (let seed = 1; seed <= 10; seed += 1) {
      const walk = walkOf(seed);
      for (let step = 0; step < 180 * 24; step += 1) {
        walk.step(HOUR_SECONDS);
      }
      for (const token of TOKENS) {
        const factor = walk.usd(token) / token.priceUsd;
        assert.ok(factor > 0.02 && factor < 50, `${token.key} is at ${factor} times its price`);
      }
      const peg = walk.usd(tokenSpec('PUSD'));
      assert.ok(Math.abs(peg - 1) < 0.003, `PUSD is at ${peg}`);
    }
  });

  it('A moved token moves alone, and a moved SOL moves all correlated tokens', () => {
    const walk = walkOf(14);
    const before = new Map(TOKENS.map((token) => [token.key, walk.usd(token)]));
    const factorOf = (key: string): number => walk.usd(tokenSpec(key)) / (before.get(key) ?? NaN);
    walk.move(tokenSpec('BONQ'), 1.5);
    assert.ok(Math.abs(factorOf('BONQ') - 1.5) < 1e-12);
    assert.ok(TOKENS.filter(({ key }) => key !== 'BONQ').every(({ key }) => factorOf(key) === 1));
    walk.move(tokenSpec(SOL_KEY), 0.5);
    assert.ok(Math.abs(factorOf('SANDSOL') - 0.5) < 1e-12);
    assert.ok(Math.abs(factorOf('JUPP') - 0.5 ** tokenSpec('JUPP').beta) < 1e-12);
    assert.equal(factorOf('USDC'), 1);
  });
});

describe('Random numbers', () => {
  it('A random generator continues from its saved state and can return to it', () => {
    const random = Random.seeded(1, 'a');
    random.uniform();
    const state = random.save();
    const next = [random.uniform(), random.normal(), random.count(3), random.integer(1, 6)];
    const other = Random.restored(state);
    assert.deepEqual([other.uniform(), other.normal(), other.count(3), other.integer(1, 6)], next);
    random.restore(state);
    assert.deepEqual([random.uniform(), random.normal(), random.count(3), random.integer(1, 6)], next);
    assert.notDeepEqual(Random.seeded(1, 'b').save(), Random.seeded(1, 'a').save());
  });

  it('Random numbers have the stated distributions', () => {
    const random = Random.seeded(2, 'distribution');
    const draws = (draw: () => number): { mean: number; variance: number } => {
      const values = Array.from({ length: 20_000 }, draw);
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      return { mean, variance: values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length };
    };
    const uniform = draws(() => random.uniform());
    assert.ok(Math.abs(uniform.mean - 0.5) < 0.01 && Math.abs(uniform.variance - 1 / 12) < 0.005);
    const normal = draws(() => random.normal());
    assert.ok(Math.abs(normal.mean) < 0.03 && Math.abs(normal.variance - 1) < 0.04);
    for (const mean of [0.2, 4, 60]) {
      const count = draws(() => random.count(mean));
      assert.ok(
        Math.abs(count.mean / mean - 1) < 0.05 && Math.abs(count.variance / mean - 1) < 0.08,
        `${mean}: ${count.mean}, ${count.variance}`,
      );
    }
    const dice = Array.from({ length: 6_000 }, () => random.integer(1, 6));
    [1, 2, 3, 4, 5, 6].forEach((face) => assert.ok(Math.abs(dice.filter((value) => value === face).length - 1_000) < 150));
  });
});
