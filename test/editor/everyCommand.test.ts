import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Inspection } from '../../src/ui/services';
import type { CommandId } from '../../src/ui/shell/commands/registry';
import { COMMANDS } from '../../src/ui/shell/commands/registry';
import type { Answer, Notice, ProgressRequest, Prompts } from '../../src/ui/shell/prompts/prompts';
import { OTHER_OWNER } from '../support/portfolio/fixtures';
import { readExtension, setBaseUrl } from '../support/editor/inspect';

/** What changes the state at once, without a question. */
const CHANGES_THE_STATE: readonly CommandId[] = ['binsight.useSandbox', 'binsight.newSandboxWallet'];

/** Leaves every question, and dismisses every notification. */
class LeavingUser implements Prompts {
  readonly notices: string[] = [];

  pick<Value>(): Promise<Answer<Value>> {
    return Promise.resolve({ kind: 'cancelled' });
  }

  select<Value>(): Promise<Answer<readonly Value[]>> {
    return Promise.resolve({ kind: 'cancelled' });
  }

  input<Value>(): Promise<Answer<Value>> {
    return Promise.resolve({ kind: 'cancelled' });
  }

  acknowledge(): Promise<Answer<true>> {
    return Promise.resolve({ kind: 'cancelled' });
  }

  confirm(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  chooseFile(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  notify({ message }: Notice<string>): Promise<undefined> {
    this.notices.push(message);
    return Promise.resolve(undefined);
  }

  progress<Result>(
    _request: ProgressRequest,
    task: (report: (message: string) => void, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    return task(() => undefined, new AbortController().signal);
  }
}

/** Where nothing answers. */
const NOTHING_LISTENS = 'http://127.0.0.1:9';

describe('Every command', () => {
  let inspection: Inspection;
  const rejected: unknown[] = [];
  const note = (reason: unknown) => void rejected.push(reason);

  before(async () => {
    inspection = await readExtension();
    process.on('unhandledRejection', note);
  });

  after(async () => {
    process.off('unhandledRejection', note);
    await setBaseUrl('');
    await inspection.apiKeys.delete(NOTHING_LISTENS);
    await inspection.owners.remove(OTHER_OWNER);
    await readExtension();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  /** Runs all commands without a row, and leaves all that they ask. */
  async function runAll(): Promise<void> {
    for (const id of Object.keys(COMMANDS) as CommandId[]) {
      if (!CHANGES_THE_STATE.includes(id)) {
        const user = new LeavingUser();
        const before = inspection.prompts.use(user);
        try {
          await vscode.commands.executeCommand(id);
        } finally {
          inspection.prompts.use(before);
        }
        const unexpected = user.notices.filter((message) => /unexpected error/i.test(message));
        assert.deepEqual(unexpected, [], id);
      }
    }
    assert.deepEqual(rejected, []);
  }

  const STATES: Readonly<Record<string, () => Promise<void>>> = {
    'with everything': async () => undefined,
    'with a watch-only wallet that has nothing': () => inspection.owners.watch(OTHER_OWNER, inspection.connection.choice),
    'without an API key': () => setBaseUrl('https://service.invalid/open-api/v1'),
    'with an invalid service address': () => setBaseUrl('http://example.org/open-api/v1'),
    'with a service that does not answer': async () => {
      await inspection.apiKeys.set(NOTHING_LISTENS, 'any-key');
      await setBaseUrl(`${NOTHING_LISTENS}/open-api/v1`);
    },
  };

  for (const [name, prepare] of Object.entries(STATES)) {
    it(`Every command ends without an unexpected error ${name}, if all questions are left`, async () => {
      await prepare();
      await runAll();
    });
  }
});
