import assert from 'node:assert/strict';
import { Connection, PublicKey } from '@solana/web3.js';
import { PROGRAMS } from '../../../src/base/solana/programs';
import { signedTransfer } from '../../support/mainnet/signedTransfer';
import { useMainnet } from '../../support/mainnet/useMainnet';

describe('Faults of the little mainnet', () => {
  const mainnet = useMainnet({ recording: 'mainnet-faults' });
  const connect = (): Connection => new Connection(mainnet().rpcUrl, { commitment: 'confirmed', disableRetryOnRateLimit: true });
  const post = (method: string, ...params: readonly unknown[]): Promise<Response> =>
    fetch(mainnet().rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(500),
    });

  it('Rate limits, refusals, HTTP errors, cut bodies and time-outs apply to the method and the number of requests that were given', async () => {
    const { faults } = mainnet();
    faults.add({ kind: 'rateLimit', retryAfterS: 3 }, { method: 'getSlot', times: 1 });
    const limited = await post('getSlot');
    assert.deepEqual([limited.status, limited.headers.get('retry-after')], [429, '3']);
    assert.equal((await post('getSlot')).status, 200);
    faults.add({ kind: 'http', status: 503 }, { times: 1 });
    assert.equal((await post('getVersion')).status, 503);
    faults.add({ kind: 'cut' }, { times: 1 });
    await assert.rejects(async () => (await post('getVersion')).text());
    faults.add({ kind: 'timeout' }, { times: 1 });
    await assert.rejects(post('getVersion'), { name: 'TimeoutError' });
    const end = faults.refuse('getProgramAccounts', 'gone');
    const refused = await post('getProgramAccounts', PROGRAMS.dlmm);
    assert.deepEqual([refused.status, ((await refused.json()) as { error: { code: number } }).error.code], [410, -32010]);
    end();
    assert.equal(
      (await connect().getProgramAccounts(new PublicKey(PROGRAMS.dlmm), { dataSlice: { offset: 0, length: 0 } })).length > 0,
      true,
    );
  });

  it('More requests in a second than the plan allows are answered with 429', async () => {
    mainnet().faults.requestsPerSecond = 3;
    const statuses = await Promise.all(Array.from({ length: 5 }, async () => (await post('getSlot')).status));
    assert.deepEqual(statuses.sort(), [200, 200, 200, 429, 429]);
  });

  it('A node that lags behind sees accounts, slots and history as they were, and refuses a blockhash that it has not seen', async () => {
    const { faults, chain } = mainnet();
    const me = mainnet().wallet(0);
    const connection = connect();
    const before = await connection.getBalance(me.keypair.publicKey);
    const signature = await connection.sendRawTransaction(signedTransfer(mainnet(), 0, 1, 10n ** 9n));
    faults.lagSlots = 5;
    assert.equal(await connection.getBalance(me.keypair.publicKey), before);
    assert.equal(await connection.getSlot(), chain.slot - 5);
    assert.deepEqual(await connection.getSignaturesForAddress(me.keypair.publicKey), []);
    assert.equal((await connection.getSignatureStatus(signature)).value, null);
    await assert.rejects(connection.sendRawTransaction(signedTransfer(mainnet(), 0, 1, 1n)), /Blockhash not found/);
    mainnet().advance({ slots: 5 });
    assert.equal(await connection.getBalance(me.keypair.publicKey), before - 10 ** 9 - 5_000);
  });

  it('Pruned history is neither listed nor read, and a late transaction is null until it is there', async () => {
    const { faults, chain } = mainnet();
    const key = mainnet().wallet(2).keypair.publicKey;
    const first = await connect().sendRawTransaction(signedTransfer(mainnet(), 2, 3, 1n));
    faults.prunedBeforeSlot = chain.slot;
    const second = await connect().sendRawTransaction(signedTransfer(mainnet(), 2, 3, 2n));
    const read = (signature: string): ReturnType<Connection['getTransaction']> =>
      connect().getTransaction(signature, { maxSupportedTransactionVersion: 0 });
    assert.deepEqual(
      (await connect().getSignaturesForAddress(key)).map(({ signature }) => signature),
      [second],
    );
    assert.equal(await read(first), null);
    faults.transactionsLateSlots = 3;
    assert.equal(await read(second), null);
    mainnet().advance({ slots: 3 });
    assert.notEqual(await read(second), null);
  });

  it('A send that vanishes is answered with the signature, and one whose answer was lost has landed', async () => {
    const { faults } = mainnet();
    const bytes = signedTransfer(mainnet(), 4, 5, 1n);
    faults.vanishingSends = 1;
    const signature = await connect().sendRawTransaction(bytes);
    assert.equal((await connect().getSignatureStatus(signature)).value, null);
    faults.add({ kind: 'http', status: 504 }, { method: 'sendTransaction', times: 1, carriedOut: true });
    await assert.rejects(connect().sendRawTransaction(bytes), /504/);
    assert.equal((await connect().getSignatureStatus(signature)).value?.confirmationStatus, 'confirmed');
  });

  it('A call whose answer is lost is executed once, whatever the fault', async () => {
    const { faults } = mainnet();
    for (const kind of ['cut', 'page', 'null'] as const) {
      faults.vanishingSends = 2;
      faults.add({ kind }, { method: 'sendTransaction', times: 1, carriedOut: true });
      await connect()
        .sendRawTransaction(signedTransfer(mainnet(), 4, 5, 2n))
        .catch(() => undefined);
      assert.equal(faults.vanishingSends, 1, kind);
    }
  });

  it('After a test all faults are removed', () => {
    const { faults } = mainnet();
    faults.priorityFee = 1;
    faults.lagSlots = 1;
    faults.clear();
    assert.deepEqual([faults.priorityFee, faults.lagSlots], [10_000, 0]);
  });

  it('A fork before confirmation drops a transaction, gives the money back, and the same bytes may land again', async () => {
    const { faults } = mainnet();
    faults.confirmAfterSlots = 5;
    const me = mainnet().wallet(6);
    const before = mainnet().balance(me, 'sol');
    const bytes = signedTransfer(mainnet(), 6, 7, 10n ** 9n);
    const connection = new Connection(mainnet().rpcUrl, 'processed');
    const signature = await connection.sendRawTransaction(bytes, { skipPreflight: true });
    assert.equal((await connection.getSignatureStatus(signature)).value?.confirmationStatus, 'processed');
    assert.deepEqual(faults.fork(1), [signature]);
    assert.equal((await connection.getSignatureStatus(signature)).value, null);
    assert.equal(mainnet().balance(me, 'sol'), before);
    assert.equal(await connection.sendRawTransaction(bytes, { skipPreflight: true }), signature);
    mainnet().advance({ slots: 5 });
    assert.equal((await connection.getSignatureStatus(signature)).value?.confirmationStatus, 'confirmed');
    assert.equal(mainnet().balance(me, 'sol'), before - 10n ** 9n - 5_000n);
  });
});
