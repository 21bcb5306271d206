import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { Connection, SendTransactionError, VersionedTransaction } from '@solana/web3.js';
import { JITO_TIP_ACCOUNTS } from '../../../src/base/solana/programs';
import { signedTransfer } from '../../support/mainnet/signedTransfer';
import { useMainnet } from '../../support/mainnet/useMainnet';

describe('Sending to the little mainnet', () => {
  const mainnet = useMainnet({ recording: 'mainnet-sending' });
  const connect = (): Connection => new Connection(mainnet().rpcUrl, 'confirmed');

  it('With a preflight, a stale blockhash, a repetition and a failing instruction are errors that say so', async () => {
    const stale = signedTransfer(mainnet(), 0, 1, 1n);
    mainnet().advance({ slots: 151 });
    await assert.rejects(connect().sendRawTransaction(stale), /Transaction simulation failed: Blockhash not found/);
    const once = signedTransfer(mainnet(), 0, 1, 2n);
    await connect().sendRawTransaction(once);
    await assert.rejects(connect().sendRawTransaction(once), /This transaction has already been processed/);
    await assert.rejects(connect().sendRawTransaction(signedTransfer(mainnet(), 0, 1, 10n ** 15n)), (error) => {
      assert.ok(error instanceof SendTransactionError);
      assert.match(error.message, /Error processing Instruction 0: custom program error: 0x1/);
      assert.ok((error.logs ?? []).some((line) => line.includes('insufficient lamports')));
      return true;
    });
  });

  it('Without a preflight, a stale or repeated transaction is answered with its signature and dropped', async () => {
    const before = mainnet().chain.transactionCount;
    const bytes = signedTransfer(mainnet(), 2, 3, 1n);
    mainnet().advance({ slots: 151 });
    const signature = await connect().sendRawTransaction(bytes, { skipPreflight: true });
    assert.equal((await connect().getSignatureStatus(signature)).value, null);
    const once = signedTransfer(mainnet(), 2, 3, 2n);
    assert.equal(
      await connect().sendRawTransaction(once, { skipPreflight: true }),
      await connect().sendRawTransaction(once, { skipPreflight: true }),
    );
    assert.equal(mainnet().chain.transactionCount, before + 1);
  });

  it('An altered transaction is refused with and without a preflight', async () => {
    const altered = signedTransfer(mainnet(), 4, 5, 1n);
    // Of the amount.
    altered.set([7], altered.length - 8);
    for (const skipPreflight of [true, false]) {
      await assert.rejects(connect().sendRawTransaction(altered, { skipPreflight }), /Transaction signature verification failure/);
    }
  });

  it('A simulation shows accounts, units and inner instructions, and changes nothing', async () => {
    const me = mainnet().wallet(6);
    const before = mainnet().balance(me, 'sol');
    const transaction = VersionedTransaction.deserialize(signedTransfer(mainnet(), 6, 7, 10n ** 9n));
    const { value } = await connect().simulateTransaction(transaction, {
      accounts: { encoding: 'base64', addresses: [me.address] },
      innerInstructions: true,
    });
    assert.equal(value.err, null);
    assert.equal(value.unitsConsumed, 150);
    assert.equal(BigInt(value.accounts?.[0]?.lamports ?? 0), before - 10n ** 9n - 5_000n);
    assert.equal(mainnet().balance(me, 'sol'), before);
  });

  describe('Bundles', () => {
    const [tip = fail()] = JITO_TIP_ACCOUNTS;
    const jito = async (method: string, ...params: readonly unknown[]): Promise<{ result: unknown; error?: { message: string } }> => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      return (await (await fetch(`${mainnet().rpcUrl}/api/v1/bundles`, { method: 'POST', body })).json()) as { result: unknown };
    };
    const send = (transactions: readonly Uint8Array[]): ReturnType<typeof jito> => {
      const texts = transactions.map((bytes) => Buffer.from(bytes).toString('base64'));
      return jito('sendBundle', texts, { encoding: 'base64' });
    };
    const statusOf = async (id: unknown): Promise<unknown> => {
      const { result } = await jito('getInflightBundleStatuses', [id]);
      return (result as { value: readonly { status: string }[] }).value[0]?.status;
    };
    const statusAfterSending = async (transactions: readonly Uint8Array[]): Promise<unknown> => statusOf((await send(transactions)).result);

    it('A bundle with a tip lands in one slot, all transactions or none, and one that is lost stays pending', async () => {
      const tipping = signedTransfer(mainnet(), 8, tip, 10_000n);
      const before = mainnet().balance(mainnet().wallet(8), 'sol');
      assert.equal(await statusAfterSending([tipping, signedTransfer(mainnet(), 9, 8, 10n ** 15n)]), 'Failed');
      assert.equal(mainnet().balance(mainnet().wallet(8), 'sol'), before);
      mainnet().faults.vanishingBundles = 1;
      assert.equal(await statusAfterSending([tipping]), 'Pending');
      assert.equal(await statusAfterSending([tipping, signedTransfer(mainnet(), 8, 9, 10n ** 9n)]), 'Landed');
      assert.equal(mainnet().balance(mainnet().wallet(8), 'sol'), before - 10n ** 9n - 20_000n);
      assert.match((await send([signedTransfer(mainnet(), 8, 9, 1n)])).error?.message ?? '', /tip account/);
    });

    it('A bundle that a fork has dropped has not landed, and lands when it is sent again', async () => {
      const bundle = [signedTransfer(mainnet(), 10, tip, 10_000n), signedTransfer(mainnet(), 10, 11, 10n ** 9n)];
      const { result: id } = await send(bundle);
      assert.equal(await statusOf(id), 'Landed');
      assert.equal(mainnet().faults.fork(1).length, bundle.length);
      assert.equal(await statusOf(id), 'Pending');
      const { result } = await jito('getBundleStatuses', [id]);
      assert.deepEqual((result as { value: unknown }).value, [null]);
      assert.equal(await statusAfterSending(bundle), 'Landed');
    });
  });

  it('Calls are counted by method, and a batch is one request', async () => {
    mainnet().rpc.resetCounts();
    const counts = await mainnet().countCalls(async () => {
      const call = (id: number): object => ({ jsonrpc: '2.0', id, method: 'getSlot', params: [] });
      const response = await fetch(mainnet().rpcUrl, { method: 'POST', body: JSON.stringify([call(1), call(2)]) });
      assert.deepEqual(
        ((await response.json()) as readonly { id: number }[]).map(({ id }) => id),
        [1, 2],
      );
      await connect().getEpochInfo();
    });
    assert.deepEqual(
      [...counts],
      [
        ['getSlot', 2],
        ['getEpochInfo', 1],
      ],
    );
    assert.equal(mainnet().rpc.requests, 2);
  });
});

function fail(): never {
  throw new RangeError('There are no tip accounts');
}
