import assert from 'node:assert/strict';
import fc from 'fast-check';
import { EngineError, type LandParameters } from '../../../../src/engine/engine';
import type { MarketPool } from '../../../../src/sandbox/market/types';
import { TestWorld } from '../../../support/sandbox/market/engine/testWorld';

const RUNS = 4;
const STEPS = 12;

/** How a client lands what it has. */
const Manner = fc.constantFrom('plain', 'withJito', 'both', 'twice', 'tampered', 'unsigned', 'partly', 'late', 'never');
type Manner = typeof Manner extends fc.Arbitrary<infer Name> ? Name : never;

const Step = fc.oneof(
  fc.record({
    kind: fc.constant('add' as const),
    pool: fc.nat(),
    strategy: fc.constantFrom('Spot' as const, 'Curve' as const, 'BidAsk' as const),
    lamports: fc.bigInt(1n, 3_000_000_000n),
    percentX: fc.constantFrom(0, 0.3, 0.5, 1),
    from: fc.integer({ min: -120, max: 40 }),
    width: fc.integer({ min: 1, max: 150 }),
    slippageBps: fc.constantFrom(0, 50, 500),
    manner: Manner,
  }),
  fc.record({
    kind: fc.constant('decrease' as const),
    position: fc.nat(),
    bps: fc.constantFrom(1, 777, 5_000, 10_000, 10_000),
    output: fc.constantFrom('allBaseToken' as const, 'allToken0' as const, 'allToken1' as const, 'both' as const),
    slippageBps: fc.constantFrom(0, 50, 500),
    manner: Manner,
  }),
  fc.record({ kind: fc.constant('wait' as const), seconds: fc.integer({ min: 1, max: 4_000 }) }),
  fc.record({ kind: fc.constant('shock' as const), pool: fc.nat(), percent: fc.integer({ min: -30, max: 40 }) }),
  fc.record({ kind: fc.constant('restart' as const) }),
);
type Step = typeof Step extends fc.Arbitrary<infer One> ? One : never;

describe('Conservation', function () {
  it('Conservation holds for all clients, prices and times', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000 }), fc.array(Step, { minLength: STEPS, maxLength: STEPS }), (seed, steps) => {
        const test = new TestWorld({ seed, pastHours: 4 });
        assert.deepEqual(test.world.audit(), []);
        for (const step of steps) {
          take(test, step);
          assert.deepEqual(test.world.audit(), []);
        }
        test.close();
      }),
      { numRuns: RUNS },
    );
  });

  function take(test: TestWorld, step: Step): void {
    switch (step.kind) {
      case 'wait':
        test.advance(step.seconds * 1_000);
        return;
      case 'shock':
        test.world.engine.change(() => test.world.market.shock(poolAt(test, step.pool), step.percent));
        return;
      case 'restart':
        test.restart();
        return;
      case 'add':
        tolerated(() => add(test, step));
        return;
      case 'decrease':
        tolerated(() => decrease(test, step));
    }
  }

  function add(
    test: TestWorld,
    { pool: index, strategy, lamports, percentX, from, width, slippageBps, manner }: Step & { kind: 'add' },
  ): void {
    const pool = poolAt(test, index);
    const fromBinId = pool.type === 'bins' ? pool.activeBinId + from : undefined;
    const toBinId = fromBinId === undefined ? undefined : fromBinId + width - 1;
    const built = test.add(pool, { strategy, fromBinId, toBinId, slippageBps, input: { mode: 'zap-in', lamports, percentX } });
    const [withJito, plain] = [test.signedAdd(built), test.signedAdd(built, 'plain')];
    land(
      test,
      manner,
      { withJito, plain, unsigned: { first: built.swapTxsWithJito, second: built.addLiquidityTxsWithJito } },
      (parameters) => test.world.engine.land('add', parameters).signature,
    );
  }

  function decrease(test: TestWorld, { position, bps, output, slippageBps, manner }: Step & { kind: 'decrease' }): void {
    const open = test.world.market.positions.openOf(test.owner);
    const of = open[position % open.length];
    if (of === undefined) {
      return;
    }
    const built = test.decrease(of.address, bps, { output, slippageBps });
    const [withJito, plain] = [test.signedDecrease(built), test.signedDecrease(built, 'plain')];
    land(
      test,
      manner,
      { withJito, plain, unsigned: { first: built.closeTxsWithJito, second: built.swapTxsWithJito } },
      (parameters) => test.world.engine.land('decrease', parameters).signature,
    );
  }

  function land(
    test: TestWorld,
    manner: Manner,
    { withJito, plain, unsigned }: { readonly withJito: LandParameters; readonly plain: LandParameters; readonly unsigned: LandParameters },
    landing: (parameters: LandParameters) => string,
  ): void {
    switch (manner) {
      case 'withJito':
        landing(withJito);
        return;
      case 'plain':
        landing(plain);
        return;
      case 'both':
        assert.equal(landing(plain), landing(withJito));
        return;
      case 'twice':
        assert.equal(landing(withJito), landing(withJito));
        return;
      case 'late':
        test.advance(90_000);
        fails(() => landing(withJito));
        return;
      case 'tampered':
        fails(() => landing({ first: withJito.first.map(tampered), second: withJito.second.map(tampered) }));
        return;
      case 'unsigned':
        fails(() => landing(unsigned));
        return;
      case 'partly':
        fails(() => landing({ first: [], second: [...withJito.first, ...withJito.second].slice(1) }));
        return;
      case 'never':
    }
  }

  function poolAt(test: TestWorld, index: number): MarketPool {
    const { pools } = test.world.market;
    const pool = pools[index % pools.length];
    assert.ok(pool !== undefined);
    return pool;
  }

  function fails(run: () => unknown): void {
    assert.throws(run, EngineError);
  }

  /** What an engine refuses, it refuses: only that everything adds up is of interest here. */
  function tolerated(run: () => void): void {
    try {
      run();
    } catch (error) {
      if (!(error instanceof EngineError)) {
        throw error;
      }
    }
  }

  function tampered(text: string): string {
    const bytes = Buffer.from(text, 'base64');
    const last = bytes.length - 1;
    bytes.writeUInt8(bytes.readUInt8(last) ^ 1, last);
    return bytes.toString('base64');
  }
});
