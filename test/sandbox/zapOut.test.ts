import assert from 'node:assert/strict';
import * as z from 'zod';
import { parseTransaction } from '../../src/base/solana/wireTransaction';
import { good, landed, refused, SOL, type OpenPosition } from '../support/sandbox/client';
import { STILL_AND_SHORT, useSandbox } from '../support/sandbox/useSandbox';

/** What accounts give back when a position is closed, SOL: the position's, by its width, and for pools without bins the token's that stands for it. */
const POSITION_RENT_SOL = 0.05740608;
const RENT_SOL_PER_FURTHER_BIN = 0.00077952;
const LAMPORTS_PER_SOL = 1e9;

const Historical = z.object({
  data: z.object({
    data: z.array(
      z.looseObject({
        position: z.string(),
        status: z.string(),
        inputValue: z.number(),
        outputValue: z.number(),
        collectedFee: z.number(),
      }),
    ),
  }),
});

describe('Zapping out', function () {
  const client = useSandbox('each', STILL_AND_SHORT);

  /** What it is worth with fees and rent, SOL. */
  const worth = (position: OpenPosition): number => {
    const bins = position['protocol'] === 'meteora' ? position.tickUpper - position.tickLower + 1 : undefined;
    const rent = bins === undefined ? 0 : POSITION_RENT_SOL + Math.max(0, bins - 70) * RENT_SOL_PER_FURTHER_BIN;
    return position.valueNative + (position.unCollectedFee * position.valueNative) / position.value + rent;
  };

  it('A full zap-out moves the position from opening to historical and returns its worth in SOL', async () => {
    // Trades of others are not what is looked at.
    await client().control('pause');
    for (const { position: address, pairName } of await client().opening()) {
      const [position, count] = [await client().position(address), (await client().opening()).length];
      assert.ok(position !== undefined);
      const before = await client().balance(SOL);
      landed(await client().landDecrease(await client().decrease(position.id, 10_000)));

      assert.equal(await client().position(address), undefined);
      assert.equal((await client().opening()).length, count - 1);
      const gained = Number((await client().balance(SOL)) - before) / LAMPORTS_PER_SOL;
      // Swaps cost a little, more of it where the pool is small; so do fees, the tip, and the rent of token accounts that stay.
      assert.ok(
        gained > 0.95 * worth(position) - 0.015 && gained < 1.02 * worth(position) + 0.015,
        `${gained} SOL for ${worth(position)} in ${pairName}`,
      );

      const { data } = good(Historical, await client().get('/lp-positions/historical', { owner: client().sandbox.owner })).data;
      const last = data.find(({ position: closed }) => closed === address);
      assert.ok(last !== undefined, `${pairName} is not on the first page of what was closed`);
      assert.equal(last.status, 'Close');
      assert.equal(last.inputValue, position.inputValue);
      assert.ok(Math.abs(last.outputValue - position.outputValue - position.value) < 0.02 * position.value, pairName);
      assert.ok(last.collectedFee > 0);
    }
    assert.deepEqual(await client().opening(), []);
    assert.deepEqual(await client().audit(), []);
  });

  it('A zap-out of half leaves the other half', async () => {
    const position = await client().soldOutPosition();
    landed(await client().landDecrease(await client().decrease(position.id, 5_000)));
    const left = await client().position(position.position);
    assert.ok(left !== undefined);
    assert.equal(left.id, position.id);
    assert.equal(left.inputValue, position.inputValue);
    // Out of range above: all of it is SOL, and does not change while we look.
    const [was, is] = [BigInt(position.current.amount1), BigInt(left.current.amount1)];
    const bins = BigInt(position.tickUpper - position.tickLower + 1);
    assert.ok(
      is <= was / 2n + bins && is >= was / 2n - bins,
      `${is} of ${was}: the difference is more than is rounded away in ${bins} bins`,
    );
    assert.equal(left.unCollectedFee, 0);
    assert.ok(Math.abs(left.outputValue - position.value / 2) < 0.01 * position.value);
    assert.ok(Math.abs(left.pnl.percent - position.pnl.percent) < 1);
  });

  it('Three partial zap-outs up to the full share close the position', async () => {
    const position = await client().soldOutPosition();
    for (const bps of [2_500, 5_000, 10_000]) {
      landed(await client().landDecrease(await client().decrease(position.position, bps)));
    }
    assert.equal(await client().position(position.position), undefined);
  });

  it('A withdrawal with the output "both" returns both tokens', async () => {
    const position = await client().positionInRange();
    const before = [await client().balance(position.token0), await client().balance(position.token1)] as const;
    const built = await client().decrease(position.id, 10_000, { output: 'both' });
    assert.deepEqual(built.swapTxsWithJito, []);
    landed(await client().landDecrease(built));
    const gained = [(await client().balance(position.token0)) - before[0], (await client().balance(position.token1)) - before[1]] as const;
    // Fees come on top, and rent where the token is SOL.
    near(gained[0], BigInt(position.current.amount0));
    near(gained[1], BigInt(position.current.amount1));
  });

  it('A withdrawal into one token returns that token', async () => {
    const { pool, token0, token1 } = await client().pool('TRUMPET/USDC', 50);
    const active = await client().activeBin(pool);
    const entered = await client().add(pool, { inputSOL: 2, fromBinId: active - 20, toBinId: active + 20 });
    landed(await client().landAdd(entered));
    const position = await client().position(entered.meta.positionPubKey);
    assert.ok(position !== undefined);
    const before = await client().balance(token1);
    landed(await client().landDecrease(await client().decrease(position.id, 5_000, { output: 'allToken1' })));
    const usd = Number((await client().balance(token1)) - before) / 1e6;
    assert.ok(usd > 0.48 * position.value && usd < 0.53 * position.value, `${usd} of ${position.value}`);
    const dust = await client().balance(token0);
    landed(await client().landDecrease(await client().decrease(position.id, 10_000, { output: 'allToken0' })));
    assert.ok((await client().balance(token0)) > dust);
    assert.equal(await client().position(position.position), undefined);
  });

  it('A withdrawal takes a part of the range and leaves the rest', async () => {
    const { pool } = await client().pool('JUPP/SOL', 20);
    await client().control('pause');
    const active = await client().activeBin(pool);
    const entered = await client().add(pool, { inputSOL: 2, percentX: 0, fromBinId: active - 40, toBinId: active - 1 });
    landed(await client().landAdd(entered));
    const address = entered.meta.positionPubKey;
    const before = await client().position(address);
    landed(
      await client().landDecrease(
        await client().decrease(address, 10_000, { output: 'both', fromBinId: active - 40, toBinId: active - 31 }),
      ),
    );
    const left = await client().position(address);
    // Ten of forty bins, Spot: a quarter.
    assert.ok(Math.abs(Number(left?.current.amount1) / Number(before?.current.amount1) - 0.75) < 1e-3);
    assert.ok(Math.abs((left?.outputValue ?? 0) / (before?.value ?? 1) - 0.25) < 1e-3);
    refused(
      400,
      await client().post('/position/decrease-tx', {
        position_id: address,
        bps: 10_000,
        owner: client().sandbox.owner,
        slippage_bps: 100,
        fromBinId: active,
        toBinId: active + 5,
      }),
    );
    assert.deepEqual(await client().audit(), []);
  });

  it('A withdrawal accepts the address and the id of the position', async () => {
    const position = await client().anyPosition();
    landed(await client().landDecrease(await client().decrease(position.position, 10_000)));
    assert.equal(await client().position(position.position), undefined);
  });

  it('A wide position is withdrawn in several transactions', async () => {
    const { pool } = await client().pool('JUPP/SOL', 20);
    const active = await client().activeBin(pool);
    const added = await client().add(pool, { inputSOL: 3, fromBinId: active - 150, toBinId: active + 150 });
    landed(await client().landAdd(added));
    const built = await client().decrease(added.meta.positionPubKey, 10_000);
    assert.ok(built.closeTxsWithJito.length > 1);
    landed(await client().landDecrease(built));
    assert.equal(await client().position(added.meta.positionPubKey), undefined);
  });

  it('The built transactions are legacy and v0 and lack only the signature of the owner', async () => {
    const { id } = await client().positionInRange();
    const { closeTxsWithJito, swapTxsWithJito } = await client().decrease(id, 10_000);
    const all = [...closeTxsWithJito, ...swapTxsWithJito].map((text) => parseTransaction(new Uint8Array(Buffer.from(text, 'base64'))));
    assert.deepEqual(new Set(all.map(({ version }) => version)), new Set(['legacy', 0]));
    for (const { staticKeys, signatures, requiredSignatures } of all) {
      assert.equal(staticKeys[0], client().sandbox.owner);
      assert.equal(requiredSignatures, 1);
      assert.ok(signatures[0]?.every((byte) => byte === 0));
    }
  });

  it('A zap-out fails with a message beyond the slippage and changes nothing', async () => {
    const position = await client().positionInRange();
    const before = await client().balance(SOL);
    for (const output of ['both', 'allBaseToken']) {
      const built = await client().decrease(position.id, 10_000, { slippage_bps: 100, output });
      assert.equal((await client().control('shock', { pool: position.pool, percent: -6 })).status, 200);
      assert.match(refused(422, await client().landDecrease(built)), /nothing of it was executed.*Slippage exceeded/);
    }
    assert.equal(await client().balance(SOL), before);
    const left = await client().position(position.position);
    assert.equal(left?.inputValue, position.inputValue);
    assert.equal(left.outputValue, position.outputValue);
  });

  it('A withdrawal fails in simulation at the same slippage as in landing', async () => {
    const position = await client().positionInRange();
    const built = await client().decrease(position.id, 10_000, { slippage_bps: 100, output: 'both' });
    const Simulated = z.object({
      result: z.object({
        value: z.object({ summary: z.unknown(), transactionResults: z.array(z.object({ err: z.unknown(), logs: z.array(z.string()) })) }),
      }),
    });
    const simulate = async (): Promise<z.output<typeof Simulated>['result']['value']> => {
      const call = {
        jsonrpc: '2.0',
        id: 1,
        method: 'simulateBundle',
        params: [{ encodedTransactions: built.closeTxsWithJito }, { skipSigVerify: true }],
      };
      return good(Simulated, await client().send('POST', new URL('/rpc', client().sandbox.url).href, JSON.stringify(call))).result.value;
    };
    assert.equal((await simulate()).summary, 'succeeded');
    assert.equal((await client().control('shock', { pool: position.pool, percent: -6 })).status, 200);
    const {
      transactionResults: [first],
    } = await simulate();
    assert.deepEqual(first?.err, { InstructionError: [4, 'ProgramFailedToComplete'] });
    assert.match(first.logs.at(-1) ?? '', /Slippage exceeded: the active bin of/);
  });

  it('A quote returns the worth of a part', async () => {
    const position = await client().soldOutPosition();
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
