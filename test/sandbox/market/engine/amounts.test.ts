import assert from 'node:assert/strict';
import * as z from 'zod';
import { readEffects } from '../../../../src/sandbox/build/readEffects';
import type { SwapEffect } from '../../../../src/sandbox/build/types';
import { withLoaded } from '../../../../src/sandbox/chain/lookupTables';
import { JITO_TIP_ACCOUNTS } from '../../../../src/base/solana/programs';
import { RentRate } from '../../../../src/base/solana/rent';
import { parseTransaction } from '../../../../src/base/solana/wireTransaction';
import { useWorld } from '../../../support/sandbox/market/engine/testWorld';

const SOL = 1_000_000_000n;

const EventRow = z.object({ action: z.string(), amount_x: z.string().transform(BigInt), amount_y: z.string().transform(BigInt) });

for (const format of ['service', 'v1', 'mixed'] as const) {
  describe(`Amounts of an operation, to the last unit, transactions: ${format}`, function () {
    const test = useWorld();

    before(() => test.world.settings.change({ transactions: format }));
    afterEach(() => assert.deepEqual(test.world.audit(), []));

    /** Swaps in transactions, as their instructions say. */
    function swapsIn(transactions: readonly string[]): readonly SwapEffect[] {
      const { chain } = test.world;
      return transactions.flatMap((text) => {
        const wire = withLoaded(parseTransaction(new Uint8Array(Buffer.from(text, 'base64'))), 0, chain.slot, (of) => chain.account(of));
        return readEffects(wire).filter((effect) => effect.kind === 'swap');
      });
    }

    /** What events of that kind moved into or out of a position. */
    function moved(position: string, action: string): { readonly x: bigint; readonly y: bigint } {
      const rows = test.database
        .all(EventRow, 'SELECT action, amount_x, amount_y FROM position_event WHERE position = ?', position)
        .filter((row) => row.action === action);
      return { x: rows.reduce((sum, row) => sum + row.amount_x, 0n), y: rows.reduce((sum, row) => sum + row.amount_y, 0n) };
    }

    /** What the owner's SOL went to besides what was put in or came out: fees, tips. */
    function costsOf(run: () => void): { readonly fees: bigint; readonly tips: bigint; readonly spent: bigint } {
      const tips = (): bigint => JITO_TIP_ACCOUNTS.reduce((sum, account) => sum + test.lamports(account), 0n);
      const before = { burnt: test.world.chain.feesBurntLamports, tips: tips(), lamports: test.lamports() };
      run();
      return {
        fees: test.world.chain.feesBurntLamports - before.burnt,
        tips: tips() - before.tips,
        spent: before.lamports - test.lamports(),
      };
    }

    it('A zap-in deposits the quoted swap output up to rounding, and all SOL spent is accounted for', () => {
      for (const [key, strategy] of [
        ['BONQ-SOL-25', 'Spot'],
        ['WYFF-SOL-80', 'Curve'],
        ['JUPP-SOL-20', 'BidAsk'],
      ] as const) {
        const pool = test.pool(key);
        const hadAccount = test.world.chain.tokenAccountsOf(test.owner, pool.tokenX.mint).length > 0;
        const before = test.tokens(pool.tokenX.mint);
        const built = test.zapIn(pool, 2n * SOL, { strategy });
        const [swap, ...more] = swapsIn([...built.swapTxsWithJito, ...built.addLiquidityTxsWithJito]);
        assert.ok(swap !== undefined && more.length === 0);
        assert.equal(swap.inAmount, SOL);
        const { fees, tips, spent } = costsOf(() => test.landAdd(built));
        const put = moved(built.meta.positionPubKey, 'add_liquidity');
        assert.equal(test.tokens(pool.tokenX.mint) - before, swap.quotedOut - put.x);
        assert.ok(put.x <= swap.quotedOut && swap.quotedOut - put.x < 100n, `${put.x} of ${swap.quotedOut}`);
        assert.ok(put.y <= SOL && SOL - put.y < 100n);
        assert.equal(tips, 200_000n);
        assert.equal(spent, SOL + put.y + RentRate.highest.position + (hadAccount ? 0n : RentRate.highest.tokenAccount) + fees + tips);
      }
    });

    it('A zap-out swaps at the quote and returns all rents except those of bin arrays', () => {
      const pool = test.pool('BONQ-SOL-25');
      const position = test.entered(pool, 2n * SOL);
      const before = test.tokens(pool.tokenX.mint);
      const built = test.decrease(position, 10_000);
      const [swap, ...more] = swapsIn([...built.closeTxsWithJito, ...built.swapTxsWithJito]);
      assert.ok(swap !== undefined && more.length === 0);
      const { fees, tips, spent } = costsOf(() => test.landDecrease(built));
      const out = moved(position, 'remove_liquidity');
      const claimed = moved(position, 'claim_fee');
      assert.equal(swap.inAmount, out.x + claimed.x);
      assert.equal(test.tokens(pool.tokenX.mint), before);
      assert.equal(-spent, swap.quotedOut + out.y + claimed.y + RentRate.highest.position - fees - tips);
      assert.equal(test.lamports(test.position(position).address), 0n);
      assert.notEqual(test.position(position).closing, null);
    });

    it('Two withdrawals of half leave a quarter, and each pays the fees', () => {
      const pool = test.pool('JUPP-SOL-20');
      const position = test.entered(pool, 2n * SOL);
      const amounts = (): number => Number(test.world.market.books.amountsOf(pool, test.position(position)).y);
      const whole = amounts();
      test.landDecrease(test.decrease(position, 5_000, { output: 'both' }));
      test.landDecrease(test.decrease(position, 5_000, { output: 'both' }));
      assert.ok(Math.abs(amounts() / whole - 0.25) < 1e-6);
      assert.equal(test.position(position).closing, null);
    });

    it('A withdrawal of a part of the range leaves the other bins alone', () => {
      const pool = test.pool('JUPP-SOL-20');
      assert.equal(pool.type, 'bins');
      const position = test.entered(pool, 2n * SOL);
      const { lowerBinId, holding } = test.position(position);
      assert.ok(lowerBinId !== null && holding?.type === 'bins');
      test.landDecrease(test.decrease(position, 10_000, { output: 'both', fromBinId: lowerBinId - 5, toBinId: lowerBinId + 4 }));
      const left = test.position(position).holding;
      assert.ok(left?.type === 'bins');
      assert.deepEqual(
        left.bins.map(({ shares }) => shares > 0n),
        left.bins.map((_, place) => place > 4),
      );
      assert.throws(() => test.decrease(position, 10_000, { fromBinId: lowerBinId + 21 }), /name none of the position's bins/);
    });

    it('A withdrawal pays out only the requested tokens, for every output', () => {
      const pool = test.pool('BONQ-SOL-25');
      const position = test.entered(pool, 4n * SOL);
      const { mint } = pool.tokenX;
      for (const [output, gainsX, gainsSol] of [
        ['both', true, true],
        ['allToken0', true, false],
        ['allToken1', false, true],
        ['allBaseToken', false, true],
      ] as const) {
        const before = { x: test.tokens(mint), lamports: test.lamports() };
        const { fees, tips } = costsOf(() => test.landDecrease(test.decrease(position, 2_000, { output })));
        assert.equal(test.tokens(mint) > before.x, gainsX, output);
        assert.equal(test.lamports() + fees + tips > before.lamports, gainsSol, output);
      }
    });

    it('A withdrawal from dollars to SOL swaps through both pools, each quoted after the one before', () => {
      const pool = test.pool('TRUMPET-USDC-50');
      const position = test.entered(pool, 3n * SOL);
      const usdc = test.tokens(test.world.market.usdc.mint);
      const built = test.decrease(position, 10_000);
      const swaps = swapsIn([...built.closeTxsWithJito, ...built.swapTxsWithJito]);
      assert.deepEqual(
        swaps.map(({ pools }) => pools.length),
        [2, 1],
      );
      const { fees, tips, spent } = costsOf(() => test.landDecrease(built));
      assert.equal(-spent, swaps.reduce((sum, { quotedOut }) => sum + quotedOut, 0n) + RentRate.highest.position - fees - tips);
      assert.equal(test.tokens(test.world.market.usdc.mint), usdc);
    });

    it('An entry of more than 70 bins pays rents, and all except those of bin arrays return on exit', () => {
      const pool = test.pool('MEWO-SOL-200');
      assert.ok(pool.type === 'bins');
      const arrays = pool.binArrayIndexes.length;
      const built = test.add(pool, {
        fromBinId: pool.activeBinId - 260,
        toBinId: pool.activeBinId + 20,
        strategy: 'BidAsk',
        input: { mode: 'zap-in', lamports: SOL, percentX: 0 },
      });
      const position = built.meta.positionPubKey;
      const into = costsOf(() => test.landAdd(built));
      const made = BigInt(pool.binArrayIndexes.length - arrays);
      assert.ok(made > 0n);
      const rent = RentRate.highest.position + 211n * RentRate.highest.positionPerBinAbove70;
      assert.equal(test.lamports(test.position(position).address), rent);
      const tokenRent = RentRate.highest.tokenAccount;
      const put = moved(position, 'add_liquidity');
      assert.ok([0n, tokenRent].includes(into.spent - put.y - rent - made * RentRate.highest.binArray - into.fees - into.tips));
      const out = costsOf(() => test.landDecrease(test.decrease(position, 10_000)));
      const taken = moved(position, 'remove_liquidity');
      const claimed = moved(position, 'claim_fee');
      assert.equal(-out.spent, taken.y + claimed.y + rent - out.fees - out.tips);
      assert.equal(BigInt(pool.binArrayIndexes.length - arrays), made);
    });

    it('An entry without swaps uses the tokens of the owner', () => {
      const pool = test.pool('BONQ-SOL-25');
      const before = test.tokens(pool.tokenX.mint);
      const built = test.add(pool, { input: { mode: 'normal', amountX: 100_000, amountY: 0.25 } });
      assert.deepEqual(built.swapTxsWithJito, []);
      test.landAdd(built);
      const put = moved(built.meta.positionPubKey, 'add_liquidity');
      assert.equal(before - test.tokens(pool.tokenX.mint), put.x);
      assert.ok(put.x <= 100_000n * 100_000n && put.x > 100_000n * 100_000n - 100n);
      assert.throws(
        () => test.add(pool, { input: { mode: 'normal', amountX: 1e12, amountY: 0 } }),
        /Insufficient balance: 1000000000000 BONQ are needed/,
      );
    });
  });
}
