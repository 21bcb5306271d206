import assert from 'node:assert/strict';
import * as z from 'zod';
import { EMPTY_WALLET, type ContractClient, type Json } from './contractClient';

const Message = z.object({ message: z.string() });
const SOL = 'So11111111111111111111111111111111111111112';
const Balances = z.object({ data: z.array(z.object({ address: z.string(), rawBalance: z.string() })) });
const Swap = z.object({
  data: z.object({
    lastValidBlockHeight: z.int(),
    swapTxs: z.array(z.string()).min(1),
    swapTxsWithJito: z.array(z.string()).min(1),
    quote: z.object({ sold: z.string(), expected: z.string(), guaranteed: z.string() }),
  }),
});

/** Tests of the endpoints that swap tokens of a wallet and unwrap SOL, which the published contract does not have. */
export function testSwapEndpoints(service: ContractClient): void {
  it('The swap-tx endpoint quotes a swap of a token of the wallet: what is sold, expected and guaranteed, in smallest units', async () => {
    const { client } = service.engine;
    const { data } = Balances.parse((await client.get('/token/balance', { owner: service.owner })).body);
    const held = data.find(({ address, rawBalance }) => address !== SOL && BigInt(rawBalance) > 1_000n) ?? assert.fail('no token is held');
    const amount = String(BigInt(held.rawBalance) / 100n);
    for (const given of [amount, Number(amount)]) {
      const swap = { owner: service.owner, inputMint: held.address, outputMint: SOL, amount: given, slippage_bps: 100 };
      const answer = await client.post('/token/swap-tx', swap);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      const { sold, expected, guaranteed } = Swap.parse(answer.body).data.quote;
      assert.equal(sold, amount);
      assert.ok(BigInt(expected) > 0n);
      assert.equal(BigInt(guaranteed), (BigInt(expected) * 99n) / 100n);
    }
    const more = String(BigInt(held.rawBalance) + 1n);
    await failed(400, { owner: service.owner, inputMint: held.address, outputMint: SOL, amount: more }, /Insufficient balance/);
    await failed(400, { owner: service.owner, inputMint: SOL, outputMint: held.address, amount: '9000000000000000000' }, /Insufficient/);
    await failed(400, { owner: service.owner, inputMint: held.address, outputMint: held.address, amount }, /same token/);
    await failed(404, { owner: service.owner, inputMint: EMPTY_WALLET, outputMint: SOL, amount }, /no token/);
    await failed(404, { owner: service.owner, inputMint: held.address, outputMint: EMPTY_WALLET, amount }, /no token/);
  });

  it('The swap-tx endpoint refuses what is missing, amounts that are none, and unwrapping where there is nothing to unwrap', async () => {
    const swap = { owner: service.owner, inputMint: SOL, outputMint: EMPTY_WALLET, amount: 1_000 };
    for (const [wrong, message] of [
      [{ owner: undefined }, /owner/],
      [{ inputMint: undefined }, /inputMint/],
      [{ outputMint: 'SOL' }, /outputMint/],
      [{ amount: undefined }, /amount/],
      [{ amount: 0 }, /amount/],
      [{ amount: '0' }, /amount/],
      [{ amount: 0.5 }, /amount/],
      [{ amount: '-1' }, /amount/],
      [{ amount: '99999999999999999999' }, /amount/],
      [{ slippage_bps: 10_001 }, /slippage_bps/],
      [{ unwrap: 'yes' }, /unwrap/],
    ] as const) {
      await failed(400, { ...swap, ...wrong }, message);
    }
    await failed(400, { unwrap: true }, /owner/);
    await failed(400, { unwrap: true, owner: EMPTY_WALLET }, /nothing to unwrap/);
  });

  it('The landing-swap-tx endpoint refuses what is missing, and transactions that were not built', async () => {
    const path = '/token/landing-swap-tx';
    await failed(400, { lastValidBlockHeight: 1 }, /swapTxsWithJito/, path);
    await failed(400, { swapTxsWithJito: [] }, /lastValidBlockHeight/, path);
    await failed(400, { lastValidBlockHeight: 1, swapTxsWithJito: [] }, /no transaction/, path);
    await failed(400, { lastValidBlockHeight: 1, swapTxsWithJito: ['AAAA'] }, /malformed/, path);
  });

  async function failed(status: number, body: Json, message: RegExp, path = '/token/swap-tx'): Promise<void> {
    const answer = await service.engine.client.post(path, body);
    assert.equal(answer.status, status, `${path}: ${JSON.stringify(answer.body)}`);
    assert.match(Message.parse(answer.body).message, message);
  }
}
