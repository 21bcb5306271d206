import assert from 'node:assert/strict';
import { Connection } from '@solana/web3.js';
import { PROGRAMS } from '../../../../src/base/solana/programs';
import { readAccounts } from '../../../../src/chain/positions/accounts';
import { ChainRpcError } from '../../../../src/chain/rpc/errors';
import type { ChainRpc } from '../../../../src/chain/rpc/types';
import { addressOf } from '../../../support/chain/madeFacts';

describe('Accounts from the RPC', () => {
  const account = { owner: PROGRAMS.token, lamports: 5, data: ['AQI=', 'base64'] };

  it('Accounts that do not exist are left out', async () => {
    const [one, two] = [addressOf('one'), addressOf('two')];
    const read = await readAccounts(
      rpcOf(() => [null, account]),
      [one, two],
    );
    assert.deepEqual([...read], [[two, { program: PROGRAMS.token, lamports: 5n, data: Buffer.from([1, 2]) }]]);
  });

  it('An answer with another number of accounts is an error: each account is known by its place in the list alone', async () => {
    for (const answer of [[], [null], [null, null, account]]) {
      await assert.rejects(
        readAccounts(
          rpcOf(() => answer),
          [addressOf('one'), addressOf('two')],
        ),
        (error) => error instanceof ChainRpcError && error.kind === 'invalidResponse',
      );
    }
  });

  it('A balance that is not a whole number is an error', async () => {
    await assert.rejects(
      readAccounts(
        rpcOf(() => [{ ...account, lamports: 0.5 }]),
        [addressOf('one')],
      ),
      /lamports/,
    );
  });
});

function rpcOf(answer: (addresses: readonly unknown[]) => readonly unknown[]): ChainRpc {
  return {
    connection: new Connection('http://localhost:1'),
    counts: new Map(),
    call: async (_method, [addresses], schema) => schema.parse({ value: answer(Array.isArray(addresses) ? addresses : []) }),
  };
}
