import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import bs58 from 'bs58';
import { WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import { RentRate } from '../../../src/base/solana/rent';
import { bytesFromBase64, parseTransaction } from '../../../src/base/solana/wireTransaction';
import { Portfolio } from '../../../src/portfolio/portfolio';
import type { PolicySettings } from '../../../src/review/policy';
import { signReviewed } from '../../../src/review/review';
import type { Review } from '../../../src/review/types';
import type { SolanaRpc } from '../../../src/rpc/types';
import type { ParseWarning } from '../../../src/service/common';
import { ServiceError } from '../../../src/service/errors';
import type { OpenPosition } from '../../../src/service/positions';
import type { LiquidityService } from '../../../src/service/service';
import type { AddLanding, AddRequest, AddToRequest, DecreaseLanding, DecreaseRequest } from '../../../src/service/transactions';
import { OperationError } from '../../../src/transactions/errors';
import { openJournal } from '../../../src/transactions/journal/journal';
import type { OperationJournal, OperationRecord } from '../../../src/transactions/journal/types';
import { openLocks } from '../../../src/transactions/locks/locks';
import type { OperationLocks } from '../../../src/transactions/locks/types';
import type {
  OperationDependencies,
  OperationHost,
  OperationResult,
  OperationStep,
  QuestionDetails,
  ReapprovalReason,
  ShownPrices,
  ZapInPlan,
  ZapOutPlan,
} from '../../../src/transactions/types';
import { createSigner, type Signer } from '../../../src/wallet/signer';
import { PATIENCE_MS } from '../patience';
import { FakeClock, fakeService, openPosition as anyPosition, settledMicrotasks } from '../portfolio/fixtures';
import {
  base64Of,
  FROM_BIN,
  honestCompound,
  honestZapIn,
  honestZapOut,
  MINT,
  OWNER,
  OWNER_KEY,
  POOL,
  POSITION,
  TO_BIN,
} from '../review/bundles';

const zapOut = honestZapOut();
const zapIn = honestZapIn();
export const CLOSE = base64Of(zapOut[0]);
export const SWAPS = zapOut.slice(1).map(base64Of);
export const BUY = base64Of(zapIn[0]);
export const ADDS = zapIn.slice(1).map(base64Of);

export const DECREASE_BUILD = { closeTransactions: [CLOSE], swapTransactions: SWAPS, lastValidBlockHeight: 1_000 };
export const META = { positionPubKey: POSITION, solForX: 0.5 };
export const ADD_BUILD = { swapTransactions: [BUY], addTransactions: ADDS, lastValidBlockHeight: 1_000, meta: META, position: POSITION };
export const ADD_TO_BUILD = { ...ADD_BUILD, swapTransactions: [], addTransactions: [base64Of(honestCompound())] };
export const SIGNATURE = '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW';

/** The position that the bundles of the review's tests withdraw from, or make: it holds what they sell, at the price at which they sell it. */
export function thePosition(part: Partial<OpenPosition> = {}): OpenPosition {
  const token = { name: undefined, decimals: 9 };
  return anyPosition(0, {
    key: POSITION,
    address: POSITION,
    id: 'service-id',
    owner: OWNER,
    pool: POOL,
    token0: { ...token, address: MINT, symbol: 'MINT' },
    token1: { ...token, address: WRAPPED_SOL_MINT, symbol: 'SOL' },
    lowerBinId: FROM_BIN,
    upperBinId: TO_BIN,
    activeBinId: undefined,
    ...SHOWN_VALUE,
    ...part,
  });
}

/** A raw unit of the token is worth 80 lamports, as in SHOWN of the review's tests; SOL costs 164 dollars. */
const SHOWN_VALUE: Pick<
  OpenPosition,
  'price0Usd' | 'price1Usd' | 'amount0' | 'amount1' | 'uncollectedFee0' | 'uncollectedFee1' | 'value' | 'uncollectedFee'
> = {
  price0Usd: 80 * 164,
  price1Usd: 164,
  amount0: 0.005,
  amount1: 0,
  uncollectedFee0: 0,
  uncollectedFee1: 0,
  value: { usd: 0.4 * 164, native: 0.4 },
  uncollectedFee: { usd: 0, native: 0 },
};

export function zapOutPlan(part: Partial<ZapOutPlan> = {}): ZapOutPlan {
  return { position: thePosition(), owner: OWNER, shareBps: 10_000, output: 'allBaseToken', slippageBps: 300, ...part };
}

export function zapInPlan(part: Partial<ZapInPlan> = {}): ZapInPlan {
  return {
    pool: POOL,
    pairName: 'MINT/SOL',
    poolType: 'dlmm',
    tokenX: MINT,
    tokenY: WRAPPED_SOL_MINT,
    owner: OWNER,
    inputLamports: 1_000_000_000n,
    percentX: 0.5,
    strategy: 'Spot',
    fromBinId: FROM_BIN,
    toBinId: TO_BIN,
    activeBinId: undefined,
    binStepBps: undefined,
    slippageBps: 300,
    prices: PRICES,
    ...part,
  };
}

/** At which the bundles of the review's tests buy: 4.1 million raw units of the token for half a SOL. */
export const PRICES: ShownPrices = { decimalsX: 9, decimalsY: 9, priceXUsd: (164 * 500) / 4.1, priceYUsd: 164, solUsd: 164 };

export const NO_PRICES: ShownPrices = {
  decimalsX: undefined,
  decimalsY: undefined,
  priceXUsd: undefined,
  priceYUsd: undefined,
  solUsd: undefined,
};

/** @param clock by which the signer knows how old a review is; without one it is as early as all clocks of these tests begin */
export function realSigner(clock = new FakeClock(), readSeed = () => Promise.resolve(OWNER_KEY.secretKey.slice(0, 32))): Signer {
  return createSigner({ owner: OWNER, readSeed, signReviewed, nowMs: () => clock.now() });
}

/** The id of the service. */
export const SERVICE = 'https://service.example';

/** What the service says of the wallet. */
export const WALLET: Pick<LiquidityService, 'tokenBalances'> = {
  tokenBalances: () =>
    Promise.resolve({
      items: [{ mint: WRAPPED_SOL_MINT, symbol: 'SOL', decimals: 9, amountRaw: 5_000_000_000n, amountText: '5', priceUsd: undefined }],
      warnings: [],
    }),
};

/** A chain by the clock of a test, behind an RPC: it has what was landed on it, and a blockhash is valid for 150 blocks. */
export class FakeChain {
  readonly #startMs: number;
  readonly #landed = new Set<string>();
  /** The last valid block of each blockhash that was asked for. */
  readonly #lastValid = new Map<string, number>();

  constructor(readonly clock: FakeClock) {
    this.#startMs = clock.now();
  }

  get height(): number {
    return DECREASE_BUILD.lastValidBlockHeight - VALID_BLOCKS + Math.floor((this.clock.now() - this.#startMs) / SLOT_MS);
  }

  /** For a build now. */
  get lastValidBlockHeight(): number {
    return this.height + VALID_BLOCKS;
  }

  land(landing: DecreaseLanding | AddLanding): void {
    const transactions = [
      ...landing.swapTransactions,
      ...('addTransactions' in landing ? landing.addTransactions : landing.closeTransactions),
    ];
    transactions
      .map((base64) => bs58.encode(parseTransaction(bytesFromBase64(base64)).signatures[0] ?? new Uint8Array()))
      .forEach((signature) => this.#landed.add(signature));
  }

  /** Parts of a bench that goes by this chain. */
  get parts(): {
    readonly rpc: SolanaRpc;
    readonly isSimulating: false;
    readonly clock: FakeClock;
    readonly dependencies: { readonly clock: FakeClock };
  } {
    const { clock } = this;
    return { rpc: this.#rpc(), isSimulating: false, clock, dependencies: { clock } };
  }

  #rpc(): SolanaRpc {
    const unasked = () => Promise.reject(new Error('It was not expected to be asked for that.'));
    return {
      name: 'rpc.example',
      accounts: ({ addresses }) => Promise.resolve({ slot: 1n, value: addresses.map(() => undefined) }),
      isBlockhashValid: (blockhash) => {
        const lastValid = this.#lastValid.get(blockhash) ?? this.lastValidBlockHeight;
        this.#lastValid.set(blockhash, lastValid);
        return Promise.resolve(this.height <= lastValid);
      },
      blockHeight: () => Promise.resolve(BigInt(this.height)),
      slotMs: () => Promise.resolve(SLOT_MS),
      rentRate: () => Promise.resolve(RentRate.highest),
      signatureStatuses: (signatures) =>
        Promise.resolve(signatures.map((signature) => (this.#landed.has(signature) ? { slot: 1n, error: undefined } : undefined))),
      transaction: () => Promise.resolve(undefined),
      transactionWithCalls: unasked,
      simulate: unasked,
      simulateBundle: unasked,
    };
  }
}

const SLOT_MS = 400;
const VALID_BLOCKS = 150;
/** By then the chain proves that nothing of a build can land any more: 32 blocks past its last valid one. */
export const EXPIRED_MS = (VALID_BLOCKS + 33) * SLOT_MS;

/** What a service answers a landing with. */
export function answered(status: number, message: string, retryAfterMs?: number): ServiceError {
  const kind = status === 429 ? 'rateLimited' : status >= 500 ? 'server' : status === 401 || status === 403 ? 'unauthorized' : 'rejected';
  return new ServiceError(`The service refused the request (${status}): ${message}.`, {
    kind,
    endpoint: 'POST /x',
    status,
    serviceMessage: message,
    mayHaveLanded: true,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

/** What happened while an operation ran. */
export interface Trace {
  readonly steps: OperationStep[];
  readonly reviews: Review[];
  /** Why the user was asked, for each of the reviews. */
  readonly reasons: (ReapprovalReason | undefined)[];
  /** What the question showed besides, for each of the reviews. */
  readonly details: (QuestionDetails | undefined)[];
  readonly logs: string[];
  readonly builds: (DecreaseRequest | AddRequest | AddToRequest)[];
  readonly landings: (DecreaseLanding | AddLanding)[];
  signersAsked: number;
}

export interface Bench {
  readonly storage: Storage;
  readonly trace: Trace;
  readonly clock: FakeClock;
  readonly portfolio: Portfolio;
  readonly dependencies: OperationDependencies;
  readonly host: OperationHost;
  readonly abort: AbortController;
  /** What the service lists as open. */
  listed: readonly OpenPosition[];
  /** Whether the service is still the one in use. */
  isServiceInUse: boolean;
  /** What is odd about the service's listings. */
  warnings: readonly ParseWarning[];
}

/** What all windows share. */
export interface Storage {
  readonly folder: string;
}

/** What one window has of it. */
export interface Window {
  readonly journal: OperationJournal;
  readonly locks: OperationLocks;
}

const folders: string[] = [];
const windows: Window[] = [];

/** An empty storage; it goes after the test. */
export async function newStorage(): Promise<Storage> {
  const folder = await mkdtemp(join(tmpdir(), 'binsight-operations-'));
  folders.push(folder);
  return { folder };
}

/** Opens the storage as another window does. @param steadyMs a clock that is never set; without it `nowMs` is one */
export function openWindow({ folder }: Storage, nowMs: () => number, steadyMs?: () => number): Window {
  const log = () => undefined;
  const window = {
    journal: openJournal({ folder: join(folder, 'journal'), nowMs, log, ...(steadyMs === undefined ? {} : { steadyMs }) }),
    locks: openLocks({ folder: join(folder, 'locks'), log }),
  };
  windows.push(window);
  return window;
}

afterEach(async () => {
  for (const { journal, locks } of windows.splice(0)) {
    journal.dispose();
    await locks.dispose();
  }
  for (const folder of folders.splice(0)) {
    await rm(folder, { recursive: true, force: true });
  }
});

/** Everything that the journal has, newest first. */
export async function recordsOf({ dependencies }: Pick<Bench, 'dependencies'>): Promise<readonly OperationRecord[]> {
  const { records, problems } = await dependencies.journal.read();
  assert.deepEqual(problems, []);
  return records;
}

/** The kinds of the events of the only operation, in order. */
export async function eventsOf(fixture: Pick<Bench, 'dependencies'>): Promise<readonly string[]> {
  const [record, ...more] = await recordsOf(fixture);
  assert.ok(record !== undefined && more.length === 0);
  return record.events.map(({ kind }) => kind);
}

/** Waits until something holds that has to do with disks, by which the clock of the tests does not go. */
export async function until(isSo: () => boolean): Promise<void> {
  for (const startMs = performance.now(); !isSo();) {
    assert.ok(performance.now() - startMs < PATIENCE_MS, 'it does not come about');
    await settledMicrotasks();
  }
}

/** Lets the clock of a test go on, so much at a time, whenever something waits for it, until a promise is settled; gives what that gives. */
export async function goingOn<Result>(clock: FakeClock, ms: number, running: Promise<Result>): Promise<Result> {
  const over = new AbortController();
  const end = (): void => over.abort();
  running.then(end, end);
  while (!over.signal.aborted) {
    await until(() => clock.timers > 0 || over.signal.aborted);
    await clock.advance(ms);
  }
  return running;
}

/** Waits until an operation was sent, and its effect, or proof of what became of it, is waited for. */
export async function sent({ trace, clock }: Bench): Promise<void> {
  await until(() => trace.steps.at(-1) === 'waitingForEffect' || (trace.steps.at(-1) === 'findingOut' && clock.timers > 0));
}

/**
 * A real portfolio, review, wallet, journal and locks around a service that builds honest bundles, lands everything and then lists (or no
 * longer lists) the position; parts of service and host may be replaced.
 */
export async function bench(
  faults: {
    readonly rpc?: SolanaRpc;
    readonly isSimulating?: boolean;
    readonly policy?: Partial<PolicySettings>;
    readonly service?: Partial<LiquidityService>;
    readonly host?: Partial<OperationHost>;
    readonly listed?: readonly OpenPosition[];
    readonly storage?: Storage;
    readonly clock?: FakeClock;
    readonly window?: Partial<Window>;
    /** Parts of a rebalance, waiting for earlier ones, by which clock it is waited … */ readonly dependencies?: Partial<OperationDependencies>;
  } = {},
): Promise<Bench> {
  const trace: Trace = { steps: [], reviews: [], reasons: [], details: [], logs: [], builds: [], landings: [], signersAsked: 0 };
  const clock = faults.clock ?? new FakeClock();
  const storage = faults.storage ?? (await newStorage());
  const window = { ...openWindow(storage, () => clock.now()), ...faults.window };
  const faulty = faults.service ?? {};
  const service = fakeService({
    ...faulty,
    openPositions: () => Promise.resolve({ items: fixture.listed, warnings: fixture.warnings }),
    buildDecrease: (request, options) => {
      trace.builds.push(request);
      return faulty.buildDecrease?.(request, options) ?? Promise.resolve(DECREASE_BUILD);
    },
    landDecrease: (landing, options) => {
      trace.landings.push(landing);
      fixture.listed = faulty.landDecrease === undefined ? [] : fixture.listed;
      return faulty.landDecrease?.(landing, options) ?? Promise.resolve({ signature: SIGNATURE });
    },
    buildAdd: (request, options) => {
      trace.builds.push(request);
      return faulty.buildAdd?.(request, options) ?? Promise.resolve(ADD_BUILD);
    },
    buildAddTo: (request, options) => {
      trace.builds.push(request);
      return faulty.buildAddTo?.(request, options) ?? Promise.resolve(ADD_TO_BUILD);
    },
    landAdd: (landing, options) => {
      trace.landings.push(landing);
      fixture.listed = faulty.landAdd === undefined ? [thePosition()] : fixture.listed;
      return faulty.landAdd?.(landing, options) ?? Promise.resolve({ signature: SIGNATURE });
    },
  });
  const portfolio = new Portfolio({ service: () => Promise.resolve(service), log: () => undefined, clock });
  const fixture: Bench = {
    storage,
    trace,
    clock,
    portfolio,
    listed: faults.listed ?? [thePosition()],
    isServiceInUse: true,
    warnings: [],
    abort: new AbortController(),
    dependencies: {
      service,
      portfolio,
      isServiceInUse: () => fixture.isServiceInUse,
      log: (level, message) => trace.logs.push(`${level} ${message}`),
      rpc: faults.rpc,
      policy: () => faults.policy ?? {},
      isSimulating: faults.isSimulating ?? true,
      nowMs: () => clock.now(),
      ...window,
      // With a node that answers over the network, what waits for it goes by the system's clock, unless a test says otherwise.
      ...(faults.rpc === undefined ? { clock } : {}),
      serviceId: SERVICE,
      settleTimeoutMs: 24_000,
      settleEveryMs: 4_000,
      ...faults.dependencies,
    },
    host: {
      report: (step, leftMs) => {
        trace.steps.push(step);
        faults.host?.report?.(step, leftMs);
      },
      approve: (review, reason, details) => {
        trace.reviews.push(review);
        trace.reasons.push(reason);
        trace.details.push(details);
        return faults.host?.approve?.(review, reason, details) ?? Promise.resolve(true);
      },
      signer: () => {
        trace.signersAsked += 1;
        return faults.host?.signer?.() ?? Promise.resolve(realSigner(clock));
      },
      ...(faults.host?.repeat === undefined ? {} : { repeat: faults.host.repeat }),
    },
  };
  portfolio.setOwner(OWNER);
  await portfolio.refresh('startup', ['positions']);
  return fixture;
}

/** The error that an operation must end in. */
export async function failureOf(running: Promise<OperationResult>): Promise<OperationError> {
  try {
    const result = await running;
    return assert.fail(`It ended with ${result.kind}`);
  } catch (error) {
    assert.ok(error instanceof OperationError, String(error));
    return error;
  }
}
