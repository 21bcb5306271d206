import assert from 'node:assert/strict';
import { PublicKey, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import * as z from 'zod';
import { JITO_TIP_ACCOUNTS, LAMPORTS_PER_SOL } from '../../src/base/solana/programs';
import { parseRpcUrl } from '../../src/base/solana/rpcUrl';
import { parseTransaction } from '../../src/base/solana/wireTransaction';
import { StoredIssuedOperations } from '../../src/chain/landing/issued';
import { JitoClient } from '../../src/chain/landing/jito';
import { ChainLanding } from '../../src/chain/landing/landing';
import { LandingNetwork } from '../../src/chain/landing/network';
import { LandingStore } from '../../src/chain/landing/store';
import { createChainRpc } from '../../src/chain/rpc/client';
import { HurriedClock } from '../support/chain/hurriedClock';
import { refusal, untilKnown } from '../support/chain/landingProcess';
import { BuildDesk, entryOf, exitOf, type Entry } from '../support/chain/builds';
import { useMainnet } from '../support/mainnet/useMainnet';
import type { Wallet } from '../support/mainnet/world/pool';
import { signAll } from '../support/sandbox/sign';

const Landed = z.object({ meta: z.object({ fee: z.int() }) });

describe('Landing on the little mainnet', () => {
  const mainnet = useMainnet({ recording: 'landing' });
  const stopping = new AbortController();
  const stores: LandingStore[] = [];
  let walletNumber = 0;

  after(() => {
    stopping.abort();
    stores.forEach((store) => store.close());
  });

  /** A service in this process, on a clock that polls fast. */
  function service({ withJito = false } = {}): { readonly landing: ChainLanding; readonly issued: StoredIssuedOperations } {
    const { signal } = stopping;
    const clock = new HurriedClock();
    const store = new LandingStore(undefined);
    stores.push(store);
    const rpc = createChainRpc({ url: parseRpcUrl(mainnet().rpcUrl), requestsPerSecond: 1_000, signal, clock });
    const issued = new StoredIssuedOperations(store, clock);
    const bundles = withJito ? new JitoClient(mainnet().rpcUrl, signal, { clock }) : undefined;
    const network = new LandingNetwork(rpc, signal);
    const checkChain = (): Promise<void> => Promise.resolve();
    return { issued, landing: new ChainLanding({ store, issued, network, bundles, checkChain, clock, signal, log: () => undefined }) };
  }

  /** Transfers of one SOL, two, and so on to another wallet. @param tip in the last */
  function transfers(from: Wallet, to: Wallet, count: number, tip = false): Uint8Array[] {
    const { blockhash } = mainnet().chain.latestBlockhash(mainnet().chain.slot);
    return Array.from({ length: count }, (_, index) => {
      const fromPubkey = from.keypair.publicKey;
      const lamports = LAMPORTS_PER_SOL * BigInt(index + 1);
      const instructions = [SystemProgram.transfer({ fromPubkey, toPubkey: to.keypair.publicKey, lamports })];
      if (tip && index === count - 1) {
        instructions.push(SystemProgram.transfer({ fromPubkey, toPubkey: new PublicKey(JITO_TIP_ACCOUNTS[0] ?? ''), lamports: 10_000n }));
      }
      return new VersionedTransaction(
        new TransactionMessage({ payerKey: fromPubkey, recentBlockhash: blockhash, instructions }).compileToV0Message(),
      ).serialize();
    });
  }

  function signed(transactions: readonly Uint8Array[], { keypair }: Wallet): string[] {
    return transactions.map((bytes) => {
      const transaction = VersionedTransaction.deserialize(bytes);
      transaction.sign([keypair]);
      return Buffer.from(transaction.serialize()).toString('base64');
    });
  }

  /** Builds transfers between two wallets that no other test uses. */
  function buildTransfers(issued: StoredIssuedOperations, count: number): { readonly payload: string[]; readonly received: () => bigint } {
    const [from, to] = [mainnet().wallet(walletNumber), mainnet().wallet(walletNumber + 1)];
    walletNumber += 2;
    const plain = transfers(from, to, count);
    const tipped = transfers(from, to, count, true);
    const { lastValidBlockHeight } = mainnet().chain.latestBlockhash(mainnet().chain.slot);
    issued.issue({ kind: 'decrease', owner: from.address, lastValidBlockHeight, stages: plain.map((one) => [one]), bundles: [tipped] });
    const before = mainnet().balance(to, 'sol');
    return { payload: signed(plain, from), received: () => (mainnet().balance(to, 'sol') - before) / LAMPORTS_PER_SOL };
  }

  const tipsPaid = (): bigint => JITO_TIP_ACCOUNTS.reduce((sum, account) => sum + (mainnet().chain.account(account)?.lamports ?? 0n), 0n);

  const land = (landing: ChainLanding, first: readonly string[]): Promise<{ readonly signature: string }> =>
    untilKnown(() => landing.land('decrease', { first, second: [] }));

  it('Transactions land one after the other, through sends that vanish, a gateway that times out and 429', async () => {
    const { landing, issued } = service();
    const { payload, received } = buildTransfers(issued, 3);
    const { faults } = mainnet();
    faults.vanishingSends = 1;
    faults.add({ kind: 'http', status: 504 }, { method: 'sendTransaction', times: 1, carriedOut: true });
    faults.add({ kind: 'rateLimit' }, { method: 'getSignatureStatuses', times: 1 });
    const { signature } = await land(landing, payload);
    assert.equal(received(), 6n);
    assert.ok(mainnet().chain.slot > 0 && signature.length > 80);
    assert.deepEqual(await land(landing, payload), { method: 'JITO', signature });
    assert.equal(received(), 6n);
  });

  it('A transaction that a fork drops before it is confirmed lands once in the end', async () => {
    const { landing, issued } = service();
    const { payload, received } = buildTransfers(issued, 1);
    mainnet().faults.confirmAfterSlots = 5;
    const landed = land(landing, payload);
    await until(() => received() > 0n, landed);
    mainnet().faults.fork(1);
    assert.equal(received(), 0n);
    await until(() => received() > 0n, landed);
    mainnet().advance({ slots: 5 });
    await landed;
    assert.equal(received(), 1n);
  });

  it('What always vanishes has not landed when its blockhash has expired in a finalized block', async () => {
    const { landing, issued } = service();
    const { payload, received } = buildTransfers(issued, 2);
    mainnet().faults.vanishingSends = Infinity;
    const refused = refusal('notLanded', land(landing, payload));
    mainnet().advance({ slots: 200 });
    assert.match(await refused, /blockhash expired/);
    assert.equal(received(), 0n);
  });

  it('An operation that the programs refuse now is refused with the reason, and nothing is sent', async () => {
    const { landing, issued } = service();
    const from = mainnet().wallet(walletNumber);
    const plain = transfers(from, from, 1);
    plain[0] = new VersionedTransaction(
      new TransactionMessage({
        payerKey: from.keypair.publicKey,
        recentBlockhash: mainnet().chain.latestBlockhash(mainnet().chain.slot).blockhash,
        instructions: [SystemProgram.transfer({ fromPubkey: from.keypair.publicKey, toPubkey: PublicKey.default, lamports: 10n ** 15n })],
      }).compileToV0Message(),
    ).serialize();
    const { lastValidBlockHeight } = mainnet().chain.latestBlockhash(mainnet().chain.slot);
    issued.issue({ kind: 'decrease', owner: from.address, lastValidBlockHeight, stages: [plain], bundles: [] });
    assert.match(await refusal('notLanded', land(landing, signed(plain, from))), /Transaction 1 would fail/);
  });

  it('A bundle lands as a whole by the block engine, also if it vanishes at first', async () => {
    const { landing, issued } = service({ withJito: true });
    const [from, to] = [mainnet().wallet(walletNumber), mainnet().wallet(walletNumber + 1)];
    walletNumber += 2;
    const tipped = transfers(from, to, 3, true);
    const { lastValidBlockHeight } = mainnet().chain.latestBlockhash(mainnet().chain.slot);
    issued.issue({ kind: 'decrease', owner: from.address, lastValidBlockHeight, stages: [transfers(from, to, 3)], bundles: [tipped] });
    mainnet().faults.vanishingBundles = 1;
    const before = mainnet().balance(to, 'sol');
    const calls = await mainnet().countCalls(() => land(landing, signed(tipped, from)));
    assert.equal((mainnet().balance(to, 'sol') - before) / LAMPORTS_PER_SOL, 6n);
    assert.equal(calls.get('sendTransaction') ?? 0, 0);
  });

  for (const [format, pool, withJito] of [
    ['v1', 'solUsdc', true],
    ['mixed', 'solUsdc', true],
    ['mixed', 'dammMemeSol', false],
  ] as const) {
    it(`An entry into ${pool} and its exit are built, reviewed and landed ${withJito ? 'by the block engine' : 'by the RPC'}, transactions: ${format}`, async () => {
      const { landing, issued } = service({ withJito });
      const desk = new BuildDesk(mainnet(), { issued, format, tipLamports: withJito ? 10_000n : 0n });
      const me = mainnet().wallet(walletNumber);
      walletNumber += 1;
      const of = mainnet().pools[pool];
      const active = of.program === 'dlmm' ? await desk.activeBin(of) : undefined;
      const entry: Entry = {
        strategy: 'Spot',
        fromBinId: active === undefined ? undefined : active - 20,
        toBinId: active === undefined ? undefined : active + 20,
        input: { mode: 'zap-in', lamports: LAMPORTS_PER_SOL, percentX: 0.5 },
      };
      const secretKey = bs58.encode(me.keypair.secretKey);
      const before = mainnet().balance(me, 'sol');
      const tips = tipsPaid();

      const built = await desk.add(me, of, entry);
      assert.deepEqual(built.simulation, { transactions: entryOf(built).length, simulated: entryOf(built).length });
      await desk.allowsEntry(me, of, entry, built);
      const [swaps, adds] = [built.swapTxsWithJito, built.addLiquidityTxsWithJito].map((list) => signAll(list, secretKey));
      const calls = await mainnet().countCalls(() => landing.land('add', { first: swaps ?? [], second: adds ?? [] }));
      const position = built.meta.positionPubKey;
      const exit = await desk.decrease(me, position);
      await desk.allowsExit(me, of, position, {}, exit);
      const [closes, sales] = [exit.closeTxsWithJito, exit.swapTxsWithJito].map((list) => signAll(list, secretKey));
      const { signature } = await landing.land('decrease', { first: closes ?? [], second: sales ?? [] });

      const versions = [...entryOf(built), ...exitOf(exit)].map(
        (text) => parseTransaction(new Uint8Array(Buffer.from(text, 'base64'))).version,
      );
      assert.deepEqual([...new Set(versions)].sort(), format === 'v1' ? [1] : [0, 1, 'legacy']);
      assert.equal(calls.get('sendTransaction') ?? 0, withJito ? 0 : entryOf(built).length);
      assert.equal(await desk.rpc.connection.getAccountInfo(new PublicKey(position)), null);
      const last = exitOf(exit).at(-1) ?? assert.fail();
      const { requiredSignatures, config } = parseTransaction(new Uint8Array(Buffer.from(last, 'base64')));
      if (config !== undefined) {
        const inBlock = await desk.rpc.call(
          'getTransaction',
          [signature, { maxSupportedTransactionVersion: 1, commitment: 'confirmed' }],
          Landed,
        );
        assert.equal(inBlock.meta.fee, 5_000 * requiredSignatures + Number(config.priorityFeeLamports));
      }
      assert.equal(tipsPaid() - tips, withJito ? 20_000n : 0n);
      const lost = Number(before - mainnet().balance(me, 'sol')) / Number(LAMPORTS_PER_SOL);
      assert.ok(lost > 0 && lost < 0.03, String(lost));
    });
  }
});

/** Waits for an event of the chain. @throws what the landing throws before it */
async function until(hasHappened: () => boolean, landing: Promise<unknown>): Promise<void> {
  let failure: unknown;
  landing.catch((error: unknown) => (failure = error));
  while (!hasHappened()) {
    if (failure !== undefined) {
      throw failure instanceof Error ? failure : new Error('The landing failed');
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
