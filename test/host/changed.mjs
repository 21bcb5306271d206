import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { affectedTests, readImportGraph } from './importGraph.mjs';
import { projectRoot } from './paths.mjs';
import { check, EDITOR_KINDS, fileParts, partsCalled, tool } from './testParts.mjs';
import { readTimes, USUAL_FILE_MS } from './testTimes.mjs';

/** How long the tests may take that `npm test -- --changed` chooses; checks and the build come on top. */
const TESTS_MS = 75_000;
/** What a change of these can affect no import shows: everything. */
const AFFECTS_ALL = ['package-lock.json', 'esbuild.mjs', 'tsconfig.json'];

function git(...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: projectRoot, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr.trim()}`);
  return stdout.split('\n').filter((line) => line !== '');
}

function isCommit(name) {
  return spawnSync('git', ['rev-parse', '--quiet', '--verify', `${name}^{commit}`], { cwd: projectRoot }).status === 0;
}

/** Returns the files that differ from the last commit that this branch shares with main, those not yet in git among them. */
export function changedFiles() {
  const main = ['main', 'origin/main'].find(isCommit);
  const [base] = main === undefined ? ['HEAD'] : git('merge-base', main, 'HEAD');
  return [...new Set([...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')])];
}

/**
 * Chooses from tests, the nearest first, those that fit into the time.
 * @param {Iterable<string>} tests in the order in which they are wanted
 * @param {(test: string) => number | undefined} timeOf
 * @param {number} limitMs of all of them together
 * @returns {{ chosen: readonly string[], left: readonly string[] }}
 */
export function withinTime(tests, timeOf, limitMs) {
  const chosen = [];
  const left = [];
  let totalMs = 0;
  for (const test of tests) {
    const ms = timeOf(test) ?? USUAL_FILE_MS;
    if (totalMs + ms <= limitMs) {
      totalMs += ms;
      chosen.push(test);
    } else {
      left.push(test);
    }
  }
  return { chosen, left };
}

/**
 * Returns what `npm test -- --changed` runs, and a line that says what a change may affect besides.
 * @returns {Promise<{ parts: readonly import('./testParts.mjs').Part[], notRun: string }>}
 */
export async function changedParts() {
  const changed = changedFiles();
  const present = changed.filter((file) => existsSync(join(projectRoot, file)));
  const code = present.filter((file) => /\.[mc]?[jt]s$/.test(file));
  const affected = [...affectedTests(await readImportGraph(), changed).keys()];
  const isInEditor = (test) => EDITOR_KINDS.includes(test.split('/')[1]);
  const times = readTimes();
  const timeOf = (test) => times[test.slice('test/'.length).replace(/\.ts$/, '.js')];
  const plain = affected.filter((test) => !isInEditor(test));
  const { chosen, left } = withinTime(plain, timeOf, TESTS_MS * availableParallelism());
  const isScripts = changed.some((file) => /\.md$|^test\/host\/|^package|^[^/]*\.mjs$|^\.oxlintrc/.test(file));
  const isTyped = changed.some((file) => /\.m?ts$|^tsconfig|^package/.test(file));
  const parts = [
    ...(present.length === 0
      ? []
      : [
          check('format', 'Format of what changed', [
            tool('oxfmt', 'bin', 'oxfmt'),
            '--check',
            '--no-error-on-unmatched-pattern',
            ...present,
          ]),
        ]),
    ...(code.length === 0
      ? []
      : [check('lint', 'Lint of what changed', [tool('oxlint', 'bin', 'oxlint'), '--deny-warnings', '--type-aware', ...code])]),
    ...(isTyped ? partsCalled(['types', 'panelTypes', 'panelTestTypes']) : []),
    ...(isScripts ? partsCalled(['scripts']) : []),
    ...(chosen.length === 0 ? [] : fileParts(chosen.map((test) => join(projectRoot, test)))),
  ];
  return { parts, notRun: notRunOf(affected.filter(isInEditor), left, changed) };
}

function notRunOf(inEditor, left, changed) {
  const all = AFFECTS_ALL.filter((file) => changed.includes(file));
  const what = [
    ...EDITOR_KINDS.flatMap((kind) =>
      counted(
        inEditor.filter((test) => test.startsWith(`test/${kind}/`)),
        `of test/${kind}`,
      ),
    ),
    ...counted(left, 'that would take longer'),
    ...(all.length === 0 ? [] : [`what ${all.join(' and ')} may change`]),
    'unused exports, packages and workflows',
  ];
  return `Not run: ${what.join('; ')}. \`npm test\` runs everything.`;
}

function counted(tests, which) {
  if (tests.length === 0) return [];
  const named = tests.length > 3 ? '' : ` (${tests.join(', ')})`;
  return [`${tests.length} file${tests.length === 1 ? '' : 's'} ${which}${named}`];
}
