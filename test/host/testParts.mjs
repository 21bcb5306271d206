import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative, resolve, sep } from 'node:path';
import { findChromium } from './chromium.mjs';
import { hasScreen } from './desktop.mjs';
import { messageOf } from './ending.mjs';
import { vscodeFromNpm } from './hostCache.mjs';
import { TOOLS } from './install.mjs';
import { projectRoot, runFolder } from './paths.mjs';
import { aloneAtSetup, prepareTools } from './prepare.mjs';
import { run } from './processes.mjs';
import { programFolder } from './programFiles.mjs';
import { createTeller } from './tell.mjs';
import { addTimes } from './testTimes.mjs';

/**
 * A part is ended when no test has finished for this long, and for no other reason: how long a part takes in all depends on the
 * machine. CI ends a run that hangs in a check, which has no tests.
 */
const STALL_LIMIT_MS = 5 * 60_000;
/** Of one test. Below the limit above, so that a test that hangs is named as the failure and the others still run. */
const TEST_LIMIT_MS = 4 * 60_000;
const resultsFolder = join(runFolder, 'results');
const hostScript = (name) => join(projectRoot, 'test', 'host', name);
/** A program of a package, for Node. */
export const tool = (...path) => join(projectRoot, 'node_modules', ...path);
/**
 * Parts that run at the same time, and processes that share a suite of tests: one more than there are processors, because windows and services
 * leave them idle for a part of the time. More would disturb what measures time.
 */
export const LANES = Math.min(3, availableParallelism() + 1);
const claimsOf = (name) => join(resultsFolder, `${name}.claims`);
const resultsOf = (name) => join(resultsFolder, `${name}.json`);
const logOf = (name) => join(resultsFolder, `${name}.log`);
const consoleOf = (name) => join(resultsFolder, `${name}.console.log`);
/** How much of an editor's console is shown where nothing better says what went wrong. */
const CONSOLE_LINES = 20;

/**
 * A part of `npm test`.
 * @typedef {object} Part
 * @property {string} name for --only; several parts may share it
 * @property {string} [file] its name in the folder of results, where that is not its name
 * @property {string} title
 * @property {readonly string[]} args of Node
 * @property {boolean} [check] it is one check itself, and its exit code says what came of it; else it counts tests
 * @property {boolean} [writesOutput] it writes to dist
 * @property {string} [within] the part that proves all that it proves: both are not run for everything
 * @property {string} [needs] the part without which it cannot run
 * @property {boolean} [logs] what it says goes to a file first
 * @property {number} [lanes] how much of a lane it takes, where not a whole one: some of its time it waits
 * @property {Readonly<Record<string, string>>} [env] what is in its environment beside that of the run
 * @property {boolean} [isRepeated] its tests run in another part, too, and what it leaves out runs there
 * @property {string} [claims] the folder through which it shares a suite with other parts: they may leave no test to it
 * @property {(ending: import('./ending.mjs').Ending, tell: import('./tell.mjs').Teller) => Promise<unknown>} [prepare]
 */

/** @returns {Part} one check */
export const check = (name, title, args) => ({ name, title, args, check: true });

/** What the tests in a browser install: the package for this system, and the one for systems without LiteSVM. */
export const PACKAGES = join(runFolder, 'packages');

/** Tests of a folder under plain Node. */
const suite = (name, title, folder) => ({
  name,
  title,
  args: [
    ...[hostScript('mochaPart.mjs'), '--folder', join(projectRoot, ...folder)],
    ...['--results', resultsOf(name), '--timeout', String(TEST_LIMIT_MS)],
  ],
});

/** The same, of a folder that the build makes. */
const builtSuite = (name, title, folder = ['dist', 'test', name]) => ({ ...suite(name, title, folder), needs: 'build' });

/** The same, in several processes: each takes the next file of the folder that none has taken. */
function sharedSuite(name, title, { folder, processes = LANES, lanes = 1, ...more } = {}) {
  const part = { ...builtSuite(name, title, folder), lanes, ...more };
  if (processes === 1) return [part];
  return Array.from({ length: processes }, (_, index) => {
    const file = `${name}-${index + 1}`;
    const args = part.args.map((arg) => (arg === resultsOf(name) ? resultsOf(file) : arg));
    const numbered = `${title}, process ${index + 1} of ${processes}`;
    return { ...part, title: numbered, file, claims: claimsOf(name), args: [...args, '--claims', claimsOf(name)] };
  });
}

/** Suites whose tests wait for other processes most of the time: five of them keep as many processors busy as three others. */
const WAITING = { processes: Math.round((5 / 3) * LANES), lanes: 3 / 5 };

/** Windows wait for services, chains and frames a third of their time and more: three of them keep two lanes busy. */
const WINDOW_LANES = 2 / 3;

/** Tests of a folder that the build makes, in a VS Code of their own with a new profile. */
const editorSuite = (name, title) => ({
  ...{ name, title, needs: 'build', logs: true, lanes: WINDOW_LANES },
  args: [
    ...[hostScript('editorTests.mjs'), '--entry', name, '--timeout', String(TEST_LIMIT_MS)],
    ...['--results', resultsOf(name), '--log', logOf(name), '--console', consoleOf(name)],
  ],
  prepare: (ending, tell) => (hasScreen() && process.env.BINSIGHT_EDITOR !== 'npm' ? Promise.resolve() : prepareBrowser(ending, tell)),
});

async function prepareBrowser(ending, tell) {
  await vscodeFromNpm(ending, tell);
  await findChromium(ending, tell);
}

/**
 * In the order in which they begin: first the build, for which most wait, and what is one long process; beside them the checks; last the suites that
 * are shared, so that no processor is idle at the end. @type {readonly Part[]}
 */
export const PARTS = [
  { ...check('build', 'Build', ['esbuild.mjs', '--tests']), writesOutput: true },
  {
    ...check('vsix', 'Extension packages', [hostScript('package.mjs'), '--target', 'current,universal', '--as-built', '--out', PACKAGES]),
    needs: 'build',
  },
  // In one process it would go on long after everything else.
  ...sharedSuite('browser', 'Tests in a browser', { processes: 2, prepare: prepareBrowser, needs: 'vsix', lanes: WINDOW_LANES }),
  editorSuite('editor', 'Tests inside VS Code'),
  editorSuite('settings', 'Every setting inside VS Code'),
  { ...check('lint', 'Lint', [tool('oxlint', 'bin', 'oxlint'), '--deny-warnings']), within: 'lintTypes' },
  check('lintTypes', 'Lint with types', [tool('oxlint', 'bin', 'oxlint'), '--deny-warnings', '--type-aware']),
  check('unused', 'Unused files, exports and dependencies', [tool('knip', 'bin', 'knip.js')]),
  check('packages', 'Packages of the lock file', [hostScript('bundles/checkLockFile.mjs')]),
  // What did not change since the last check is not checked again.
  check('types', 'Type check', [
    ...[tool('typescript', 'bin', 'tsc'), '--noEmit'],
    ...['--incremental', '--tsBuildInfoFile', join(runFolder, 'types.json')],
  ]),
  check('panelTypes', 'Type check of the panels', [tool('typescript', 'bin', 'tsc'), '--noEmit', '-p', 'webview']),
  check('panelTestTypes', 'Type check of the tests of the panels', [
    tool('typescript', 'bin', 'tsc'),
    '--noEmit',
    '-p',
    'test/unit/webview',
  ]),
  {
    ...check('workflows', 'Workflows', [
      join(TOOLS.root, 'node_modules', '@tktco', 'node-actionlint', 'bin', 'node-actionlint.js'),
      '.github/workflows/*.yml',
    ]),
    prepare: prepareTools,
  },
  check('format', 'Format', [tool('oxfmt', 'bin', 'oxfmt'), '--check', '.']),
  { ...check('licenses', 'Licenses of what is shipped', [hostScript('bundles/checkLicenses.mjs')]), needs: 'build' },
  { ...check('sizes', 'Sizes of the bundles', [hostScript('bundles/checkSizes.mjs')]), needs: 'build' },
  suite('scripts', 'Tests of these scripts', ['test', 'host', 'tests']),
  ...sharedSuite('unit', 'Unit tests'),
  ...sharedSuite('sandbox', 'Sandbox tests', WAITING),
  ...sharedSuite('chain', 'Tests on the real programs'),
];

/** What runs where nothing is asked for. */
export const EVERYTHING = PARTS.filter(({ within }) => within === undefined);

/** The tests of test/chain without builds of the real programs, as on most machines: where there are none here either, they run so anyway. */
export function partsOnRecordings() {
  if (programFolder() === undefined) return [];
  const more = { folder: ['dist', 'test', 'chain'], env: { BINSIGHT_PROGRAMS: 'none' }, isRepeated: true };
  return sharedSuite('recordings', 'Tests on recordings of the real programs', more);
}

/**
 * The parts with these names, and those that they need, in their order.
 * @param {readonly string[]} names
 * @returns {readonly Part[]}
 */
export function partsCalled(names) {
  const wanted = new Set(names);
  // A set hands on what is added while it is walked through.
  for (const name of wanted) for (const part of PARTS) if (part.name === name && part.needs !== undefined) wanted.add(part.needs);
  return PARTS.filter(({ name }) => wanted.has(name));
}

/** Where single test files are built. */
const singleFolder = join(runFolder, 'single');
/** Kinds of tests that need no editor around them: their files are built alone. */
const PLAIN_KINDS = ['unit', 'sandbox', 'chain'];
/** Kinds of tests that run in an editor or against the packages of the extension. */
export const EDITOR_KINDS = ['browser', 'editor', 'settings'];

/**
 * The parts that build and run some test files. A test under test/sandbox or test/chain may start a built process, so the product is built for it, too.
 * @param {readonly string[]} files their paths, absolute or from the current folder
 * @returns {readonly Part[]}
 * @throws Error where one of them is not there, or not a file of tests
 */
export function fileParts(files) {
  const byKind = new Map();
  for (const file of files) {
    const path = relative(join(projectRoot, 'test'), resolve(file)).split(sep).join('/');
    const [kind] = path.split('/');
    if (!existsSync(resolve(file))) throw new Error(`There is no ${file}.`);
    if (!path.endsWith('.test.ts') || ![...PLAIN_KINDS, ...EDITOR_KINDS].includes(kind)) {
      throw new Error(`${file} is not a *.test.ts file under ${[...PLAIN_KINDS, ...EDITOR_KINDS].map((one) => `test/${one}`).join(', ')}.`);
    }
    byKind.set(kind, [...(byKind.get(kind) ?? []), path]);
  }
  const plain = PLAIN_KINDS.flatMap((kind) => byKind.get(kind) ?? []);
  return [
    ...(plain.length > 0 ? plainFileParts(plain, byKind) : []),
    ...partsCalled(EDITOR_KINDS.filter((kind) => byKind.has(kind))).map((part) => ofFiles(part, byKind.get(part.name))),
  ];
}

function plainFileParts(paths, byKind) {
  const kinds = PLAIN_KINDS.filter((kind) => byKind.has(kind));
  const what = paths.length === 1 ? paths[0] : `${paths.length} files`;
  const build = ['esbuild.mjs', '--only', paths.join(','), '--out', singleFolder];
  return [
    ...(kinds.some((kind) => kind !== 'unit') ? [{ ...check('product', 'Build', ['esbuild.mjs']), writesOutput: true }] : []),
    { ...check('singleBuild', `Build of ${what}`, build), writesOutput: true },
    ...kinds.flatMap((kind) => {
      const of = byKind.get(kind);
      const title = of.length === 1 ? of[0] : `${of.length} files of test/${kind}`;
      const folder = ['.vscode-test', 'single', 'test', kind];
      const { processes, lanes } = kind === 'sandbox' ? WAITING : { processes: LANES, lanes: 1 };
      return sharedSuite(kind, title, { folder, processes: Math.min(processes, of.length), lanes }).map((part) => ({
        ...part,
        needs: 'singleBuild',
      }));
    }),
  ];
}

/** A part whose tests are those of some files. */
function ofFiles(part, paths) {
  if (paths === undefined) return part;
  const names = paths.map((path) => path.slice(part.name.length + 1).replace(/\.ts$/, '.js'));
  return { ...part, args: [...part.args, '--files', names.join(',')] };
}

/**
 * What came of a part.
 * @typedef {object} Outcome
 * @property {Part} part
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {Record<string, number>} [skipReasons] as in the report of the tests
 * @property {{ title: string, message: string }[]} failures
 * @property {Record<string, number>} [times] as in the report of the tests
 * @property {string} [problem] why it did not run, or not to its end
 */

/**
 * Runs parts, {@link LANES} at a time, in their order: each as soon as one has ended, and the part that it needs. What a part says is written
 * at once for the oldest one that runs, and for the others when their turn comes.
 * @param {readonly Part[]} parts
 * @param {Omit<Parameters<typeof runPart>[1], 'before'>} context
 * @returns {Promise<readonly Outcome[]>} in the order of the parts
 */
export async function runParts(parts, context) {
  for (const folder of new Set(parts.flatMap(({ claims = [] }) => claims))) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
  }
  const outcomes = new Map();
  const running = new Map();
  const output = new OutputInOrder((text) => context.tell.write(text));
  const isReady = ({ needs }) => parts.every((other) => other.name !== needs || outcomes.has(other));
  let waiting = [...parts];
  while (waiting.length > 0 || running.size > 0) {
    const taken = [...running.keys()].reduce((sum, { lanes = 1 }) => sum + lanes, 0);
    // Fractions of lanes do not add up exactly.
    const next = waiting.find((part) => isReady(part) && taken + (part.lanes ?? 1) <= LANES + 0.01);
    if (next === undefined) {
      try {
        await Promise.race(running.values());
      } catch (error) {
        await Promise.allSettled(running.values());
        throw error;
      }
      continue;
    }
    waiting = waiting.filter((part) => part !== next);
    const section = output.open();
    const before = [...outcomes.values()];
    const work = runPart(next, { ...context, before, tell: createTeller(section) }).then((outcome) => {
      outcomes.set(next, outcome);
      section.end();
    });
    running.set(
      next,
      work.finally(() => running.delete(next)),
    );
  }
  if (context.grep === undefined) addTimes(timesOf([...outcomes.values()]));
  return parts.map((part) => outcomes.get(part));
}

/** By the paths of the files in test/. */
function timesOf(outcomes) {
  return Object.fromEntries(
    outcomes.flatMap(({ part, times = {} }) => Object.entries(times).map(([file, ms]) => [`${part.name}/${file}`, ms])),
  );
}

/** Writes the output of parts that run at the same time one after the other. */
class OutputInOrder {
  #write;
  #sections = [];

  constructor(write) {
    this.#write = write;
  }

  open() {
    const section = { text: '', isOver: false };
    this.#sections.push(section);
    return {
      write: (text) => {
        section.text += text;
        this.#flush();
      },
      end: () => {
        section.isOver = true;
        this.#flush();
      },
    };
  }

  #flush() {
    for (let first = this.#sections[0]; first !== undefined; first = this.#sections[0]) {
      this.#write(first.text);
      first.text = '';
      if (!first.isOver) return;
      this.#sections.shift();
    }
  }
}

/**
 * Runs one part.
 * @param {Part} part
 * @param {object} context
 * @param {import('./ending.mjs').Ending} context.ending
 * @param {import('./tell.mjs').Teller} context.tell
 * @param {string} context.temporary the folder for temporary files
 * @param {string} [context.grep] only tests whose whole title holds this
 * @param {boolean} [context.isLong] models and faults with all their runs, attacks in all places
 * @param {readonly Outcome[]} context.before what came of the parts before
 * @returns {Promise<Outcome>}
 */
async function runPart(part, context) {
  const { tell } = context;
  tell.say(`\n== ${part.title} ==`);
  const start = performance.now();
  const outcome = await attempt(part, context);
  if (outcome.problem !== undefined) tell.say(`${part.title}: ${outcome.problem}`);
  tell.say(`${outcome.passed} passed, ${outcome.failed} failed, after ${Math.round((performance.now() - start) / 1000)} s`);
  return outcome;
}

async function attempt(part, { ending, tell, temporary, grep, isLong = false, before }) {
  const nothing = { part, passed: 0, failed: 0, skipped: 0, failures: [] };
  if (before.some((outcome) => outcome.part.name === part.needs && (outcome.failed > 0 || outcome.problem !== undefined))) {
    return { ...nothing, problem: `did not run, for "${part.needs}" failed` };
  }
  mkdirSync(resultsFolder, { recursive: true });
  const { name, file = name } = part;
  for (const path of [resultsOf(file), logOf(file), consoleOf(file)]) rmSync(path, { force: true });
  try {
    await part.prepare?.(ending, tell);
  } catch (error) {
    return { ...nothing, problem: `did not run: ${messageOf(error)}` };
  }
  const args = part.check || grep === undefined ? part.args : [...part.args, '--grep', grep];
  const env = {
    ...process.env,
    ...{ TMPDIR: temporary, TMP: temporary, TEMP: temporary },
    ...(isLong ? { BINSIGHT_LONG: '1' } : {}),
    ...part.env,
    // Worlds that the processes of this run share (test/support/sandbox/madeWorld.ts).
    BINSIGHT_WORLDS: join(temporary, 'worlds'),
  };
  // The report is written whenever a test finishes.
  const stall = part.check
    ? undefined
    : { limitMs: STALL_LIMIT_MS, progress: () => statSync(resultsOf(file), { throwIfNoEntry: false })?.mtimeMs };
  const work = () => run(ending, process.execPath, args, { cwd: projectRoot, env, stall, write: (text) => tell.write(text) });
  const end = await (part.writesOutput ? aloneAtSetup(ending, tell, work) : work());
  ending.throwIfEnding();
  const outcome = part.check ? outcomeOfCheck(part, end) : outcomeOfSuite(part, end, grep !== undefined);
  if (part.logs) tell.say(readOr(logOf(file), ''));
  if (part.logs && outcome.problem !== undefined) {
    tell.say(readOr(consoleOf(file), '').split('\n').slice(-CONSOLE_LINES).join('\n'));
  }
  return outcome;
}

/** How a process ended, when not well. */
function howItEnded({ code, signal, stalled }) {
  if (stalled) return `was ended, because no test had finished for ${STALL_LIMIT_MS / 60_000} minutes`;
  return code === null ? `was ended by ${signal}` : `ended with code ${code}`;
}

function outcomeOfCheck(part, end) {
  const ok = end.code === 0;
  const failures = ok ? [] : [{ title: part.title, message: howItEnded(end) }];
  return { part, passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0, failures };
}

/** @param {boolean} filtered whether only some of the tests were asked for */
function outcomeOfSuite(part, end, filtered) {
  const report = JSON.parse(readOr(resultsOf(part.file ?? part.name), '{}'));
  const { passed = 0, failed = 0, failures = [], times, finished = false } = report;
  const { skipped = 0, skipReasons = {} } = part.isRepeated ? {} : report;
  const counts = { part, passed, failed, skipped, skipReasons, failures, times };
  if (!finished) return { ...counts, problem: `did not run to its end: it ${howItEnded(end)}` };
  if (passed + failed + skipped === 0 && !filtered && part.claims === undefined) return { ...counts, problem: 'ran no test' };
  // Every test passed and yet something is wrong, such as a process that a test left running.
  if (end.code !== 0 && failed === 0) return { ...counts, problem: howItEnded(end) };
  return counts;
}

function readOr(file, otherwise) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return otherwise;
  }
}
