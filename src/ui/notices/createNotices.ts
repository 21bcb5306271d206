import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
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
import type { ServiceChoice } from '../shell/serviceChoice';
import type { Settings } from '../shell/settings/settings';
import { reportAutoRebalance } from './autoRebalanceNotices';
import { type BackgroundReadsDependencies, readForNotices } from './backgroundReads';
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
import { WebhookStore } from './webhook/webhookTarget';

export interface NoticesDependencies {
  readonly context: Pick<vscode.ExtensionContext, 'extension' | 'globalStorageUri'>;
  readonly secrets: Pick<Secrets, 'brieflyOf'>;
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
  readonly execute: (command: string) => Promise<void>;
  /** Opens the panel of a position, by its key. */
  readonly openPosition: (key: string) => Promise<void>;
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
  const store = new WebhookStore(dependencies.secrets.brieflyOf('webhook'), (secret) => dependencies.log.hide(secret));
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
      details: () => settings.webhookDetails,
      quietHours: () => settings.quietHours,
      random: Math.random,
      onFailure: (message) => void reportFailure(message, dependencies).catch(onError),
      log,
      onError,
    }),
  );
  const center = disposables.add(new NoticeCenter({ claims, settings, notifier, webhook, isFocused, clock, log }));
  const operations = new OperationNotices({ ...dependencies, center, isWanted: () => settings.isOn('operationEnded'), isFocused });
  disposables.add(
    readForNotices({ ...dependencies, rules: () => settings.rules }),
    new PositionNotices({
      portfolio,
      center,
      prompts,
      rules: () => settings.rules,
      service,
      openPosition: dependencies.openPosition,
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
    commands: { prompts, store, webhook, clearOutbox: () => outbox.clear(), notifier, settings, nowMs },
    reportFound: (record) => operations.reportFound(record),
    dispose: () => disposables.dispose(),
  };
}

async function reportFailure(message: string, { prompts, execute, actions }: NoticesDependencies): Promise<void> {
  const [change, showLog] = [l10n.t('Set Webhook…'), l10n.t('Show Log')];
  const pressed = await prompts.notify({ severity: 'warning', message, actions: [change, showLog] });
  if (pressed === change) {
    await execute('binsight.setWebhook');
  } else if (pressed === showLog) {
    actions.showLog();
  }
}
