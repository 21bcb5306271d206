import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectRoot } from '../paths.mjs';

const MOST_README_LINES = 199;
const read = (name) => readFileSync(join(projectRoot, name), 'utf8');
const manifest = JSON.parse(read('package.json'));
const texts = JSON.parse(read('package.nls.json'));

/** All Markdown files of the project, by their path in it. */
const documents = ['.', '.github', 'docs', 'media', 'src', 'test', 'webview']
  .filter((folder) => existsSync(join(projectRoot, folder)))
  .flatMap((folder) => readdirSync(join(projectRoot, folder), { recursive: folder !== '.' }).map((name) => join(folder, String(name))))
  .filter((name) => name.endsWith('.md') && !name.includes('node_modules'));

/** The text without fenced code, in which nothing is a link or a heading. */
const prose = (name) => read(name).replace(/^```.*?^```/gms, '');

/** The anchors of a document's headings, as GitHub makes them. */
function anchorsOf(name) {
  const anchors = [...prose(name).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) =>
    heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-'),
  );
  // A heading that repeats gets a number.
  return new Set(
    anchors
      .map((anchor, index) => [anchor, anchors.slice(0, index).filter((other) => other === anchor).length])
      .map(([anchor, before]) => (before === 0 ? anchor : `${anchor}-${before}`)),
  );
}

/** What all documents say by a pattern, as "file: match". */
const found = (pattern) =>
  documents.flatMap((name) => [...read(name).matchAll(pattern)].map(([, match]) => ({ name, match: match.trim() })));

describe('documents', () => {
  it('The README stays below 200 lines', () => {
    const lines = read('README.md').trimEnd().split('\n').length;
    assert.ok(lines <= MOST_README_LINES, `it has ${lines}`);
  });

  it('Every relative link in a document leads to a file that exists, and to a heading in it', () => {
    const links = documents.flatMap((name) =>
      [
        ...[...prose(name).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target),
        ...[...prose(name).matchAll(/\b(?:src|srcset|href)="([^"]+)"/g)].map(([, target]) => target),
      ]
        .filter((target) => !/^[a-z]+:/.test(target))
        .map((target) => ({ name, target })),
    );
    assert.ok(links.length > 20, `only ${links.length} links were found`);
    const broken = links.filter(({ name, target }) => {
      const [path, anchor] = target.split('#');
      const file = path === '' ? name : join(dirname(name), path);
      if (!existsSync(join(projectRoot, file))) return true;
      return anchor !== undefined && !(file.endsWith('.md') && anchorsOf(file).has(anchor));
    });
    assert.deepEqual(broken, []);
  });

  it('Every file of the project that a document names exists', () => {
    // Names in capitals stand for a choice; what begins with a dot is made by a script, and packages are installed by one.
    const named = found(/`((?:docs|src|test|webview|media)\/[\w./-]*\w)`/g).filter(
      ({ match }) => !/\/(?:NAME|PANEL|\.|node_modules)/.test(match),
    );
    assert.ok(named.length > 20);
    assert.deepEqual(
      named.filter(({ match }) => !existsSync(join(projectRoot, match))),
      [],
    );
  });

  it('Every setting that a document names exists', () => {
    const ids = manifest.contributes.configuration.flatMap(({ properties }) => Object.keys(properties));
    const named = found(/`(binsight\.[\w.*]+)`/g).filter(({ name }) => name !== 'CHANGELOG.md');
    assert.ok(named.length > ids.length);
    assert.deepEqual(
      named.filter(({ match }) => !ids.some((id) => (match.endsWith('*') ? id.startsWith(match.slice(0, -1)) : id === match))),
      [],
    );
  });

  it('Every command that a document names after "Binsight:" exists', () => {
    const titles = new Set(manifest.contributes.commands.map(({ title }) => texts[title.slice(1, -1)]));
    const named = found(/\*Binsight: ([^*]+)\*/g);
    assert.ok(named.length > 0);
    assert.deepEqual(
      named.filter(({ match }) => !titles.has(match)),
      [],
    );
  });

  it('Every npm script that a document names exists', () => {
    const named = found(/npm (?:run )?(?:--silent )?((?:start|test)\b|(?<=run (?:--silent )?)[\w:-]+)/g);
    assert.ok(named.length > 10);
    assert.deepEqual(
      named.filter(({ match }) => !(match in manifest.scripts)),
      [],
    );
  });

  it('The newest version in the changelog is that of the package, and versions and dates are in order', () => {
    const versions = [...read('CHANGELOG.md').matchAll(/^## \[?(\d+\.\d+\.\d+)\]? - (\d{4}-\d{2}-\d{2})$/gm)];
    assert.equal(versions[0]?.[1], manifest.version);
    assert.equal(JSON.parse(read('package-lock.json')).version, manifest.version);
    const dates = versions.map(([, , date]) => date);
    assert.ok(
      dates.every((date, index) => index === 0 || date <= dates[index - 1]),
      `not in order: ${dates}`,
    );
  });
});
