import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Editor, EditorOptions } from '../../host/browserEditor.mjs';
import { copyOfNewWorld } from '../sandbox/madeWorld';

/** Where the extension keeps the data of its sandbox in a profile. */
const SANDBOX_FOLDER = ['User', 'globalStorage', 'binsight.binsight', 'sandbox'];

/** Opens VS Code in a Chromium (test/host/browserEditor.mjs), as a new user does: the extension makes the world of its sandbox. */
export async function openNewEditor(options: EditorOptions): Promise<Editor> {
  // That script is not bundled: it finds its own files by where it lies.
  const script = pathToFileURL(join(process.cwd(), 'test', 'host', 'browserEditor.mjs')).href;
  const { openEditor: open } = (await import(script)) as { openEditor: (options: EditorOptions) => Promise<Editor> };
  return open(options);
}

/** The same, on a world that is there already, which saves seconds. Without a profile the editor gets one that goes with it. */
export async function openEditor(options: EditorOptions): Promise<Editor> {
  const profile = options.profile ?? (await mkdtemp(join(tmpdir(), 'binsight-')));
  const sandbox = join(profile, ...SANDBOX_FOLDER);
  if (!existsSync(sandbox)) {
    // Of the seed that the extension uses.
    const world = await copyOfNewWorld();
    await cp(world, sandbox, { recursive: true });
    await rm(world, { recursive: true, force: true });
  }
  const editor = await openNewEditor({ ...options, profile });
  const stop = async (): Promise<void> => {
    await editor.stop();
    if (options.profile === undefined) {
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    }
  };
  return { ...editor, stop };
}
