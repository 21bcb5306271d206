// A window of its own: a process that runs operations with everything that the extension runs them with, and approves by itself.
// It says at which point it is, and is killed by the test.
import { join } from 'node:path';
import bs58 from 'bs58';
import nodeFetch from 'node-fetch';
import { parseBaseUrl, serviceId } from '../../src/api/baseUrl';
import { createLiquidityService } from '../../src/api/client';
import type { Strategy } from '../../src/api/records/money';
import type { LiquidityService } from '../../src/api/service';
import type { Fetch } from '../../src/api/transport';
import { OperationError } from '../../src/operations/errors';
import { openJournal } from '../../src/operations/journal/journal';
import type { JournalEntry, OperationJournal } from '../../src/operations/journal/types';
import { openLocks } from '../../src/operations/locks/locks';
import type { OperationLocks } from '../../src/operations/locks/types';
import type { OperationDependencies, OperationHost, OperationResult, ZapInPlan } from '../../src/operations/types';
import { OperationWatcher } from '../../src/operations/watcher';
import { runZapIn } from '../../src/operations/zapIn';
import { runZapOut } from '../../src/operations/zapOut';
import { Portfolio } from '../../src/portfolio/portfolio';
import type { Clock } from '../../src/portfolio/types';
import { signReviewed } from '../../src/review/review';
import { createRpc } from '../../src/rpc/rpc';
import { parseRpcUrl } from '../../src/rpc/rpcUrl';
import type { SolanaRpc } from '../../src/rpc/types';
import { address, type Address } from '../../src/solana/address';
import { SEED_BYTES } from '../../src/wallet/keys';
import { createSigner } from '../../src/wallet/signer';
import type { Ending, Job, Point, Said, Told, WindowOptions, Work } from './protocol';

/** How many times faster than in the editor it waits: for the effect, and between two looks. */
const HASTE = 20;
const SETTLE_TIMEOUT_MS = 30_000;
const SETTLE_EVERY_MS = 4_000;
const SLIPPAGE_BPS = 500;
const STRATEGY: Strategy = 'Spot';

/** The machine's clock and what was skipped of it. */
class HastyClock implements Clock {
  constructor(private skippedMs: number) {}

  readonly now = (): number => Date.now() + this.skippedMs;

  skip(ms: number): void {
    this.skippedMs += ms;
  }

  after(ms: number, run: () => void): { dispose(): void } {
    const timer = setTimeout(run, ms / HASTE);
    return { dispose: () => clearTimeout(timer) };
  }
}

/** What a window has once it is open. */
interface Opened {
  readonly owner: Address;
  readonly clock: HastyClock;
  readonly service: LiquidityService;
  readonly serviceId: string;
  readonly portfolio: Portfolio;
  readonly rpc: SolanaRpc | undefined;
  readonly journal: OperationJournal;
  readonly locks: OperationLocks;
  readonly host: OperationHost;
}

let opened: Opened | undefined;
let watcher: OperationWatcher | undefined;
let goOn: () => void = () => undefined;
const log = (): void => undefined;

function say(said: Said): void {
  // Whoever listened may be gone.
  process.send?.(said, undefined, undefined, () => undefined);
}

/** Tells where it is, and stays there until it is told to go on. */
async function at(point: Point): Promise<void> {
  const going = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  say({ point });
  await going;
}

function announcedJournal(journal: OperationJournal): OperationJournal {
  return {
    ...{ resume: (id) => journal.resume(id), read: () => journal.read(), onDidChange: (listener) => journal.onDidChange(listener), dispose: () => journal.dispose() },
    begin: async (created) => {
      await at('before created');
      const entry = await journal.begin(created);
      await at('after created');
      return announcedEntry(entry);
    },
  };
}

function announcedEntry(entry: JournalEntry): JournalEntry {
  return {
    id: entry.id,
    get record() {
      return entry.record;
    },
    append: async (event) => {
      await at(`before ${event.kind}`);
      await entry.append(event);
      await at(`after ${event.kind}`);
    },
  };
}

/** Tells when it hands something over; the first answer to that may get lost behind a gateway that answers in its place. */
function announcedFetch(answersBadGateway: boolean): Fetch {
  let isBad = answersBadGateway;
  return async (url, init) => {
    if (!url.includes('/landing-')) {
      return nodeFetch(url, init);
    }
    await at('before landing');
    const answer = await nodeFetch(url, init);
    await at('after landing');
    if (!isBad) {
      return answer;
    }
    isBad = false;
    return { status: 502, headers: { get: () => null }, body: null };
  };
}

async function open(options: WindowOptions): Promise<void> {
  const { storage, sandbox, skippedMs, hasRpc, answersBadGateway } = options;
  const owner = address(sandbox.owner);
  const clock = new HastyClock(skippedMs);
  const baseUrl = parseBaseUrl(sandbox.url);
  const service = createLiquidityService({ baseUrl, apiKey: sandbox.apiKey, fetch: announcedFetch(answersBadGateway), now: clock.now });
  const portfolio = new Portfolio({ service: () => Promise.resolve(service), log, clock });
  const readSeed = () => Promise.resolve(bs58.decode(sandbox.secretKey).slice(0, SEED_BYTES));
  const signer = createSigner({ owner, readSeed, signReviewed, nowMs: clock.now });
  opened = {
    ...{ owner, clock, service, portfolio },
    serviceId: serviceId(baseUrl),
    rpc: hasRpc ? createRpc({ url: parseRpcUrl(new URL(`/rpc?api-key=${sandbox.apiKey}`, sandbox.url).href) }) : undefined,
    journal: openJournal({ folder: join(storage, 'journal'), nowMs: clock.now, log }),
    locks: openLocks({ folder: join(storage, 'locks'), log }),
    host: { report: () => undefined, approve: ({ verdict }) => Promise.resolve(verdict === 'allow'), signer: () => Promise.resolve(signer) },
  };
  portfolio.setOwner(owner);
  await portfolio.refresh('startup', ['positions']);
}

function current(): Opened {
  if (opened === undefined) {
    throw new Error('The window is not open');
  }
  return opened;
}

async function operate(job: Job): Promise<Ending> {
  try {
    const { kind } = await run(job, current());
    return { kind };
  } catch (error) {
    return { kind: 'error', error: error instanceof OperationError ? error.kind : 'unknown', words: error instanceof Error ? (error instanceof OperationError ? error.message : (error.stack ?? error.message)) : String(error) };
  }
}

async function run(job: Job, { owner, clock, service, serviceId: id, portfolio, rpc, journal, locks, host }: Opened): Promise<OperationResult> {
  const dependencies: OperationDependencies = {
    ...{ service, portfolio, rpc, locks, log, serviceId: id, nowMs: clock.now },
    journal: announcedJournal(journal),
    isServiceInUse: () => true,
    policy: () => ({}),
    isSimulating: true,
    ...{ settleTimeoutMs: SETTLE_TIMEOUT_MS, settleEveryMs: SETTLE_EVERY_MS },
  };
  const { signal } = new AbortController();
  if (job.kind === 'zapIn') {
    return runZapIn(await zapInPlan(job, owner, service), dependencies, host, signal);
  }
  const { position: wanted, shareBps, output } = job;
  const position = portfolio.snapshot.positions.find((listed) => listed.address === wanted);
  if (position === undefined) {
    throw new OperationError({ kind: 'invalidPlan', what: `${wanted} is not listed.`, advice: 'Choose another one.' });
  }
  return runZapOut({ position, owner, shareBps, output, slippageBps: SLIPPAGE_BPS }, dependencies, host, signal);
}

async function zapInPlan({ pool: of, pairName, inputLamports, halfWidth }: Extract<Job, { kind: 'zapIn' }>, owner: Address, service: LiquidityService): Promise<ZapInPlan> {
  const pool = address(of);
  const { tokens, activeBin } = await service.poolInfo(pool);
  const [x, y] = tokens;
  const middle = activeBin?.binId ?? 0;
  const range = halfWidth === undefined ? { strategy: undefined, fromBinId: undefined, toBinId: undefined } : { strategy: STRATEGY, fromBinId: middle - halfWidth, toBinId: middle + halfWidth };
  return {
    ...{ pool, pairName, owner, inputLamports, slippageBps: SLIPPAGE_BPS, percentX: 0.5, ...range },
    poolType: halfWidth === undefined ? 'dammV2' : 'dlmm',
    ...{ tokenX: x?.address, tokenY: y?.address },
    prices: { decimalsX: undefined, decimalsY: undefined, priceXUsd: undefined, priceYUsd: undefined, solUsd: undefined },
  };
}

const work: Work = {
  open,
  operate,
  watch: async () => {
    const { journal, locks, portfolio, clock, serviceId: id, rpc } = current();
    watcher ??= new OperationWatcher({
      ...{ journal, locks, portfolio, clock, log },
      serviceId: () => id,
      rpc: () => Promise.resolve(rpc),
      settleEveryMs: SETTLE_EVERY_MS,
      onFound: () => undefined,
    });
    watcher.start();
  },
  skip: async (ms) => current().clock.skip(ms),
  close: async () => {
    const { journal, locks, portfolio } = current();
    watcher?.dispose();
    portfolio.dispose();
    journal.dispose();
    await locks.dispose();
  },
};

async function answer(number: number, method: keyof Work, args: readonly unknown[]): Promise<void> {
  try {
    const does: (...args: never) => Promise<unknown> = work[method];
    say({ number, result: await does(...(args as never)) });
  } catch (error) {
    say({ number, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}

process.on('message', (told: Told) => {
  if ('go' in told) {
    goOn();
  } else {
    void answer(told.number, told.method, told.args);
  }
});
process.on('disconnect', () => process.exit());
