import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import bs58 from 'bs58';
import { widthOf } from '../../../../src/base/dlmm/bins';
import type { Address } from '../../../../src/base/solana/address';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../../../src/base/solana/programs';
import { RentRate } from '../../../../src/base/solana/rent';
import { type Base64Transaction, bytesFromBase64, parseTransaction } from '../../../../src/base/solana/wireTransaction';
import { Portfolio } from '../../../../src/portfolio/portfolio';
import type { SolanaRpc } from '../../../../src/rpc/types';
import { ServiceError } from '../../../../src/service/errors';
import type { PoolInfo } from '../../../../src/service/poolInfo';
import type { OpenPosition } from '../../../../src/service/positions';
import type { LiquidityService } from '../../../../src/service/service';
import type { AddRequest } from '../../../../src/service/transactions';
import { OperationError } from '../../../../src/transactions/errors';
import { openJournal } from '../../../../src/transactions/journal/journal';
import type { JournalEntry, OperationJournal, OperationRecord } from '../../../../src/transactions/journal/types';
import { openLocks } from '../../../../src/transactions/locks/locks';
import type { HeldLock, OperationLocks } from '../../../../src/transactions/locks/types';
import { childOperationsOf, type RebalanceStatus, rebalanceStatusOf } from '../../../../src/transactions/rebalance/rebalanceStatus';
import type { RebalanceHost } from '../../../../src/transactions/rebalance/types';
import { closeRebalances, OperationWatcher } from '../../../../src/transactions/recovery/watcher';
import type { OperationDependencies } from '../../../../src/transactions/types';
import { PATIENCE_MS } from '../../patience';
import { FakeClock, fakeService, settledMicrotasks } from '../../portfolio/fixtures';
import {
  addByStrategy,
  addressOf,
  base64Of,
  budget,
  buyToken,
  createAta,
  type Draft,
  honestZapOut,
  keyOf,
  MINT,
  openPosition,
  OWN_SOL,
  OWNER,
  POSITION,
  syncNative,
  tip,
  transferSol,
  unwrap,
} from '../../review/bundles';
import { realSigner, SERVICE, SIGNATURE, thePosition } from '../harness';

/** What becomes of something that is handed over. */
export type Fate =
  | 'lands'
  /** It lands, and the answer is lost. */
  | 'silent'
  /** It never lands, and no answer comes. */
  | 'lost'
  /** No answer comes, and it lands a minute later. */
  | 'late'
  | 'slips'
  | 'expired'
  /** It is refused, said to have come too late, or answered with 429, and landed all the same. */
  | 'lies'
  | 'liesExpired'
  | 'liesBusy'
  /** It is answered with 429 once, and lands when the same is sent again. */
  | 'busy';

/** What a window does at the n-th thing that it does outside: it dies, or it stands still until it is woken, and loses its locks. */
export interface Mishap {
  readonly kind: 'dies' | 'standsStill';
  readonly at: number;
}

/** Runs what a window does outside: a mishap may befall it before, or after. */
export type Outside = <Value>(run: () => Value | Promise<Value>) => Promise<Value>;

/** What opening a position costs besides what goes in: rent, fees and tip. */
export const REAL_COSTS = 57_406_080n + 1_250_000n;
export const WORTH_LAMPORTS = 2_000_000_000n;
const LATE_MS = 60_000;
const LOCK_TRIES = 4;
const LOCK_EVERY_MS = 250;
/** How long after it was built something can land. */
const VALID_MS = 90_000;
const BLOCK_MS = 600;
const FIRST_BLOCK = 1_000;
/** So many turns of the loop in which nothing happens: everything waits for the clock. */
const LONG_IDLE = 20;
/** Longer than anything takes here, on a busy machine. */
const NO_PRICE = { priceUsd: undefined, marketCapUsd: undefined, fdvUsd: undefined, organicScore: undefined, holders: undefined };

/** A chain with one position, one pool and one wallet, the service in front of it, and the storage that all windows share. */
export class World {
  readonly clock = new FakeClock();
  walletLamports = 5_000_000_000n;
  listed: readonly OpenPosition[] = [
    thePosition({
      price0Usd: undefined,
      price1Usd: undefined,
      value: { usd: undefined, native: 2 },
      uncollectedFee: { usd: undefined, native: 0 },
      inRange: false,
      activeBinId: 60,
    }),
  ];
  activeBinId = 60;
  /** Lamports of each zap-out and of each zap-in that was carried out. */
  readonly outs: bigint[] = [];
  readonly ins: bigint[] = [];
  /** Whether its windows have an RPC. */
  hasRpc = false;
  readonly #startMs = this.clock.now();
  /** The wallet before and after each landed transaction, by its signature. */
  readonly #chain = new Map<string, { readonly before: bigint; readonly after: bigint }>();
  /** When each blockhash was signed first, milliseconds since 1970. */
  readonly #signedAtMs = new Map<string, number>();
  /** Things that are being done on the disk: the clock stands still meanwhile. */
  busy = 0;
  #builds = 0;
  #blockhashes = 0;
  outBuiltAtMs = 0;
  #requests = new Map<string, AddRequest>();
  /** What was answered with 429, by when it was built. */
  readonly #busy = new Set<number>();
  #builtAtMs = new Map<string, number>();
  readonly #windows: Window[] = [];

  protected constructor(readonly folder: string) {}

  static async make(): Promise<World> {
    return new World(await mkdtemp(join(tmpdir(), 'binsight-rebalances-')));
  }

  async dispose(): Promise<void> {
    for (const window of this.#windows) {
      await window.close();
    }
    await rm(this.folder, { recursive: true, force: true });
  }

  async open(fates: { out?: Fate; in?: Fate } = {}, mishap?: Mishap): Promise<Window> {
    const window = new Window(this, fates, mishap);
    this.#windows.push(window);
    await this.during(window.start());
    return window;
  }

  /** Takes every lock away, as those do who find its holder silent. */
  async takeLocksAway(): Promise<void> {
    const folder = join(this.folder, 'locks');
    const names = await readdir(folder).catch(() => []);
    await Promise.all(names.map((name) => rmdir(join(folder, name)).catch(() => undefined)));
  }

  /** Lets time go on, while nothing is done on the disk, until something is settled. */
  async during<Value>(running: Promise<Value>): Promise<Value> {
    const state = { isSettled: false };
    const done = running.finally(() => (state.isSettled = true));
    done.catch(() => undefined);
    for (let idle = 0, startMs = performance.now(); !state.isSettled;) {
      assert.ok(performance.now() - startMs < PATIENCE_MS, 'something waits for what never comes');
      await settledMicrotasks();
      idle = this.busy > 0 || this.clock.timers === 0 ? 0 : idle + 1;
      if (idle > LONG_IDLE) {
        idle = 0;
        await this.clock.advance(Math.max(500, this.clock.nextInMs));
      }
    }
    return done;
  }

  /** The service as one window has it: what it does there goes through `outside`. */
  service(outside: Outside, fates: { readonly out?: Fate; readonly in?: Fate }): LiquidityService {
    return fakeService({
      openPositions: () => outside(() => ({ items: this.listed, warnings: [] })),
      tokenBalances: () =>
        outside(() => ({
          items: [
            { mint: WRAPPED_SOL_MINT, symbol: 'SOL', decimals: 9, amountRaw: this.walletLamports, amountText: '0', priceUsd: undefined },
          ],
          warnings: [],
        })),
      poolInfo: () => outside(() => this.info()),
      buildDecrease: () =>
        outside(() => {
          this.assertOpen();
          this.outBuiltAtMs = this.clock.now();
          return {
            closeTransactions: this.#built(honestZapOut().slice(0, 1)),
            swapTransactions: this.#built(honestZapOut().slice(1)),
            lastValidBlockHeight: this.#lastValid(),
          };
        }),
      buildAdd: (request) => outside(() => this.buildAdd(request)),
      landDecrease: ({ closeTransactions, swapTransactions }) =>
        outside(() => {
          this.assertOpen();
          const land = () => this.#recorded([...closeTransactions, ...swapTransactions], () => this.landOut());
          return this.meet(fates.out ?? 'lands', this.outBuiltAtMs, land);
        }),
      landAdd: ({ meta, swapTransactions, addTransactions }) =>
        outside(() => {
          const { position } = meta as { position: Address };
          const land = () => this.#recorded([...swapTransactions, ...addTransactions], () => this.landIn(position));
          return this.meet(fates.in ?? 'lands', this.builtAtMs(position), land);
        }),
    });
  }

  /** The RPC of one window, where there is one. */
  rpc(outside: Outside): SolanaRpc | undefined {
    const unasked = () => Promise.reject(new Error('It was not expected to be asked for that.'));
    return this.hasRpc
      ? {
          name: 'rpc.example',
          accounts: ({ addresses }) =>
            outside(() => ({
              slot: 1n,
              value: addresses.map((one) =>
                one === OWNER ? { lamports: this.walletLamports, program: PROGRAMS.system, data: new Uint8Array() } : undefined,
              ),
            })),
          isBlockhashValid: (blockhash) =>
            outside(() => {
              const sinceMs = this.#signedAtMs.get(blockhash) ?? this.clock.now();
              this.#signedAtMs.set(blockhash, sinceMs);
              return this.clock.now() - sinceMs <= VALID_MS;
            }),
          slotMs: () => outside(() => 400),
          blockHeight: () => outside(() => BigInt(this.#block())),
          rentRate: () => outside(() => RentRate.highest),
          signatureStatuses: (signatures) =>
            outside(() => signatures.map((signature) => (this.#chain.has(signature) ? { slot: 1n, error: undefined } : undefined))),
          transaction: (signature) =>
            outside(() => {
              const known = this.#chain.get(signature);
              return known && { slot: 1n, error: undefined, feeLamports: 0n, lamports: [{ address: OWNER, ...known }], tokens: [] };
            }),
          transactionWithCalls: unasked,
          simulate: unasked,
          simulateBundle: unasked,
        }
      : undefined;
  }

  /** The position is closed by somebody else with the key, or listed so; the wallet gets money meanwhile. */
  closeElsewhere(lamports: bigint): void {
    this.listed = this.listed.filter(({ address }) => address !== POSITION);
    this.walletLamports += lamports;
  }

  /** Carries something out, and records its transactions on the chain: the first one brought all of its change. */
  #recorded(transactions: readonly Base64Transaction[], land: () => void): void {
    const before = this.walletLamports;
    const effects = this.outs.length + this.ins.length;
    land();
    if (this.outs.length + this.ins.length > effects) {
      transactions.forEach((base64, index) => {
        const signature = bs58.encode(parseTransaction(bytesFromBase64(base64)).signatures[0] ?? new Uint8Array());
        this.#chain.set(signature, { before: index === 0 ? before : this.walletLamports, after: this.walletLamports });
      });
    }
  }

  /** Each with another blockhash: no two have the same signature. */
  #built(drafts: readonly Draft[]): readonly Base64Transaction[] {
    const blockhash = addressOf(`blockhash ${(this.#blockhashes += 1)}`);
    return drafts.map((draft) => base64Of({ ...draft, blockhash }));
  }

  #block(): number {
    return FIRST_BLOCK + Math.floor((this.clock.now() - this.#startMs) / BLOCK_MS);
  }

  #lastValid(): number {
    return this.#block() + VALID_MS / BLOCK_MS;
  }

  info(): PoolInfo {
    const token = (address: Address, decimals: number) => ({ address, symbol: 'T', name: undefined, decimals, ...NO_PRICE });
    return {
      poolType: 'dlmm',
      protocol: 'meteora',
      amountX: undefined,
      amountY: undefined,
      bins: [],
      feeStats: [],
      statistics: {},
      tokens: [token(MINT, 9), token(WRAPPED_SOL_MINT, 9)],
      fees: { basePercent: undefined, maxPercent: undefined, protocolPercent: undefined, dynamicPercent: undefined },
      activeBin: { binId: this.activeBinId, price: undefined },
    };
  }

  buildAdd(request: AddRequest): {
    swapTransactions: readonly Base64Transaction[];
    addTransactions: readonly Base64Transaction[];
    lastValidBlockHeight: number;
    meta: Record<string, unknown>;
    position: Address;
  } {
    const name = `position ${(this.#builds += 1)}`;
    const position = addressOf(name);
    this.#requests.set(position, request);
    this.#builtAtMs.set(position, this.clock.now());
    const { fromBinId: from = 0, toBinId: to = 0 } = request;
    const input = inputOf(request);
    const half = input / 2n;
    const accounts = { position };
    const [swap, add, rest] = [
      {
        group: 'swap',
        version: 0,
        instructions: [
          ...budget(),
          createAta(WRAPPED_SOL_MINT),
          createAta(MINT),
          transferSol(OWN_SOL, input),
          syncNative(),
          buyToken({ in_amount: half, quoted_out_amount: 4_100_000n }),
        ],
      },
      {
        group: 'add',
        version: 0,
        signers: [keyOf(name)],
        instructions: [
          ...budget(),
          openPosition({ lower_bin_id: from, width: widthOf({ fromBinId: from, toBinId: to }) }, accounts),
          addByStrategy({ amountX: 3_900_000n, amountY: half, from, to, accounts }),
          tip(),
        ],
      },
      { group: 'add', version: 0, instructions: [...budget(), unwrap()] },
    ] as const;
    return {
      swapTransactions: this.#built([swap]),
      addTransactions: this.#built([add, rest]),
      lastValidBlockHeight: this.#lastValid(),
      meta: { position },
      position,
    };
  }

  /** @throws ServiceError where there is nothing to withdraw from. */
  assertOpen(): void {
    if (!this.listed.some(({ address }) => address === POSITION)) {
      throw new ServiceError('Position account not found.', { kind: 'rejected', endpoint: 'POST /x' });
    }
  }

  builtAtMs(position: Address): number {
    return this.#builtAtMs.get(position) ?? 0;
  }

  landOut(): void {
    if (this.listed.some(({ address }) => address === POSITION)) {
      this.listed = this.listed.filter(({ address }) => address !== POSITION);
      this.walletLamports += WORTH_LAMPORTS;
      this.outs.push(WORTH_LAMPORTS);
    }
  }

  landIn(position: Address): void {
    const request = this.#requests.get(position);
    assert.ok(request !== undefined);
    if (this.listed.some(({ address }) => address === position)) {
      // The network takes each transaction once.
      return;
    }
    const input = inputOf(request);
    this.walletLamports -= input + REAL_COSTS;
    this.ins.push(input);
    this.listed = [
      ...this.listed,
      thePosition({ key: position, address: position, id: position, lowerBinId: request.fromBinId, upperBinId: request.toBinId }),
    ];
  }

  /** Hands something over: it has this fate. */
  async meet(fate: Fate, builtAtMs: number, land: () => void): Promise<{ readonly signature: string }> {
    const breakOff = () =>
      Promise.reject(new ServiceError('The connection broke.', { kind: 'unreachable', endpoint: 'POST /x', mayHaveLanded: true }));
    const refuse = (message: string, status = 422) =>
      Promise.reject(
        new ServiceError(`The service refused the request (${status}): ${message}`, {
          kind: 'rejected',
          status,
          serviceMessage: message,
          endpoint: 'POST /x',
          mayHaveLanded: true,
        }),
      );
    const isAgain = this.#busy.delete(builtAtMs);
    // The network takes nothing whose blockhash is gone.
    switch (this.clock.now() - builtAtMs > VALID_MS ? 'expired' : fate) {
      case 'lands':
        land();
        return { signature: SIGNATURE };
      case 'silent':
        land();
        return breakOff();
      case 'lost':
        return breakOff();
      case 'late':
        this.clock.after(LATE_MS, land);
        return breakOff();
      case 'slips':
        return refuse('Slippage exceeded');
      case 'expired':
        return refuse('Blockhash not found', 400);
      case 'lies':
        land();
        return refuse('Slippage exceeded');
      case 'liesExpired':
        land();
        return refuse('Blockhash not found', 400);
      case 'busy':
      case 'liesBusy':
        if (fate === 'liesBusy' || isAgain) {
          land();
        }
        if (isAgain) {
          return { signature: SIGNATURE };
        }
        this.#busy.add(builtAtMs);
        return refuse('Too many requests', 429);
    }
  }
}

/** One window: all of what the extension has, real but for the service. What it does outside passes by {@link Mishap}. */
export class Window {
  readonly abort = new AbortController();
  readonly logs: string[] = [];
  approves: { out: boolean; in: boolean } = { out: true, in: true };
  readonly portfolio: Portfolio;
  readonly dependencies: OperationDependencies;
  readonly host: RebalanceHost;
  readonly #journal: OperationJournal;
  readonly #locks: OperationLocks;
  #count = 0;
  /** Mishaps befall what is run, not the opening of a window. */
  #hasMet = true;
  #wake: () => void = () => undefined;
  /** Resolves when its mishap has come about. */
  readonly struck: Promise<void>;
  #strike: () => void = () => undefined;

  constructor(
    readonly world: World,
    fates: { out?: Fate; in?: Fate },
    readonly mishap: Mishap | undefined,
  ) {
    const { clock, folder } = world;
    this.struck = new Promise((resolve) => (this.#strike = resolve));
    const log = (message: string) => void this.logs.push(message);
    this.#journal = openJournal({ folder: join(folder, 'journal'), nowMs: () => clock.now(), log: () => undefined });
    this.#locks = openLocks({ folder: join(folder, 'locks'), log: () => undefined });
    const outside: Outside = async (run) => {
      await this.#pass();
      const value = await run();
      await this.#pass();
      return value;
    };
    const service = world.service(outside, fates);
    this.portfolio = new Portfolio({ service: () => Promise.resolve(service), log: () => undefined, clock });
    const journal: OperationJournal = {
      nowFor: (record) => this.#journal.nowFor(record),
      begin: async (created) => this.#entry(await outside(() => this.#onDisk(() => this.#journal.begin(created)))),
      resume: async (id) => {
        const entry = await this.#onDisk(() => this.#journal.resume(id));
        return entry && this.#entry(entry);
      },
      read: () => this.#onDisk(() => this.#journal.read()),
      onDidChange: () => ({ dispose: () => undefined }),
      dispose: () => undefined,
    };
    const locks: OperationLocks = {
      tryAcquire: (name) => this.#onDisk(() => this.#locks.tryAcquire(name)),
      acquire: (name, signal) => this.#acquire(name, signal),
      dispose: () => Promise.resolve(),
    };
    this.dependencies = {
      service,
      portfolio: this.portfolio,
      journal,
      locks,
      clock,
      serviceId: SERVICE,
      rpc: world.rpc(outside),
      nowMs: () => clock.now(),
      isServiceInUse: () => true,
      log: (level, message) => log(`${level} ${message}`),
      policy: () => ({}),
      isSimulating: false,
      settleTimeoutMs: 24_000,
      settleEveryMs: 4_000,
    };
    this.host = {
      report: () => undefined,
      approve: ({ leg, review }) =>
        Promise.resolve(review.verdict !== 'block' && (leg === 'zapOut' ? this.approves.out : this.approves.in)),
      repeat: () => Promise.resolve(true),
      signer: () => Promise.resolve(realSigner(clock)),
    };
  }

  async start(): Promise<void> {
    this.portfolio.setOwner(OWNER);
    await this.portfolio.refresh('startup', ['positions']);
  }

  /** What the window has done so far outside does not count: the mishap is counted from now on. */
  begin(): void {
    this.#count = 0;
    this.#hasMet = false;
  }

  /** Goes on after it stood still. */
  wake(): void {
    this.#wake();
  }

  async close(): Promise<void> {
    this.#hasMet = true;
    this.#journal.dispose();
    await this.#locks.dispose();
  }

  /** Runs something to its end, or to the mishap. */
  async run<Value>(work: () => Promise<Value>): Promise<Value | 'struck'> {
    this.begin();
    const running = work();
    running.catch(() => undefined);
    return this.world.during(Promise.race([running, this.struck.then(() => 'struck' as const)]));
  }

  /** Looks what became of what is unfinished, for so long, so often. */
  async watch(ms: number, everyMs = 10_000): Promise<void> {
    const { journal, locks, portfolio, clock, log, service, rpc, settleEveryMs } = this.dependencies;
    assert.ok(clock !== undefined);
    const onFound = () => undefined;
    const watcher = new OperationWatcher({
      journal,
      locks,
      portfolio,
      clock: this.world.clock,
      serviceId: () => SERVICE,
      rpc: () => Promise.resolve(rpc),
      service: () => Promise.resolve(service),
      log,
      settleEveryMs,
      onFound,
    });
    for (const endMs = this.world.clock.now() + ms; this.world.clock.now() < endMs;) {
      await this.world.during(watcher.look());
      await this.world.during(closeRebalances((await journal.read()).records, { journal, locks, log, onFound }));
      await this.world.clock.advance(everyMs);
    }
    watcher.dispose();
  }

  async records(): Promise<readonly OperationRecord[]> {
    return (await this.#journal.read()).records;
  }

  /** The rebalances, oldest first, with where they stand. */
  async rebalances(): Promise<
    readonly { readonly record: OperationRecord; readonly standing: RebalanceStatus; readonly parts: readonly OperationRecord[] }[]
  > {
    const records = await this.records();
    return records
      .filter(({ created }) => created.operation === 'rebalance')
      .map((record) => ({
        record,
        parts: childOperationsOf(record.id, records),
        standing: rebalanceStatusOf(record, childOperationsOf(record.id, records)),
      }))
      .reverse();
  }

  #entry(entry: JournalEntry): JournalEntry {
    return {
      id: entry.id,
      get record() {
        return entry.record;
      },
      append: async (event) => {
        await this.#pass();
        await this.#onDisk(() => entry.append(event));
        await this.#pass();
      },
    };
  }

  /** Waits for a lock by the clock of the world: of the wallet for as long as it takes, of all else for a moment. */
  async #acquire(name: string, signal: AbortSignal): Promise<HeldLock> {
    for (let tries = 0; !this.abort.signal.aborted && (tries < LOCK_TRIES || name.startsWith('wallet:')); tries += 1) {
      const held = await this.#onDisk(() => this.#locks.tryAcquire(name));
      if (held !== undefined) {
        return held;
      }
      await new Promise<void>((resolve) => this.world.clock.after(LOCK_EVERY_MS, resolve));
    }
    signal.throwIfAborted();
    throw new Error('Somebody else has it.');
  }

  async #onDisk<Value>(run: () => Promise<Value>): Promise<Value> {
    this.world.busy += 1;
    try {
      return await run();
    } finally {
      this.world.busy -= 1;
    }
  }

  /** Everything that the window does outside comes by here, before and after. */
  async #pass(): Promise<void> {
    const { mishap } = this;
    if (mishap === undefined || this.#hasMet) {
      return;
    }
    this.#count += 1;
    if (this.#count <= mishap.at) {
      return;
    }
    this.#hasMet = mishap.kind === 'standsStill';
    const forEver = new Promise<void>((resolve) => (this.#wake = mishap.kind === 'standsStill' ? resolve : () => undefined));
    await (mishap.kind === 'dies' ? this.#locks.dispose() : this.world.takeLocksAway());
    this.#strike();
    await forEver;
  }
}

function inputOf(request: AddRequest): bigint {
  assert.ok('inputSol' in request && typeof request.inputSol === 'number');
  return BigInt(Math.round(request.inputSol * 1e9));
}

/** A world, and what stands still in it. */
export class Scene<Any extends World = World> {
  readonly asleep: { readonly window: Window; readonly running: Promise<unknown> }[] = [];

  constructor(readonly world: Any) {}

  /** Runs something in a window of its own, to its end or to the mishap; what failed in words is given as that. */
  async run<Value>(window: Window, work: () => Promise<Value>): Promise<Value | OperationError | 'struck'> {
    const running = work().catch((error: unknown) => {
      assert.ok(error instanceof OperationError, String(error));
      return error;
    });
    const result = await window.run(() => running);
    if (result === 'struck' && window.mishap?.kind === 'standsStill') {
      this.asleep.push({ window, running });
    }
    return result;
  }

  async wakeAll(): Promise<void> {
    for (const { window, running } of this.asleep.splice(0)) {
      window.wake();
      await this.world.during(running);
    }
  }
}
