import * as l10n from '@vscode/l10n';
import type { Clock, Subscription } from '../../base/async/clock';
import { DisposableStore } from '../../base/async/disposables';
import type { PortfolioControl, PortfolioSnapshot } from '../../portfolio/types';
import type { SolanaRpc } from '../../rpc/types';
import type { OperationRecord } from '../../transactions/journal/types';
import { OperationWatcher } from '../../transactions/recovery/watcher';
import type { WatcherDependencies } from '../../transactions/types';
import type { ServiceConnection } from '../connection/connection';
import type { BusyPositions } from '../shell/busyPositions';
import type { CommandId } from '../../settings/generated/commandIds';
import type { EditorActions, StateStore } from '../shell/editorAccess';
import type { LogFunction } from '../shell/log';
import type { Prompts } from '../shell/prompts/prompts';
import type { ActivityState } from '../shell/views/viewState';
import { SETTLE_EVERY_MS } from '../zap/outcome';
import type { Activity } from './activity';
import { type FoundDependencies, FoundOperations } from './foundOperations';
import type { OperationRecords } from './operationRecords';
import { recordedPositions } from './operationRows';
import { ReentryQuestions } from './reentryQuestions';

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
  /** See {@link FoundDependencies.reportFound}. */
  readonly reportFound: FoundDependencies['reportFound'];
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
  readonly #disposables = new DisposableStore();
  #isStarted = false;

  readonly #dependencies: ReconciliationDependencies;

  constructor(dependencies: ReconciliationDependencies) {
    this.#dependencies = dependencies;

    const { activity, portfolio, connection, clock, prompts, actions, command, state, onError } = dependencies;
    const common = {
      prompts,
      actions,
      command,
      activity,
      clock,
      onError,
      isInUse: ({ created }: OperationRecord) => created.service === connection.choice.id && created.owner === portfolio.snapshot.owner,
      startedAtMs: dependencies.startedAtMs,
    };
    this.#foundOperations = this.#disposables.add(new FoundOperations({ ...common, reportFound: dependencies.reportFound }));
    this.#reentries = this.#disposables.add(new ReentryQuestions({ ...common, locks: () => dependencies.records.locks() }));
    this.#disposables.add(
      new DamagedRecordNotice({ activity, prompts, actions, state, onError }),
      activity.onDidChange(() => this.#markPositions()),
      connection.onDidChange(() => this.#markPositions()),
      portfolio.onDidChange(({ snapshot, summaryChanged }) => {
        this.#startOnce(snapshot);
        if (summaryChanged) {
          this.#reentries.lookSoon();
        }
      }),
    );
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
  reentryOffered(rebalance: string): void {
    this.#reentries.offered(rebalance);
  }

  dispose(): void {
    this.#disposables.dispose();
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
    if (positionsState.kind === 'ready' && !this.#isStarted) {
      this.#isStarted = true;
      this.#start().catch((error: unknown) => {
        this.#isStarted = false;
        this.#dependencies.onError(error);
      });
    }
  }

  async #start(): Promise<void> {
    const { activity, records, portfolio, clock, connection, rpc, log } = this.#dependencies;
    await activity.refresh();
    const [journal, locks] = await Promise.all([records.journal(), records.locks()]);
    if (this.#disposables.isDisposed) {
      return;
    }
    const watched: WatcherDependencies = {
      journal,
      locks,
      portfolio,
      clock,
      rpc,
      log,
      serviceId: () => connection.choice.id,
      service: () => connection.service(),
      settleEveryMs: SETTLE_EVERY_MS,
      onFound: (record) => this.#found(record),
    };
    this.#disposables.add(new OperationWatcher(watched)).start();
  }
}

interface DamagedRecordDependencies {
  readonly activity: Activity;
  readonly prompts: Prompts;
  readonly actions: Pick<EditorActions, 'focusActivity'>;
  /** Remembers the reported files, in all windows. */
  readonly state: StateStore;
  readonly onError: (error: unknown) => void;
}

const KEPT_AS = 'binsight.toldAside';
const showActivity = () => l10n.t('Show Activity');

/** Warns once about each operation record that could not be read and was set aside: its operation is no longer known. */
export class DamagedRecordNotice {
  readonly #subscription: Subscription;

  readonly #dependencies: DamagedRecordDependencies;

  constructor(dependencies: DamagedRecordDependencies) {
    this.#dependencies = dependencies;

    const { activity, onError } = dependencies;
    this.#subscription = activity.onDidChange((state) => {
      this.#warnAbout(state).catch(onError);
    });
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  async #warnAbout(activity: ActivityState): Promise<void> {
    if (activity.kind !== 'ready') {
      return;
    }
    const { state, prompts, actions } = this.#dependencies;
    const files = activity.problems.map(({ file }) => file);
    const kept = state.get(KEPT_AS);
    const reported: readonly unknown[] = Array.isArray(kept) ? kept : [];
    const unreported = files.filter((file) => !reported.includes(file));
    if (unreported.length === 0) {
      return;
    }
    // Files that are gone from the folder are forgotten.
    await state.update(KEPT_AS, files);
    const action = await prompts.notify({
      severity: 'warning',
      message: l10n.t`Operation records that cannot be read: ${unreported.length}. Check your positions before you repeat one of these operations.`,
      actions: [showActivity()],
    });
    if (action === showActivity()) {
      await actions.focusActivity();
    }
  }
}
