import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Editor } from '../host/browserEditor.mjs';
import { openEditor } from '../support/browser/openEditor';
import { sandboxOf } from '../support/browser/sandboxOf';
import { notification, Sidebar } from '../support/browser/sidebar';
import { PATIENCE_MS } from '../support/patience';

describe('Windows on one profile', function () {
  let profile: string;
  const editors: Editor[] = [];

  before(async () => {
    profile = await mkdtemp(join(tmpdir(), 'binsight-'));
  });

  after(async () => {
    await Promise.all(editors.splice(0).map((editor) => editor.stop()));
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  });

  async function open(): Promise<Editor> {
    const editor = await openEditor({ profile });
    editors.push(editor);
    await new Sidebar(editor.page).filled();
    return editor;
  }

  const sandboxPid = async () => (await sandboxOf(profile)).pid;

  it('Windows share one sandbox, which runs until the last one closes and restarts when it is killed', async () => {
    const first = await open();
    const pid = await sandboxPid();
    const second = await open();
    assert.equal(await sandboxPid(), pid);

    await first.stop();
    assert.equal(await sandboxPid(), pid);

    const told = notification(second.page, /Sandbox stopped and was restarted\. Its data was kept/);
    assert.equal(await told.count(), 0);
    process.kill(pid, 'SIGKILL');
    await told.waitFor({ timeout: PATIENCE_MS });
    assert.notEqual(await sandboxPid(), pid);

    await second.stop();
    await assert.rejects(sandboxPid(), { code: 'ENOENT' });
  });
});
