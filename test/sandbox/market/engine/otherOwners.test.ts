import assert from 'node:assert/strict';
import { EngineError, type LandParameters } from '../../../../src/engine/engine';
import { RentRate } from '../../../../src/base/solana/rent';
import { signAll } from '../../../support/sandbox/sign';
import { useWorld, walletOf } from '../../../support/sandbox/market/engine/testWorld';

const SOL = 1_000_000_000n;

describe('Clients with their own wallets', function () {
  const test = useWorld();
  const wallet = walletOf(8);
  const { owner } = wallet;

  before(() => {
    const { engine, chain, market } = test.world;
    engine.change(() => {
      chain.setLamports(market.world, chain.lamports(market.world) - 10n * SOL);
      chain.setLamports(owner, 10n * SOL);
    });
  });

  afterEach(() => assert.deepEqual(test.world.audit(), []));

  const signed = (first: readonly string[], second: readonly string[]): LandParameters => ({
    first: signAll(first, wallet.secretKey),
    second: signAll(second, wallet.secretKey),
  });
  const listed = (): readonly string[] => test.world.engine.opening(owner).data.map(({ position }) => position);

  for (const key of ['BONQ-SOL-25', 'TRUMPET-USDC-50', 'JUPP-SOL-DAMM-25']) {
    it(`Another owner enters ${key}, sees the position, and exits with everything but fees and swap costs`, () => {
      const before = test.lamports(owner);
      const ownersBefore = test.lamports();
      const entry = test.zapIn(test.pool(key), 2n * SOL, { owner });
      test.world.engine.land('add', signed(entry.swapTxsWithJito, entry.addLiquidityTxsWithJito));
      const position = entry.meta.positionPubKey;
      assert.deepEqual(listed(), [position]);
      assert.ok(test.world.engine.opening(test.owner).data.every((record) => record.position !== position));
      const exit = test.decrease(position, 10_000, { owner });
      test.world.engine.land('decrease', signed(exit.closeTxsWithJito, exit.swapTxsWithJito));
      assert.deepEqual(listed(), []);
      const cost = before - test.lamports(owner) - 2n * RentRate.highest.tokenAccount;
      assert.ok(cost > 0n || key.includes('USDC'), `${cost}`);
      assert.ok(cost < (2n * SOL * 6n) / 100n, `${cost}`);
      assert.equal(test.lamports(), ownersBefore);
    });
  }

  it('An owner cannot land operations for another owner, in either direction', () => {
    const mine = test.entered(test.pool('BONQ-SOL-25'), SOL);
    assert.throws(
      () => test.decrease(mine, 10_000, { owner }),
      (error) => error instanceof EngineError && error.kind === 'invalid' && /does not own/.test(error.message),
    );
    const built = test.decrease(mine, 10_000);
    const entry = test.zapIn(test.pool('BONQ-SOL-25'), SOL, { owner });
    // The signature over the other's message, in the slot of its own key.
    const stolen = (of: readonly string[], by: readonly string[]): string[] =>
      of.map((text, place) => {
        const bytes = Buffer.from(text, 'base64');
        Buffer.from(by[place % by.length] ?? '', 'base64').copy(bytes, 1, 1, 65);
        return bytes.toString('base64');
      });
    const foreign = signAll(entry.swapTxsWithJito, wallet.secretKey);
    const before = [test.lamports(), test.lamports(owner)];
    assert.throws(
      () =>
        test.world.engine.land('decrease', {
          first: stolen(built.closeTxsWithJito, foreign),
          second: stolen(built.swapTxsWithJito, foreign),
        }),
      (error) => error instanceof EngineError && error.kind === 'notLanded' && /wrong/.test(error.message),
    );
    assert.deepEqual([test.lamports(), test.lamports(owner)], before);
    test.landDecrease(built);
  });

  it('An owner with too little balance learns what is missing, and nothing is built', () => {
    const poor = walletOf(9).owner;
    for (const input of [
      { mode: 'zap-in', lamports: SOL, percentX: 0.5 },
      { mode: 'normal', amountX: 1, amountY: 0 },
    ] as const) {
      assert.throws(
        () => test.add(test.pool('BONQ-SOL-25'), { owner: poor, input }),
        (error) => error instanceof EngineError && error.kind === 'invalid' && /Insufficient balance/.test(error.message),
      );
    }
  });
});
