import assert from 'node:assert/strict';
import * as z from 'zod';
import { EMPTY_WALLET, type ContractClient, type Json } from './contractClient';
import { PROTOCOLS } from './engine';

const Message = z.object({ message: z.string() });

/** Tests of the endpoints that claim fees, which the published contract does not have. */
export function testClaimEndpoints(service: ContractClient): void {
  it('The claim-tx endpoint refuses what is missing, too many positions, a position of another wallet, and one that there is not', async () => {
    const [first, second] = await Promise.all(PROTOCOLS.map((protocol) => service.openIn(protocol)));
    const position_ids = [first?.id, second?.tokenId];
    for (const [wrong, message] of [
      [{ owner: undefined }, /owner/],
      [{ owner: 'me' }, /owner/],
      [{ position_ids: undefined }, /position_ids/],
      [{ position_ids: [] }, /position_ids/],
      [{ position_ids: first?.id }, /position_ids/],
      [{ position_ids: Array.from({ length: 21 }, () => first?.id) }, /position_ids/],
      [{ owner: EMPTY_WALLET }, /does not own/],
    ] as const) {
      await failed(400, '/position/claim-tx', { owner: service.owner, position_ids, ...wrong }, message);
    }
    await failed(404, '/position/claim-tx', { owner: service.owner, position_ids: [...position_ids, EMPTY_WALLET] }, /position/i);
  });

  it('The landing-claim-tx endpoint refuses what is missing, and transactions that were not built', async () => {
    await failed(400, '/position/landing-claim-tx', { lastValidBlockHeight: 1 }, /claimTxsWithJito/);
    await failed(400, '/position/landing-claim-tx', { claimTxsWithJito: [] }, /lastValidBlockHeight/);
    await failed(400, '/position/landing-claim-tx', { lastValidBlockHeight: 1, claimTxsWithJito: [] }, /no transaction/);
    await failed(400, '/position/landing-claim-tx', { lastValidBlockHeight: 1, claimTxsWithJito: ['AAAA'] }, /malformed/);
  });

  async function failed(status: number, path: string, body: Json, message: RegExp): Promise<void> {
    const answer = await service.engine.client.post(path, body);
    assert.equal(answer.status, status, `${path}: ${JSON.stringify(answer.body)}`);
    assert.match(Message.parse(answer.body).message, message);
  }
}
