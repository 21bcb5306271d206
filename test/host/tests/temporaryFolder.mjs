import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * Gives each test of a suite a folder that is gone afterwards; call it within `describe`.
 * @returns {() => string} the folder of the running test
 */
export function useTemporaryFolder() {
  let folder;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'binsight-scripts-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  return () => folder;
}

/** Writes a file and the folders it lies in; what is no text is written as JSON. */
export function write(path, content = '') {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
}
