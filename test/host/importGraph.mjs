import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import { projectRoot } from './paths.mjs';

/** The programs that tests start as processes, which no import shows: a file of the tests that names the one needs the other. */
const PROGRAMS = [
  ['sandbox.js', 'src/sandbox/main.ts'],
  ['service.js', 'src/chain/main.ts'],
  ['review.js', 'src/cli/review.ts'],
  ['insight.js', 'src/cli/insight.ts'],
  ['mcp.js', 'src/mcp/main.ts'],
  ['extension.js', 'src/extension.ts'],
  ['worker.js', 'test/support/sandbox/shared/worker.ts'],
];

/** Kinds of tests that esbuild builds. */
const KINDS = ['unit', 'sandbox', 'chain', 'editor', 'settings', 'browser'];

/**
 * What imports what, by paths within the project. Imports of types alone are left out: the type check sees to them.
 * @typedef {object} ImportGraph
 * @property {readonly string[]} tests all files of tests
 * @property {Map<string, Set<string>>} importers the files that import a file
 */

/** Reads the imports of everything that tests run. @returns {Promise<ImportGraph>} */
export async function readImportGraph() {
  // After a clone it is installed first.
  const { build } = await import('esbuild');
  const tests = KINDS.flatMap((kind) => filesIn(join('test', kind))).filter((file) => file.endsWith('.test.ts'));
  const programs = PROGRAMS.map(([, main]) => main);
  const panels = ['pool', 'overview', 'position'].map((panel) => `webview/${panel}/main.ts`);
  const { metafile } = await build({
    absWorkingDir: projectRoot,
    entryPoints: [...tests, ...programs, ...panels].filter((file) => existsSync(join(projectRoot, file))),
    ...{ bundle: true, write: false, metafile: true, logLevel: 'silent', outdir: 'out' },
    ...{
      format: 'esm',
      splitting: true,
      platform: 'node',
      packages: 'external',
      loader: { '.ttf': 'empty', '.css': 'empty', '.html': 'empty' },
    },
  });
  const importers = new Map();
  const add = (file, importer) => {
    if (!importers.has(file)) importers.set(file, new Set());
    importers.get(file).add(importer);
  };
  for (const [file, { imports }] of Object.entries(metafile.inputs)) {
    for (const { path, external } of imports) if (!external) add(path, file);
    if (!file.startsWith('test/')) continue;
    const text = readFileSync(join(projectRoot, file), 'utf8');
    for (const [name, main] of PROGRAMS) if (new RegExp(`['"\`/]${name}['"\`]`).test(text)) add(main, file);
  }
  return { tests, importers };
}

/**
 * Returns the tests that a change of these files can affect, the nearest first, with the number of imports between them.
 * @param {ImportGraph} graph
 * @param {readonly string[]} changed paths within the project
 * @param {(test: string) => string} [textOf]
 * @returns {Map<string, number>}
 */
export function affectedTests({ tests, importers }, changed, textOf = (test) => readFileSync(join(projectRoot, test), 'utf8')) {
  const distances = new Map(changed.map((file) => [file, 0]));
  // Files that are read, not imported: a test that names one, or that reads the whole folder that it is in.
  for (const test of tests) {
    const text = textOf(test);
    const reads = (file) =>
      (!/\.(?:ts|mjs|css)$/.test(file) && text.includes(basename(file))) ||
      (text.includes('readdirSync(') && text.includes(`'${file.split('/')[0]}'`));
    if (!distances.has(test) && changed.some(reads)) distances.set(test, 1);
  }
  // A map hands on what is added while it is walked through: in the order of their distances, but for those above.
  for (const [file, distance] of distances) {
    for (const importer of importers.get(file) ?? []) if (!distances.has(importer)) distances.set(importer, distance + 1);
  }
  const isTest = new Set(tests);
  return new Map([...distances].filter(([file]) => isTest.has(file)).sort(([, one], [, other]) => one - other));
}

/** The files in a folder and those below it, by their paths within the project. */
export function filesIn(folder) {
  return readdirSync(join(projectRoot, folder), { recursive: true })
    .map((name) => join(folder, String(name)).split(sep).join('/'))
    .sort();
}
