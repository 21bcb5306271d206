import { openPromise } from 'yauzl';

/**
 * A file in a VSIX.
 * @typedef {{ name: string, bytes: number, packedBytes: number }} VsixEntry
 */

/** What a VSIX may weigh. LiteSVM takes most of it (CONTRIBUTING.md). */
const MOST_BYTES = 8 * 1024 * 1024;
/** What may be in a VSIX, under `extension/`. */
const MEANT = [
  /^package(\.nls(\.[\w-]+)?)?\.json$/,
  /^(readme|changelog)\.md$/,
  /^LICENSE\.txt$/,
  /^dist\/(extension|sandbox|service|mcp)\.js$/,
  /^dist\/(ThirdPartyNotices|build)\.txt$/,
  /^dist\/chunks\/[\w-]+\.js$/,
  /^dist\/webview\/((pool|overview|position)\.(js|css)|codicon-\w+\.ttf)$/,
  /^dist\/node_modules\/node-sqlite3-wasm\/(package\.json|LICENSE|dist\/node-sqlite3-wasm\.(js|wasm))$/,
  /^media\/(icon\.png|binsight\.svg|panel-(dark|light)\.svg)$/,
  /^media\/walkthrough\/[\w-]+\.webp$/,
  /^media\/skills\/binsight\/SKILL\.md$/,
  /^media\/l10n\/bundle\.l10n\.[\w-]+\.json$/,
];
/** The same, for systems with LiteSVM only. */
const MEANT_OF_LITESVM =
  /^dist\/node_modules\/litesvm(\/(package\.json|dist\/internal\.js)|-[\w-]+\/(package\.json|litesvm\.[\w-]+\.node))$/;
/** What has to be in every VSIX. */
const NEEDED = [
  ...['package.json', 'package.nls.json', 'readme.md', 'changelog.md', 'LICENSE.txt', 'dist/ThirdPartyNotices.txt', 'dist/build.txt'],
  ...['extension', 'sandbox', 'service', 'mcp'].map((name) => `dist/${name}.js`),
  ...['pool', 'overview', 'position'].flatMap((name) => [`dist/webview/${name}.js`, `dist/webview/${name}.css`]),
  ...['node-sqlite3-wasm.js', 'node-sqlite3-wasm.wasm'].map((name) => `dist/node_modules/node-sqlite3-wasm/dist/${name}`),
];
const FOLDER = 'extension/';
/** What vsce adds. */
const ENVELOPE = ['[Content_Types].xml', 'extension.vsixmanifest'];

/**
 * Lists what is in a VSIX.
 * @param {string} path
 * @returns {Promise<readonly VsixEntry[]>}
 */
export async function readVsix(path) {
  const zip = await openPromise(path);
  const entries = [];
  for await (const { fileName, uncompressedSize, compressedSize } of zip.eachEntry()) {
    entries.push({ name: fileName, bytes: uncompressedSize, packedBytes: compressedSize });
  }
  return entries;
}

/**
 * Says what is wrong with the files of a VSIX: missing, not meant to be there, or too many bytes.
 * @param {readonly VsixEntry[]} entries
 * @param {import('./targets.mjs').Target} target
 * @param {number} bytes of the file
 * @returns {readonly string[]}
 */
export function problemsOfFiles(entries, { name: target, native }, bytes) {
  const files = entries.filter(({ name }) => !ENVELOPE.includes(name));
  const names = files.map(({ name }) => name.slice(FOLDER.length));
  const meant = native === undefined ? MEANT : [...MEANT, MEANT_OF_LITESVM];
  const needed = native === undefined ? NEEDED : [...NEEDED, 'dist/node_modules/litesvm/dist/internal.js'];
  const binaries = names.filter((name) => name.endsWith('.node'));
  return [
    ...files.filter(({ name }) => !name.startsWith(FOLDER)).map(({ name }) => `${name} is not in ${FOLDER}.`),
    ...needed.filter((name) => !names.includes(name)).map((name) => `${name} is missing.`),
    ...names.filter((name) => !meant.some((pattern) => pattern.test(name))).map((name) => `${name} is not meant to be in it.`),
    ...(native !== undefined && !(binaries.length === 1 && binaries[0]?.startsWith(`dist/node_modules/${native}/`))
      ? [`It has not exactly the native code of ${native}, but: ${binaries.join(', ') || 'none'}.`]
      : []),
    ...(bytes > MOST_BYTES ? [`The package for ${target} has ${bytes} bytes; ${MOST_BYTES} are allowed.`] : []),
  ];
}
