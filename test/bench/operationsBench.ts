// The output of `npm run bench -- operations`: how long a zap-in and a zap-out take beyond the response time of the service, with everything
// that Binsight does (review, journal, locks, confirmation), next to a bare script that makes the same calls: decodes and signs with
// @solana/web3.js, and lands. With `-- --journal`: how long it takes to read a journal of ten thousand operations. Figures depend on this
// machine and its load; nothing is asserted.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Keypair, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import nodeFetch from 'node-fetch';
import { parseBaseUrl, serviceId } from '../../src/service/baseUrl';
import { createLiquidityService } from '../../src/service/client';
import { openJournal } from '../../src/transactions/journal/journal';
import type { JournalEntry, OperationJournal } from '../../src/transactions/journal/types';
import { openLocks } from '../../src/transactions/locks/locks';
import type { HeldLock, OperationLocks } from '../../src/transactions/locks/types';
import type { OperationDependencies, OperationHost, OperationResult, ZapInPlan } from '../../src/transactions/types';
import { runZapIn } from '../../src/transactions/run/zapIn';
import { runZapOut } from '../../src/transactions/run/zapOut';
import { systemClock } from '../../src/base/async/clock';
import { Portfolio } from '../../src/portfolio/portfolio';
import { signReviewed } from '../../src/review/review';
import { createRpc } from '../../src/rpc/rpc';
import { parseRpcUrl } from '../../src/base/solana/rpcUrl';
import { address, type Address } from '../../src/base/solana/address';
import { SEED_BYTES } from '../../src/wallet/keys';
import { createSigner } from '../../src/wallet/signer';
import { TestClient } from '../support/sandbox/client';
import { startSandbox, type ReadyLine } from '../support/sandbox/process';
import { signAll } from '../support/sandbox/sign';
import { STILL } from '../support/sandbox/useSandbox';
import { reportRow } from '../host/benchRows.mjs';
import { milliseconds, quantile } from './figures';
import { measureJournal } from './journalBench';

const WARM_UP = 5;
const ROUNDS = 40;
const INPUT_LAMPORTS = 100_000_000n;
const HALF_WIDTH = 10;
const SLIPPAGE_BPS = 500;
const WHOLE_BPS = 10_000;
const SETTLE_TIMEOUT_MS = 30_000;
const SETTLE_EVERY_MS = 4_000;

/** Total time in which at least one call is in progress. */
class Watch {
  #open = 0;
  #fromMs = 0;
  #totalMs = 0;

  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#open === 0) {
      this.#fromMs = performance.now();
    }
    this.#open += 1;
    try {
      return await work();
    } finally {
      this.#open -= 1;
      if (this.#open === 0) {
        this.#totalMs += performance.now() - this.#fromMs;
      }
    }
  }

  /** Milliseconds since the last call. */
  take(): number {
    const ms = this.#totalMs;
    this.#totalMs = 0;
    return ms;
  }
}

/** The measurements of a run. */
interface Watches {
  readonly answers: Watch;
  readonly journal: Watch;
  readonly locks: Watch;
  readonly signing: Watch;
}

interface HttpAnswer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly bytes: Buffer;
}

/** Sends a request, and counts the time until the last byte of the response. */
async function ask(
  watch: Watch,
  url: string,
  init: { readonly method: string; readonly headers: Record<string, string>; readonly body?: string; readonly redirect?: 'manual' },
): Promise<HttpAnswer> {
  return watch.during(async () => {
    const response = await nodeFetch(url, init);
    return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
  });
}

/** The same in the form that the clients of service and RPC need. */
function measuredFetch(
  watch: Watch,
): (
  url: string,
  init: Parameters<typeof ask>[2],
) => Promise<{ readonly status: number; readonly headers: HttpAnswer['headers']; readonly body: AsyncIterable<Uint8Array> }> {
  return async (url, init) => {
    const { status, headers, bytes } = await ask(watch, url, init);
    return { status, headers, body: once(bytes) };
  };
}

async function* once(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function measuredJournal(journal: OperationJournal, watch: Watch): OperationJournal {
  const entryOf = (entry: JournalEntry): JournalEntry => ({
    id: entry.id,
    get record() {
      return entry.record;
    },
    append: (event) => watch.during(() => entry.append(event)),
  });
  return {
    begin: (created) => watch.during(async () => entryOf(await journal.begin(created))),
    nowFor: (record) => journal.nowFor(record),
    resume: (id) => journal.resume(id),
    read: () => watch.during(() => journal.read()),
    onDidChange: (listener) => journal.onDidChange(listener),
    dispose: () => journal.dispose(),
  };
}

function measuredLocks(locks: OperationLocks, watch: Watch): OperationLocks {
  const lockOf = (held: HeldLock): HeldLock => ({
    ...{ name: held.name, lost: held.lost },
    isStillHeld: () => watch.during(() => held.isStillHeld()),
    release: () => watch.during(() => held.release()),
  });
  return {
    tryAcquire: async (name) => {
      const held = await watch.during(() => locks.tryAcquire(name));
      return held === undefined ? undefined : lockOf(held);
    },
    acquire: async (name, signal) => lockOf(await watch.during(() => locks.acquire(name, signal))),
    dispose: () => locks.dispose(),
  };
}

/** Zaps in, then out again. */
interface Runner {
  readonly name: string;
  readonly watches: Watches;
  readonly round: () => Promise<void>;
}

function newWatches(): Watches {
  return { answers: new Watch(), journal: new Watch(), locks: new Watch(), signing: new Watch() };
}

interface Built {
  readonly data: Readonly<Record<'closeTxsWithJito' | 'swapTxsWithJito' | 'addLiquidityTxsWithJito', readonly string[]>> & {
    readonly lastValidBlockHeight: number;
    readonly meta: { readonly positionPubKey: string };
  };
}

/** A client without checks: requests, signs and lands everything, and lists the positions once. */
function bareRunner({ url, apiKey, owner, secretKey }: ReadyLine, pool: string, activeBin: number): Runner {
  const watches = newWatches();
  const key = Keypair.fromSecretKey(bs58.decode(secretKey));
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
  const send = async (method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> => {
    const { status, bytes } = await ask(watches.answers, `${url}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (status !== 200) {
      throw new Error(`${path}: ${status} ${bytes.toString()}`);
    }
    return JSON.parse(bytes.toString());
  };
  const signed = (texts: readonly string[]): Promise<readonly string[]> =>
    watches.signing.during(async () =>
      texts.flatMap((text) => {
        const transaction = VersionedTransaction.deserialize(Buffer.from(text, 'base64'));
        // web3.js reads version 1, and does not write it.
        if (transaction.version === 1) {
          return signAll([text], secretKey);
        }
        transaction.sign([key]);
        return [Buffer.from(transaction.serialize()).toString('base64')];
      }),
    );
  return {
    ...{ name: 'a bare script', watches },
    round: async () => {
      const entry = {
        stratergy: 'Spot',
        inputSOL: Number(INPUT_LAMPORTS) / 1e9,
        percentX: 0.5,
        fromBinId: activeBin - HALF_WIDTH,
        toBinId: activeBin + HALF_WIDTH,
        activeBinId: activeBin,
        binStepBps: 25,
        owner,
        slippage_bps: SLIPPAGE_BPS,
        mode: 'zap-in',
      };
      const { data: added } = (await send('POST', `/pools/${pool}/add-tx`, entry)) as Built;
      await send('POST', '/pools/landing-add-tx', {
        lastValidBlockHeight: added.lastValidBlockHeight,
        swapTxsWithJito: await signed(added.swapTxsWithJito),
        addLiquidityTxsWithJito: await signed(added.addLiquidityTxsWithJito),
        meta: added.meta,
      });
      await send('GET', `/lp-positions/opening?owner=${owner}`);
      const exit = { position_id: added.meta.positionPubKey, bps: WHOLE_BPS, owner, slippage_bps: SLIPPAGE_BPS, output: 'allBaseToken' };
      const { data: closed } = (await send('POST', '/position/decrease-tx', exit)) as Built;
      await send('POST', '/position/landing-decrease-tx', {
        lastValidBlockHeight: closed.lastValidBlockHeight,
        closeTxsWithJito: await signed(closed.closeTxsWithJito),
        swapTxsWithJito: await signed(closed.swapTxsWithJito),
      });
      await send('GET', `/lp-positions/opening?owner=${owner}`);
    },
  };
}

/** As the extension does it, with a user who agrees immediately. */
async function binsightRunner(
  sandbox: ReadyLine,
  plan: ZapInPlan,
  storage: string,
  hasRpc: boolean,
): Promise<Runner & { close(): Promise<void> }> {
  const watches = newWatches();
  const { owner } = plan;
  const baseUrl = parseBaseUrl(sandbox.url);
  const fetch = measuredFetch(watches.answers);
  const service = createLiquidityService({ baseUrl, apiKey: sandbox.apiKey, fetch });
  const log = (): void => undefined;
  const portfolio = new Portfolio({ service: () => Promise.resolve(service), log, clock: systemClock });
  const readSeed = () => Promise.resolve(bs58.decode(sandbox.secretKey).slice(0, SEED_BYTES));
  const signer = createSigner({ owner, readSeed, signReviewed, nowMs: () => Date.now() });
  const journal = openJournal({ folder: join(storage, 'journal'), nowMs: () => Date.now(), log });
  const locks = openLocks({ folder: join(storage, 'locks'), log });
  const dependencies: OperationDependencies = {
    ...{
      service,
      portfolio,
      log,
      serviceId: serviceId(baseUrl),
      nowMs: () => Date.now(),
      isServiceInUse: () => true,
      policy: () => ({}),
      isSimulating: true,
    },
    rpc: hasRpc ? createRpc({ url: parseRpcUrl(new URL(`/rpc?api-key=${sandbox.apiKey}`, sandbox.url).href), fetch }) : undefined,
    ...{ journal: measuredJournal(journal, watches.journal), locks: measuredLocks(locks, watches.locks) },
    ...{ settleTimeoutMs: SETTLE_TIMEOUT_MS, settleEveryMs: SETTLE_EVERY_MS },
  };
  const host: OperationHost = {
    report: () => undefined,
    approve: ({ verdict }) => Promise.resolve(verdict === 'allow'),
    signer: () => Promise.resolve({ owner, sign: (transactions) => watches.signing.during(() => signer.sign(transactions)) }),
  };
  const { signal } = new AbortController();
  portfolio.setOwner(owner);
  await portfolio.refresh('startup', ['positions', 'pools']);
  // Without a price the review asks about each swap.
  const listed = portfolio.snapshot.pools.find((one) => one.address === plan.pool);
  if (listed === undefined) {
    throw new Error(`${plan.pool} is not listed`);
  }
  const { token0, token1, price0Usd: priceXUsd, price1Usd: priceYUsd } = listed;
  const prices = { decimalsX: token0.decimals, decimalsY: token1.decimals, priceXUsd, priceYUsd, solUsd: priceYUsd };
  return {
    ...{ name: hasRpc ? 'Binsight, also with an RPC' : 'Binsight', watches },
    round: async () => {
      const made = positionOf(await runZapIn({ ...plan, prices }, dependencies, host, signal));
      const position = portfolio.snapshot.positions.find((one) => one.address === made);
      if (position === undefined) {
        throw new Error(`${made} is not listed`);
      }
      positionOf(
        await runZapOut(
          { position, owner, shareBps: WHOLE_BPS, output: 'allBaseToken', slippageBps: SLIPPAGE_BPS },
          dependencies,
          host,
          signal,
        ),
      );
    },
    close: async () => {
      portfolio.dispose();
      journal.dispose();
      await locks.dispose();
    },
  };
}

function positionOf(result: OperationResult): Address {
  if (result.kind !== 'settled' || result.position === undefined) {
    throw new Error(`It ended as ${result.kind}`);
  }
  return result.position;
}

/** Duration of one round, milliseconds. */
interface Timing {
  readonly wall: number;
  readonly answers: number;
  readonly beyond: number;
  readonly journal: number;
  readonly locks: number;
  readonly signing: number;
}

async function measured({ watches, round }: Runner): Promise<Timing> {
  const from = performance.now();
  await round();
  const wall = performance.now() - from;
  const answers = watches.answers.take();
  return {
    wall,
    answers,
    beyond: wall - answers,
    journal: watches.journal.take(),
    locks: watches.locks.take(),
    signing: watches.signing.take(),
  };
}

async function main(transactions: string): Promise<void> {
  const storage = mkdtempSync(join(tmpdir(), 'binsight-bench-'));
  const sandbox = await startSandbox(STILL);
  try {
    const client = new TestClient(sandbox);
    await client.control('airdrop', { owner: sandbox.owner, sol: 100 });
    await client.control('settings', { transactions });
    const { pool, pairName, token0, token1 } = await client.pool('BONQ/SOL', 25);
    const activeBin = await client.activeBin(pool);
    const plan: ZapInPlan = {
      ...{
        pool: address(pool),
        pairName,
        poolType: 'dlmm',
        tokenX: address(token0),
        tokenY: address(token1),
        owner: address(sandbox.owner),
      },
      ...{
        inputLamports: INPUT_LAMPORTS,
        percentX: 0.5,
        strategy: 'Spot',
        fromBinId: activeBin - HALF_WIDTH,
        toBinId: activeBin + HALF_WIDTH,
        activeBinId: activeBin,
        binStepBps: 25,
        slippageBps: SLIPPAGE_BPS,
      },
      prices: { decimalsX: undefined, decimalsY: undefined, priceXUsd: undefined, priceYUsd: undefined, solUsd: undefined },
    };
    const binsight = [await binsightRunner(sandbox, plan, storage, false), await binsightRunner(sandbox, plan, storage, true)];
    const runners: readonly Runner[] = [bareRunner(sandbox, pool, activeBin), ...binsight];
    const taken = new Map(runners.map(({ name }): [string, Timing[]] => [name, []]));
    for (let count = 0; count < WARM_UP + ROUNDS; count += 1) {
      // All of them in each round, so that other load on the machine affects all of them.
      for (const runner of runners) {
        const took = await measured(runner);
        if (count >= WARM_UP) {
          taken.get(runner.name)?.push(took);
        }
      }
    }
    await Promise.all(binsight.map((runner) => runner.close()));
    const [[, bare] = ['', []], ...others] = [...taken];
    const median = (took: readonly Timing[], of: (one: Timing) => number): string => milliseconds(quantile(took.map(of), 0.5));
    const textOf = (took: readonly Timing[]): string => {
      const beyond = took.map((one) => one.beyond);
      return `${median(took, ({ wall }) => wall)}, of it ${milliseconds(quantile(beyond, 0.5))} beyond answers (95 % within ${milliseconds(quantile(beyond, 0.95))})`;
    };
    for (const [name, took] of others) {
      const [journal, locks, signing] = [
        ({ journal: ms }: Timing) => ms,
        ({ locks: ms }: Timing) => ms,
        ({ signing: ms }: Timing) => ms,
      ].map((of) => median(took, of));
      reportRow({
        what: `${name}: a zap-in and a zap-out`,
        beside: `a bare script with @solana/web3.js: ${textOf(bare)}`,
        result: `${textOf(took)}; journal ${journal ?? ''}, locks ${locks ?? ''}, signing ${signing ?? ''}`,
        how: `medians of ${ROUNDS} rounds in turns, transactions: ${transactions}; answers: of the service and the RPC`,
      });
    }
  } finally {
    await sandbox.stop();
    rmSync(storage, { recursive: true, force: true });
  }
}

const { values: options } = parseArgs({
  options: { journal: { type: 'boolean', default: false }, transactions: { type: 'string', default: 'service' } },
});
await (options.journal ? measureJournal() : main(options.transactions));
