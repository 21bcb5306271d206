import assert from 'node:assert/strict';
import fc from 'fast-check';
import { OperationError } from '../../../../src/transactions/errors';
import { checkZapIn, checkZapOut, exactSol, wholeTokens } from '../../../../src/transactions/run/validation';
import { runZapIn } from '../../../../src/transactions/run/zapIn';
import { runZapOut } from '../../../../src/transactions/run/zapOut';
import type { ZapInPlan, ZapOutPlan } from '../../../../src/transactions/types';
import { OTHER_OWNER } from '../../../support/portfolio/fixtures';
import { FROM_BIN, MINT, OWNER, POOL, POSITION, TO_BIN } from '../../../support/review/bundles';
import { bench, failureOf, NO_PRICES, thePosition, zapInPlan, zapOutPlan } from '../../../support/transactions/harness';

/** The field that a plan is refused for; `undefined` where it is not refused. */
function refusedField(check: () => unknown): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    assert.ok(error instanceof OperationError);
    assert.deepEqual([error.kind, error.money], ['invalidPlan', 'untouched']);
    assert.match(error.message, /Nothing was signed or sent/);
    return error.field;
  }
}

/** A pool without bins. */
const WITHOUT_BINS = { poolType: 'dammV2', strategy: undefined, fromBinId: undefined, toBinId: undefined } as const;

/** Tokens of the wallet go in as they are. */
const TOKENS = {
  inputLamports: 0n,
  percentX: 7,
  tokens: { amountXRaw: 1_500_000n, amountYRaw: 2n },
  prices: { ...NO_PRICES, decimalsX: 6, decimalsY: 9 },
} as const;

const WRONG_NUMBERS = [Number.NaN, Infinity, -Infinity, 0.5, -1, 10_001];

describe('operation: validation of zap-out plans', () => {
  const wrong: readonly (readonly [string, Partial<ZapOutPlan>])[] = [
    ...[...WRONG_NUMBERS, 0].map((shareBps) => ['shareBps', { shareBps }] as const),
    ...WRONG_NUMBERS.map((slippageBps) => ['slippageBps', { slippageBps }] as const),
    ['owner', { owner: OTHER_OWNER }],
    ['owner', { position: thePosition({ owner: OTHER_OWNER }) }],
    ['position', { position: thePosition({ address: undefined }) }],
    ['position', { position: thePosition({ id: undefined }) }],
    ['position', { position: thePosition({ pool: undefined }) }],
    ['position', { position: thePosition({ poolType: 'other', protocol: 'orca' }) }],
  ];
  wrong.forEach(([field, part], index) => {
    it(`The extension refuses a zap-out plan with an invalid ${field} (${index + 1})`, async () => {
      assert.equal(
        refusedField(() => checkZapOut(zapOutPlan(part), OWNER)),
        field,
      );
      const fixture = await bench();
      const failure = await failureOf(runZapOut(zapOutPlan(part), fixture.dependencies, fixture.host, fixture.abort.signal));
      assert.equal(failure.field, field);
      assert.deepEqual([fixture.trace.builds.length, fixture.trace.steps.length], [0, 0]);
    });
  });

  it('The extension accepts a zap-out plan with every valid share and slippage tolerance', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), fc.integer({ min: 0, max: 10_000 }), (shareBps, slippageBps) => {
        assert.deepEqual(checkZapOut(zapOutPlan({ shareBps, slippageBps }), OWNER), {
          position: POSITION,
          positionId: 'service-id',
          pool: POOL,
          poolType: 'dlmm',
          fromBinId: FROM_BIN,
          toBinId: TO_BIN,
        });
      }),
    );
  });

  it("The extension accepts a zap-out plan if the service does not name the position's owner", () => {
    assert.equal(
      refusedField(() => checkZapOut(zapOutPlan({ position: thePosition({ owner: undefined }) }), OWNER)),
      undefined,
    );
  });

  it('The extension ignores listed bins in a zap-out plan for a pool without bins', () => {
    const position = thePosition({ poolType: 'dammV2', lowerBinId: 1, upperBinId: 2 });
    assert.deepEqual(checkZapOut(zapOutPlan({ position }), OWNER), {
      position: POSITION,
      positionId: 'service-id',
      pool: POOL,
      poolType: 'dammV2',
      fromBinId: undefined,
      toBinId: undefined,
    });
  });

  it('The extension refuses a zap-out plan while another wallet or none is shown', () => {
    assert.equal(
      refusedField(() => checkZapOut(zapOutPlan(), OTHER_OWNER)),
      'owner',
    );
    assert.equal(
      refusedField(() => checkZapOut(zapOutPlan(), undefined)),
      'owner',
    );
  });
});

describe('operation: validation of zap-in plans', () => {
  const wrong: readonly (readonly [string, Partial<ZapInPlan>])[] = [
    ...WRONG_NUMBERS.map((slippageBps) => ['slippageBps', { slippageBps }] as const),
    ['inputLamports', { inputLamports: 0n }],
    ['inputLamports', { inputLamports: -1n }],
    ['inputLamports', { inputLamports: 2n ** 64n - 1n }],
    ...[Number.NaN, -0.01, 1.01, Infinity].map((percentX) => ['percentX', { percentX }] as const),
    ...[Number.NaN, 0.5, -443_637].map((fromBinId) => ['fromBinId', { fromBinId }] as const),
    ...[Number.NaN, 0.5, 443_637].map((toBinId) => ['toBinId', { toBinId }] as const),
    ['strategy', { strategy: undefined }],
    ['fromBinId', { fromBinId: undefined }],
    ['toBinId', { toBinId: undefined }],
    ['strategy', { ...WITHOUT_BINS, strategy: 'Spot' }],
    ['fromBinId', { ...WITHOUT_BINS, fromBinId: 0 }],
    ['toBinId', { ...WITHOUT_BINS, toBinId: 0 }],
    ['percentX', { ...WITHOUT_BINS, percentX: 0 }],
    ['percentX', { ...WITHOUT_BINS, percentX: 1 }],
    ['toBinId', { fromBinId: 5, toBinId: 4 }],
    ['toBinId', { fromBinId: 0, toBinId: 1_400 }],
    ['owner', { owner: OTHER_OWNER }],
    ['inputLamports', { ...TOKENS, inputLamports: 1n }],
    ['tokenX', { ...TOKENS, tokenX: undefined }],
    ['tokenY', { ...TOKENS, tokenY: undefined }],
    ['tokenY', { ...TOKENS, tokenY: MINT }],
    ...[
      [0n, 0n],
      [-1n, 5n],
      [5n, -1n],
    ].map(([amountXRaw = 0n, amountYRaw = 0n]) => ['tokens', { ...TOKENS, tokens: { amountXRaw, amountYRaw } }] as const),
    ['amountXRaw', { ...TOKENS, tokens: { amountXRaw: 2n ** 64n, amountYRaw: 1n } }],
    ['amountYRaw', { ...TOKENS, tokens: { amountXRaw: 1n, amountYRaw: 2n ** 64n } }],
    ...[undefined, -1, 0.5, 256, Number.NaN].map(
      (decimalsX) => ['amountXRaw', { ...TOKENS, prices: { ...TOKENS.prices, decimalsX } }] as const,
    ),
    ...[undefined, 6].map((decimalsY) => ['amountYRaw', { ...TOKENS, prices: { ...TOKENS.prices, decimalsY } }] as const),
    ...[
      [0n, 1n],
      [1n, 0n],
    ].map(([amountXRaw = 0n, amountYRaw = 0n]) => ['tokens', { ...TOKENS, ...WITHOUT_BINS, tokens: { amountXRaw, amountYRaw } }] as const),
    ['toBinId', { ...TOKENS, fromBinId: 5, toBinId: 4 }],
  ];
  wrong.forEach(([field, part], index) => {
    it(`The extension refuses a zap-in plan with an invalid ${field} (${index + 1})`, async () => {
      assert.equal(
        refusedField(() => checkZapIn(zapInPlan(part), OWNER)),
        field,
      );
      const fixture = await bench();
      const failure = await failureOf(runZapIn(zapInPlan(part), fixture.dependencies, fixture.host, fixture.abort.signal));
      assert.equal(failure.field, field);
      assert.deepEqual([fixture.trace.builds.length, fixture.trace.steps.length], [0, 0]);
    });
  });

  it('The extension accepts a zap-in plan without a range for pools without bins, with every share of both tokens', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, minExcluded: true, maxExcluded: true, noNaN: true }), (percentX) => {
        assert.deepEqual(checkZapIn(zapInPlan({ ...WITHOUT_BINS, percentX }), OWNER), {
          amounts: { mode: 'zap-in', inputSol: 1, percentX },
          range: { strategy: undefined, fromBinId: undefined, toBinId: undefined },
        });
      }),
    );
  });

  it('The extension converts token deposits to whole tokens and needs no decimals of an unused token', () => {
    assert.deepEqual(checkZapIn(zapInPlan(TOKENS), OWNER).amounts, { mode: 'normal', amountX: 1.5, amountY: 0.000000002 });
    const onlyX = { ...TOKENS, tokens: { amountXRaw: 1n, amountYRaw: 0n }, prices: { ...NO_PRICES, decimalsX: 0 } };
    assert.deepEqual(checkZapIn(zapInPlan(onlyX), OWNER).amounts, { mode: 'normal', amountX: 1, amountY: 0 });
    assert.equal(
      refusedField(() => checkZapIn(zapInPlan({ ...TOKENS, ...WITHOUT_BINS }), OWNER)),
      undefined,
    );
  });

  it('The extension accepts a zap-in plan with every range of 1 to 1400 bins', () => {
    fc.assert(
      fc.property(fc.integer({ min: -400_000, max: 400_000 }), fc.integer({ min: 1, max: 1_400 }), (fromBinId, width) => {
        assert.equal(
          refusedField(() => checkZapIn(zapInPlan({ fromBinId, toBinId: fromBinId + width - 1 }), OWNER)),
          undefined,
        );
      }),
    );
  });
});

describe('operation: conversion of lamports to SOL', () => {
  it('The amounts in SOL are exact to the last lamport, also as JSON', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 8_000_000n * 1_000_000_000n }), (lamports) => {
        const sol = exactSol(lamports);
        assert.ok(sol !== undefined);
        const [whole = '', fraction = ''] = (JSON.parse(JSON.stringify(sol)) as number).toFixed(9).split('.');
        assert.equal(BigInt(whole + fraction), lamports);
        // What is written has no more than nine places.
        assert.ok(lamports < 1_000n || (String(sol).split('.')[1] ?? '').length <= 9);
      }),
    );
  });

  it('The conversion rejects amounts that a floating-point number cannot represent exactly', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }), (lamports) => {
        const sol = exactSol(lamports);
        assert.ok(sol === undefined || BigInt(sol.toFixed(9).replace('.', '')) === lamports);
      }),
    );
    assert.equal(exactSol((1n << 64n) - 1n), undefined);
    assert.equal(exactSol(10n ** 40n), undefined);
  });
});

describe('operation: conversion of raw amounts to whole tokens', () => {
  it('The amounts in JSON are exact for up to fifteen digits and truncated beyond them', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: (1n << 64n) - 1n }), fc.integer({ min: 0, max: 30 }), (amountRaw, decimals) => {
        const written = JSON.stringify(wholeTokens(amountRaw, decimals));
        const [mantissa = '', exponent = '0'] = written.split('e');
        const [whole = '', fraction = ''] = mantissa.split('.');
        const shift = decimals + Number(exponent) - fraction.length;
        const read = shift >= 0 ? BigInt(whole + fraction) * 10n ** BigInt(shift) : BigInt(whole + fraction) / 10n ** BigInt(-shift);
        assert.ok(
          read <= amountRaw && amountRaw - read < 10n ** BigInt(Math.max(0, String(amountRaw).length - 15)),
          `${amountRaw} with ${decimals} decimals is written ${written}`,
        );
      }),
      { numRuns: 500 },
    );
    assert.equal(wholeTokens(0n, 9), 0);
    assert.equal(JSON.stringify(wholeTokens(123_456_789_012_345_678n, 9)), '123456789.012345');
    assert.ok(wholeTokens(1n, 255) > 0);
  });
});
