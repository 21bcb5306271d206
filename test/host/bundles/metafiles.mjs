import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';

/** What the build writes beside its output for every configuration: which files it made, and of what. */
export const METAFILE_ENDING = '.meta.json';

/** The kinds of imports that load code. */
const LOADS = ['import-statement', 'dynamic-import', 'require-call', 'require-resolve'];

/**
 * The outputs of a build, of all its metafiles. Paths are from the folder of the project.
 * @param {string} folder where the build went
 * @returns {Readonly<Record<string, import('esbuild').Metafile['outputs'][string]>>}
 */
export function readOutputs(folder) {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(METAFILE_ENDING)) : [];
  if (names.length === 0) throw new Error(`There is no build in ${folder}: run \`npm run build\`.`);
  return Object.assign({}, ...names.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')).outputs));
}

/**
 * The folder of the package that a file belongs to (`node_modules/a/node_modules/@b/c`); undefined for files of Binsight.
 * @param {string} path
 */
export const packageFolderOf = (path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0];

/**
 * The packages that outputs load at run time from node_modules, by name: they are shipped unbundled.
 * @param {ReturnType<typeof readOutputs>} outputs
 * @returns {readonly string[]}
 */
export function unbundledPackages(outputs) {
  const names = Object.values(outputs).flatMap(({ imports }) =>
    imports
      .filter(({ external, kind, path }) => external === true && LOADS.includes(kind) && path !== 'vscode' && !isBuiltin(path))
      .map(({ path }) => /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path),
  );
  return [...new Set(names)].toSorted();
}
