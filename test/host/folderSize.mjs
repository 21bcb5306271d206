import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Gives the bytes of all files in a folder, as far as they are there yet: another process may be filling the folder.
 * @param {string} folder
 * @returns {Promise<number>}
 */
export async function folderSize(folder) {
  let bytes = 0;
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) bytes += await folderSize(path);
    else if (entry.isFile())
      bytes += await stat(path).then(
        ({ size }) => size,
        () => 0,
      );
  }
  return bytes;
}

/** Writes bytes as whole megabytes, without the unit. */
export function megabytes(bytes) {
  return String(Math.round(bytes / 1e6));
}
