import assert from 'node:assert/strict';
import * as z from 'zod';
import { Add, type AddBuild, good, landed, refused, SOL, type Answer } from '../support/sandbox/client';
import { STILL_AND_SHORT, useSandbox } from '../support/sandbox/useSandbox';

const Raw = z.string().transform(BigInt);
const Compounded = z.object({
  positions: z.tuple([
    z.object({ position: z.string(), feeX: Raw, feeY: Raw, rewards: z.tuple([]), depositX: Raw, depositY: Raw, leftX: Raw, leftY: Raw }),
  ]),
});
/** Network fees and tip, and the rent of a wrapped-SOL account that comes back. */
const MOST_COSTS = 10_000_000n;

describe('Fees that are deposited again in the sandbox', function () {
  const client = useSandbox('each', STILL_AND_SHORT);

  const ask = (id: string, more: Readonly<Record<string, unknown>> = {}): Promise<Answer> =>
    client().post('/position/add-tx', { owner: client().sandbox.owner, position_id: id, mode: 'compound', slippage_bps: 100, ...more });
  const built = async (id: string): Promise<AddBuild> => good(Add, await ask(id)).data;
  const compounded = ({ meta }: AddBuild): z.output<typeof Compounded>['positions'][0] => Compounded.parse(meta).positions[0];

  /** Builds and lands, and compares what changes in the wallet. */
  async function compound(position: { readonly id: string; readonly token0: string; readonly token1: string }): Promise<AddBuild> {
    const tokens = [position.token0, position.token1];
    const balances = (): Promise<bigint[]> => Promise.all(tokens.map((mint) => client().balance(mint)));
    const build = await built(position.id);
    const before = await balances();
    const signature = landed(await client().landAdd(build));
    const after = await balances();
    const { feeX, feeY, depositX, depositY, leftX, leftY } = compounded(build);
    assert.deepEqual([leftX, leftY], [feeX - depositX, feeY - depositY]);
    for (const [at, left] of [leftX, leftY].entries()) {
      const got = (after[at] ?? 0n) - (before[at] ?? 0n);
      assert.ok(tokens[at] === SOL ? got < left && got > left - MOST_COSTS : got === left, `${got} of ${left} ${tokens[at]}`);
    }
    assert.equal(landed(await client().landAdd(build)), signature);
    assert.deepEqual(await balances(), after);
    assert.match(refused(400, await ask(position.id)), /nothing to claim/);
    return build;
  }

  it('The fees of positions of both types go into them, what they do not take is in the wallet to the unit, and landing again lands nothing', async () => {
    let count = 0;
    for (const position of await client().opening()) {
      const answer = await ask(position.id);
      if (answer.status === 400) {
        assert.match(refused(400, answer), /nothing to (?:claim|put in)|too small/);
      } else {
        await compound(position);
        count += 1;
      }
    }
    assert.ok(count >= 4, `${count} positions`);
    assert.deepEqual(await client().audit(), []);
  });

  it('A position of 200 bins deposits in each chunk what its own bins have earned', async () => {
    const { pool } = await client().pool('SOL/USDC', 4);
    const active = await client().activeBin(pool);
    const entry = await client().add(pool, { inputSOL: 10, fromBinId: active - 100, toBinId: active + 99, stratergy: 'Curve' });
    landed(await client().landAdd(entry));
    for (const binId of [active - 60, active + 20]) {
      good(z.object({}), await client().control('active-bin', { pool, binId }));
    }
    const position = (await client().position(entry.meta.positionPubKey)) ?? assert.fail();
    const build = await compound(position);
    assert.ok(build.addLiquidityTxsWithJito.length > 1);
    const { depositX, depositY } = compounded(build);
    assert.ok(depositX + depositY > 0n);
    assert.deepEqual(await client().audit(), []);
  });

  it('Once the price has left, nothing lands, and the fees still wait', async () => {
    const position = await client().positionInRange();
    const build = await built(position.id);
    const active = await client().activeBin(position.pool);
    good(z.object({}), await client().control('active-bin', { pool: position.pool, binId: active + 40 }));
    refused(422, await client().landAdd(build));
    const { feeX, feeY } = compounded(build);
    const again = compounded(await built(position.id));
    assert.ok(again.feeX >= feeX && again.feeY >= feeY);
  });
});
