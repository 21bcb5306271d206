import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { PickRequest, Reading } from '../../src/ui/shell/prompts/prompts';
import { steadyClock } from '../../src/base/async/clock';
import { WindowPrompts } from '../../src/ui/shell/prompts/windowPrompts';
import { readExtension } from '../support/editor/inspect';

/** What a key press does in a quick input. */
const KEY = {
  enter: 'workbench.action.acceptSelectedQuickOpenItem',
  escape: 'workbench.action.closeQuickOpen',
  down: 'workbench.action.quickOpenSelectNext',
  back: 'workbench.action.quickInputBack',
} as const;

async function press(...keys: readonly (keyof typeof KEY)[]): Promise<void> {
  for (const key of keys) {
    await vscode.commands.executeCommand(KEY[key]);
  }
}

describe('Prompts in a window', () => {
  const prompts = new WindowPrompts(() => Promise.reject(new Error('No operation is told of')), steadyClock);
  const fruit: PickRequest<string> = {
    title: 'Fruit',
    placeholder: 'Which?',
    items: [
      { label: 'Apple', value: 'a' },
      { label: 'Pear', value: 'p', heading: 'Others' },
      { label: 'Plum', value: 'u' },
    ],
  };
  const even = (text: string): Reading<number> =>
    Number(text) % 2 === 0 ? { ok: true, value: Number(text), note: 'even' } : { ok: false, message: 'It has to be even.' };

  before(async () => {
    await readExtension();
  });

  it('A pick returns the highlighted entry, which is the current one at first', async () => {
    const first = prompts.pick(fruit);
    await press('enter');
    assert.deepEqual(await first, { kind: 'value', value: 'a' });
    const current = prompts.pick({ ...fruit, isCurrent: (value) => value === 'p' });
    await press('enter');
    assert.deepEqual(await current, { kind: 'value', value: 'p' });
    const next = prompts.pick({ ...fruit, isCurrent: (value) => value === 'p' });
    await press('down', 'enter');
    assert.deepEqual(await next, { kind: 'value', value: 'u' });
  });

  it('A prompt returns a cancellation on Escape', async () => {
    const pick = prompts.pick(fruit);
    await press('escape');
    assert.deepEqual(await pick, { kind: 'cancelled' });
    const input = prompts.input({ title: 'Number', prompt: 'An even one', initial: '2', read: even });
    await press('escape');
    assert.deepEqual(await input, { kind: 'cancelled' });
  });

  it('A prompt goes back only if there is a previous step', async () => {
    const second = prompts.pick({ ...fruit, place: { step: 2, of: 3, canGoBack: true } });
    await press('back');
    assert.deepEqual(await second, { kind: 'back' });
    const first = prompts.pick({ ...fruit, place: { step: 1, of: 3, canGoBack: false } });
    await press('back', 'enter');
    assert.deepEqual(await first, { kind: 'value', value: 'a' });
  });

  it('An input accepts readable text and stays open for unreadable text', async () => {
    const right = prompts.input({ title: 'Number', prompt: 'An even one', initial: '4', read: even });
    await press('enter');
    assert.deepEqual(await right, { kind: 'value', value: 4 });
    const wrong = prompts.input({ title: 'Number', prompt: 'An even one', initial: '5', read: even });
    await press('enter', 'enter', 'escape');
    assert.deepEqual(await wrong, { kind: 'cancelled' });
  });

  it('A question cancelled elsewhere is withdrawn, both before it is shown and while it is open', async () => {
    const question = { title: 'Passphrase', prompt: 'The passphrase', initial: '4', secret: true, problem: 'That was wrong.', read: even };
    assert.deepEqual(await prompts.input({ ...question, cancelled: AbortSignal.abort() }), { kind: 'cancelled' });
    const controller = new AbortController();
    const open = prompts.input({ ...question, cancelled: controller.signal });
    controller.abort();
    assert.deepEqual(await open, { kind: 'cancelled' });
    const answered = prompts.input({ ...question, cancelled: new AbortController().signal });
    await press('enter');
    assert.deepEqual(await answered, { kind: 'value', value: 4 });
  });

  it('Findings are accepted only when every one of them is ticked', async () => {
    const entries = [
      { label: 'One', detail: 'Rule 1' },
      { label: 'Two', detail: 'Rule 2' },
    ];
    const untouched = prompts.acknowledge({ title: 'Findings', placeholder: 'Tick them', entries });
    await press('enter', 'escape');
    assert.deepEqual(await untouched, { kind: 'cancelled' });
  });

  it('A task with progress is cancelled only when the user cancels it', async () => {
    const aborted = await prompts.progress({ title: 'Working', cancellable: true }, (report, signal) => {
      report('half done');
      return Promise.resolve(signal.aborted);
    });
    assert.equal(aborted, false);
    await assert.rejects(
      prompts.progress({ title: 'Working', cancellable: false }, () => Promise.reject(new Error('broken'))),
      /broken/,
    );
  });
});
