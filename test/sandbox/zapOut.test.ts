import assert from 'node:assert/strict';
import * as z from 'zod';
import { parseTransaction } from '../../src/solana/wire';
import { good, landed, refused, SOL, type OpenPosition } from './support/client';
import { useSandbox } from './support/useSandbox';

/** What a position's account gives back when it is closed, lamports. */
const POSITION_RENT = 57_406_080n;
const LAMPORTS_PER_SOL = 1e9;

describe('zapping out', function () {
  this.timeout(60_000);
  const client = useSandbox('each');

  /** What it is worth with fees, SOL. */
  const worth = (position: OpenPosition): number => position.valueNative + (position.unCollectedFee * position.valueNative) / position.value;

  for (const pairName of ['POPKAT/SOL', 'PENGO/SOL', 'WYFF/SOL', 'SOL/USDC', 'TRUMPET/USDC']) {
    it(`all of ${pairName} makes the position leave opening, enter historical, and brings its worth in SOL`, async () => {
      const position = await client().positionIn(pairName);
      const before = await client().balance(SOL);
      landed(await client().landDecrease(await client().decrease(position.id, 10_000)));

      assert.equal(await client().position(position.position), undefined);
      assert.equal((await client().opening()).length, 7);
      const gained = Number((await client().balance(SOL)) - before - POSITION_RENT) / LAMPORTS_PER_SOL;
      // Swaps cost a little; so do fees, the tip, and the rent of token accounts that stay.
      assert.ok(gained > 0.985 * worth(position) - 0.01 && gained < 1.01 * worth(position), `${gained} SOL for ${worth(position)}`);

      const Historical = z.object({ data: z.object({ data: z.array(z.looseObject({ position: z.string(), status: z.string(), inputValue: z.number(), outputValue: z.number(), collectedFee: z.number() })) }) });
      const [last] = good(Historical, await client().get('/lp-positions/historical', { owner: client().sandbox.owner })).data.data;
      assert.equal(last?.position, position.position);
      assert.equal(last.status, 'Close');
      assert.equal(last.inputValue, position.inputValue);
      assert.ok(Math.abs(last.outputValue - position.outputValue - position.value) < 0.02 * position.value);
    });
  }

  it('half leaves the other half', async () => {
    const position = await client().positionIn('POPKAT/SOL');
    landed(await client().landDecrease(await client().decrease(position.id, 5_000)));
    const left = await client().position(position.position);
    assert.ok(left !== undefined);
    assert.equal(left.id, position.id);
    assert.equal(left.inputValue, position.inputValue);
    // Out of range above: all of it is SOL, and does not change while we look.
    const [was, is] = [BigInt(position.current.amount1), BigInt(left.current.amount1)];
    const bins = BigInt(position.tickUpper - position.tickLower + 1);
    assert.ok(is <= was / 2n && is >= was / 2n - bins, `${is} of ${was}: more is missing than is rounded away in ${bins} bins`);
    assert.equal(left.unCollectedFee, 0);
    assert.ok(Math.abs(left.outputValue - position.value / 2) < 0.01 * position.value);
    assert.ok(Math.abs(left.pnl.percent - position.pnl.percent) < 1);
  });

  it('in three parts comes to the same as at once', async () => {
    const position = await client().positionIn('POPKAT/SOL');
    for (const bps of [2_500, 5_000, 10_000]) {
      landed(await client().landDecrease(await client().decrease(position.position, bps)));
    }
    assert.equal(await client().position(position.position), undefined);
  });

  it('as it is brings both tokens', async () => {
    const position = await client().positionIn('TRUMPET/USDC');
    const { pool, token0, token1 } = await client().pool('TRUMPET/USDC', 50);
    assert.equal(position.pool, pool);
    const before = [await client().balance(token0), await client().balance(token1)] as const;
    const built = await client().decrease(position.id, 10_000, { output: 'both' });
    assert.deepEqual(built.swapTxsWithJito, []);
    landed(await client().landDecrease(built));
    const gained = [(await client().balance(token0)) - before[0], (await client().balance(token1)) - before[1]] as const;
    near(gained[0], BigInt(position.current.amount0));
    near(gained[1], BigInt(position.current.amount1));
  });

  it('into one of the tokens brings that one', async () => {
    const position = await client().positionIn('TRUMPET/USDC');
    const { token0, token1 } = await client().pool('TRUMPET/USDC', 50);
    const before = await client().balance(token1);
    landed(await client().landDecrease(await client().decrease(position.id, 5_000, { output: 'allToken1' })));
    const usd = Number((await client().balance(token1)) - before) / 1e6;
    assert.ok(usd > 0.48 * position.value && usd < 0.53 * position.value + position.unCollectedFee, `${usd} of ${position.value}`);
    const dust = await client().balance(token0);
    landed(await client().landDecrease(await client().decrease(position.id, 10_000, { output: 'allToken0' })));
    assert.ok((await client().balance(token0)) > dust);
    assert.equal(await client().position(position.position), undefined);
  });

  it('goes by the address as well as by the id', async () => {
    const position = await client().positionIn('GIGALAMB/SOL');
    landed(await client().landDecrease(await client().decrease(position.position, 10_000)));
    assert.equal(await client().position(position.position), undefined);
  });

  it('lands a wide position in several transactions', async () => {
    const { pool } = await client().pool('JUPP/SOL', 20);
    const active = await client().activeBin(pool);
    const added = await client().add(pool, { inputSOL: 3, fromBinId: active - 150, toBinId: active + 150 });
    landed(await client().landAdd(added));
    const built = await client().decrease(added.meta.positionPubKey, 10_000);
    assert.ok(built.closeTxsWithJito.length > 1);
    landed(await client().landDecrease(built));
    assert.equal(await client().position(added.meta.positionPubKey), undefined);
  });

  it('builds legacy and v0 transactions, unsigned but for what is not the owner\'s', async () => {
    const { id } = await client().positionIn('WYFF/SOL');
    const { closeTxsWithJito, swapTxsWithJito } = await client().decrease(id, 10_000);
    const all = [...closeTxsWithJito, ...swapTxsWithJito].map((text) => parseTransaction(new Uint8Array(Buffer.from(text, 'base64'))));
    assert.deepEqual(new Set(all.map(({ version }) => version)), new Set(['legacy', 0]));
    for (const { staticKeys, signatures, requiredSignatures } of all) {
      assert.equal(staticKeys[0], client().sandbox.owner);
      assert.equal(requiredSignatures, 1);
      assert.ok(signatures[0]?.every((byte) => byte === 0));
    }
  });

  it('fails with words when the price moves further than the slippage, and changes nothing', async () => {
    const position = await client().positionIn('WYFF/SOL');
    const before = await client().balance(SOL);
    for (const output of ['both', 'allBaseToken']) {
      const built = await client().decrease(position.id, 10_000, { slippage_bps: 100, output });
      assert.equal((await client().control('shock', { pool: position.pool, percent: -12 })).status, 200);
      assert.match(refused(422, await client().landDecrease(built)), /nothing of it was executed.*Slippage exceeded/);
    }
    assert.equal(await client().balance(SOL), before);
    const left = await client().position(position.position);
    assert.equal(left?.inputValue, position.inputValue);
    assert.equal(left.outputValue, position.outputValue);
  });

  it('quotes what a part is worth', async () => {
    const position = await client().positionIn('POPKAT/SOL');
    const Quote = z.object({ data: z.looseObject({ value: z.number(), token1: z.object({ amount: z.string() }) }) });
    const { data } = good(Quote, await client().post('/position/decrease-quotes', { id: position.id, bps: 2_500 }));
    assert.ok(Math.abs(Number(data.token1.amount) - position.current.amount1Adjusted / 4) < 1e-6);
    assert.ok(Math.abs(data.value - position.value / 4 - position.unCollectedFee) < 0.01 * position.value);
  });
});

/** In-range amounts move a little from second to second. */
function near(actual: bigint, expected: bigint): void {
  assert.ok(Math.abs(Number(actual) / Number(expected) - 1) < 0.05, `${actual} and not about ${expected}`);
}
