import assert from 'node:assert/strict';
import { readEffects } from '../../../../src/sandbox/build/readEffects';
import type { BuildEffect } from '../../../../src/sandbox/build/types';
import { EngineError } from '../../../../src/engine/engine';
import type { ProductPool } from '../../../../src/sandbox/market/types';
import { RentRate } from '../../../../src/base/solana/rent';
import { parseTransaction } from '../../../../src/base/solana/wireTransaction';
import { useWorld } from '../../../support/sandbox/market/engine/testWorld';

const SOL = 1_000_000_000n;
const RENT = RentRate.highest.productPosition + RentRate.highest.productNftMint + RentRate.highest.productNftAccount;

describe('Operations in constant-product pools', function () {
  const test = useWorld();

  afterEach(() => assert.deepEqual(test.world.audit(), []));

  function productPool(key: string): ProductPool {
    const pool = test.pool(key);
    assert.ok(pool.type === 'product');
    return pool;
  }

  function effectsIn(transactions: readonly string[]): readonly BuildEffect[] {
    return transactions.flatMap((text) => readEffects(parseTransaction(new Uint8Array(Buffer.from(text, 'base64')))));
  }

  const liquidityOf = (position: string): bigint => {
    const { holding } = test.position(position);
    assert.ok(holding?.type === 'product');
    return holding.liquidity;
  };

  it('A zap-in opens a position of both tokens and leaves the slippage margin with the owner', () => {
    for (const key of ['BONQ-SOL-DAMM-25', 'SOL-USDC-DAMM-4', 'RAYO-USDC-DAMM-30']) {
      const pool = productPool(key);
      const built = test.zapIn(pool, 2n * SOL, { slippageBps: 100 });
      test.landAdd(built);
      const position = test.position(built.meta.positionPubKey);
      assert.deepEqual([position.type, position.lowerBinId, position.pool], ['product', null, pool.address]);
      const worth = test.world.market.books.worthOf(pool, test.world.market.books.amountsOf(pool, position));
      assert.ok(worth.native > 1.93 && worth.native < 2, `${key}: ${worth.native} SOL`);
      assert.equal(liquidityOf(position.address), position.holding?.type === 'product' ? position.holding.liquidity : -1n);
    }
  });

  it('A zap-in without slippage uses the whole input and lands if the price has not moved', () => {
    const pool = productPool('BONQ-SOL-DAMM-25');
    const built = test.zapIn(pool, SOL, { slippageBps: 0 });
    test.landAdd(built);
    const worth = test.world.market.books.worthOf(pool, test.world.market.books.amountsOf(pool, test.position(built.meta.positionPubKey)));
    assert.ok(worth.native > 0.985 && worth.native < 1, `${worth.native} SOL`);
  });

  it('A zap-in never takes more than the input while the price moves within the slippage', () => {
    const pool = productPool('WYFF-SOL-DAMM-100');
    const built = test.zapIn(pool, SOL, { slippageBps: 1_000 });
    const [add] = effectsIn(built.addLiquidityTxsWithJito).filter((effect) => effect.kind === 'addProductLiquidity');
    assert.ok(add !== undefined && add.maximumY <= SOL / 2n);
    test.world.engine.change(() => test.world.market.shock(pool, 6));
    test.landAdd(built);
    assert.equal(liquidityOf(built.meta.positionPubKey), add.liquidity);
  });

  it('A partial withdrawal and then the rest return the rents of position and NFT', () => {
    const pool = productPool('BONQ-SOL-DAMM-25');
    const position = test.entered(pool, 2n * SOL);
    const whole = liquidityOf(position);
    test.landDecrease(test.decrease(position, 2_500));
    assert.equal(liquidityOf(position), whole - whole / 4n);
    const before = { lamports: test.lamports(), burnt: test.world.chain.feesBurntLamports };
    const built = test.decrease(position, 10_000, { output: 'both', protocol: 'meteora_damm_v2' });
    const amounts = test.world.market.books.amountsOf(pool, test.position(position));
    const fees = test.world.market.books.feesOf(pool, test.position(position));
    test.landDecrease(built, 'plain');
    const burnt = test.world.chain.feesBurntLamports - before.burnt;
    assert.equal(test.lamports() - before.lamports, amounts.y + fees.y + RENT - burnt);
    assert.notEqual(test.position(position).closing, null);
  });

  it('An entry and a withdrawal fail with a message beyond the slippage and change nothing', () => {
    const pool = productPool('BONQ-SOL-DAMM-25');
    const position = test.entered(pool, SOL);
    const withdrawal = test.decrease(position, 5_000, { output: 'both', slippageBps: 100 });
    const entry = test.add(pool, { slippageBps: 100, input: { mode: 'normal', amountX: 10_000, amountY: 0.01 } });
    test.world.engine.change(() => test.world.market.shock(pool, 8));
    const before = test.lamports();
    const failed =
      (words: RegExp) =>
      (error: unknown): boolean =>
        error instanceof EngineError && error.kind === 'notLanded' && words.test(error.message);
    assert.throws(
      () => test.landDecrease(withdrawal),
      failed(
        /Slippage exceeded: the withdrawal from BONQ\/SOL gives \d+ BONQ and \d+ SOL \(raw\) now, and at least \d+ BONQ and \d+ SOL \(raw\)/,
      ),
    );
    assert.throws(() => test.landAdd(entry), failed(/Slippage exceeded: the deposit into BONQ\/SOL takes \d+ BONQ/));
    assert.equal(test.lamports(), before);
  });

  it('A zap-in ignores bins and refuses a one-sided input', () => {
    const pool = productPool('JUPP-SOL-DAMM-25');
    const built = test.zapIn(pool, SOL, { fromBinId: 5, toBinId: -5 });
    test.landAdd(built);
    for (const percentX of [0, 1]) {
      assert.throws(() => test.add(pool, { input: { mode: 'zap-in', lamports: SOL, percentX } }), /takes both JUPP and SOL/);
    }
    assert.throws(
      () => test.decrease(built.meta.positionPubKey, 10_000, { protocol: 'meteora' }),
      /type is meteora, but the position is one of meteora_damm_v2/,
    );
  });
});
