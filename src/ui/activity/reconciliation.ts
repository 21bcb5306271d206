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

/** What is needed to find out what became of operations that were left unfinished, and to tell. */
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
  /** What all windows remember. */
  readonly state: StateStore;
  readonly clock: Clock;
  readonly rpc: () => Promise<SolanaRpc | undefined>;
  readonly log: LogFunction;
  readonly onError: (error: unknown) => void;
}

/**
 * Finds out what became of operations that a closed window, or this one, left unfinished, from the first list of positions on;
 * tells it, and keeps the positions marked on which something is unfinished. It never sends anything.
 */
export class Reconciliation {
  private readonly foundOperations: FoundOperations;
  private readonly reentries: ReentryQuestions;
  private readonly aside: DamagedRecordNotice;
  private readonly subscriptions: readonly Subscription[];
  private watcher: Subscription | undefined;
  private isStarting = false;
  private isDisposed = false;

  constructor(private readonly dependencies: ReconciliationDependencies) {
    const { activity, portfolio, connection, clock, prompts, actions, command, state, onError } = dependencies;
    const common = {
      ...{ prompts, actions, command, activity, clock, onError },
      isInUse: ({ created }: OperationRecord) => created.service === connection.choice.id && created.owner === portfolio.snapshot.owner,
      startedAtMs: clock.now(),
    };
    this.foundOperations = new FoundOperations(common);
    this.reentries = new ReentryQuestions({ ...common, locks: () => dependencies.records.locks() });
    this.aside = new DamagedRecordNotice({ activity, prompts, actions, state, onError });
    this.subscriptions = [
      activity.onDidChange(() => this.markPositions()),
      connection.onDidChange(() => this.markPositions()),
      portfolio.onDidChange(({ snapshot, summaryChanged }) => {
        this.startOnce(snapshot);
        if (summaryChanged) {
          this.reentries.lookSoon();
        }
      }),
    ];
  }

  /** An operation was begun by this window. */
  began(operation: string): void {
    this.foundOperations.began(operation);
    this.reentries.concerns(operation);
  }

  /** This window has told of a rebalance that can be re-entered: it is not asked about as well. */
  toldOf(rebalance: string): void {
    this.reentries.told(rebalance);
  }

  dispose(): void {
    this.isDisposed = true;
    for (const one of [...this.subscriptions, this.watcher, this.aside, this.foundOperations, this.reentries]) {
      one?.dispose();
    }
  }

  private found(record: OperationRecord): void {
    const { parent } = record.created;
    if (parent !== undefined) {
      this.reentries.concerns(parent);
    }
    this.foundOperations.found(record);
  }

  private markPositions(): void {
    const { activity, connection, busy } = this.dependencies;
    busy.setRecorded(recordedPositions(activity.records, connection.choice.id, activity.left));
  }

  /** With the first list there is something to look at. Where it fails, the next list is the next chance. */
  private startOnce({ positionsState }: PortfolioSnapshot): void {
    if (positionsState.kind === 'ready' && this.watcher === undefined && !this.isStarting) {
      this.isStarting = true;
      this.start()
        .catch(this.dependencies.onError)
        .finally(() => {
          this.isStarting = false;
        });
    }
  }

  private async start(): Promise<void> {
    const { activity, records, portfolio, clock, connection, rpc, log } = this.dependencies;
    await activity.refresh();
    const [{ OperationWatcher }, journal, locks] = await Promise.all([
      import('../../transactions/recovery/watcher'),
      records.journal(),
      records.locks(),
    ]);
    if (this.isDisposed) {
      return;
    }
    const watched: WatcherDependencies = {
      ...{ journal, locks, portfolio, clock, rpc, log },
      serviceId: () => connection.choice.id,
      service: () => connection.service(),
      settleEveryMs: SETTLE_EVERY_MS,
      onFound: (record) => this.found(record),
    };
    const watcher = new OperationWatcher(watched);
    this.watcher = watcher;
    watcher.start();
  }
}
