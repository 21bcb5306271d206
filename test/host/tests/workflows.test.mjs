import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT, TOOLS } from '../install.mjs';
import { projectRoot } from '../paths.mjs';

const GITHUB = join(projectRoot, '.github');
/** The runtimes that GitHub's runners have. */
const RUNTIMES = ['node24'];
const pinned = JSON.parse(readFileSync(join(GITHUB, 'actions.json'), 'utf8'));
const workflows = readdirSync(join(GITHUB, 'workflows')).map((name) => ({
  name,
  text: readFileSync(join(GITHUB, 'workflows', name), 'utf8'),
}));

describe('The workflows', () => {
  const used = workflows.flatMap(({ name, text }) =>
    [...text.matchAll(/^\s*(?:- )?uses: (.+)$/gm)].map(([, action]) => ({ name, action })),
  );

  it('Each action is the commit, the version and the name that the list has', () => {
    assert.ok(used.length > 10, `only ${used.length} uses were found`);
    const listed = new Set(Object.entries(pinned).map(([action, { commit, version }]) => `${action}@${commit} # ${version}`));
    assert.deepEqual(
      used.filter(({ action }) => !listed.has(action)),
      [],
    );
    assert.deepEqual(
      [...listed].filter((pin) => used.every(({ action }) => action !== pin)),
      [],
      'listed, but not used',
    );
  });

  it('Each action runs on a runtime that the runners have', () => {
    for (const [action, { commit, runtime }] of Object.entries(pinned)) {
      assert.match(commit, /^[0-9a-f]{40}$/, action);
      assert.ok(RUNTIMES.includes(runtime), `${action} runs on ${runtime}`);
    }
  });

  it('Updates are looked for in each folder that has packages of its own', () => {
    const config = readFileSync(join(GITHUB, 'dependabot.yml'), 'utf8');
    const folders = [PROJECT.root, TOOLS.root, join(projectRoot, 'test', 'host', 'vscode'), join(GITHUB, 'publish')];
    for (const folder of folders) {
      const path = `/${folder.slice(projectRoot.length + 1).replaceAll('\\', '/')}`;
      assert.ok(config.includes(`      - ${path}\n`), path);
    }
  });

  it('The unit tests run on the oldest Node that the project allows, and the editor tests in the oldest VS Code', () => {
    const { engines } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
    const { text } = workflows.find(({ name }) => name === 'test.yml') ?? assert.fail('test.yml is missing');
    const oldestNode = engines.node.replace(/^>=/, '');
    assert.match(text, new RegExp(`node: \\['${oldestNode.replaceAll('.', '\\.')}'`));
    assert.match(text, /vscode: \[oldest, newest\]/);
  });
});
