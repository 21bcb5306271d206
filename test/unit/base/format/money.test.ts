import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  lamportsAsSol,
  signedSol,
  signedUsd,
  signedUsdShort,
  solToTheLamport,
  sol,
  usd,
  usdBrief,
  usdShort,
  usdToTheCent,
} from '../../../../src/base/format/money';

describe('US dollars', () => {
  for (const [value, plain, signed] of [
    [0, '$0.00', '$0.00'],
    [-0, '$0.00', '$0.00'],
    [5, '$5.00', '+$5.00'],
    [-5, '−$5.00', '−$5.00'],
    [1234.567, '$1,234.57', '+$1,234.57'],
    [9999.99, '$9,999.99', '+$9,999.99'],
    [9999.996, '$10K', '+$10K'],
    [12345.67, '$12.3K', '+$12.3K'],
    [-4567890, '−$4.57M', '−$4.57M'],
    [1.5e9, '$1.5B', '+$1.5B'],
    [2e12, '$2T', '+$2T'],
    [1.23e30, '$1.23E30', '+$1.23E30'],
    [0.01, '$0.01', '+$0.01'],
    [0.004, '<$0.01', '≈$0.00'],
    [-0.004, '≈$0.00', '≈$0.00'],
    [5e-324, '<$0.01', '≈$0.00'],
    [undefined, '–', '–'],
    [Number.NaN, '–', '–'],
    [Infinity, '–', '–'],
    [-Infinity, '–', '–'],
  ] as const) {
    it(`The amount ${String(value)} is written ${plain} in US dollars, and ${signed} as a difference`, () => {
      assert.equal(usd(value), plain);
      assert.equal(signedUsd(value), signed);
    });
  }

  it('US dollars can be written to the cent', () => {
    assert.equal(usdToTheCent(12345.678), '$12,345.68');
    assert.equal(usdToTheCent(-0.001), '$0.00');
    assert.equal(usdToTheCent(undefined), '–');
  });

  it('The narrowest rows have at most three digits from $10 on', () => {
    assert.deepEqual(
      [0.004, 5, 9.99, 9.996, 99.6, 999.4, 999.6, 1234.5, -12345, undefined].map((value) => usdBrief(value)),
      ['<$0.01', '$5.00', '$9.99', '$10', '$100', '$999', '$1K', '$1.23K', '−$12.3K', '–'],
    );
  });

  it('The short form of US dollars omits cents from a hundred dollars on', () => {
    assert.deepEqual(
      [0.004, 5, 99.99, 99.996, 100, 1234.5, 12345, undefined].map((value) => usdShort(value)),
      ['<$0.01', '$5.00', '$99.99', '$100', '$100', '$1,235', '$12.3K', '–'],
    );
    assert.deepEqual(
      [387.4, -5, -286.62].map((value) => signedUsdShort(value)),
      ['+$387', '−$5.00', '−$287'],
    );
  });

  it('A difference has a sign only from one cent on, and never a hyphen', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const text = signedUsd(value);
        assert.equal(/^[+−]/.test(text), Math.abs(value) >= 0.01);
        assert.equal(text.startsWith('−'), value <= -0.01);
        assert.equal(text.startsWith('≈'), value !== 0 && Math.abs(value) < 0.01);
        assert.ok(!usd(value).includes('-'));
        assert.ok(text.length <= 12);
      }),
    );
  });

  it('US dollars use the separators of another locale', () => {
    assert.match(usd(-1234.5, 'de'), /^−1\.234,50\s\$$/);
  });
});

describe('SOL', () => {
  for (const [value, plain, signed] of [
    [0, '0 SOL', '0 SOL'],
    [-0, '0 SOL', '0 SOL'],
    [1.23456, '1.2346 SOL', '+1.2346 SOL'],
    [-1.2, '−1.2 SOL', '−1.2 SOL'],
    [0.00001, '<0.0001 SOL', '≈0 SOL'],
    [-0.00001, '≈0 SOL', '≈0 SOL'],
    [12345, '12.3K SOL', '+12.3K SOL'],
    [undefined, '–', '–'],
    [Number.NaN, '–', '–'],
  ] as const) {
    it(`The amount ${String(value)} is written ${plain}, and ${signed} as a difference`, () => {
      assert.equal(sol(value), plain);
      assert.equal(signedSol(value), signed);
    });
  }

  it('Lamports are written as SOL to the last lamport', () => {
    assert.equal(lamportsAsSol(1_500_000_001n), '1.500000001 SOL');
    assert.equal(lamportsAsSol(1n), '0.000000001 SOL');
    assert.equal(lamportsAsSol(0n), '0 SOL');
    assert.equal(lamportsAsSol(-5_000n), '−0.000005 SOL');
    assert.equal(lamportsAsSol(18_446_744_073_709_551_615n), '18,446,744,073.709551615 SOL');
  });
});

describe('SOL to the lamport', () => {
  for (const [value, expected] of [
    [1.5, '1.5 SOL'],
    [12345.678900001, '12,345.678900001 SOL'],
    [-0.000000001, '−0.000000001 SOL'],
    [0, '0 SOL'],
    [undefined, '–'],
    [NaN, '–'],
  ] as const) {
    it(`The amount ${String(value)} is written ${expected} to the lamport`, () => {
      assert.equal(solToTheLamport(value), expected);
    });
  }
});
