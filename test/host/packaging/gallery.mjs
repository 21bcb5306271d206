import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Of the Marketplace: it shows no extension with more. */
const MOST_KEYWORDS = 30;
/** Of the Marketplace, of which some are of no use here. */
const CATEGORIES = ['Visualization', 'Other', 'AI', 'Data Science', 'Education', 'Chat', 'Testing', 'Machine Learning'];
/** Of Open VSX for names of publishers and extensions. */
const NAME = /^[a-z0-9][\w-]*$/i;
/** What the Marketplace takes: three numbers. */
const VERSION = /^\d+\.\d+\.\d+$/;
/** Of Open VSX: a license that it knows, or a file with one. */
const LICENSE = 'MIT';

/**
 * Says what the Marketplace or Open VSX would refuse, or show badly, about an extension.
 * @param {Record<string, any>} manifest as it is in the package
 * @param {Record<string, string>} texts of package.nls.json
 * @param {string} folder with the files that the manifest names
 * @returns {readonly string[]}
 */
export function problemsOfManifest(manifest, texts, folder) {
  const { publisher, name, version, license, icon, keywords = [], categories = [], galleryBanner = {}, engines } = manifest;
  const said = (text) => (/^%(.+)%$/.test(text) ? texts[text.slice(1, -1)] : text);
  const is = (pattern, value) => typeof value === 'string' && pattern.test(value);
  const problems = [];
  const expect = (isRight, problem) => (isRight ? undefined : problems.push(problem));
  expect(is(NAME, publisher) && is(NAME, name), 'Publisher and name are letters, digits and hyphens.');
  expect(is(VERSION, version), 'The version is three numbers.');
  expect(license === LICENSE && existsSync(join(folder, 'LICENSE')), 'Open VSX needs the license in the manifest, and its text.');
  expect(said(manifest.displayName)?.trim(), 'The display name is missing.');
  expect(said(manifest.description)?.trim(), 'The description is missing.');
  expect(is(/^media\/[\w-]+\.png$/, icon) && existsSync(join(folder, icon)), 'The icon is a PNG file in the package.');
  expect(keywords.length > 0 && keywords.length <= MOST_KEYWORDS, `There are 1 to ${MOST_KEYWORDS} keywords.`);
  expect(new Set(keywords).size === keywords.length, 'A keyword is there twice.');
  expect(categories.length > 0 && categories.every((category) => CATEGORIES.includes(category)), 'A category is not of the Marketplace.');
  expect(
    is(/^#[0-9a-f]{6}$/i, galleryBanner.color) && ['dark', 'light'].includes(galleryBanner.theme),
    'The banner has no color or theme.',
  );
  expect(manifest.pricing === 'Free', 'The pricing is Free.');
  expect(manifest.qna === false || is(/^https:/, manifest.qna), 'Questions and answers need an address, or are off.');
  expect(manifest.enabledApiProposals === undefined, 'Neither gallery takes proposed API.');
  expect(manifest.badges === undefined && manifest.sponsor === undefined, 'There are no badges and no sponsor.');
  expect(is(/^\^\d+\.\d+\.\d+$/, engines?.vscode), 'The version of VS Code is a range from one version up.');
  return problems;
}
