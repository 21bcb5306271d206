import assert from 'node:assert/strict';
import { Connection, Keypair, LAMPORTS_PER_SOL, PublicKey, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { poolFact } from '../../src/transactions/inspect/chainFacts';
import type { PoolFact } from '../../src/review/facts/facts';
import { address } from '../../src/base/solana/address';
import { landed, refused, send, SOL } from '../support/sandbox/client';
import { useSandbox } from '../support/sandbox/useSandbox';

const TOKEN_PROGRAM = new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');

describe('The JSON-RPC of the sandbox', function () {
  const client = useSandbox();
  let connection: Connection;
  let owner: PublicKey;

  const rpcUrl = (): string => new URL('/rpc', client().sandbox.url).href;

  before(() => {
    connection = new Connection(`${rpcUrl()}?api-key=${client().sandbox.apiKey}`, 'confirmed');
    owner = new PublicKey(client().sandbox.owner);
  });

  it('The RPC accepts the key in the address or the header and rejects requests without it', async () => {
    const body = '{"jsonrpc":"2.0","id":1,"method":"getHealth"}';
    const headers = { 'content-type': 'application/json' };
    assert.deepEqual((await send('POST', `${rpcUrl()}?api-key=${client().sandbox.apiKey}`, headers, body)).body, {
      jsonrpc: '2.0',
      id: 1,
      result: 'ok',
    });
    assert.equal((await client().send('POST', rpcUrl(), body)).status, 200);
    const inHeader = new Connection(rpcUrl(), { httpHeaders: { 'x-api-key': client().sandbox.apiKey } });
    assert.ok((await inHeader.getSlot()) > 0);
    assert.match(refused(401, await send('POST', rpcUrl(), headers, body)), /required/);
    assert.match(refused(401, await send('POST', `${rpcUrl()}?api-key=wrong`, headers, body)), /not valid/);
    await assert.rejects(new Connection(rpcUrl()).getSlot(), /401/);
  });

  it('The RPC reports the same balances as the service', async () => {
    assert.equal(BigInt(await connection.getBalance(owner)), await client().balance(SOL));
    const { value } = await connection.getTokenAccountsByOwner(owner, { programId: TOKEN_PROGRAM });
    assert.ok(value.length > 0);
    for (const { pubkey, account } of value) {
      const mint = new PublicKey(account.data.subarray(0, 32)).toBase58();
      const amount = account.data.readBigUInt64LE(64);
      assert.equal((await connection.getTokenAccountBalance(pubkey)).value.amount, String(amount));
      if (mint !== SOL) {
        assert.equal(amount, await client().balance(mint));
      }
    }
  });

  it('The RPC shows pools with their tokens and the listed price, and follows changes', async () => {
    const bins = await client().pool('SOL/USDC', 4);
    const fact = async (of: string): Promise<PoolFact> => {
      const account = await connection.getAccountInfo(new PublicKey(of));
      assert.ok(account !== null);
      return poolFact({
        lamports: BigInt(account.lamports),
        program: address(account.owner.toBase58()),
        data: new Uint8Array(account.data),
      });
    };
    const shown = { kind: 'dlmm', tokenX: bins.token0, tokenY: bins.token1, binStepBps: 4 };
    assert.deepEqual(await fact(bins.pool), { ...shown, activeBinId: await client().activeBin(bins.pool) });
    const before = await client().activeBin(bins.pool);
    await client().control('shock', { pool: bins.pool, percent: -12 });
    const after = await client().activeBin(bins.pool);
    assert.ok(after < before);
    assert.deepEqual(await fact(bins.pool), { ...shown, activeBinId: after });
    const product = await client().productPool('SOL/USDC');
    const { kind, ...rest } = await fact(product.pool);
    assert.equal(kind, 'dammV2');
    assert.ok('sqrtPriceQ64' in rest && rest.tokenX === product.token0 && rest.tokenY === product.token1 && rest.sqrtPriceQ64 > 0n);
  });

  it('The RPC returns valid blockhashes and growing block heights', async () => {
    const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash();
    assert.equal((await connection.isBlockhashValid(blockhash)).value, true);
    const height = await connection.getBlockHeight();
    assert.ok(height <= lastValidBlockHeight && lastValidBlockHeight - height <= 151);
    await client().control('advance', { ms: 90_000 });
    assert.equal((await connection.isBlockhashValid(blockhash)).value, false);
    assert.ok((await connection.getBlockHeight()) > lastValidBlockHeight);
  });

  it('The RPC simulates built transactions and knows landed ones', async () => {
    const position = (await client().binPositions())[0];
    assert.ok(position);
    const built = await client().decrease(position.id, 1_000, { output: 'both' });
    const transaction = VersionedTransaction.deserialize(Buffer.from(built.closeTxsWithJito[0] ?? '', 'base64'));
    const before = await connection.getBalance(owner);
    const simulated = await connection.simulateTransaction(transaction, { sigVerify: false });
    assert.equal(simulated.value.err, null);
    assert.ok((simulated.value.logs ?? []).length > 0);
    assert.equal(await connection.getBalance(owner), before, 'simulating changes nothing');

    const signature = landed(await client().landDecrease(built));
    const {
      value: [status],
    } = await connection.getSignatureStatuses([signature]);
    assert.equal(status?.err, null);
    assert.ok(status.confirmationStatus === 'confirmed' || status.confirmationStatus === 'finalized');
    const known = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
    assert.equal(known?.transaction.signatures[0], signature);
    assert.equal(known.meta?.err, null);
    assert.equal((await connection.getSignatureStatuses([bs58.encode(new Uint8Array(64).fill(7))])).value[0], null);
  });

  it('The RPC grants SOL airdrops', async () => {
    const { publicKey } = Keypair.generate();
    await connection.requestAirdrop(publicKey, 2 * LAMPORTS_PER_SOL);
    assert.equal(await connection.getBalance(publicKey), 2 * LAMPORTS_PER_SOL);
    assert.deepEqual(await client().audit(), []);
  });

  it('The RPC returns JSON-RPC errors for unsupported methods', async () => {
    const { status, body } = await client().send('POST', rpcUrl(), '{"jsonrpc":"2.0","id":5,"method":"getNothing"}');
    assert.equal(status, 200);
    assert.equal((body as { readonly id: number }).id, 5);
    assert.match(JSON.stringify(body), /-32601/);
    assert.match(JSON.stringify((await client().send('POST', rpcUrl(), '{')).body), /-32700/);
  });
});
