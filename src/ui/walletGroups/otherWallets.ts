import { type Clock, elapsedMs, type Subscription } from '../../base/async/clock';
import { DisposableStore } from '../../base/async/disposables';
import type { Address } from '../../base/solana/address';
import { asError } from '../../base/thrown';
import type { RefreshCoordinator } from '../../portfolio/coordinator';
import { backoffMs, MIN_PAUSE_MS, requestedPauseMs } from '../../portfolio/failure';
import { LOADING, type Part } from '../../protocol/schemas';
import type { OpenPosition } from '../../service/positions';
import type { LiquidityService } from '../../service/service';
import type { ServiceConnection } from '../connection/connection';
import { errorSentence, LEAST_BETWEEN_READS_MS } from '../panels/query';
import type { LogFunction } from '../shell/log';
import { sameService, type ServiceChoice } from '../shell/serviceChoice';
import type { KnownOwner } from '../wallets/ownerIndex';
import type { Owners } from '../wallets/owners';

/** Another wallet than the one in use, and its open positions. */
export interface OtherWallet {
  readonly owner: KnownOwner;
  /** `undefined`: it is not read, since there are too many wallets. */
  readonly part: Part<readonly OpenPosition[]> | undefined;
}

export interface OtherWalletsDependencies {
  readonly coordinator: Pick<RefreshCoordinator, 'scheduler'>;
  readonly connection: Pick<ServiceConnection, 'choice' | 'status' | 'onDidChange' | 'onDidChangeStatus'>;
  readonly connect: () => Promise<Pick<LiquidityService, 'openPositions'>>;
  readonly owners: Pick<Owners, 'active' | 'known' | 'onDidChange'>;
  /** Fires when the user refreshes, and when something outside of this window has moved funds. */
  readonly onDidRefresh: (listener: () => void) => Subscription;
  readonly clock: Clock;
  readonly log: LogFunction;
}

/** Interval of the reads of one wallet, milliseconds. */
const EVERY_MS = 300_000;
/** Wallets that are read, in the order in which they were added. Each read is one request. */
export const MOST_WALLETS = 10;
/** Pause after each read, milliseconds: the wallet in use and the panels come first. */
const BETWEEN_WALLETS_MS = 2_000;

/** What is known about one wallet. */
interface Reading {
  part: Part<readonly OpenPosition[]>;
  /** End of the last read, successful or not, milliseconds since 1970; `undefined`: a read is due. */
  readAtMs: number | undefined;
  failures: number;
}

/**
 * The open positions of the wallets that are not in use, for the groups of the *Positions* view. One wallet is read at a time, at the pace of polling,
 * and only while the groups are visible. Nothing is stored, and nothing of an earlier service is kept.
 */
export class OtherWallets {
  readonly #dependencies: OtherWalletsDependencies;
  readonly #changed: () => void;
  readonly #disposables = new DisposableStore();
  readonly #readings = new Map<Address, Reading>();
  /** The service that the readings are of. */
  #service: ServiceChoice;
  #current: { readonly address: Address; readonly abort: AbortController } | undefined;
  #isShown = false;
  /** End of the last read of any wallet, milliseconds since 1970. */
  #endedAtMs = 0;
  /** The service refused a read: none before this time, milliseconds since 1970. */
  #pausedUntilMs = 0;

  /** @param changed called when a wallet, or what is known about it, has changed */
  constructor(dependencies: OtherWalletsDependencies, changed: () => void) {
    this.#dependencies = dependencies;
    this.#changed = changed;

    const { coordinator, connection, owners, onDidRefresh } = dependencies;
    this.#service = connection.choice;
    this.#disposables.add(
      coordinator.scheduler.add({
        // They never go before refreshes of the wallet in use.
        isFirst: () => false,
        isRunning: () => this.#current !== undefined,
        dueAtMs: () => this.#next().dueAtMs,
        start: () => void this.#read(),
        limitChanged: () => (this.#pausedUntilMs = Math.min(this.#pausedUntilMs, this.#endedAtMs + MIN_PAUSE_MS)),
      }),
      connection.onDidChange(() => this.forget()),
      connection.onDidChangeStatus(({ kind }) => this.#statusChanged(kind)),
      owners.onDidChange(() => this.#ownersChanged()),
      onDidRefresh(() => this.#again()),
    );
  }

  /** The other wallets of the service in use, in the order in which they were added. */
  get wallets(): readonly OtherWallet[] {
    this.#dropOtherService();
    return this.#others().map((owner, place) => ({
      owner,
      part: place < MOST_WALLETS ? (this.#readings.get(owner.address)?.part ?? LOADING) : undefined,
    }));
  }

  /** Reads while the groups are visible. Hiding them cancels the read in progress. */
  setShown(isShown: boolean): void {
    if (isShown !== this.#isShown) {
      this.#isShown = isShown;
      if (!isShown) {
        this.#cancel();
      }
      this.#dependencies.coordinator.scheduler.plan();
    }
  }

  /** Drops everything and cancels the read in progress: the service has changed, or wallets are no longer listed. */
  forget(): void {
    this.#cancel();
    this.#readings.clear();
    this.#service = this.#dependencies.connection.choice;
    this.#pausedUntilMs = 0;
    this.#endedAtMs = 0;
    this.#dependencies.coordinator.scheduler.plan();
    this.#changed();
  }

  dispose(): void {
    this.#cancel();
    this.#disposables.dispose();
  }

  #others(): readonly KnownOwner[] {
    const { owners, connection } = this.#dependencies;
    const inUse = owners.active(connection.choice)?.address;
    return owners.known(connection.choice).filter(({ address }) => address !== inUse);
  }

  #cancel(): void {
    this.#current?.abort.abort();
    this.#current = undefined;
  }

  /** Others hear of a change of the service before this object, and may ask for the wallets meanwhile. */
  #dropOtherService(): void {
    const { choice } = this.#dependencies.connection;
    if (!sameService(choice, this.#service)) {
      this.#cancel();
      this.#readings.clear();
      this.#service = choice;
    }
  }

  #statusChanged(kind: 'opening' | 'open' | 'failed'): void {
    if (kind === 'opening') {
      // Another key, or another process: a sandbox may have been created again.
      this.forget();
      return;
    }
    if (kind === 'failed') {
      this.#cancel();
    }
    this.#dependencies.coordinator.scheduler.plan();
  }

  #ownersChanged(): void {
    this.#dropOtherService();
    const others = new Set(this.#others().map(({ address }) => address));
    for (const address of [...this.#readings.keys()].filter((one) => !others.has(one))) {
      this.#readings.delete(address);
    }
    if (this.#current !== undefined && !others.has(this.#current.address)) {
      this.#cancel();
    }
    this.#dependencies.coordinator.scheduler.plan();
    this.#changed();
  }

  /** Reads again what is older than a minute. */
  #again(): void {
    const now = this.#dependencies.clock.now();
    for (const reading of this.#readings.values()) {
      if (reading.failures > 0 || elapsedMs(reading.readAtMs ?? 0, now) >= LEAST_BETWEEN_READS_MS) {
        Object.assign(reading, { readAtMs: undefined, failures: 0 });
      }
    }
    this.#dependencies.coordinator.scheduler.plan();
  }

  /** The wallet that is read next, and when: milliseconds since 1970. */
  #next(): { readonly address: Address | undefined; readonly dueAtMs: number } {
    const { connection } = this.#dependencies;
    // Reading must not start the process of a service.
    if (this.#disposables.isDisposed || !this.#isShown || connection.status.kind !== 'open') {
      return { address: undefined, dueAtMs: Infinity };
    }
    this.#dropOtherService();
    const dues = this.#others()
      .slice(0, MOST_WALLETS)
      .map(({ address }) => ({ address, dueAtMs: this.#dueAtMs(this.#readings.get(address)) }));
    const [first = { address: undefined, dueAtMs: Infinity }] = dues.toSorted((one, other) => one.dueAtMs - other.dueAtMs);
    return { address: first.address, dueAtMs: Math.max(first.dueAtMs, this.#earliestMs()) };
  }

  /** Earliest time of the next read of any wallet, milliseconds since 1970. */
  #earliestMs(): number {
    // What ended in the future ended before the clock was set back. Pauses begin at the end of a read.
    if (this.#endedAtMs === 0 || this.#endedAtMs > this.#dependencies.clock.now()) {
      return 0;
    }
    return Math.max(this.#endedAtMs + BETWEEN_WALLETS_MS, this.#pausedUntilMs);
  }

  #dueAtMs(reading: Reading | undefined): number {
    const { coordinator, clock } = this.#dependencies;
    const { slowdown } = coordinator.scheduler;
    if (reading?.readAtMs === undefined || reading.readAtMs > clock.now()) {
      return 0;
    }
    return reading.readAtMs + (reading.failures === 0 ? EVERY_MS * slowdown : backoffMs(EVERY_MS, reading.failures));
  }

  async #read(): Promise<void> {
    const { connect, clock, coordinator, log } = this.#dependencies;
    const { address } = this.#next();
    if (address === undefined) {
      return;
    }
    const abort = new AbortController();
    const { signal } = abort;
    this.#current = { address, abort };
    try {
      const service = await connect();
      signal.throwIfAborted();
      const { items } = await service.openPositions(address, { signal, pace: 'poll' });
      if (isSuperseded(signal)) {
        return;
      }
      const data = [...new Map(items.map((position) => [position.key, position])).values()];
      this.#ended(address, { part: { status: 'ready', data, asOfMs: clock.now() }, failures: 0 });
    } catch (thrown) {
      if (isSuperseded(signal)) {
        return;
      }
      const error = asError(thrown);
      log('warn', `Reading the positions of another wallet failed: ${error.message}`);
      this.#failed(address, error);
    }
    coordinator.scheduler.plan();
    this.#changed();
  }

  #failed(address: Address, error: Error): void {
    const { clock, coordinator } = this.#dependencies;
    const pauseMs = requestedPauseMs(error);
    if (pauseMs !== undefined) {
      // A refusal by the request limit is no failure of this wallet, which stays the next one.
      this.#pausedUntilMs = clock.now() + Math.max(MIN_PAUSE_MS, coordinator.scheduler.waitMs() || pauseMs);
      this.#current = undefined;
      this.#endedAtMs = clock.now();
      return;
    }
    const { part, failures = 0 } = this.#readings.get(address) ?? {};
    const words = errorSentence(error);
    this.#ended(address, {
      part: part?.data === undefined ? { status: 'failed', words } : { status: 'stale', data: part.data, asOfMs: part.asOfMs, words },
      failures: failures + 1,
    });
  }

  #ended(address: Address, reading: Omit<Reading, 'readAtMs'>): void {
    const now = this.#dependencies.clock.now();
    this.#current = undefined;
    this.#endedAtMs = now;
    this.#pausedUntilMs = 0;
    this.#readings.set(address, { ...reading, readAtMs: now });
  }
}

/** Whether the wallet or service has changed, or the groups were hidden: then answers and failures are dropped. */
function isSuperseded(signal: AbortSignal): boolean {
  return signal.aborted;
}
