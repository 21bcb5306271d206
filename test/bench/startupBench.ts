// The output of `npm run bench -- startup`. Figures depend on this machine and its load; nothing is asserted.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox } from '../support/sandbox/process';
import { reportRow } from '../host/benchRows.mjs';
import { milliseconds } from './figures';

interface Output {
  readonly imports: readonly { readonly path: string; readonly kind: string; readonly external?: boolean }[];
  readonly bytes: number;
}

/** Bytes of the entry file and everything that it imports statically. */
function bytesAtActivation(): number {
  const { outputs } = JSON.parse(readFileSync('dist/extension.meta.json', 'utf8')) as { outputs: Readonly<Record<string, Output>> };
  const loaded = new Set<string>();
  const load = (path: string): void => {
    if (!loaded.has(path)) {
      loaded.add(path);
      outputs[path]?.imports
        .filter(({ kind, external }) => kind === 'import-statement' && external !== true)
        .forEach((next) => load(next.path));
    }
  };
  load('dist/extension.js');
  return [...loaded].reduce((sum, path) => sum + (outputs[path]?.bytes ?? 0), 0);
}

/** Milliseconds from spawning the sandbox to its ready line: in a new folder, then again in the same one. */
async function startTimes(): Promise<readonly [number, number]> {
  const data = mkdtempSync(join(tmpdir(), 'binsight-bench-'));
  try {
    const start = async (): Promise<number> => {
      const from = performance.now();
      const sandbox = await startSandbox({ data });
      const ms = performance.now() - from;
      await sandbox.stop();
      return ms;
    };
    return [await start(), await start()];
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}

reportRow({
  what: 'code loaded at activation',
  result: `${(bytesAtActivation() / 1000).toFixed(1)} kB`,
  how: 'dist/extension.js with its static imports, by the metafile of the build',
});
const [first, again] = await startTimes();
reportRow({
  what: 'sandbox from its start to its ready line, new folder',
  beside: `the same folder again: ${milliseconds(again)}`,
  result: milliseconds(first),
  how: 'one start each, of a process',
});
