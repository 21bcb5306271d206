// Sizes of everything that is built, and of what is shipped beside it, against the sizes that were accepted last (sizes.json).
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { packageFolderOf, unbundledPackages } from './metafiles.mjs';

/** A budget is the accepted size and this share of it. */
const HEADROOM = 0.02;
/** Parts of a bundle below this many bytes are not written down: they explain no growth. */
const SMALL_PART = 1_000;
/** How many parts a message names. */
const PARTS_NAMED = 3;
const SHIPPED_FILE = /\.(js|css|ttf|wasm|node)$/;

/**
 * How large something is, and what of it is of which module or package.
 * @typedef {{ bytes: number, parts?: Readonly<Record<string, number>> }} Size
 */

/**
 * The size of each entry, of each chunk that is loaded later, and of each style sheet and font, with all that it loads at once; of each
 * package beside the bundles; and of all together.
 * @param {string} root the folder of the project
 * @param {ReturnType<typeof import('./metafiles.mjs').readOutputs>} outputs
 * @returns {Readonly<Record<string, Size>>}
 */
export function measure(root, outputs) {
  const built = Object.fromEntries(Object.entries(outputs).filter(([path]) => !path.endsWith('.map')));
  const atOnce = ({ imports }) => imports.filter(({ kind, external }) => kind === 'import-statement' && external !== true);
  const loadedByOthers = new Set(Object.values(built).flatMap((output) => atOnce(output).map(({ path }) => path)));
  const sizes = {};
  for (const path of Object.keys(built)) {
    if (loadedByOthers.has(path)) continue;
    const loaded = new Set();
    const load = (one) => {
      if (loaded.has(one)) return;
      loaded.add(one);
      atOnce(built[one]).forEach((next) => load(next.path));
    };
    load(path);
    const name = path.replace(/-[A-Z0-9]{8}(?=\.\w+$)/, '');
    if (name in sizes) throw new Error(`Two bundles are called ${name}.`);
    sizes[name] = sizeOf([...loaded].map((one) => built[one]));
  }
  for (const name of unbundledPackages(outputs)) Object.assign(sizes, sizesOfPackage(root, name));
  const all = Object.values(built).reduce((sum, { bytes }) => sum + bytes, 0);
  return { ...sizes, 'all bundles': { bytes: all } };
}

function sizeOf(outputs) {
  const parts = {};
  for (const { inputs } of outputs) {
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) parts[partOf(path)] = (parts[partOf(path)] ?? 0) + bytesInOutput;
  }
  const large = Object.entries(parts).filter(([, bytes]) => bytes >= SMALL_PART);
  return { bytes: outputs.reduce((sum, { bytes }) => sum + bytes, 0), parts: Object.fromEntries(large.toSorted(([, a], [, b]) => b - a)) };
}

/** Of our files the module (`src/review`, `webview/pool`), of others the package. */
const partOf = (path) => packageFolderOf(path)?.replace(/^(.*\/)?node_modules\//, '') ?? path.split('/').slice(0, 2).join('/');

/** A package that is loaded from node_modules, and of those for one system each the one that is installed. */
function sizesOfPackage(root, name) {
  const folders = readdirSync(join(root, 'node_modules')).filter((folder) => folder === name || folder.startsWith(`${name}-`));
  return Object.fromEntries(
    folders.map((folder) => {
      const path = join(root, 'node_modules', folder);
      const files = readdirSync(path, { recursive: true }).map(String);
      const shipped = files.filter((file) => SHIPPED_FILE.test(file) && !file.split(/[\\/]/).includes('node_modules'));
      return [`node_modules/${folder}`, { bytes: shipped.reduce((sum, file) => sum + statSync(join(path, file)).size, 0) }];
    }),
  );
}

/**
 * What is above its budget, has none, or was built without a metafile.
 * @param {Readonly<Record<string, Size>>} sizes
 * @param {Readonly<Record<string, Size>>} accepted
 * @returns {readonly string[]}
 */
export function sizeProblems(sizes, accepted) {
  const problems = [];
  for (const [name, { bytes, parts = {} }] of Object.entries(sizes)) {
    const budget = accepted[name] && Math.floor(accepted[name].bytes * (1 + HEADROOM));
    if (budget === undefined) problems.push(`${name} (${text(bytes)} bytes) has no budget.`);
    else if (bytes > budget) {
      problems.push(
        `${name} has ${text(bytes)} bytes, ${text(bytes - budget)} more than its budget. ${growth(parts, accepted[name].parts ?? {})}`,
      );
    }
  }
  // Of packages for one system each, the others are not installed.
  const gone = Object.keys(accepted).filter((name) => !(name in sizes) && !name.startsWith('node_modules/'));
  problems.push(...gone.map((name) => `${name} has a budget, but is not built.`));
  return problems;
}

function growth(parts, before) {
  const grown = Object.entries(parts)
    .map(([part, bytes]) => [part, bytes - (before[part] ?? 0)])
    .filter(([, more]) => more > 0)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, PARTS_NAMED);
  return grown.length === 0 ? '' : `Grown since it was accepted: ${grown.map(([part, more]) => `${part} by ${text(more)}`).join(', ')}.`;
}

const text = (bytes) => bytes.toLocaleString('en-US');

/**
 * Files in the output that no metafile knows: no check would notice how they grow.
 * @param {string} folder of the build
 * @param {ReturnType<typeof import('./metafiles.mjs').readOutputs>} outputs
 */
export function unmeasured(folder, outputs) {
  const known = new Set(Object.keys(outputs).map((path) => basename(path)));
  return ['', 'chunks', 'webview']
    .map((inside) => join(folder, inside))
    .filter((inside) => existsSync(inside))
    .flatMap((inside) => readdirSync(inside).filter((name) => SHIPPED_FILE.test(name) && !known.has(name)));
}
