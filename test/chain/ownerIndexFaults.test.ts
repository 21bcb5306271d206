import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SystemProgram, Transaction } from '@solana/web3.js';
import type { IndexedPosition } from '../../src/chain/index/types';
import { indexOf, type TestIndex } from '../support/chain/indexOf';
import { useMainnet } from '../support/mainnet/useMainnet';

const WAIT_MS = 20_000;
/** A page of signatures; small, so that there are several. */
const PAGE_SIZE = 5;

/** What an index knows, without what depends on when it was listed. */
function contentOf(positions: readonly IndexedPosition[]): unknown {
  return positions.map(({ events, ...position }) => ({ ...position, events: events.map(({ order: _order, ...event }) => event) }));
}

describe('The index of an owner, when something fails', () => {
  const mainnet = useMainnet({ recording: 'ownerIndexFaults' });
  const started: TestIndex[] = [];
  const start: typeof indexOf = (...parameters) => {
    const test = indexOf(...parameters);
    started.push(test);
    return test;
  };
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'binsight-index-'));
  });
  afterEach(async () => {
    await Promise.all(started.splice(0).map((test) => test.stop()));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** Opens positions and does something with each. */
  async function history(wallet: number, count: number): Promise<ReturnType<ReturnType<typeof mainnet>['wallet']>> {
    const me = mainnet().wallet(wallet);
    const { solUsdc, dammSolUsdc } = mainnet().pools;
    for (let index = 0; index < count; index += 1) {
      const pool = index % 2 === 0 ? solUsdc : dammSolUsdc;
      const { position } = await pool.open(me, index % 2 === 0 ? { x: 10n ** 8n, y: 10n ** 7n } : { x: 10n ** 8n });
      await pool.withdraw(me, position, 1_000);
      if (index % 3 === 0) {
        await pool.close(me, position);
      }
    }
    return me;
  }

  it('A process that is killed at any moment continues from there, to the same content', async () => {
    const { rpcUrl } = mainnet();
    const me = await history(0, 5);
    const whole = start(rpcUrl);
    await whole.index.catchUp(me.address, WAIT_MS);
    const expected = contentOf(whole.index.positions({ owner: me.address }));

    const file = join(folder, 'running.sqlite');
    const running = start(rpcUrl, { file, pageSize: PAGE_SIZE });
    const copies: string[] = [];
    // Everything that is written is written between two requests: what a kill would leave is what is there before each.
    const { rpc } = running;
    const send = rpc.call.bind(rpc);
    Object.assign(rpc, {
      call: (...parameters: Parameters<typeof send>) => {
        const copy = join(folder, `killed-${copies.length}.sqlite`);
        ['', '-wal'].filter((ending) => existsSync(file + ending)).forEach((ending) => copyFileSync(file + ending, copy + ending));
        copies.push(copy);
        return send(...parameters);
      },
    });
    await running.index.catchUp(me.address, WAIT_MS);
    assert.ok(copies.length > 10, `${copies.length} requests`);
    // Those with another content: transactions of a batch are stored together.
    for (const copy of copies.filter((_copy, index) => index < 5 || index % 3 === 0)) {
      const resumed = indexOf(rpcUrl, { file: copy, pageSize: PAGE_SIZE });
      assert.equal((await resumed.index.catchUp(me.address, WAIT_MS)).state, 'current');
      assert.deepEqual(contentOf(resumed.index.positions({ owner: me.address })), expected, copy);
      await resumed.stop();
    }
  });

  it('A restart continues what was begun, without a request', async () => {
    const { rpcUrl, faults } = mainnet();
    const me = await history(1, 3);
    const file = join(folder, 'restarted.sqlite');
    const before = indexOf(rpcUrl, { file, pageSize: PAGE_SIZE });
    const end = faults.add({ kind: 'refuse', code: -32_000, message: 'no' }, { method: 'getTransaction' });
    const progress = await before.index.catchUp(me.address, WAIT_MS);
    assert.equal(progress.state, 'failed');
    assert.ok(progress.left > 0);
    await before.stop();
    end();
    const after = start(rpcUrl, { file, pageSize: PAGE_SIZE });
    while (after.index.progress().some(({ left }) => left > 0)) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal(after.index.positions({ owner: me.address }).length, 3);
  });

  it('Rate limits, broken answers and errors of the node delay the content, and change nothing in it', async () => {
    const { rpcUrl, faults } = mainnet();
    const me = await history(2, 3);
    const plain = start(rpcUrl);
    await plain.index.catchUp(me.address, WAIT_MS);
    faults.add({ kind: 'rateLimit' }, { times: 2 });
    faults.add({ kind: 'cut' }, { method: 'getTransaction', times: 2 });
    faults.add({ kind: 'http', status: 503 }, { method: 'getTransaction', times: 2 });
    faults.add({ kind: 'page' }, { method: 'getTransaction', times: 1 });
    faults.add(
      { kind: 'refuse', code: -32_009, message: 'Slot was skipped, or missing in long-term storage' },
      { method: 'getTransaction', times: 1 },
    );
    const troubled = start(rpcUrl);
    assert.equal((await troubled.index.catchUp(me.address, WAIT_MS)).state, 'current');
    assert.deepEqual(contentOf(troubled.index.positions({ owner: me.address })), contentOf(plain.index.positions({ owner: me.address })));
  });

  it('While the RPC refuses, the stored content is served, and progress gives the reason why it is not current', async () => {
    const { rpcUrl, faults } = mainnet();
    const me = await history(3, 1);
    const { index } = start(rpcUrl);
    await index.catchUp(me.address, WAIT_MS);
    faults.refuse('getSignaturesForAddress', 'gone');
    const progress = await index.catchUp(me.address, WAIT_MS);
    assert.equal(progress.state, 'failed');
    assert.match(progress.error ?? '', /refused getSignaturesForAddress/);
    assert.equal(index.positions({ owner: me.address }).length, 1);
    faults.clear();
    const later = await index.catchUp(me.address, WAIT_MS);
    assert.deepEqual([later.state, later.error], ['current', undefined]);
  });

  it('A transaction that is listed before the node can show it is not skipped', async () => {
    const { rpcUrl, faults } = mainnet();
    const me = await history(4, 1);
    faults.transactionsLateSlots = 2;
    const { index } = start(rpcUrl);
    const early = await index.catchUp(me.address, 2_000);
    assert.deepEqual([early.state, early.left], ['indexing', 1]);
    const [incomplete] = index.positions({ owner: me.address });
    assert.equal(incomplete?.complete, false);
    mainnet().advance({ slots: 2 });
    assert.equal((await index.catchUp(me.address, WAIT_MS)).state, 'current');
    assert.deepEqual(
      index.positions({ owner: me.address }).map(({ complete, closed }) => [complete, closed]),
      [[true, true]],
    );
  });

  it('A node that lags behind takes nothing away, and the next one adds what is new', async () => {
    const { rpcUrl, faults } = mainnet();
    const me = await history(5, 2);
    const { index } = start(rpcUrl);
    await index.catchUp(me.address, WAIT_MS);
    const before = contentOf(index.positions({ owner: me.address }));
    faults.lagSlots = 6;
    await index.catchUp(me.address, WAIT_MS);
    assert.deepEqual(contentOf(index.positions({ owner: me.address })), before);
    await mainnet().pools.solUsdc.open(me, { x: 10n ** 8n, y: 10n ** 7n });
    faults.lagSlots = 0;
    await index.catchUp(me.address, WAIT_MS);
    assert.equal(index.positions({ owner: me.address }).length, 3);
  });

  it('What a fork has dropped is dropped, and what landed again elsewhere is counted once', async () => {
    const { rpcUrl, chain } = mainnet();
    const me = await history(6, 1);
    mainnet().finalize();
    const { index } = start(rpcUrl);
    await index.catchUp(me.address, WAIT_MS);
    const { position } = await mainnet().pools.solUsdc.open(me, { x: 10n ** 8n, y: 10n ** 7n });
    await index.catchUp(me.address, WAIT_MS);
    assert.ok(index.positions({ position }).length === 1);
    const signature = index.positions({ position })[0]?.events[0]?.signature ?? '';
    const bytes = chain.find(signature)?.bytes;
    assert.ok(bytes !== undefined);
    chain.fork(2);
    assert.equal(chain.find(signature), undefined);
    // Not gone before the chain can have finalized the other branch.
    await index.catchUp(me.address, WAIT_MS);
    assert.equal(index.positions({ position }).length, 1);
    mainnet().advance({ slots: 3 });
    assert.equal(chain.land(bytes).kind, 'landed');
    const slot = chain.find(signature)?.slot;
    await index.catchUp(me.address, WAIT_MS);
    assert.deepEqual(
      index.positions({ position }).map(({ events }) => events.map((event) => [event.kind, event.slot])),
      [
        [
          ['create', slot],
          ['deposit', slot],
        ],
      ],
    );
    chain.fork(2);
    assert.equal(chain.find(signature), undefined);
    mainnet().advance({ slots: 100 });
    await index.catchUp(me.address, WAIT_MS);
    assert.deepEqual(index.positions({ position }), []);
    assert.equal((await index.catchUp(me.address, WAIT_MS)).state, 'current');
  });

  it('Of pruned history, positions are incomplete; their end is known', async () => {
    const { rpcUrl, chain, faults, pools } = mainnet();
    const me = mainnet().wallet(7);
    const { position } = await pools.solUsdc.open(me, { x: 10n ** 8n, y: 10n ** 7n });
    mainnet().finalize();
    faults.prunedBeforeSlot = chain.slot;
    await pools.solUsdc.close(me, position);
    const whole = await pools.solUsdc.open(me, { x: 10n ** 8n, y: 10n ** 7n });
    const { index } = start(rpcUrl);
    const progress = await index.catchUp(me.address, WAIT_MS);
    assert.equal(progress.prunedBeforeSlot, faults.prunedBeforeSlot);
    assert.deepEqual(
      index.positions({ owner: me.address }).map(({ address, complete, closed }) => ({ address, complete, closed })),
      [
        { address: position, complete: false, closed: true },
        { address: whole.position, complete: true, closed: false },
      ],
    );
  });

  it('The life of a position is read by its own signatures before the rest of its owner', async () => {
    const { rpcUrl, pools, faults } = mainnet();
    const me = mainnet().wallet(8);
    const { position } = await pools.solUsdc.open(me, { x: 10n ** 8n, y: 10n ** 7n });
    await pools.solUsdc.withdraw(me, position, 5_000);
    await pools.solUsdc.close(me, position);
    const { index } = start(rpcUrl);
    faults.add({ kind: 'refuse', code: -32_000, message: 'no' }, { method: 'getSignaturesForAddress', times: 1 });
    await index.catchUp(me.address, WAIT_MS);
    assert.deepEqual(index.positions({ owner: me.address }), []);
    await index.completePositions([position], WAIT_MS);
    assert.deepEqual(
      index.positions({ position }).map(({ complete, closed, owner }) => ({ complete, closed, owner })),
      [{ complete: true, closed: true, owner: me.address }],
    );
  });

  it('Failed transactions count for nothing, and several owners are read side by side', async () => {
    const { rpcUrl, sender, chain } = mainnet();
    const owners = [await history(9, 2), await history(10, 1)] as const;
    const [{ keypair, address }] = owners;
    const tooMuch = SystemProgram.transfer({ fromPubkey: keypair.publicKey, toPubkey: keypair.publicKey, lamports: 10n ** 15n });
    assert.throws(() => sender.send([new Transaction().add(tooMuch)], [keypair]));
    assert.ok(chain.transactionsOf(address).some(({ error }) => error !== null));
    const { index } = start(rpcUrl);
    const progress = await Promise.all(owners.map((owner) => index.catchUp(owner.address, WAIT_MS)));
    assert.deepEqual(
      progress.map(({ state }) => state),
      ['current', 'current'],
    );
    assert.deepEqual(
      owners.map((owner) => index.positions({ owner: owner.address }).length),
      [2, 1],
    );
    assert.equal(index.progress().length, 2);
  });

  it('Prices of a pool are known even if its first position is found while another pool is being read', async () => {
    const { rpcUrl, pools } = mainnet();
    const [first, second] = [mainnet().wallet(12), mainnet().wallet(13)];
    await pools.solUsdc.open(first, { x: 10n ** 8n, y: 10n ** 7n });
    const { position } = await pools.memeSol.open(second, { y: 10n ** 8n, bins: [-10, -1] });
    const { index, rpc } = start(rpcUrl);
    const send = rpc.call.bind(rpc);
    let reading: Promise<unknown> | undefined;
    Object.assign(rpc, {
      call: async (...parameters: Parameters<typeof send>) => {
        const answer = await send(...parameters);
        if (parameters[0] === 'getMultipleAccounts' && reading === undefined) {
          reading = index.catchUp(second.address, WAIT_MS);
          while (index.positions({ position }).length === 0) {
            await new Promise((resolve) => setImmediate(resolve));
          }
        }
        return answer;
      },
    });
    await index.catchUp(first.address, WAIT_MS);
    assert.ok(reading !== undefined);
    await reading;
    const [found] = index.positions({ position });
    assert.ok(found?.complete);
    assert.ok(found.events.every(({ kind, rawPrice }) => kind === 'create' || rawPrice !== undefined));
  });

  it('The newest transactions of a pool show positions of all owners in it', async () => {
    const { rpcUrl, pools } = mainnet();
    const other = mainnet().wallet(11);
    const { position } = await pools.memeSol.open(other, { x: 10n ** 8n, y: 10n ** 7n });
    const { index } = start(rpcUrl);
    await index.readPool(pools.memeSol.address, 1, WAIT_MS);
    assert.deepEqual(
      index.positions({ pool: pools.memeSol.address }).map(({ address, owner }) => ({ address, owner })),
      [{ address: position, owner: other.address }],
    );
  });
});
