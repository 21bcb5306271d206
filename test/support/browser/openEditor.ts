import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Editor, EditorOptions } from '../../host/browserEditor.mjs';

/** Opens VS Code in a Chromium (test/host/browserEditor.mjs). That script is not bundled: it finds its own files by where it lies. */
export async function openEditor(options: EditorOptions): Promise<Editor> {
  const script = pathToFileURL(join(process.cwd(), 'test', 'host', 'browserEditor.mjs')).href;
  const { openEditor: open } = (await import(script)) as { openEditor: (options: EditorOptions) => Promise<Editor> };
  return open(options);
}
