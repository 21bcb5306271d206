import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A place in a built file, as a stack has it; mocha takes the current folder away. */
const PLACE = /((?:file:\/\/)?[^\s()]+\.js):(\d+):(\d+)/g;
/** By the built file; `undefined` where there is none. @type {Map<string, SourceMap | undefined>} */
const maps = new Map();

function mapOf(file) {
  if (!maps.has(file)) {
    let map;
    try {
      map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')));
    } catch {
      // Not built from anything.
    }
    maps.set(file, map);
  }
  return maps.get(file);
}

/**
 * Says of a stack where its places are in the sources. Node's `--enable-source-maps` would do the same for every error that is made, of which most are expected,
 * and read the maps of everything that is loaded.
 * @param {string} stack
 */
export function sourcePlaces(stack) {
  return stack.replaceAll(PLACE, (place, path, line, column) => {
    const file = path.startsWith('file:') ? fileURLToPath(path) : resolve(path);
    const entry = mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (entry?.originalSource === undefined) return place;
    const source = relative('', resolve(dirname(file), entry.originalSource));
    return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  });
}
