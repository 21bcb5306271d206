import assert from 'node:assert/strict';
import fc from 'fast-check';
import { OperationError } from '../../../src/operations/errors';
import { exactSol } from '../../../src/operations/sol';
import { checkZapIn, checkZapOut } from '../../../src/operations/validate';
import { runZapIn } from '../../../src/operations/zapIn';
import { runZapOut } from '../../../src/operations/zapOut';
import type { ZapInPlan, ZapOutPlan } from '../../../src/operations/types';
import { OTHER_OWNER } from '../portfolio/fixtures';
import { FROM_BIN, OWNER, POOL, POSITION, TO_BIN } from '../review/bundles';
import { bench, failureOf, thePosition, zapInPlan, zapOutPlan } from './harness';

/** The field that a plan is refused for; `undefined` where it is not refused. */
function refusedField(check: () => unknown): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    assert.ok(error instanceof OperationError);
    assert.deepEqual([error.kind, error.money], ['invalidPlan', 'untouched']);
    assert.match(error.message, /Nothing was signed and nothing was sent/);
    return error.field;
  }
}

/** A pool without bins. */
const WITHOUT_BINS = { poolType: 'dammV2', strategy: undefined, fromBinId: undefined, toBinId: undefined } as const;

const WRONG_NUMBERS = [Number.NaN, Infinity, -Infinity, 0.5, -1, 10_001];

describe('plans of zap-outs', () => {
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
    it(`are refused for their ${field} (${index + 1})`, async () => {
      assert.equal(refusedField(() => checkZapOut(zapOutPlan(part), OWNER)), field);
      const it = await bench();
      const failure = await failureOf(runZapOut(zapOutPlan(part), it.dependencies, it.host, it.abort.signal));
      assert.equal(failure.field, field);
      assert.deepEqual([it.trace.builds.length, it.trace.steps.length], [0, 0]);
    });
  });

  it('are taken with every share and slippage that there is', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), fc.integer({ min: 0, max: 10_000 }), (shareBps, slippageBps) => {
        assert.deepEqual(checkZapOut(zapOutPlan({ shareBps, slippageBps }), OWNER), { position: POSITION, positionId: 'service-id', pool: POOL, poolType: 'dlmm', fromBinId: FROM_BIN, toBinId: TO_BIN });
      }),
    );
  });

  it('are taken where the service does not say whose the position is', () => {
    assert.equal(refusedField(() => checkZapOut(zapOutPlan({ position: thePosition({ owner: undefined }) }), OWNER)), undefined);
  });

  it('out of pools without bins have none, whatever the service lists', () => {
    const position = thePosition({ poolType: 'dammV2', lowerBinId: 1, upperBinId: 2 });
    assert.deepEqual(checkZapOut(zapOutPlan({ position }), OWNER), { position: POSITION, positionId: 'service-id', pool: POOL, poolType: 'dammV2', fromBinId: undefined, toBinId: undefined });
  });

  it('are refused while another wallet, or none, is shown', () => {
    assert.equal(refusedField(() => checkZapOut(zapOutPlan(), OTHER_OWNER)), 'owner');
    assert.equal(refusedField(() => checkZapOut(zapOutPlan(), undefined)), 'owner');
  });
});

describe('plans of zap-ins', () => {
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
  ];
  wrong.forEach(([field, part], index) => {
    it(`are refused for their ${field} (${index + 1})`, async () => {
      assert.equal(refusedField(() => checkZapIn(zapInPlan(part), OWNER)), field);
      const it = await bench();
      const failure = await failureOf(runZapIn(zapInPlan(part), it.dependencies, it.host, it.abort.signal));
      assert.equal(failure.field, field);
      assert.deepEqual([it.trace.builds.length, it.trace.steps.length], [0, 0]);
    });
  });

  it('into pools without bins are taken without a range, with every share that leaves something for both tokens', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, minExcluded: true, maxExcluded: true, noNaN: true }), (percentX) => {
        assert.deepEqual(checkZapIn(zapInPlan({ ...WITHOUT_BINS, percentX }), OWNER), { inputSol: 1, range: { strategy: undefined, fromBinId: undefined, toBinId: undefined } });
      }),
    );
  });

  it('are taken with every range of 1 to 1400 bins', () => {
    fc.assert(
      fc.property(fc.integer({ min: -400_000, max: 400_000 }), fc.integer({ min: 1, max: 1_400 }), (fromBinId, width) => {
        assert.equal(refusedField(() => checkZapIn(zapInPlan({ fromBinId, toBinId: fromBinId + width - 1 }), OWNER)), undefined);
      }),
    );
  });
});

describe('lamports as SOL', () => {
  it('are exact to the last lamport, as JSON too', () => {
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

  it('are not rounded where a float cannot hold them', () => {
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
