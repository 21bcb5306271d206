import { OperationWatcher } from '../../transactions/recovery/watcher';
import type { OperationRecord } from '../../transactions/journal/types';
import type { WatcherDependencies } from '../../transactions/types';
import type { PortfolioControl, PortfolioSnapshot } from '../../portfolio/types';
import type { SolanaRpc } from '../../rpc/types';
import type { CommandId } from '../shell/commands/registry';
import type { EditorActions } from '../shell/editorActions';
import type { LogFunction } from '../shell/log';
import type { BusyPositions } from '../shell/busyPositions';
import { SETTLE_EVERY_MS } from '../zap/settleTimes';
import type { Prompts } from '../shell/prompts/prompts';
import type { StateStore } from '../shell/secretStore';
import type { ServiceConnection } from '../connection/connection';
import type { Activity } from './activity';
import { DamagedRecordNotice } from './damagedRecordNotice';
import { FoundOperations } from './foundOperations';
import type { OperationRecords } from './operationRecords';
import { recordedPositions } from './operationRows';
import { ReentryQuestions } from './reentryQuestions';
import type { Subscription, Clock } from '../../base/async/clock';

export interface ReconciliationDependencies {
  readonly records: Pick<OperationRecords, 'journal' | 'locks'>;
  readonly activity: Activity;
  readonly portfolio: PortfolioControl;
  readonly connection: Pick<ServiceConnection, 'choice' | 'onDidChange' | 'service'>;
  readonly busy: BusyPositions;
  readonly prompts: Prompts;
  readonly actions: Pick<EditorActions, 'openExternal' | 'focusActivity'>;
  /** Runs a command of the extension on something. */
  readonly command: (id: CommandId, argument: unknown) => Promise<void>;
  /** State shared by all windows. */
  readonly state: StateStore;
  readonly clock: Clock;
  /** Start of this window, milliseconds since 1970. */
  readonly startedAtMs: number;
  readonly rpc: () => Promise<SolanaRpc | undefined>;
  readonly log: LogFunction;
  readonly onError: (error: unknown) => void;
}

/**
 * Finds the outcomes of unfinished operations of this window and of closed ones, starting with the first list of positions. Notifies about
 * them, and marks the positions with unfinished operations. Never sends a transaction.
 */
export class Reconciliation {
  readonly #foundOperations: FoundOperations;
  readonly #reentries: ReentryQuestions;
  readonly #damagedRecords: DamagedRecordNotice;
  readonly #subscriptions: readonly Subscription[];
  #watcher: Subscription | undefined;
  #isStarting = false;
  #isDisposed = false;

  readonly #dependencies: ReconciliationDependencies;

  constructor(dependencies: ReconciliationDependencies) {
    this.#dependencies = dependencies;

    const { activity, portfolio, connection, clock, prompts, actions, command, state, onError } = dependencies;
    const common = {
      ...{ prompts, actions, command, activity, clock, onError },
      isInUse: ({ created }: OperationRecord) => created.service === connection.choice.id && created.owner === portfolio.snapshot.owner,
      startedAtMs: dependencies.startedAtMs,
    };
    this.#foundOperations = new FoundOperations(common);
    this.#reentries = new ReentryQuestions({ ...common, locks: () => dependencies.records.locks() });
    this.#damagedRecords = new DamagedRecordNotice({ activity, prompts, actions, state, onError });
    this.#subscriptions = [
      activity.onDidChange(() => this.#markPositions()),
      connection.onDidChange(() => this.#markPositions()),
      portfolio.onDidChange(({ snapshot, summaryChanged }) => {
        this.#startOnce(snapshot);
        if (summaryChanged) {
          this.#reentries.lookSoon();
        }
      }),
    ];
    // This code is loaded after activation: the lists may have been read in the meantime.
    this.#markPositions();
    this.#startOnce(portfolio.snapshot);
  }

  /** This window has started an operation. */
  began(operation: string): void {
    this.#foundOperations.began(operation);
    this.#reentries.concerns(operation);
  }

  /** This window has already offered to re-enter a rebalance: no further question is shown. */
  toldOf(rebalance: string): void {
    this.#reentries.told(rebalance);
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const one of [...this.#subscriptions, this.#watcher, this.#damagedRecords, this.#foundOperations, this.#reentries]) {
      one?.dispose();
    }
  }

  #found(record: OperationRecord): void {
    const { parent } = record.created;
    if (parent !== undefined) {
      this.#reentries.concerns(parent);
    }
    this.#foundOperations.found(record);
  }

  #markPositions(): void {
    const { activity, connection, busy } = this.#dependencies;
    busy.setRecorded(recordedPositions(activity.records, connection.choice.id, activity.left));
  }

  /** Starts with the first list of positions; after a failure the next list starts it again. */
  #startOnce({ positionsState }: PortfolioSnapshot): void {
    if (positionsState.kind === 'ready' && this.#watcher === undefined && !this.#isStarting) {
      this.#isStarting = true;
      this.#start()
        .catch(this.#dependencies.onError)
        .finally(() => {
          this.#isStarting = false;
        });
    }
  }

  async #start(): Promise<void> {
    const { activity, records, portfolio, clock, connection, rpc, log } = this.#dependencies;
    await activity.refresh();
    const [journal, locks] = await Promise.all([records.journal(), records.locks()]);
    if (this.#isDisposed) {
      return;
    }
    const watched: WatcherDependencies = {
      ...{ journal, locks, portfolio, clock, rpc, log },
      serviceId: () => connection.choice.id,
      service: () => connection.service(),
      settleEveryMs: SETTLE_EVERY_MS,
      onFound: (record) => this.#found(record),
    };
    const watcher = new OperationWatcher(watched);
    this.#watcher = watcher;
    watcher.start();
  }
}
