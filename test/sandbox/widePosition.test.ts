import assert from 'node:assert/strict';
import { landed, refused, SOL } from '../support/sandbox/client';
import { STILL_AND_SHORT, useSandbox } from '../support/sandbox/useSandbox';

const POSITION_RENT_SOL = 0.05740608;
const RENT_SOL_PER_FURTHER_BIN = 0.00077952;
const BINS = 1_400;

describe('A position of maximum width', function () {
  const client = useSandbox('all', STILL_AND_SHORT);

  it(`A position of ${BINS} bins is entered and closed, each as one bundle of many transactions`, async () => {
    const { pool } = await client().pool('SOL/USDC', 4);
    const active = await client().activeBin(pool);
    const before = await client().balance(SOL);
    const range = { fromBinId: active - 700, toBinId: active + 699 };
    const built = await client().add(pool, { inputSOL: 5, ...range });
    assert.ok(built.addLiquidityTxsWithJito.length > 10, `${built.addLiquidityTxsWithJito.length} transactions`);
    landed(await client().landAdd(built));

    const address = built.meta.positionPubKey;
    const position = await client().position(address);
    assert.deepEqual([position?.tickLower, position?.tickUpper, position?.inRange], [range.fromBinId, range.toBinId, true]);
    assert.ok(Math.abs((position?.valueNative ?? 0) - 5) < 0.1, `worth ${position?.valueNative ?? 0} SOL`);
    const rent = Number(before - (await client().balance(SOL))) / 1e9 - 5;
    assert.ok(rent > POSITION_RENT_SOL + (BINS - 70) * RENT_SOL_PER_FURTHER_BIN - 0.05, `rent ${rent} SOL`);

    const half = await client().decrease(position?.id ?? '', 5_000);
    landed(await client().landDecrease(half));
    assert.ok(Math.abs(((await client().position(address))?.valueNative ?? 0) - 2.5) < 0.1);
    const all = await client().decrease(position?.id ?? '', 10_000);
    assert.equal(all.closeTxsWithJito.length, 10);
    landed(await client().landDecrease(all));
    assert.equal(await client().position(address), undefined);
    // The position's rent is back; that of bin arrays stays.
    const lost = Number(before - (await client().balance(SOL))) / 1e9;
    assert.ok(lost > 0 && lost < 0.2 + 21 * 0.07143744, `lost ${lost} SOL`);
    assert.deepEqual(await client().audit(), []);
  });

  it('A position with one more bin is refused', async () => {
    const { pool } = await client().pool('SOL/USDC', 4);
    const active = await client().activeBin(pool);
    assert.match(
      refused(
        400,
        await client().post(`/pools/${pool}/add-tx`, {
          stratergy: 'Spot',
          owner: client().sandbox.owner,
          inputSOL: 1,
          percentX: 0.5,
          fromBinId: active,
          toBinId: active + BINS,
        }),
      ),
      /1401 bins/,
    );
  });
});
