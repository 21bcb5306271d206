// A window as a process of its own: runs operations as in the extension, and approves by itself. It announces each point and is killed by
// the test.
import { join } from 'node:path';
import bs58 from 'bs58';
import type { Clock } from '../../src/base/async/clock';
import { address, type Address } from '../../src/base/solana/address';
import { WRAPPED_SOL_MINT } from '../../src/base/solana/programs';
import { Portfolio } from '../../src/portfolio/portfolio';
import { signReviewed } from '../../src/review/review';
import type { Review } from '../../src/review/types';
import { createRpc } from '../../src/rpc/rpc';
import { parseRpcUrl } from '../../src/base/solana/rpcUrl';
import type { SolanaRpc } from '../../src/rpc/types';
import { parseBaseUrl, serviceId } from '../../src/service/baseUrl';
import { createLiquidityService } from '../../src/service/client';
import type { Strategy } from '../../src/service/common';
import type { OpenPosition } from '../../src/service/positions';
import type { LiquidityService } from '../../src/service/service';
import { OperationError } from '../../src/transactions/errors';
import { openJournal } from '../../src/transactions/journal/journal';
import type { OperationJournal } from '../../src/transactions/journal/types';
import { openLocks } from '../../src/transactions/locks/locks';
import type { OperationLocks } from '../../src/transactions/locks/types';
import { declineReentry, resumeReentry, runRebalance } from '../../src/transactions/rebalance/rebalance';
import type { RebalanceHost, RebalanceResult } from '../../src/transactions/rebalance/types';
import { completeOperation, findRemainder, recordObservation } from '../../src/transactions/recovery/complete';
import { OperationWatcher } from '../../src/transactions/recovery/watcher';
import { runZapIn } from '../../src/transactions/run/zapIn';
import { runZapOut } from '../../src/transactions/run/zapOut';
import type { OperationDependencies, OperationHost, OperationResult, OperationStep, ZapInPlan } from '../../src/transactions/types';
import { SEED_BYTES } from '../../src/wallet/keys';
import { createSigner, type Signer } from '../../src/wallet/signer';
import { announcedFetch, announcedJournal } from './announced';
import type { Ending, Job, Point, WindowReply, WindowMessage, WindowOptions, Work } from './protocol';

/** Speed-up of the waits: for the effect, and between two checks. */
const HASTE = 20;
const SETTLE_TIMEOUT_MS = 30_000;
const SETTLE_EVERY_MS = 4_000;
const SLIPPAGE_BPS = 500;
const STRATEGY: Strategy = 'Spot';

/** The machine's clock plus the skipped time. */
class HastyClock implements Clock {
  #skippedMs: number;

  constructor(skippedMs: number) {
    this.#skippedMs = skippedMs;
  }

  readonly now = (): number => Date.now() + this.#skippedMs;

  skip(ms: number): void {
    this.#skippedMs += ms;
  }

  after(ms: number, run: () => void): { dispose(): void } {
    const timer = setTimeout(run, ms / HASTE);
    return { dispose: () => clearTimeout(timer) };
  }
}

/** The services of an open window. */
interface Opened {
  readonly owner: Address;
  readonly clock: HastyClock;
  readonly service: LiquidityService;
  readonly serviceId: string;
  readonly portfolio: Portfolio;
  readonly rpc: SolanaRpc | undefined;
  readonly journal: OperationJournal;
  readonly locks: OperationLocks;
  readonly signer: Signer;
}

let opened: Opened | undefined;
let watcher: OperationWatcher | undefined;
let goOn: () => void = () => undefined;
const log = (): void => undefined;

function say(said: WindowReply): void {
  // The listener may be gone.
  process.send?.(said, undefined, undefined, () => undefined);
}

/** Announces a point, and waits there until it may continue. */
async function at(point: Point): Promise<void> {
  const going = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  say({ point });
  await going;
}

/** How long it looks for proof before it asks to advance the clock. */
const PATIENCE_MS = 1_500;
let lookingSinceMs: number | undefined;

function report(step: OperationStep): void {
  if (step !== 'findingOut') {
    lookingSinceMs = undefined;
  } else if (performance.now() - (lookingSinceMs ??= performance.now()) > PATIENCE_MS) {
    lookingSinceMs = undefined;
    say({ waits: 'proof' });
  }
  if (step === 'waitingForEarlier') {
    say({ waits: 'earlier' });
  }
}

async function open({ storage, sandbox, skippedMs, hasRpc }: WindowOptions): Promise<void> {
  const owner = address(sandbox.owner);
  const clock = new HastyClock(skippedMs);
  const baseUrl = parseBaseUrl(sandbox.url);
  const service = createLiquidityService({ baseUrl, apiKey: sandbox.apiKey, fetch: announcedFetch(at), now: clock.now });
  const portfolio = new Portfolio({ service: () => Promise.resolve(service), log, clock });
  const readSeed = () => Promise.resolve(bs58.decode(sandbox.secretKey).slice(0, SEED_BYTES));
  opened = {
    owner,
    clock,
    service,
    portfolio,
    serviceId: serviceId(baseUrl),
    rpc: hasRpc ? createRpc({ url: parseRpcUrl(new URL(`/rpc?api-key=${sandbox.apiKey}`, sandbox.url).href) }) : undefined,
    journal: openJournal({ folder: join(storage, 'journal'), nowMs: clock.now, log }),
    locks: openLocks({ folder: join(storage, 'locks'), log }),
    signer: createSigner({ owner, readSeed, signReviewed, nowMs: clock.now }),
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

function dependencies(): OperationDependencies {
  const { clock, service, serviceId: id, portfolio, rpc, journal, locks } = current();
  return {
    service,
    portfolio,
    rpc,
    locks,
    log,
    clock,
    serviceId: id,
    nowMs: clock.now,
    journal: announcedJournal(journal, at),
    isServiceInUse: () => true,
    policy: () => ({}),
    isSimulating: true,
    settleTimeoutMs: SETTLE_TIMEOUT_MS,
    settleEveryMs: SETTLE_EVERY_MS,
  };
}

/**
 * The simulated user: approves what the review allows, and swaps at a bad price in a thin pool, which the sandbox's market produces now and
 * then.
 */
function isApproved({ verdict, findings }: Review): Promise<boolean> {
  notApproved = findings.map(({ rule, message }) => `${rule}: ${message}`).join(' ');
  const isOfPrice = findings.every((finding) => finding.verdict !== 'confirm' || finding.rule === 'SWP-3');
  return Promise.resolve(verdict === 'allow' || (verdict === 'confirm' && isOfPrice));
}

/** The findings of the last review. */
let notApproved: string | undefined;

function operationHost(): OperationHost {
  const { signer } = current();
  return { report, approve: isApproved, signer: () => Promise.resolve(signer) };
}

function rebalanceHost(): RebalanceHost {
  const { signer } = current();
  return {
    report: ({ leg, step }) => {
      if (leg !== 'between') {
        report(step);
      }
    },
    // The price was moved on purpose: the findings about it (a swap in a thin pool) are accepted.
    approve: ({ review: { verdict } }) => Promise.resolve(verdict !== 'block'),
    signer: () => Promise.resolve(signer),
  };
}

/** The end of an operation as a message. */
async function endingOf(run: () => Promise<OperationResult | RebalanceResult | Ending>): Promise<Ending> {
  try {
    const result = await run();
    if (result.kind === 'notReentered') {
      const { kind, reason, isOpen, words } = result;
      return { kind, reason, isOpen, words };
    }
    const findings = result.kind === 'declined' || result.kind === 'blocked' ? notApproved : undefined;
    return result.kind === 'error' || result.kind === 'noAction' ? result : { kind: result.kind, findings };
  } catch (error) {
    return {
      kind: 'error',
      error: error instanceof OperationError ? error.kind : 'unknown',
      words: error instanceof Error ? (error instanceof OperationError ? error.message : (error.stack ?? error.message)) : String(error),
    };
  }
}

async function run(job: Job): Promise<OperationResult | RebalanceResult> {
  const { owner, service } = current();
  const { signal } = new AbortController();
  switch (job.kind) {
    case 'zapIn':
      return runZapIn(await zapInPlan(job, owner, service), dependencies(), operationHost(), signal);
    case 'zapOut': {
      const { shareBps, output } = job;
      return runZapOut(
        { position: listed(job.position), owner, shareBps, output, slippageBps: SLIPPAGE_BPS },
        dependencies(),
        operationHost(),
        signal,
      );
    }
    case 'rebalance': {
      const terms = { halfWidthBins: job.halfWidth, strategy: undefined, slippageBps: SLIPPAGE_BPS, reserveLamports: job.reserveLamports };
      return runRebalance({ position: listed(job.position), owner, terms }, dependencies(), rebalanceHost(), signal);
    }
  }
}

function listed(wanted: string): OpenPosition {
  const position = current().portfolio.snapshot.positions.find((one) => one.address === wanted);
  if (position === undefined) {
    throw new OperationError({ kind: 'invalidPlan', what: `${wanted} is not listed.`, advice: 'Choose another one.' });
  }
  return position;
}

async function zapInPlan(
  { pool: of, pairName, inputLamports, halfWidth }: Extract<Job, { kind: 'zapIn' }>,
  owner: Address,
  service: LiquidityService,
): Promise<ZapInPlan> {
  const pool = address(of);
  const { tokens, activeBin } = await service.poolInfo(pool);
  const [x, y] = tokens;
  const middle = activeBin?.binId ?? 0;
  const range =
    halfWidth === undefined
      ? { strategy: undefined, fromBinId: undefined, toBinId: undefined }
      : { strategy: STRATEGY, fromBinId: middle - halfWidth, toBinId: middle + halfWidth };
  return {
    pool,
    pairName,
    owner,
    inputLamports,
    slippageBps: SLIPPAGE_BPS,
    percentX: 0.5,
    ...range,
    poolType: halfWidth === undefined ? 'dammV2' : 'dlmm',
    tokenX: x?.address,
    tokenY: y?.address,
    // Without prices to compare with, the review asks about every swap.
    prices: {
      decimalsX: x?.decimals,
      decimalsY: y?.decimals,
      priceXUsd: x?.priceUsd,
      priceYUsd: y?.priceUsd,
      solUsd: [x, y].find((token) => token?.address === WRAPPED_SOL_MINT)?.priceUsd,
    },
  };
}

const work: Work = {
  open,
  operate: (job) => endingOf(() => run(job)),
  reenter: (rebalance) => endingOf(() => resumeReentry(rebalance, dependencies(), rebalanceHost(), new AbortController().signal)),
  declineReentry: (rebalance) => endingOf(() => declineReentry(rebalance, dependencies()).then(() => ({ kind: 'reentryDeclined' }))),
  complete: (operation) =>
    endingOf(async () => {
      const { signal } = new AbortController();
      const found = await findRemainder(operation, dependencies(), signal);
      if (found.kind === 'noAction') {
        if (found.then === 'seen') {
          await recordObservation(operation, found.words, dependencies());
        }
        return { kind: 'noAction', words: found.words };
      }
      return completeOperation(found, dependencies(), operationHost(), signal);
    }),
  watch: async () => {
    const { journal, locks, portfolio, clock, serviceId: id, rpc, service } = current();
    watcher ??= new OperationWatcher({
      journal,
      locks,
      portfolio,
      clock,
      log,
      serviceId: () => id,
      rpc: () => Promise.resolve(rpc),
      service: () => Promise.resolve(service),
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

process.on('message', (message: WindowMessage) => {
  if ('go' in message) {
    goOn();
  } else {
    void answer(message.number, message.method, message.args);
  }
});
process.on('disconnect', () => process.exit());
