import assert from 'node:assert/strict';
import { isEmptySignature, parseTransaction } from '../../src/base/solana/wireTransaction';
import { landed, refused, SOL } from '../support/sandbox/client';
import { STILL_AND_SHORT, useSandbox } from '../support/sandbox/useSandbox';

const LAMPORTS_PER_SOL = 1e9;
const POSITION_RENT_SOL = 0.05740608;

describe('Zapping in', function () {
  const client = useSandbox('all', STILL_AND_SHORT);
  let openBefore: number;

  beforeEach(async () => {
    openBefore = (await client().opening()).length;
  });

  for (const [pairName, binStep, stratergy] of [
    ['BONQ/SOL', 100, 'Spot'],
    ['WYFF/SOL', 80, 'Curve'],
    ['SOL/USDC', 4, 'BidAsk'],
    ['TRUMPET/USDC', 50, 'Spot'],
    ['PUSD/USDC', 1, 'Curve'],
  ] as const) {
    it(`A zap-in to ${pairName} by ${stratergy} opens a position of that worth at meta.positionPubKey`, async () => {
      const { pool } = await client().pool(pairName, binStep);
      const active = await client().activeBin(pool);
      const before = await client().balance(SOL);
      const built = await client().add(pool, { stratergy, inputSOL: 1.5, fromBinId: active - 20, toBinId: active + 20 });
      assert.equal(await client().position(built.meta.positionPubKey), undefined);
      landed(await client().landAdd(built));

      const position = await client().position(built.meta.positionPubKey);
      assert.ok(position !== undefined);
      assert.equal(position.pool, pool);
      assert.equal(position.pairName, pairName);
      assert.deepEqual([position.tickLower, position.tickUpper], [active - 20, active + 20]);
      assert.equal(position['strategyType'], `${stratergy}ImBalanced`);
      assert.equal(position.inRange, true);
      assert.ok(position.valueNative > 1.47 && position.valueNative < 1.51, `worth ${position.valueNative} SOL`);
      assert.ok(Math.abs(position.pnl.percent) < 2);
      assert.ok(position.current.amount0Adjusted > 0 && position.current.amount1Adjusted > 0);
      const spent = Number(before - (await client().balance(SOL))) / LAMPORTS_PER_SOL - POSITION_RENT_SOL;
      assert.ok(spent > 1.49 && spent < 1.52, `spent ${spent} SOL`);
    });
  }

  it('A range below the active bin takes only SOL, and one above it only the token', async () => {
    const { pool } = await client().pool('BONQ/SOL', 25);
    const active = await client().activeBin(pool);
    const below = await client().add(pool, { inputSOL: 1, percentX: 0, fromBinId: active - 40, toBinId: active - 2 });
    assert.deepEqual(below.swapTxsWithJito, []);
    landed(await client().landAdd(below));
    const above = await client().add(pool, { inputSOL: 1, percentX: 1, fromBinId: active + 2, toBinId: active + 40 });
    landed(await client().landAdd(above));
    const [low, high] = [await client().position(below.meta.positionPubKey), await client().position(above.meta.positionPubKey)];
    assert.deepEqual([low?.inRange, low?.current.amount0Adjusted], [false, 0]);
    assert.deepEqual([high?.inRange, high?.current.amount1Adjusted], [false, 0]);
  });

  it('A range of more than 70 bins takes several transactions and creates missing bin arrays', async () => {
    const { pool } = await client().pool('GIGALAMB/SOL', 250);
    const active = await client().activeBin(pool);
    const before = await client().balance(SOL);
    const built = await client().add(pool, { inputSOL: 0.2, fromBinId: active - 260, toBinId: active + 20, stratergy: 'BidAsk' });
    assert.ok(built.addLiquidityTxsWithJito.length > 2);
    landed(await client().landAdd(built));
    const position = await client().position(built.meta.positionPubKey);
    assert.deepEqual([position?.tickLower, position?.tickUpper], [active - 260, active + 20]);
    assert.ok(Math.abs((position?.valueNative ?? 0) - 0.2) < 0.02, `worth ${position?.valueNative ?? 0}`);
    const rent = Number(before - (await client().balance(SOL))) / LAMPORTS_PER_SOL - 0.2;
    const [wide, binArray] = [0.057 + (281 - 70) * 0.00077952, 0.07143744];
    assert.ok(rent > wide + binArray && rent < wide + 5 * binArray, `rent ${rent}`);
  });

  it('A zap-in without swaps takes the tokens of the owner', async () => {
    const { pool, token0 } = await client().pool('BONQ/SOL', 100);
    const active = await client().activeBin(pool);
    const bonq = await client().balance(token0);
    const built = await client().add(pool, {
      mode: 'normal',
      amountX: 1_000_000,
      amountY: 0.5,
      fromBinId: active - 10,
      toBinId: active + 10,
    });
    assert.deepEqual(built.swapTxsWithJito, []);
    landed(await client().landAdd(built));
    const position = await client().position(built.meta.positionPubKey);
    assert.ok(position !== undefined && position.valueNative > 0.5);
    const put = Number(bonq - (await client().balance(token0))) / 1e5;
    assert.ok(Math.abs(put - 1_000_000) < 0.001, `${put}`);
  });

  it('The defaults are mode zap-in and five percent slippage', async () => {
    const { pool } = await client().pool('BONQ/SOL', 100);
    const active = await client().activeBin(pool);
    const built = await client().add(pool, {
      inputSOL: 0.3,
      fromBinId: active - 10,
      toBinId: active + 10,
      slippage_bps: undefined,
      mode: undefined,
    });
    landed(await client().landAdd(built));
    assert.ok((await client().position(built.meta.positionPubKey)) !== undefined);
  });

  it("The built transactions carry the signature of the new position and need the owner's", async () => {
    const { pool } = await client().pool('WYFF/SOL', 80);
    const active = await client().activeBin(pool);
    const built = await client().add(pool, { inputSOL: 1, fromBinId: active - 10, toBinId: active + 10 });
    const all = [...built.swapTxsWithJito, ...built.addLiquidityTxsWithJito].map((text) =>
      parseTransaction(new Uint8Array(Buffer.from(text, 'base64'))),
    );
    const partly = all.filter(({ requiredSignatures }) => requiredSignatures === 2);
    assert.equal(partly.length, 1);
    for (const { staticKeys, signatures } of all) {
      assert.equal(staticKeys[0], client().sandbox.owner);
      assert.ok(isEmptySignature(signatures[0] ?? new Uint8Array(1)));
      assert.ok(signatures.slice(1).every((signature) => !isEmptySignature(signature)));
    }
    assert.equal(partly[0]?.staticKeys[1], built.meta.positionPubKey);
  });

  it('A zap-in fails with a message beyond the slippage and changes nothing', async () => {
    const { pool } = await client().pool('WYFF/SOL', 80);
    const active = await client().activeBin(pool);
    const before = await client().balance(SOL);
    const built = await client().add(pool, { inputSOL: 1, fromBinId: active - 10, toBinId: active + 10, slippage_bps: 200 });
    const oneSided = await client().add(pool, { inputSOL: 1, percentX: 0, fromBinId: active - 30, toBinId: active, slippage_bps: 200 });
    await client().control('shock', { pool, percent: 8 });
    assert.match(refused(422, await client().landAdd(built)), /Slippage exceeded: selling SOL/);
    assert.match(
      refused(422, await client().landAdd(oneSided)),
      /Slippage exceeded: the active bin of WYFF\/SOL moved from -?\d+ to -?\d+/,
    );
    assert.equal(await client().balance(SOL), before);
    assert.equal((await client().opening()).length, openBefore);
  });

  it('A zap-in through two pools fails if the price of either exceeds the slippage', async () => {
    const [{ pool }, dollars] = [await client().pool('TRUMPET/USDC', 50), await client().pool('SOL/USDC', 4)];
    const before = await client().balance(SOL);
    for (const [shocked, percent] of [
      [pool, 10],
      [dollars.pool, -4],
    ] as const) {
      const active = await client().activeBin(pool);
      const built = await client().add(pool, { inputSOL: 1, percentX: 1, fromBinId: active + 1, toBinId: active + 20, slippage_bps: 200 });
      await client().control('shock', { pool: shocked, percent });
      assert.match(refused(422, await client().landAdd(built)), /Slippage exceeded: selling SOL in SOL\/USDC and TRUMPET\/USDC gives \d+/);
    }
    assert.equal(await client().balance(SOL), before);
    assert.equal((await client().opening()).length, openBefore);
  });

  it('A zap-in and a zap-out right after it cost little', async () => {
    const { pool } = await client().pool('BONQ/SOL', 25);
    const active = await client().activeBin(pool);
    const before = await client().balance(SOL);
    const built = await client().add(pool, { inputSOL: 2, fromBinId: active - 34, toBinId: active + 34 });
    landed(await client().landAdd(built));
    landed(await client().landDecrease(await client().decrease(built.meta.positionPubKey, 10_000)));
    const lost = Number(before - (await client().balance(SOL))) / LAMPORTS_PER_SOL;
    assert.ok(lost > 0 && lost < 0.02, `lost ${lost} SOL`);
    assert.equal((await client().opening()).length, openBefore);
  });
});
