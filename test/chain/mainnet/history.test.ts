import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { createProgram } from '@meteora-ag/dlmm';
import { Connection, PublicKey } from '@solana/web3.js';
import bs58 from 'bs58';
import { PROGRAMS } from '../../../src/base/solana/programs';
import { signedTransfer } from '../../support/mainnet/signedTransfer';
import { useMainnet } from '../../support/mainnet/useMainnet';

/** An event is an inner instruction of the program to itself, with this in front (Anchor, `emit_cpi`). */
const EVENT_TAG = 'e445a52e51cb9a1d';

describe('The history of the little mainnet', () => {
  const mainnet = useMainnet({ recording: 'mainnet-history' });
  const connect = (): Connection => new Connection(mainnet().rpcUrl, 'confirmed');

  it('Events of the real programs are in the inner instructions, and their amounts are what the vaults gained', async () => {
    const { pools } = mainnet();
    const { signatures } = await pools.memeSol.open(mainnet().wallet(0), { x: 10n ** 8n, y: 10n ** 9n });
    const transaction = await connect().getTransaction(signatures[0] ?? '', { maxSupportedTransactionVersion: 1 });
    assert.ok(transaction?.meta);
    const keys = transaction.transaction.message.getAccountKeys().staticAccountKeys.map((key) => key.toBase58());
    const coder = createProgram(connect()).coder.events;
    const events = (transaction.meta.innerInstructions ?? [])
      .flatMap(({ instructions }) => instructions)
      .filter(({ programIdIndex }) => keys[programIdIndex] === PROGRAMS.dlmm)
      .map(({ data }) => Buffer.from(bs58.decode(data)))
      .filter((data) => data.toString('hex').startsWith(EVENT_TAG))
      .map((data) => coder.decode(data.subarray(8).toString('base64')));
    assert.deepEqual(
      events.map((event) => event?.name),
      ['positionCreate', 'addLiquidity'],
    );
    const { preTokenBalances, postTokenBalances } = transaction.meta;
    const amounts = [pools.memeSol.x, pools.memeSol.y].map(({ mint }) => {
      const ofPool = (balances: typeof preTokenBalances): bigint =>
        BigInt(balances?.find((one) => one.mint === mint && one.owner === pools.memeSol.address)?.uiTokenAmount.amount ?? 0);
      return String(ofPool(postTokenBalances) - ofPool(preTokenBalances));
    });
    assert.deepEqual((events[1]?.data as { amounts: readonly object[] }).amounts.map(String), amounts);
    assert.ok(amounts.every((amount) => BigInt(amount) > 0n));
  });

  it('Signatures of an address come newest first, in pages, and up to one that is known', async () => {
    const me = mainnet().wallet(1);
    const { position } = await mainnet().pools.solUsdc.open(me, { x: 10n ** 9n, y: 10n ** 8n });
    for (const bps of [1_000, 2_000, 3_000]) {
      await mainnet().pools.solUsdc.withdraw(me, position, bps);
    }
    const { signatures } = await mainnet().pools.solUsdc.close(me, position);
    const key = new PublicKey(position);
    const all = await connect().getSignaturesForAddress(key);
    assert.equal(all.length, 5);
    assert.equal(all[0]?.signature, signatures[0]);
    assert.deepEqual(
      all.map(({ slot }) => slot),
      all.map(({ slot }) => slot).sort((one, other) => other - one),
    );
    const page = await connect().getSignaturesForAddress(key, { limit: 2 });
    const next = await connect().getSignaturesForAddress(key, { limit: 2, before: page[1]?.signature });
    assert.deepEqual([...page, ...next], all.slice(0, 4));
    assert.deepEqual(await connect().getSignaturesForAddress(key, { until: all[2]?.signature }), all.slice(0, 2));
  });

  it('Without a commitment, nodes show only what is final', async () => {
    const { signatures } = await mainnet().pools.dammSolUsdc.swap(mainnet().wallet(2), 'y', 10n ** 8n);
    const byDefault = new Connection(mainnet().rpcUrl, 'finalized');
    const pool = new PublicKey(mainnet().pools.dammSolUsdc.address);
    const list = async (): Promise<boolean> =>
      (await byDefault.getSignaturesForAddress(pool)).some(({ signature }) => signature === signatures[0]);
    assert.equal(await list(), false);
    mainnet().finalize();
    assert.equal(await list(), true);
  });

  it('A transaction that fails after its preflight was skipped pays its fee and is listed with its error', async () => {
    const me = mainnet().wallet(3);
    const connection = connect();
    const before = mainnet().balance(me, 'sol');
    const signature = await connection.sendRawTransaction(signedTransfer(mainnet(), 3, 4, 10n ** 15n), { skipPreflight: true });
    const [listed] = await connection.getSignaturesForAddress(me.keypair.publicKey, { limit: 1 });
    assert.deepEqual([listed?.signature, listed?.err], [signature, { InstructionError: [0, { Custom: 1 }] }]);
    assert.equal(before - mainnet().balance(me, 'sol'), 5_000n);
    const { value } = await connection.getSignatureStatus(signature);
    assert.deepEqual([value?.confirmationStatus, value?.err], ['confirmed', { InstructionError: [0, { Custom: 1 }] }]);
    const { meta } = (await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })) ?? {};
    assert.deepEqual([meta?.fee, meta?.err], [5_000, { InstructionError: [0, { Custom: 1 }] }]);
  });

  it('A v0 transaction is refused to a client that does not ask for versions', async () => {
    const signature = await connect().sendRawTransaction(signedTransfer(mainnet(), 5, 6, 10n ** 9n));
    await assert.rejects(connect().getParsedTransaction(signature), { code: -32015 });
  });
});
