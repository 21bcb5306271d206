import { existsSync, lstatSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Makes a folder of extensions with the project in it, as VS Code would have installed it: a link, and an entry in the list
 * that VS Code reads. A link, so that removing the extension in the window removes the link and not the project.
 * @param {string} folder
 * @param {string} extension the folder of the extension
 */
export function linkExtension(folder, extension) {
  const { publisher, name, version } = JSON.parse(readFileSync(join(extension, 'package.json'), 'utf8'));
  const id = `${publisher}.${name}`;
  mkdirSync(folder, { recursive: true });
  for (const entry of readdirSync(folder)) {
    if (entry.startsWith(`${id}-`) && lstatSync(join(folder, entry)).isSymbolicLink()) unlinkSync(join(folder, entry));
  }
  const link = join(folder, `${id}-${version}`);
  symlinkSync(extension, link, 'dir');

  const list = join(folder, 'extensions.json');
  const others = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')).filter(({ identifier }) => identifier.id !== id) : [];
  const entry = {
    identifier: { id },
    version,
    location: { $mid: 1, path: pathToFileURL(link).pathname, scheme: 'file' },
    relativeLocation: `${id}-${version}`,
  };
  writeFileSync(list, JSON.stringify([...others, entry]));
  // What VS Code marked for removal at its next start.
  rmSync(join(folder, '.obsolete'), { force: true });
}
