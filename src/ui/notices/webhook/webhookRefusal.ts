import * as l10n from '@vscode/l10n';
import * as z from 'zod';

/** Why a webhook refuses all messages until the user changes something. */
export interface WebhookRefusal {
  /** For the user. It quotes nothing of the answer but the number of a chat. */
  readonly message: string;
  /** The chat that replaces the one that is set. */
  readonly movedTo?: string | undefined;
}

/** https://core.telegram.org/bots/api#making-requests */
const TELEGRAM = z.object({
  ok: z.literal(false),
  description: z.string().catch(''),
  parameters: z.object({ migrate_to_chat_id: z.int().optional() }).optional().catch(undefined),
});
/** https://discord.com/developers/docs/topics/opcodes-and-status-codes#json */
const DISCORD = z.object({ code: z.int() });

const goneText = (): string => l10n.t('That Telegram chat, or its topic, is closed or gone. Set another chat.');

/** Telegram tells reasons apart by the text alone. */
const TELEGRAM_REASONS: readonly (readonly [reason: RegExp, message: () => string])[] = [
  [/upgraded to a supergroup/i, () => goneText()],
  [/user is deactivated/i, () => goneText()],
  [
    /chat not found|chat_id is empty|peer_id_invalid/i,
    () => l10n.t('Telegram does not know that chat. Check its number; write to the bot first, or add it to the group.'),
  ],
  [/thread not found|topic_closed|topic_deleted/i, () => goneText()],
  [
    /bot was blocked|bot was kicked|not a member|bot is not a participant|not enough rights|no rights to send|chat_write_forbidden|need administrator rights/i,
    () => l10n.t('The Telegram bot may not write in that chat. Add or unblock it there; notices of the last day are sent then.'),
  ],
  [/unauthorized/i, () => l10n.t('Telegram does not accept the token of the bot. Set the one from @BotFather.')],
];

/** The webhook is gone, or its token is wrong. */
const DISCORD_UNKNOWN = [10_015, 50_027];

/** Reads why a webhook refused a message; `undefined`: not known, or the message itself may be the cause. @param answer the body, which may quote a key */
export function refusalReason(answer: string): WebhookRefusal | undefined {
  const body = parsed(answer);
  const telegram = TELEGRAM.safeParse(body);
  if (telegram.success) {
    const { description, parameters } = telegram.data;
    const movedTo = parameters?.migrate_to_chat_id;
    if (movedTo !== undefined) {
      return {
        message: l10n.t`The Telegram group has a new chat, ${String(movedTo)}. Until that is set, notices wait for up to a day.`,
        movedTo: String(movedTo),
      };
    }
    const message = TELEGRAM_REASONS.find(([reason]) => reason.test(description))?.[1]();
    return message === undefined ? undefined : { message };
  }
  const discord = DISCORD.safeParse(body);
  return discord.success && DISCORD_UNKNOWN.includes(discord.data.code)
    ? { message: l10n.t('Discord does not know this webhook. Create one in Discord, and set it here.') }
    : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
