// A window as a process of its own: runs operations as in the extension, and approves by itself. It announces each point and is killed by
// the test.
import { reasonWords } from '../../src/base/reasons/reasonWords';
import { address, type Address } from '../../src/base/solana/address';
import { WRAPPED_SOL_MINT } from '../../src/base/solana/programs';
import type { Review } from '../../src/review/types';
import type { Strategy } from '../../src/service/common';
import { binStepOf } from '../../src/base/dlmm/bins';
import type { OpenPosition } from '../../src/service/positions';
import type { LiquidityService } from '../../src/service/service';
import { OperationError } from '../../src/transactions/errors';
import { declineReentry, resumeReentry, runRebalance } from '../../src/transactions/rebalance/rebalance';
import type { RebalanceHost, RebalanceResult } from '../../src/transactions/rebalance/types';
import { recordObservation } from '../../src/transactions/recovery/acknowledge';
import { completeOperation, findRemainder } from '../../src/transactions/recovery/complete';
import { OperationWatcher } from '../../src/transactions/recovery/watcher';
import { runAddLiquidity } from '../../src/transactions/run/addLiquidity';
import { runClaim } from '../../src/transactions/run/claim';
import { runSwap } from '../../src/transactions/run/swap';
import { runZapIn } from '../../src/transactions/run/zapIn';
import { runZapOut } from '../../src/transactions/run/zapOut';
import type {
  AddLiquidityPlan,
  OperationDependencies,
  OperationHost,
  OperationResult,
  OperationStep,
  SwappedToken,
  ZapInPlan,
} from '../../src/transactions/types';
import { LongRun } from '../soak/longRun';
import { announcedJournal } from './announced';
import { openServices, type Opened } from './opened';
import type { Ending, Job, Point, WindowReply, WindowMessage, WindowOptions, Work } from './protocol';

const SETTLE_TIMEOUT_MS = 30_000;
const SETTLE_EVERY_MS = 4_000;
const SLIPPAGE_BPS = 500;
const STRATEGY: Strategy = 'Spot';
/** Of the SOL, for token X. */
const HALF = 0.5;

let opened: Opened | undefined;
let watcher: OperationWatcher | undefined;
let longRun: LongRun | undefined;
/** Continue the points that were announced, oldest first: several operations may run in one window. */
const waitingPoints: (() => void)[] = [];
const log = (): void => undefined;

function say(said: WindowReply): void {
  // The listener may be gone.
  process.send?.(said, undefined, undefined, () => undefined);
}

/** Announces a point, and waits there until it may continue. */
async function at(point: Point): Promise<void> {
  const going = new Promise<void>((resolve) => waitingPoints.push(resolve));
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

async function open(options: WindowOptions): Promise<void> {
  opened = await openServices(options, at, log);
}

function current(): Opened {
  if (opened === undefined) {
    throw new Error('The window is not open');
  }
  return opened;
}

function longRunning(): LongRun {
  if (longRun === undefined) {
    throw new Error('No long run has begun');
  }
  return longRun;
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
    case 'claim':
      return runClaim({ positions: [listed(job.position)], owner }, dependencies(), operationHost(), signal);
    case 'addLiquidity': {
      const { position: of, inputLamports } = job;
      const position = listed(of);
      const deposit: AddLiquidityPlan['deposit'] =
        inputLamports === undefined ? 'fees' : { inputLamports, percentX: HALF, tokens: undefined };
      const plan = { position, owner, deposit, strategy: position.strategy ?? STRATEGY, slippageBps: SLIPPAGE_BPS };
      return runAddLiquidity(plan, dependencies(), operationHost(), signal);
    }
    case 'swap': {
      const { items } = await service.tokenBalances({ owner });
      const token = (of: string): SwappedToken => {
        const { mint, symbol, decimals, priceUsd } = items.find((item) => item.mint === of) ?? {};
        return { mint: mint ?? address(of), symbol, decimals, priceUsd };
      };
      const bought = token(WRAPPED_SOL_MINT);
      const plan = { owner, sold: token(job.mint), bought, amountRaw: job.amountRaw, slippageBps: SLIPPAGE_BPS, solUsd: bought.priceUsd };
      return runSwap(plan, dependencies(), operationHost(), signal);
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
  const { tokens, activeBin, bins } = await service.poolInfo(pool);
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
    percentX: HALF,
    ...range,
    activeBinId: activeBin?.binId,
    binStepBps: binStepOf(bins),
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
          await recordObservation(operation, found.reason, dependencies());
        }
        return { kind: 'noAction', words: reasonWords(found.reason) };
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
  beginLongRun: async (rules) => {
    longRun = new LongRun(current(), dependencies(), rules, isApproved);
    await longRun.begin();
  },
  readPanels: async (pool) => longRunning().readPanels(address(pool)),
  listed: async () => longRunning().listed(),
  held: () => longRunning().held(),
  checkRules: async () => longRunning().checkRules(),
  endLongRun: () => longRunning().end(),
  skip: async (ms) => current().clock.skip(ms),
  close: async () => {
    watcher?.dispose();
    await current().close();
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
    waitingPoints.shift()?.();
  } else {
    void answer(message.number, message.method, message.args);
  }
});
process.on('disconnect', () => process.exit());
