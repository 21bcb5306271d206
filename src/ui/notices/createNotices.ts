import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { join } from 'node:path';
import type { Clock, Subscription } from '../../base/async/clock';
import { DisposableStore } from '../../base/async/disposables';
import type { PortfolioReader } from '../../portfolio/types';
import type { OperationRecord } from '../../transactions/journal/types';
import type { Activity } from '../activity/activity';
import type { AutoRebalanceAnnouncement } from '../autoRebalance/announcements';
import type { EditorActions } from '../shell/editorAccess';
import type { Log } from '../shell/log';
import { VIEW } from '../shell/names';
import type { Prompts } from '../shell/prompts/prompts';
import type { Secrets } from '../shell/secrets';
import { isOwnService, type ServiceChoice } from '../shell/serviceChoice';
import type { Settings } from '../shell/settings/settings';
import { NoticeClaims } from './claims';
import { NoticeCenter } from './noticeCenter';
import type { NoticeCommandDependencies } from './noticeCommands';
import { NoticeSettings } from './noticeSettings';
import { OperationNotices } from './operationNotices';
import { PositionNotices } from './positionNotices';
import { SystemNotifier } from './systemNotification';
import { Outbox } from './webhook/outbox';
import { WebhookChannel } from './webhook/webhookChannel';
import { WebhookSender } from './webhook/webhookSender';
import { StoredDetails } from './webhook/webhookDetails';
import { WebhookStore } from './webhook/webhookTarget';
import { oneLine } from '../../base/text';
import { outsideName } from './noticeEvent';
import { type SettingId, settingsUnder } from '../../settings/settingTypes';
import type { NoticeRules } from './positionWatch';

export interface NoticesDependencies {
  readonly context: Pick<vscode.ExtensionContext, 'extension' | 'globalState' | 'globalStorageUri'>;
  readonly secrets: Pick<Secrets, 'brief'>;
  readonly portfolio: PortfolioReader;
  readonly coordinator: BackgroundReadsDependencies['coordinator'];
  readonly activity: Activity;
  readonly prompts: Prompts;
  readonly actions: Pick<EditorActions, 'focusActivity' | 'showLog'>;
  readonly settings: Pick<Settings, 'get' | 'read' | 'onDidChange'>;
  readonly service: () => ServiceChoice;
  readonly isInBrowser: boolean;
  readonly clock: Clock;
  readonly log: Log;
  /** Runs a VS Code command. */
  readonly execute: (command: string, argument?: unknown) => Promise<void>;
  /** Opens the panel of a position, by its key. */
  readonly openPosition: (key: string) => Promise<void>;
  /** Whether the wallet in use can sign. */
  readonly canSign: () => boolean;
  /** Whether this window runs or ran an operation. */
  readonly ranHere: (operation: string) => boolean;
  readonly onAutoRebalance: (listener: (announcement: AutoRebalanceAnnouncement) => void) => Subscription;
  readonly onError: (error: unknown) => void;
}

/** All notices of this window. */
export interface Notices {
  readonly commands: NoticeCommandDependencies;
  /** See {@link OperationNotices.reportFound}. */
  reportFound(record: OperationRecord): Promise<boolean>;
  dispose(): void;
}

/** Creates what reports events: in the editor, by the operating system, and by webhook. */
export function createNotices(dependencies: NoticesDependencies): Notices {
  const { context, portfolio, prompts, clock, onError, execute, service } = dependencies;
  const disposables = new DisposableStore();
  const settings = new NoticeSettings(dependencies.settings);
  const log = dependencies.log.of('notices');
  const folder = join(context.globalStorageUri.fsPath, 'notices');
  const nowMs = () => clock.now();
  const isFocused = () => vscode.window.state.focused;

  const claims = new NoticeClaims({ folder, nowMs });
  const store = new WebhookStore(dependencies.secrets.brief(), (secret) => dependencies.log.hide(secret));
  const details = new StoredDetails(context.globalState);
  const outbox = new Outbox(join(folder, 'outbox'));
  const notifier = new SystemNotifier({
    platform: process.platform,
    isLocal: context.extension.extensionKind === vscode.ExtensionKind.UI && !dependencies.isInBrowser,
    environment: process.env,
    log,
  });
  const webhook = disposables.add(
    new WebhookChannel({
      store,
      outbox,
      sender: new WebhookSender({ clock }),
      clock,
      details: () => details.value,
      quietHours: () => settings.quietHours,
      random: Math.random,
      onFailure: (message, refusal) => void reportFailure(message, refusal?.movedTo, { ...dependencies, store, webhook }).catch(onError),
      log,
      onError,
    }),
  );
  const center = disposables.add(new NoticeCenter({ claims, settings, notifier, webhook, isFocused, clock, log }));
  const operations = new OperationNotices({ ...dependencies, center, isWanted: () => settings.isOn('operations'), isFocused });
  disposables.add(
    readForNotices({ ...dependencies, rules: () => settings.rules }),
    new PositionNotices({
      portfolio,
      center,
      prompts,
      rules: () => settings.rules,
      service,
      openPosition: dependencies.openPosition,
      canClaim: () => isOwnService(service()) && dependencies.canSign(),
      claim: (key) => (key === undefined ? execute('binsight.claimAllFees') : execute('binsight.claimFees', { kind: 'position', key })),
      showPositions: () => execute(`${VIEW.positions}.focus`),
      onError,
    }),
    operations,
    dependencies.onAutoRebalance((announcement) => {
      const isSandbox = () => service().kind === 'sandbox';
      reportAutoRebalance(announcement, { center, settings, isSandbox, nowMs }).catch(onError);
    }),
    vscode.window.onDidChangeWindowState(({ focused }) => void claims.setFocused(focused)),
    { dispose: () => void claims.setFocused(false) },
    dependencies.settings.onDidChange(['binsight.notifications.quietHours'], () => webhook.changed()),
  );
  void claims.setFocused(isFocused());
  webhook.begin().catch(onError);
  return {
    commands: { prompts, store, details, webhook, clearOutbox: () => outbox.clear(), notifier, settings, nowMs },
    reportFound: (record) => operations.reportFound(record),
    dispose: () => disposables.dispose(),
  };
}

type FailureDependencies = Pick<NoticesDependencies, 'prompts' | 'execute' | 'actions'> & {
  readonly store: Pick<WebhookStore, 'get' | 'set'>;
  readonly webhook: Pick<WebhookChannel, 'changed'>;
};

/** @param movedTo the chat that replaces the one that is set */
async function reportFailure(
  message: string,
  movedTo: string | undefined,
  { prompts, execute, actions, store, webhook }: FailureDependencies,
): Promise<void> {
  const [useNew, change, showLog] = [l10n.t('Use New Chat'), l10n.t('Set Webhook…'), l10n.t('Show Log')];
  const pressed = await prompts.notify({
    severity: 'warning',
    message,
    actions: movedTo === undefined ? [change, showLog] : [useNew, change],
  });
  if (pressed === useNew && movedTo !== undefined) {
    const target = await store.get();
    if (target?.preset === 'telegram') {
      await store.set({ ...target, chat: movedTo });
      webhook.changed();
    }
  } else if (pressed === change) {
    await execute('binsight.webhookMenu');
  } else if (pressed === showLog) {
    actions.showLog();
  }
}

export interface AutoRebalanceNoticesDependencies {
  readonly center: Pick<NoticeCenter, 'publish'>;
  readonly settings: Pick<NoticeSettings, 'isOn'>;
  readonly isSandbox: () => boolean;
  readonly nowMs: () => number;
}

/** Characters of a reason. */
const LONGEST_WHY = 300;

/** Reports outside the editor what auto-rebalance asks and does. Its window shows that itself, and only one window runs it. */
async function reportAutoRebalance(
  announcement: AutoRebalanceAnnouncement,
  { center, settings, isSandbox, nowMs }: AutoRebalanceNoticesDependencies,
): Promise<void> {
  const kind = announcement.kind === 'acts' ? 'autoRebalanceActs' : 'autoRebalanceAsks';
  const pair = announcement.pairName === undefined ? undefined : outsideName(announcement.pairName);
  const brief = briefText(announcement, pair);
  const full = announcement.kind === 'needsUser' ? brief : `${brief} ${oneLine(announcement.why, LONGEST_WHY)}`;
  await center.publish([
    {
      subject: announcement,
      seen: undefined,
      isWanted: settings.isOn('operations'),
      outside: { kind, pair, atMs: nowMs(), brief, full, figures: {}, isSandbox: isSandbox() },
    },
  ]);
}

function briefText(announcement: AutoRebalanceAnnouncement, pair: string | undefined): string {
  switch (announcement.kind) {
    case 'asks':
      return announcement.action === 'rebalance'
        ? l10n.t`Auto-rebalance asks: rebalance ${pair ?? ''}?`
        : l10n.t`Auto-rebalance asks: close ${pair ?? ''} without re-entering?`;
    case 'acts':
      return announcement.action === 'rebalance'
        ? l10n.t`Auto-rebalance began to rebalance ${pair ?? ''}.`
        : l10n.t`Auto-rebalance began to close ${pair ?? ''}.`;
    case 'needsUser':
      return pair === undefined ? l10n.t('Auto-rebalance needs you.') : l10n.t`Auto-rebalance needs you for ${pair}.`;
  }
}

export interface BackgroundReadsDependencies {
  readonly coordinator: { setWatched(isWatched: boolean): void };
  readonly settings: { onDidChange(ids: readonly SettingId[], listener: () => void): Subscription };
  readonly rules: () => NoticeRules;
}

/** Keeps positions read, slowly, while a notice is switched on and no view shows them. */
function readForNotices({ coordinator, settings, rules }: BackgroundReadsDependencies): Subscription {
  const apply = (): void => coordinator.setWatched(Object.values(rules()).some((rule) => rule !== false && rule !== undefined));
  apply();
  return settings.onDidChange(settingsUnder('binsight.notifications.'), apply);
}
