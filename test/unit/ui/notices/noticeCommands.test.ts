import assert from 'node:assert/strict';
import type { OutsideNotice } from '../../../../src/ui/notices/noticeEvent';
import { noticeCommands } from '../../../../src/ui/notices/noticeCommands';
import { WebhookError } from '../../../../src/ui/notices/webhook/webhookSender';
import { StoredDetails } from '../../../../src/ui/notices/webhook/webhookDetails';
import { WebhookStore, type WebhookTarget } from '../../../../src/ui/notices/webhook/webhookTarget';
import { UserError } from '../../../../src/ui/shell/errors';
import { ScriptedPrompts, type ScriptedAnswer } from '../../../support/editor/scriptedPrompts';
import { MemorySecrets, MemoryState } from '../../../support/ui/memory';

function window(answers: readonly ScriptedAnswer[] = [], presses: Readonly<Record<string, string>> = {}) {
  const prompts = new ScriptedPrompts(answers, presses);
  const secrets = new MemorySecrets();
  const store = new WebhookStore(secrets, () => undefined);
  const details = new StoredDetails(new MemoryState());
  const state = { sent: [] as string[], shown: [] as string[], cleared: 0, isAvailable: false, failure: undefined as Error | undefined };
  const handlers = noticeCommands(() =>
    Promise.resolve({
      prompts,
      store,
      details,
      webhook: {
        sendNow: ({ preset }: WebhookTarget, { brief }: OutsideNotice) => {
          state.sent.push(`${preset}: ${brief}`);
          return state.failure === undefined ? Promise.resolve() : Promise.reject(state.failure);
        },
        changed: () => undefined,
      },
      clearOutbox: () => Promise.resolve(void (state.cleared += 1)),
      notifier: {
        get isAvailable() {
          return state.isAvailable;
        },
        show: (_, text) => Promise.resolve(state.shown.push(text) > 0),
      },
      settings: { isOn: () => true },
      nowMs: () => 0,
    }),
  );
  const run = () => handlers['binsight.webhookMenu'](undefined);
  return { prompts, secrets, store, details, state, run, told: () => prompts.notices.map(({ message }) => message) };
}

const TOKEN = `123456:${'A'.repeat(35)}`;

describe('The commands of notices', () => {
  it('Figures are sent only after the user chose so, until they choose otherwise', async () => {
    const { details, run } = window([{ pick: 'Send Figures' }, { pick: 'Send Pair and Event Only' }]);
    const shown = [details.value];
    await run();
    shown.push(details.value);
    await run();
    assert.deepEqual([...shown, details.value], ['pairAndEvent', 'figures', 'pairAndEvent']);
  });

  it('A Telegram bot is set up with its token and chat, and a test notice is offered', async () => {
    const answers: ScriptedAnswer[] = [
      { pick: 'Set Webhook' },
      { pick: 'Telegram' },
      { type: 'https://api.telegram.org' },
      { type: 'not a token' },
      { type: TOKEN },
      { type: '-1001234567890' },
    ];
    const { prompts, store, state, run, told } = window(answers, { 'Notices go to': 'Send Test Notice' });
    await run();
    prompts.assertDone();
    assert.deepEqual(await store.get(), { preset: 'telegram', address: 'https://api.telegram.org/', token: TOKEN, chat: '-1001234567890' });
    assert.deepEqual(state.sent, ['telegram: This is a test notice.']);
    assert.deepEqual(told(), ['Notices go to api.telegram.org (Telegram).', 'Test notice sent to api.telegram.org.']);
    assert.ok(prompts.refused.every((message) => !message.includes('not a token')));
  });

  it('Discord needs only its address, JSON an address and perhaps a token', async () => {
    const discord = `https://discord.com/api/webhooks/123456789/${'a'.repeat(68)}`;
    const first = window([{ pick: 'Set Webhook' }, { pick: 'Discord' }, { type: discord }]);
    await first.run();
    assert.deepEqual(await first.store.get(), { preset: 'discord', address: discord, token: '', chat: '' });
    assert.ok(!first.told().join('').includes('aaaa'));
    const second = window([
      { pick: 'Set Webhook' },
      { pick: 'JSON' },
      { type: 'http://example.org/' },
      { type: 'https://example.org/hook' },
      { type: '' },
    ]);
    await second.run();
    assert.equal((await second.store.get())?.address, 'https://example.org/hook');
    assert.equal(second.prompts.refused.length, 1);
  });

  it('Escape sets nothing', async () => {
    const { run, store, told } = window([{ pick: 'Set Webhook' }, { pick: 'Telegram' }, { type: 'https://api.telegram.org' }, 'escape']);
    await run();
    assert.deepEqual([await store.get(), told()], [undefined, []]);
  });

  it('A test notice that is not delivered says why, and one that could go nowhere says what to set', async () => {
    const { run, store, state } = window([{ pick: 'Send Test' }, { pick: 'Send Test' }]);
    await assert.rejects(run(), (error) => error instanceof UserError && error.remedies[0]?.command === 'binsight.webhookMenu');
    await store.set({ preset: 'json', address: 'https://example.org/', token: '', chat: '' });
    state.failure = new WebhookError('The webhook at example.org rejected the message (404).', false);
    await assert.rejects(run(), (error) => error instanceof UserError && error.message.includes('404'));
  });

  it('Without a webhook, a test notice goes to the system', async () => {
    const { run, state, told } = window([{ pick: 'Send Test' }]);
    state.isAvailable = true;
    await run();
    assert.deepEqual([state.shown, told()], [['This is a test notice.'], ['The system was asked to show it.']]);
  });

  it('Removing the webhook deletes its secret and what waits for it', async () => {
    const { run, store, secrets, state, told, prompts } = window([{ pick: 'Remove' }, 'escape']);
    await store.set({ preset: 'json', address: 'https://example.org/', token: 'x', chat: '' });
    await run();
    await run();
    assert.deepEqual([secrets.kept.size, state.cleared, told()], [0, 1, ['Webhook removed.']]);
    assert.deepEqual(prompts.asked.at(-1)?.shown, ['Set Webhook…', 'Send Figures, Too', 'Send Test Notice'], 'nothing is left to remove');
  });
});
