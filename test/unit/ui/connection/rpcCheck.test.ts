import assert from 'node:assert/strict';
import { parseRpcUrl } from '../../../../src/base/solana/rpcUrl';
import type { RpcFetch } from '../../../../src/rpc/transport';
import { readGenesisHash } from '../../../../src/ui/connection/rpcCheck';
import { Cancelled, ConnectionError } from '../../../../src/ui/shell/errors';
import { MAINNET_GENESIS_HASH } from '../../../../src/ui/shell/serviceChoice';
import { describeError } from '../../../../src/ui/shell/log';

const RPC = parseRpcUrl('https://rpc.example.org/v2/S3cretS3cret?api-key=K3yK3yK3y');

/** What an RPC answers to every request. */
function answering(status: number, body: unknown): RpcFetch {
  return async () => ({
    status,
    body: (async function* () {
      yield typeof body === 'string' ? body : JSON.stringify(body);
    })(),
  });
}

const answer = (result: unknown) => answering(200, { jsonrpc: '2.0', id: 1, result });

/** The reason and the text of the refusal. */
async function refusal(fetch: RpcFetch): Promise<readonly [string, string]> {
  const error: unknown = await readGenesisHash(RPC, undefined, fetch).catch((thrown: unknown) => thrown);
  assert.ok(error instanceof ConnectionError, String(error));
  assert.doesNotMatch(describeError(error), /S3cret|K3yK3y/);
  assert.ok(error.message.startsWith('rpc.example.org') || error.message.startsWith('Cannot reach rpc.example.org'), error.message);
  return [error.reason, error.message];
}

describe('Asking an RPC for its chain', () => {
  it('The chain is the hash of its first block', async () => {
    assert.equal(await readGenesisHash(RPC, undefined, answer(MAINNET_GENESIS_HASH)), MAINNET_GENESIS_HASH);
  });

  it('An RPC that refuses the address, or is none, is named with what to check and without any key', async () => {
    for (const [fetch, says] of [
      [answering(401, 'no'), /does not allow this \(401\)\. Check the key in its address\.$/],
      [
        answering(403, { jsonrpc: '2.0', id: 1, error: { code: -32_000, message: 'bad S3cretS3cret' } }),
        /refused the request \(-32000: bad \[key\]\)\.$/,
      ],
      [answering(404, '<html>'), / \(404\) does not answer as a Solana RPC\. Check the address\.$/],
      [answering(200, '<html>'), /does not answer as a Solana RPC\. Check the address\.$/],
      [answer(7), /does not answer as a Solana RPC\./],
      [answer('not a hash/../'), /does not answer as a Solana RPC\./],
    ] as const) {
      const [reason, text] = await refusal(fetch);
      assert.equal(reason, 'rpcRefused', text);
      assert.match(text, says);
    }
  });

  it('A question that the user cancels is no failure', async () => {
    await assert.rejects(readGenesisHash(RPC, AbortSignal.abort(), answer(MAINNET_GENESIS_HASH)), Cancelled);
  });

  it('An RPC that can be asked again later is unavailable, not refused', async () => {
    for (const [fetch, says] of [
      [answering(429, ''), /allows no more requests now \(429\)\./],
      [answering(503, ''), /failed \(503\)\. Try again later\.$/],
      [() => Promise.reject(new Error('getaddrinfo ENOTFOUND S3cretS3cret')), /Check the address and your network\.$/],
    ] as const) {
      const [reason, text] = await refusal(fetch);
      assert.equal(reason, 'rpcUnavailable', text);
      assert.match(text, says);
    }
  });
});
