import assert from 'node:assert/strict';
import { PublicKey } from '@solana/web3.js';
import { Buffer } from 'node:buffer';
import { parseRpcUrl } from '../../../../src/base/solana/rpcUrl';
import { createChainRpc } from '../../../../src/chain/rpc/client';
import { snapshotOf } from '../../../../src/chain/rpc/snapshot';
import type { ChainRpc } from '../../../../src/chain/rpc/types';

const [one, other, third] = [1, 2, 3].map((byte) => new PublicKey(new Uint8Array(32).fill(byte))) as [PublicKey, PublicKey, PublicKey];

describe('The chain as one operation sees it', () => {
  /** The addresses of each request. */
  const asked: (readonly string[])[] = [];
  let refusal: string | undefined;
  let snapshot: ChainRpc;

  beforeEach(() => {
    asked.length = 0;
    refusal = undefined;
    const fetch = async (_url: string, { body }: { readonly body: string }): Promise<Response> => {
      const { id, params } = JSON.parse(body) as { id: number; params: [string | string[]] };
      const addresses = [params[0]].flat();
      asked.push(addresses);
      // The lamports are the first byte of the address; there is no third account.
      const value = addresses.map((address) =>
        address === third.toBase58()
          ? null
          : { lamports: new PublicKey(address).toBytes()[0], owner: one, data: ['', 'base64'], executable: false, rentEpoch: 0 },
      );
      const result = { context: { slot: 7 }, value: Array.isArray(params[0]) ? value : value[0] };
      return new Response(
        JSON.stringify({ jsonrpc: '2.0', id, ...(refusal === undefined ? { result } : { error: { code: -1, message: refusal } }) }),
      );
    };
    snapshot = snapshotOf(createChainRpc({ url: parseRpcUrl('https://rpc.example/'), requestsPerSecond: 1_000, fetch }));
  });

  it('Accounts that are asked for at the same time share a request, and none is read again', async () => {
    const { connection } = snapshot;
    const [several, single] = await Promise.all([connection.getMultipleAccountsInfo([one, third]), connection.getAccountInfo(other)]);
    assert.deepEqual([several.map((account) => account?.lamports), single?.lamports], [[1, undefined], 2]);
    assert.deepEqual(asked, [[one, third, other].map(String)]);
    assert.deepEqual(
      (await connection.getMultipleAccountsInfo([other, one, third])).map((account) => account?.lamports),
      [2, 1, undefined],
    );
    assert.equal(asked.length, 1);
  });

  it('A part of an account is no account that is known, and what failed is read again', async () => {
    const { connection } = snapshot;
    await connection.getMultipleAccountsInfo([one], { dataSlice: { offset: 0, length: 1 } });
    await connection.getAccountInfo(one);
    assert.equal(asked.length, 2);
    refusal = 'no';
    await assert.rejects(connection.getAccountInfo(other), /no/);
    refusal = undefined;
    assert.equal((await connection.getAccountInfo(other))?.lamports, 2);
    assert.equal((await connection.getAccountInfo(other))?.data.equals(Buffer.alloc(0)), true);
    assert.equal(asked.length, 4);
  });
});
