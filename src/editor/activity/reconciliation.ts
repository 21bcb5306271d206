import type { WatcherDependencies } from '../../operations/types';
import type { Clock, PortfolioControl, PortfolioSnapshot, Subscription } from '../../portfolio/types';
import type { SolanaRpc } from '../../rpc/types';
import type { EditorActions } from '../editorActions';
import type { LogFunction } from '../log/log';
import type { BusyPositions } from '../operations/busyPositions';
import { SETTLE_EVERY_MS } from '../operations/settleTimes';
import type { Prompts } from '../prompts/prompts';
import type { StateStore } from '../secretStore';
import type { ServiceConnection } from '../service/connection';
import type { Activity } from './activity';
import { AsideNotice } from './asideNotice';
import { FoundOperations } from './foundOperations';
import type { OperationRecords } from './operationRecords';
import { recordedPositions } from './operationRows';

/** What is needed to find out what became of operations that were left unfinished, and to tell. */
export interface ReconciliationDependencies {
  readonly records: Pick<OperationRecords, 'journal' | 'locks'>;
  readonly activity: Activity;
  readonly portfolio: PortfolioControl;
  readonly connection: Pick<ServiceConnection, 'choice' | 'onDidChange'>;
  readonly busy: BusyPositions;
  readonly prompts: Prompts;
  readonly actions: Pick<EditorActions, 'openExternal' | 'focusActivity'>;
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
  private readonly aside: AsideNotice;
  private readonly subscriptions: readonly Subscription[];
  private watcher: Subscription | undefined;
  private isStarting = false;
  private isDisposed = false;

  constructor(private readonly dependencies: ReconciliationDependencies) {
    const { activity, portfolio, connection, clock, prompts, actions, state, onError } = dependencies;
    this.foundOperations = new FoundOperations({
      ...{ prompts, actions, activity, clock, onError },
      isInUse: ({ created }) => created.service === connection.choice.id && created.owner === portfolio.snapshot.owner,
      startedAtMs: clock.now(),
    });
    this.aside = new AsideNotice({ activity, prompts, actions, state, onError });
    this.subscriptions = [
      activity.onDidChange(() => this.markPositions()),
      connection.onDidChange(() => this.markPositions()),
      portfolio.onDidChange(({ snapshot }) => this.startOnce(snapshot)),
    ];
  }

  /** An operation was begun by this window. */
  began(operation: string): void {
    this.foundOperations.began(operation);
  }

  dispose(): void {
    this.isDisposed = true;
    for (const one of [...this.subscriptions, this.watcher, this.aside, this.foundOperations]) {
      one?.dispose();
    }
  }

  private markPositions(): void {
    const { activity, connection, busy } = this.dependencies;
    busy.setRecorded(recordedPositions(activity.records, connection.choice.id));
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
    const [{ OperationWatcher }, journal, locks] = await Promise.all([import('../../operations/watcher'), records.journal(), records.locks()]);
    if (this.isDisposed) {
      return;
    }
    const watched: WatcherDependencies = {
      ...{ journal, locks, portfolio, clock, rpc, log },
      serviceId: () => connection.choice.id,
      settleEveryMs: SETTLE_EVERY_MS,
      onFound: (record) => this.foundOperations.found(record),
    };
    const watcher = new OperationWatcher(watched);
    this.watcher = watcher;
    watcher.start();
  }
}
