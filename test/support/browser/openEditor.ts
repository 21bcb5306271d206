import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Editor, EditorOptions } from '../../host/browserEditor.mjs';
import { copyOfNewWorld } from '../sandbox/madeWorld';
import { notePageCoverage } from './pageCoverage';

/** Where `npm test` puts the packages that it makes (test/host/testParts.mjs). */
const PACKAGES = join('.vscode-test', 'packages');
/** The address of a panel's script ends so, whether the extension is linked or installed. */
const PANEL_SCRIPT = /\/dist\/webview\/(\w+\.js)$/;
/** Where the extension keeps the data of its sandbox in a profile. */
export const SANDBOX_FOLDER = ['User', 'globalStorage', 'binsight.binsight', 'sandbox'];

/** Opens VS Code in a Chromium (test/host/browserEditor.mjs) as a new user does: the extension makes the world of its sandbox. */
async function openNewEditor(options: EditorOptions): Promise<Editor> {
  // That script is not bundled: it finds its own files by where it lies.
  const script = pathToFileURL(join(process.cwd(), 'test', 'host', 'browserEditor.mjs')).href;
  const { openEditor: open } = (await import(script)) as { openEditor: (options: EditorOptions) => Promise<Editor> };
  const editor = await open(options);
  // The panels are frames of its page. Those of a package are the built ones, too.
  const writeCoverage = await notePageCoverage(editor.page, (url) => {
    const name = PANEL_SCRIPT.exec(url)?.[1];
    return name === undefined ? undefined : resolve('dist', 'webview', name);
  });
  const reload = editor.page.reload.bind(editor.page);
  editor.page.reload = async (reloading) => {
    await writeCoverage();
    return reload(reloading);
  };
  const stop = async (): Promise<void> => {
    try {
      await writeCoverage();
    } finally {
      await editor.stop();
    }
  };
  return { ...editor, stop };
}

/**
 * Opens VS Code with a package installed, and without the folder of the project.
 * @param target `own`: the package for this system; `universal`: the one for systems without LiteSVM
 */
export async function openInstalledEditor(target: 'own' | 'universal', options: EditorOptions): Promise<Editor> {
  const { name, version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly name: string; readonly version: string };
  const suffix = target === 'own' ? `-${process.platform}-${process.arch}` : '';
  return openNewEditor({ ...options, vsix: resolve(PACKAGES, `${name}-${version}${suffix}.vsix`) });
}

/** Opens VS Code with the folder of the project as its extension, on a world that is there already, which saves seconds. Without a profile the editor gets one that goes with it. */
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
