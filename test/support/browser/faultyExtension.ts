import { cp, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** What the package leaves out of the folder of the extension. */
const NOT_COPIED = /\.map$|\.meta\.json$|[\\/]dist[\\/]test([\\/]|$)/;

/** Puts the secret storage of VS Code behind a keyring: calls wait while there is a file `keyring-asks` beside this one. */
const ENTRY = `import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import * as extension from './dist/extension.js';
const asks = new URL('keyring-asks', import.meta.url);
const answered = async () => { while (existsSync(asks)) await setTimeout(50); };
export function activate(context) {
  const { secrets } = context;
  const behindKeyring = {
    onDidChange: secrets.onDidChange,
    get: async (name) => { await answered(); return secrets.get(name); },
    store: async (name, value) => { await answered(); return secrets.store(name, value); },
    delete: async (name) => { await answered(); return secrets.delete(name); },
  };
  return extension.activate(Object.create(context, { secrets: { value: behindKeyring } }));
}
`;

/** The built extension in a folder of its own, whose keyring can ask for its password and whose files can be taken away under a running window. */
export class FaultyExtension {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async make(): Promise<FaultyExtension> {
    const folder = await mkdtemp(join(tmpdir(), 'binsight-extension-'));
    for (const name of ['dist', 'media']) {
      await cp(name, join(folder, name), { recursive: true, filter: (source) => !NOT_COPIED.test(source) });
    }
    const manifest = JSON.parse(await readFile('package.json', 'utf8')) as Record<string, unknown>;
    await writeFile(join(folder, 'package.json'), JSON.stringify({ ...manifest, main: './entry.js' }));
    await cp('package.nls.json', join(folder, 'package.nls.json'));
    await symlink(resolve('node_modules'), join(folder, 'node_modules'), 'dir');
    await writeFile(join(folder, 'entry.js'), ENTRY);
    return new FaultyExtension(folder);
  }

  /** The keyring asks for its password, which nobody enters. */
  async lockKeyring(): Promise<void> {
    await writeFile(join(this.folder, 'keyring-asks'), '');
  }

  async unlockKeyring(): Promise<void> {
    await rm(join(this.folder, 'keyring-asks'));
  }

  /** As an update does: first the files are gone. */
  async takeFilesAway(): Promise<void> {
    await rename(join(this.folder, 'dist'), join(this.folder, 'taken'));
  }

  async bringFilesBack(): Promise<void> {
    await rename(join(this.folder, 'taken'), join(this.folder, 'dist'));
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
