// Licenses of everything that is shipped and not ours: packages in the bundles (from esbuild's metafiles) and packages beside them.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import satisfies from 'spdx-satisfies';
import { packageFolderOf, unbundledPackages } from './metafiles.mjs';

/** Where the build writes the notices, in its folder. */
export const NOTICES_FILE = 'ThirdPartyNotices.txt';

/** Licenses that allow shipping the code inside a bundle, with the text of the license beside it. CC-BY-4.0 is for pictures and fonts. */
const ALLOWED = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-4.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Unlicense',
  'Zlib',
];

const TEXT_FILE = /^(licen[cs]e|copying|copyright|notices?)/i;

/**
 * What a person found out about a package that does not say it itself.
 * @typedef {object} Review
 * @property {string} package name
 * @property {string} [license] where the package declares none; of two that it offers, the one that is chosen
 * @property {string} [text] of licenseTexts/, where the package carries none
 * @property {string} [copyright] the statement of its authors
 * @property {string} [source] where license and copyright are stated
 * @property {string} [holds] what else is inside of it
 */

/**
 * A package that is shipped.
 * @typedef {object} Shipped
 * @property {string} name
 * @property {string} version
 * @property {string | undefined} license as declared, or as reviewed
 * @property {string | undefined} text
 * @property {string | undefined} holds
 */

/**
 * The shipped packages, by name and version.
 * @param {object} project
 * @param {string} project.root
 * @param {ReturnType<typeof import('./metafiles.mjs').readOutputs>} project.outputs
 * @param {readonly Review[]} project.reviews
 * @returns {{ packages: readonly Shipped[], problems: readonly string[] }}
 */
export function collectLicenses({ root, outputs, reviews }) {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const bundled = Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? (packageFolderOf(path) ?? []) : [])),
  );
  // The builds for other systems are shipped, too, though they are not installed here.
  const beside = unbundledPackages(outputs)
    .map((name) => `node_modules/${name}`)
    .flatMap((folder) => [folder, ...Object.keys(lock[folder].optionalDependencies ?? {}).map((name) => `node_modules/${name}`)]);
  const problems = [];
  const used = new Set();
  const shipped = new Map();
  for (const folder of new Set([...bundled, ...beside])) {
    const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const { version, license: declared } = existsSync(join(root, folder, 'package.json'))
      ? JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
      : lock[folder];
    const review = reviews.find((one) => one.package === name);
    if (review !== undefined) used.add(review);
    const own = ownTexts(join(root, folder));
    const reviewed = review?.text === undefined ? undefined : reviewedText(review);
    if (declared !== undefined && review?.license !== undefined && !declared.includes(review.license))
      problems.push(
        `${name} ${version} declares ${declared}, and was reviewed as ${review.license}. Review it again (test/host/bundles/reviewedLicenses.json).`,
      );
    shipped.set(`${name} ${version}`, { name, version, license: review?.license ?? declared, text: own ?? reviewed, holds: review?.holds });
  }
  const packages = [...shipped.values()].toSorted((a, b) => compare(a.name, b.name) || compare(a.version, b.version));
  problems.push(
    ...packages.flatMap(problemsOf),
    ...reviews
      .filter((one) => !used.has(one))
      .map((one) => `${one.package} is reviewed, but not shipped. Remove it from test/host/bundles/reviewedLicenses.json.`),
  );
  return { packages, problems };
}

function problemsOf({ name, version, license, text }) {
  const problems = [];
  if (license === undefined)
    problems.push(`${name} ${version} declares no license. Find out which it has, and name it in test/host/bundles/reviewedLicenses.json.`);
  else if (!isAllowed(license))
    problems.push(`${name} ${version} has the license ${license}, which test/host/bundles/licenses.mjs does not allow. Do not ship it.`);
  if (text === undefined)
    problems.push(
      `${name} ${version} carries no text of its license. Name text, copyright and source in test/host/bundles/reviewedLicenses.json.`,
    );
  return problems;
}

function isAllowed(license) {
  try {
    return satisfies(license, ALLOWED);
  } catch {
    // Not an SPDX expression, as "SEE LICENSE IN …".
    return false;
  }
}

function ownTexts(folder) {
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => TEXT_FILE.test(file)) : [];
  return files.length === 0
    ? undefined
    : files
        .toSorted(compare)
        .map((file) => plain(readFileSync(join(folder, file), 'utf8')))
        .join('\n\n');
}

function reviewedText({ text, copyright, source }) {
  const standard = plain(readFileSync(join(import.meta.dirname, 'licenseTexts', `${text}.txt`), 'utf8'));
  return `${copyright}\n(${source})\n\n${standard}`;
}

const plain = (text) =>
  text
    .replaceAll('\r\n', '\n')
    .replace(/[ \t]+$/gm, '')
    .replace(/^\n+|\n+$/g, '');
/** The same order on every machine. */
const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

/**
 * The notices that are shipped: a list of all packages, and each text once, below the packages that it belongs to.
 * @param {readonly Shipped[]} packages
 */
export function noticesOf(packages) {
  const lines = packages.map(
    ({ name, version, license, holds }) => `${name} ${version}: ${license}${holds === undefined ? '' : `. ${holds}`}`,
  );
  const byText = new Map();
  for (const one of packages) byText.set(one.text, [...(byText.get(one.text) ?? []), one]);
  const texts = [...byText].map(([text, those]) => `${those.map(({ name, version }) => `${name} ${version}`).join('\n')}\n\n${text}`);
  const rule = `\n\n${'-'.repeat(80)}\n\n`;
  return `${['Binsight contains the packages below. Their licenses follow.', ''].concat(lines).join('\n')}${rule}${texts.join(rule)}\n`;
}

/** @returns {readonly Review[]} */
export const readReviews = () => JSON.parse(readFileSync(join(import.meta.dirname, 'reviewedLicenses.json'), 'utf8'));
