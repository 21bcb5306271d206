import * as l10n from '@vscode/l10n';
import { titleOf } from '../../base/text';
import { UserError } from '../shell/errors';
import { pickAction } from '../shell/prompts/pickAction';
import { answered, type Prompts } from '../shell/prompts/prompts';
import { runSteps, type Step } from '../shell/prompts/steps';
import type { CommandHandlers } from '../shell/commands/runCommand';
import type { NoticeSettings } from './noticeSettings';
import type { OutsideNotice } from './noticeEvent';
import { systemTitle } from './noticeCenter';
import type { SystemNotifier } from './systemNotification';
import type { StoredDetails } from './webhook/webhookDetails';
import type { WebhookChannel } from './webhook/webhookChannel';
import { WebhookError } from './webhook/webhookSender';
import {
  hostOf,
  presetName,
  readTelegramChat,
  telegramChatText,
  telegramTokenText,
  readWebhookAddress,
  readWebhookToken,
  TELEGRAM_ADDRESS,
  type WebhookPreset,
  type WebhookStore,
  type WebhookTarget,
} from './webhook/webhookTarget';

export interface NoticeCommandDependencies {
  readonly prompts: Prompts;
  readonly store: Pick<WebhookStore, 'get' | 'set' | 'delete'>;
  readonly details: Pick<StoredDetails, 'value' | 'set'>;
  readonly webhook: Pick<WebhookChannel, 'sendNow' | 'changed'>;
  /** Drops what waits for the webhook. */
  readonly clearOutbox: () => Promise<void>;
  readonly notifier: Pick<SystemNotifier, 'isAvailable' | 'show'>;
  readonly settings: Pick<NoticeSettings, 'isOn'>;
  readonly nowMs: () => number;
}

/** The command that sets where notices are sent. */
export function noticeCommands(dependencies: () => Promise<NoticeCommandDependencies>): Pick<CommandHandlers, 'binsight.webhookMenu'> {
  return { 'binsight.webhookMenu': async () => showMenu(await dependencies()) };
}

async function showMenu(dependencies: NoticeCommandDependencies): Promise<void> {
  const { prompts, store, details } = dependencies;
  const target = await store.get();
  const hasFigures = details.value === 'figures';
  await pickAction(prompts, {
    title: l10n.t('Webhook'),
    placeholder:
      target === undefined ? l10n.t('No webhook is set.') : l10n.t`Notices go to ${hostOf(target)} (${presetName(target.preset)}).`,
    items: [
      {
        label: l10n.t('Set Webhook…'),
        description: (['telegram', 'discord', 'json'] as const).map(presetName).join(', '),
        icon: 'broadcast',
        value: () => setWebhook(dependencies),
      },
      {
        label: hasFigures ? l10n.t('Send Pair and Event Only') : l10n.t('Send Figures, Too'),
        description: l10n.t('PnL, fees, returned SOL and the reasons of auto-rebalance; never keys or addresses'),
        icon: hasFigures ? 'eye-closed' : 'eye',
        value: () => details.set(hasFigures ? 'pairAndEvent' : 'figures'),
      },
      { label: sendTest(), icon: 'beaker', value: () => sendTestNotice(dependencies) },
      ...(target === undefined ? [] : [{ label: l10n.t('Remove Webhook'), icon: 'trash', value: () => removeWebhook(dependencies) }]),
    ],
  });
}

const setTitle = () => titleOf(l10n.t('Set Webhook…'));
const sendTest = () => l10n.t('Send Test Notice');

async function setWebhook(dependencies: NoticeCommandDependencies): Promise<void> {
  const { prompts, store, webhook } = dependencies;
  const target = await runSteps<WebhookTarget>({ preset: 'json', address: '', token: '', chat: '' }, stepsOf(prompts));
  if (target === undefined) {
    return;
  }
  await store.set(target);
  webhook.changed();
  const pressed = await prompts.notify({
    severity: 'info',
    message: l10n.t`Notices go to ${hostOf(target)} (${presetName(target.preset)}).`,
    actions: [sendTest()],
  });
  if (pressed !== undefined) {
    await sendTestNotice(dependencies);
  }
}

function stepsOf(prompts: Prompts): readonly Step<WebhookTarget>[] {
  return [
    {
      ask: async (_, place) => {
        const item = (value: WebhookPreset, icon: string) => ({ label: presetName(value), icon, value });
        const answer = await prompts.pick<WebhookPreset>({
          title: setTitle(),
          place,
          placeholder: l10n.t('Choose a service'),
          items: [
            item('telegram', 'comment'),
            item('discord', 'comment-discussion'),
            { ...item('json', 'json'), detail: l10n.t('Address that takes the notices by POST.') },
          ],
        });
        return answer.kind === 'value' ? answered({ preset: answer.value, address: '', token: '', chat: '' }) : answer;
      },
    },
    {
      ask: async (draft, place) => {
        const answer = await prompts.input({
          title: setTitle(),
          place,
          prompt: addressPrompt(draft.preset),
          initial: draft.address === '' && draft.preset === 'telegram' ? TELEGRAM_ADDRESS : draft.address,
          // Discord's address contains the token, and others may.
          secret: draft.preset !== 'telegram',
          read: (text) => readWebhookAddress(text, draft.preset),
        });
        return answer.kind === 'value' ? answered({ ...draft, address: answer.value }) : answer;
      },
    },
    {
      applies: ({ preset }) => preset !== 'discord',
      ask: async (draft, place) => {
        const answer = await prompts.input({
          title: setTitle(),
          place,
          prompt:
            draft.preset === 'telegram'
              ? keptSecret(telegramTokenText())
              : keptSecret(l10n.t('Token, sent as “Authorization: Bearer”, or empty.')),
          secret: true,
          read: (text) => readWebhookToken(text, draft.preset),
        });
        return answer.kind === 'value' ? answered({ ...draft, token: answer.value }) : answer;
      },
    },
    {
      applies: ({ preset }) => preset === 'telegram',
      ask: async (draft, place) => {
        const answer = await prompts.input({
          title: setTitle(),
          place,
          prompt: telegramChatText(),
          initial: draft.chat,
          read: readTelegramChat,
        });
        return answer.kind === 'value' ? answered({ ...draft, chat: answer.value }) : answer;
      },
    },
  ];
}

function addressPrompt(preset: WebhookPreset): string {
  switch (preset) {
    case 'telegram':
      return l10n.t("Address of the bot server: Telegram's, or your own");
    case 'discord':
      return keptSecret(l10n.t("Webhook address, from the channel's settings under Integrations."));
    case 'json':
      return keptSecret(l10n.t('Address that takes the notices by POST.'));
  }
}

async function sendTestNotice({ store, webhook, notifier, settings, prompts, nowMs }: NoticeCommandDependencies): Promise<void> {
  const text = l10n.t('This is a test notice.');
  const notice: OutsideNotice = { kind: 'test', pair: undefined, atMs: nowMs(), brief: text, full: text, figures: {}, isSandbox: false };
  const target = await store.get();
  const isInSystem = settings.isOn('system') && notifier.isAvailable;
  if (target === undefined && !isInSystem) {
    throw new UserError(l10n.t('No webhook is set, and the system has no notifications.'), {
      label: l10n.t('Set Webhook…'),
      command: 'binsight.webhookMenu',
    });
  }
  const isShown = isInSystem && (await notifier.show(systemTitle(notice), text));
  if (target !== undefined) {
    await prompts.progress({ title: l10n.t`Sending a test notice to ${hostOf(target)}`, cancellable: false }, async () => {
      try {
        await webhook.sendNow(target, notice);
      } catch (error) {
        throw error instanceof WebhookError ? new UserError(error.message) : error;
      }
    });
  }
  void prompts.notify({
    severity: isInSystem && !isShown ? 'warning' : 'info',
    message: [
      ...(target === undefined ? [] : [l10n.t`Test notice sent to ${hostOf(target)}.`]),
      ...(isShown ? [l10n.t('The system was asked to show it.')] : []),
      ...(isInSystem && !isShown ? [l10n.t('The system could not show it.')] : []),
    ].join(' '),
  });
}

async function removeWebhook({ store, prompts, clearOutbox, webhook }: NoticeCommandDependencies): Promise<void> {
  await store.delete();
  await clearOutbox();
  webhook.changed();
  void prompts.notify({ severity: 'info', message: l10n.t('Webhook removed.') });
}

const keptSecret = (prompt: string): string => l10n.t`${prompt} Kept in VS Code's secret storage.`;
