import assert from 'node:assert/strict';
import * as z from 'zod';
import { Add, good } from '../sandbox/client';
import { EMPTY_WALLET, type ContractClient, type Json } from './contractClient';
import { PROTOCOLS } from './engine';

const Quote = z.object({ data: z.object({ valueNative: z.number() }) });
const Message = z.object({ message: z.string() });

/** Tests of the endpoint that deposits into an open position, which the published contract does not have. */
export function testDepositEndpoint(service: ContractClient): void {
  const normal = { mode: 'normal', amountX: 0.001, amountY: 0.001, slippage_bps: 500 };

  for (const protocol of PROTOCOLS) {
    it(`A deposit from SOL into an open position of ${protocol} is built without a new position, and lands like an entry`, async () => {
      const { client } = service.engine;
      const { id, tokenId } = await service.openIn(protocol);
      const body = { owner: service.owner, position_id: id, mode: 'zap-in', inputSOL: 0.2, percentX: 0.5, slippage_bps: 500 };
      const { data: built } = good(Add, await client.post('/position/add-tx', body));
      assert.equal(built.meta.positionPubKey, tokenId);
      const before = await worthOf(id);
      await service.posted('/pools/landing-add-tx', client.signedAdd(built));
      const gained = (await worthOf(id)) - before;
      assert.ok(gained > 0.15 && gained < 0.2, `${gained} SOL`);
    });
  }

  it('The add-tx endpoint of positions refuses what is missing, bins outside the position, more than there is, a position of another wallet, and one that there is not', async () => {
    const position = await service.openIn('meteora');
    const body = { owner: service.owner, position_id: position.id, ...normal };
    for (const [wrong, message] of [
      [{ owner: undefined }, /owner is required/],
      [{ position_id: undefined }, /position_id/],
      [{ mode: undefined }, /mode/],
      [{ mode: 'zap' }, /mode/],
      [{ stratergy: 'Even' }, /stratergy/],
      [{ amountX: 0, amountY: 0 }, /amountX/],
      [{ amountX: -1 }, /amountX/],
      [{ mode: 'zap-in' }, /inputSOL/],
      [{ mode: 'zap-in', inputSOL: 1 }, /percentX/],
      [{ mode: 'zap-in', inputSOL: 1e8, percentX: 0.5 }, /inputSOL|Insufficient/],
      [{ amountX: 1e9, amountY: 1e9 }, /Insufficient balance/],
      [{ slippage_bps: 10_001 }, /slippage_bps/],
      [{ fromBinId: -20_000 }, /fromBinId is -20000; the position has the bins/],
      [{ toBinId: 20_000 }, /toBinId is 20000; the position has the bins/],
      [{ owner: EMPTY_WALLET }, /does not own/],
    ] as const) {
      await failed(400, { ...body, ...wrong }, message);
    }
    await failed(404, { ...body, position_id: EMPTY_WALLET }, /position/i);
  });

  async function worthOf(id: string): Promise<number> {
    return good(Quote, await service.engine.client.post('/position/decrease-quotes', { id, bps: 10_000 })).data.valueNative;
  }

  async function failed(status: number, body: Json, message: RegExp): Promise<void> {
    const answer = await service.engine.client.post('/position/add-tx', body);
    assert.equal(answer.status, status, JSON.stringify({ body, answer: answer.body }));
    assert.match(Message.parse(answer.body).message, message);
  }
}
