import assert from 'node:assert/strict';
import { Connection } from '@solana/web3.js';
import * as z from 'zod';
import { parseTransaction } from '../../src/base/solana/wireTransaction';
import { good, landed, refused, SOL } from '../support/sandbox/client';
import { SHORT_PAST } from '../support/sandbox/process';
import { useSandbox } from '../support/sandbox/useSandbox';

const HOUR_MS = 3_600_000;
/** An address without any use. */
const NOBODY = '5ZWj7a1f8tWkjBESHKgrLmXshuXxqeY9SYcfbshpAqPG';
const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const Ok = z.object({ status: z.literal('success') });
const Prices = z.object({ data: z.array(z.looseObject({ pool: z.string(), base_price: z.number(), usd_price: z.number() })) });

describe('Sandbox controls', function () {
  const client = useSandbox('each', { hasShortPast: true });

  /** US dollars for one token X, by pool. */
  async function prices(): Promise<ReadonlyMap<string, number>> {
    const { data } = good(Prices, await client().get('/pools/discover', { pageSize: 100 }));
    return new Map(data.map(({ pool, base_price }) => [pool, base_price]));
  }

  const clock = async (): Promise<number> => Date.parse((await client().status()).now);

  it('The status control reports pid, seed, speed, settings and counts of the sandbox', async () => {
    const status = await client().status();
    assert.equal(status.pid, client().sandbox.pid);
    assert.equal(status.seed, 7);
    assert.deepEqual([status.speed, status.paused], [1, false]);
    assert.deepEqual(status.settings, { indexingLagMs: 0, rateLimitPerMinute: null, transactions: 'service' });
    assert.ok(status.storeVersion >= 2);
    assert.equal(status.counts['openPositions'] !== undefined && status.counts['openPositions'] > 100, true);
    assert.ok((status.counts['pools'] ?? 0) >= 24);
    assert.ok(Math.abs(Date.now() - Date.parse(status.now)) < 5_000);
  });

  it('The clock control moves the clock forward, and the market with it', async () => {
    const [before, at] = [await prices(), await clock()];
    good(Ok, await client().control('advance', { ms: 6 * HOUR_MS }));
    const moved = (await clock()) - at;
    assert.ok(moved >= 6 * HOUR_MS && moved < 6 * HOUR_MS + 30_000, `${moved}`);
    const after = await prices();
    assert.ok([...before].filter(([pool, price]) => after.get(pool) !== price).length > before.size / 2);
    assert.deepEqual(await client().audit(), []);
    assert.match(refused(400, await client().control('advance', { ms: -1 })), /ms/);
    assert.match(refused(400, await client().control('advance', {})), /ms is required/);
    assert.match(refused(400, await client().control('advance', { ms: 1e12 })), /ms/);
  });

  it('The price control moves the price of a token', async () => {
    good(Ok, await client().control('pause'));
    const { pool } = await client().pool('BONQ/SOL', 100);
    // The fee of the pool keeps arbitrage from the last bins. A first shock of the same size leaves the pool as far from the market as the second.
    good(Ok, await client().control('shock', { pool, percent: -20 }));
    const [was, bin] = [(await prices()).get(pool) ?? NaN, await client().activeBin(pool)];
    good(Ok, await client().control('shock', { pool, percent: -20 }));
    const is = (await prices()).get(pool) ?? NaN;
    assert.ok(Math.abs(is / was - 0.8) < 0.01, `${was} became ${is}`);
    // Twenty per cent down is 22 bins of one per cent.
    const moved = bin - (await client().activeBin(pool));
    assert.ok(moved >= 18 && moved <= 23, `${moved} bins`);
    assert.deepEqual(await client().audit(), []);
    assert.match(refused(400, await client().control('shock', { pool })), /percent/);
    assert.match(refused(400, await client().control('shock', { pool, percent: -100 })), /percent/);
    good(Ok, await client().control('shock', { pool, percent: 10_000 }));
    assert.match(
      refused(400, await client().control('shock', { pool, percent: 10_000 })),
      /The price of BONQ cannot be 101 times what it is/,
    );
    refused(404, await client().control('shock', { pool: SOL, percent: 1 }));
  });

  it('The pool control sets the active bin of a pool', async () => {
    good(Ok, await client().control('pause'));
    const { pool } = await client().pool('POPKAT/SOL', 100);
    const bin = await client().activeBin(pool);
    for (const binId of [bin + 7, bin - 12]) {
      good(Ok, await client().control('active-bin', { pool, binId }));
      assert.equal(await client().activeBin(pool), binId);
    }
    assert.deepEqual(await client().audit(), []);
    assert.match(refused(400, await client().control('active-bin', { pool, binId: 1.5 })), /binId/);
    for (const binId of [bin + 3_000, 1_000_000]) {
      assert.match(refused(400, await client().control('active-bin', { pool, binId })), /The price of POPKAT cannot be|A bin of step 100/);
      assert.equal(await client().activeBin(pool), bin - 12);
    }
    refused(404, await client().control('active-bin', { pool: SOL, binId: 1 }));
    const product = await client().productPool('BONQ/SOL');
    refused(400, await client().control('active-bin', { pool: product.pool, binId: 1 }));
  });

  it('The pause control stops the market while time passes, and resumes it', async () => {
    good(Ok, await client().control('pause'));
    const [before, at] = [await prices(), await clock()];
    good(Ok, await client().control('advance', { ms: HOUR_MS }));
    assert.deepEqual(await prices(), before);
    assert.ok((await clock()) >= at + HOUR_MS);
    assert.equal((await client().status()).paused, true);
    good(Ok, await client().control('resume'));
    assert.equal((await client().status()).paused, false);
    good(Ok, await client().control('advance', { ms: HOUR_MS }));
    assert.notDeepEqual(await prices(), before);
  });

  it('The speed control makes the market faster or slower', async () => {
    good(Ok, await client().control('speed', { times: 50 }));
    assert.equal((await client().status()).speed, 50);
    good(Ok, await client().control('pause'));
    assert.deepEqual([(await client().status()).speed, (await client().status()).paused], [50, true]);
    good(Ok, await client().control('resume'));
    assert.equal((await client().status()).speed, 50);
    good(Ok, await client().control('speed', { times: 0 }));
    const before = await prices();
    good(Ok, await client().control('advance', { ms: HOUR_MS }));
    assert.deepEqual(await prices(), before);
    assert.match(refused(400, await client().control('speed', { times: -1 })), /times/);
  });

  it('The slot length can be set while the sandbox runs, and the block height never moves back', async () => {
    const rpc = new Connection(new URL(`/rpc?api-key=${client().sandbox.apiKey}`, client().sandbox.url).href);
    const height = (): Promise<number> => rpc.getBlockHeight();
    let before = await height();
    for (const ms of [200, 2_000, 100]) {
      good(Ok, await client().control('slot-length', { ms }));
      assert.equal((await rpc.getRecentPerformanceSamples(1))[0]?.numSlots, 60_000 / ms);
      good(Ok, await client().control('advance', { ms: 60_000 }));
      const now = await height();
      const blocks = now - before;
      assert.ok(blocks >= 60_000 / ms && blocks < 90_000 / ms + 100, `${blocks} blocks at ${ms} ms`);
      before = now;
    }
    assert.match(refused(400, await client().control('slot-length', { ms: 99 })), /ms/);
    assert.match(refused(400, await client().control('slot-length', {})), /ms is required/);
  });

  it('An airdrop gives any owner SOL from the existing supply', async () => {
    const before = await client().balance(SOL);
    good(Ok, await client().control('airdrop', { owner: client().sandbox.owner, sol: 2.5 }));
    assert.equal((await client().balance(SOL)) - before, 2_500_000_000n);
    good(Ok, await client().control('airdrop', { owner: NOBODY, sol: 1 }));
    assert.match(JSON.stringify((await client().get('/token/balance', { owner: NOBODY })).body), /"rawBalance":"1000000000"/);
    assert.deepEqual(await client().audit(), []);
    assert.match(refused(400, await client().control('airdrop', { owner: 'me', sol: 1 })), /owner/);
    assert.match(refused(400, await client().control('airdrop', { owner: NOBODY, sol: 0 })), /sol/);
    // A program that is given lamports as if it were a wallet would be one from then on.
    assert.match(refused(400, await client().control('airdrop', { owner: TOKEN_PROGRAM, sol: 1 })), /chain's own/);
    landed(await client().landDecrease(await client().decrease((await client().soldOutPosition()).id, 10_000)));
  });

  it('The transactions control changes the versions of what is built next, and unknown ones are refused', async () => {
    const { id } = await client().anyPosition();
    const versions = async (): Promise<Set<unknown>> => {
      const { closeTxs, swapTxs } = await client().decrease(id, 5_000);
      return new Set([...closeTxs, ...swapTxs].map((text) => parseTransaction(new Uint8Array(Buffer.from(text, 'base64'))).version));
    };
    const earlier = await client().decrease(id, 1_000);
    good(Ok, await client().control('settings', { transactions: 'v1' }));
    assert.equal((await client().status()).settings.transactions, 'v1');
    assert.deepEqual(await versions(), new Set([1]));
    landed(await client().landDecrease(earlier));
    good(Ok, await client().control('settings', { transactions: 'legacy', indexingLagMs: 0 }));
    assert.deepEqual(await versions(), new Set(['legacy']));
    assert.match(
      refused(400, await client().control('settings', { transactions: 'v2' })),
      /transactions must be one of service, legacy, v0, v1, mixed/,
    );
    assert.deepEqual(await versions(), new Set(['legacy']));
  });
});

describe('A reset of the sandbox', function () {
  const client = useSandbox('each', { args: SHORT_PAST, hasShortPast: true });

  it('A reset makes a new world in the same process, with the same key, owner and address', async () => {
    // The world of the folder has a longer past.
    good(Ok, await client().control('reset'));
    const first = await client().opening();
    const [position] = first;
    const built = await client().decrease(position?.id ?? '', 10_000);
    landed(await client().landDecrease(built));
    good(Ok, await client().control('advance', { ms: 48 * HOUR_MS }));

    good(Ok, await client().control('reset'));
    const again = await client().opening();
    assert.deepEqual(again.map(({ position: address }) => address).sort(), first.map(({ position: address }) => address).sort());
    assert.equal((await client().status()).seed, 7);
    assert.ok(Math.abs(Date.parse((await client().status()).now) - Date.now()) < 30_000);
    assert.match(refused(400, await client().landDecrease(built)), /not built/);
    assert.deepEqual(await client().audit(), []);

    good(Ok, await client().control('reset', { seed: 8 }));
    const other = await client().opening();
    assert.equal((await client().status()).seed, 8);
    assert.ok(other.length > 0);
    assert.ok(other.every(({ position: address }) => first.every((known) => known.position !== address)));
    assert.deepEqual(await client().audit(), []);
    const [entry] = other;
    landed(await client().landDecrease(await client().decrease(entry?.id ?? '', 10_000)));
    assert.match(refused(400, await client().control('reset', { seed: 'x' })), /seed/);
  });

  it('A reset during requests and landings lets each be answered by one of the two worlds', async () => {
    const built = await client().decrease((await client().soldOutPosition()).id, 10_000);
    await client().setFaults({ kind: 'latency', ms: 300, path: '/lp-positions' });
    const [landings, lists] = [
      Array.from({ length: 8 }, () => client().landDecrease(built)),
      Array.from({ length: 8 }, () => client().opening()),
    ];
    good(Ok, await client().control('reset'));
    landings.push(client().landDecrease(built));
    for (const { status } of await Promise.all(landings)) {
      assert.ok(status === 200 || status === 400, `${status}`);
    }
    assert.ok((await Promise.all(lists)).every(({ length }) => length > 0));
    assert.match(refused(400, await client().landDecrease(built)), /not built/);
    assert.deepEqual(await client().audit(), []);
  });
});

describe('The indexing lag', function () {
  const client = useSandbox('each', { args: ['--indexing-lag', '60000'], hasShortPast: true });

  it('An indexing lag delays the listing of a new position', async () => {
    const { pool } = await client().pool('WYFF/SOL', 80);
    const active = await client().activeBin(pool);
    const built = await client().add(pool, { inputSOL: 1, fromBinId: active - 10, toBinId: active + 10 });
    const [before, sol] = [(await client().opening()).length, await client().balance(SOL)];
    landed(await client().landAdd(built));
    assert.equal(await client().position(built.meta.positionPubKey), undefined);
    assert.equal((await client().opening()).length, before);
    assert.ok((await client().balance(SOL)) < sol - 900_000_000n, 'balances come from the chain and are there at once');
    await client().control('advance', { ms: 59_000 - 20_000 });
    assert.equal(await client().position(built.meta.positionPubKey), undefined);
    await client().control('advance', { ms: 25_000 });
    assert.ok(await client().position(built.meta.positionPubKey));
    assert.deepEqual(await client().audit(), []);
  });

  it('An indexing lag lists a closed position a while longer, unchanged', async () => {
    const [position] = await client().opening();
    landed(await client().landDecrease(await client().decrease(position?.id ?? '', 10_000)));
    const listed = await client().position(position?.position ?? '');
    assert.equal(listed?.outputValue, position?.outputValue);
    await client().control('advance', { ms: 61_000 });
    assert.equal(await client().position(position?.position ?? ''), undefined);
  });

  it('The indexing lag can be set while the sandbox runs', async () => {
    good(Ok, await client().control('settings', { indexingLagMs: 0 }));
    const [position] = await client().opening();
    landed(await client().landDecrease(await client().decrease(position?.id ?? '', 10_000)));
    assert.equal(await client().position(position?.position ?? ''), undefined);
    assert.match(refused(400, await client().control('settings', { indexingLagMs: -1 })), /indexingLagMs/);
  });
});
