// `npm run mutants`: what the unit tests hold. Changes one operator of the sources at a time and runs the tests that the change can affect, the one of
// the source's name and the nearest first, until one fails. A mutant that survives is a line whose opposite no test notices.
//   npm run mutants -- --count 100 --seed 1            this many, drawn with this seed
//   npm run mutants -- --rooms src/review,src/base     of these folders; by default src/review, src/transactions and src/base
//   npm run mutants -- --at src/review/rules/fees.ts:65    every one of this line, or of these lines: A:3,B:17
//   npm run mutants -- --files 40                      at most this many files of tests for each
import { requireNode } from './nodeVersion.mjs';

requireNode();
const { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } = await import('node:fs');
const { basename, join } = await import('node:path');
const { parseArgs } = await import('node:util');
const { runToEnd } = await import('./ending.mjs');
const { affectedTests, filesIn, readImportGraph } = await import('./importGraph.mjs');
const { projectRoot, runFolder } = await import('./paths.mjs');
const { prepareProject } = await import('./prepare.mjs');
const { run } = await import('./processes.mjs');
const { createTeller } = await import('./tell.mjs');
const { readTimes, USUAL_FILE_MS } = await import('./testTimes.mjs');

/** So many of the nearest files are built and run first: most mutants do not survive them, and more take longer to build. */
const FIRST_FILES = 12;
/** A mutant that makes a loop endless counts as noticed after so long without the end of a test. */
const STALL_LIMIT_MS = 90_000;
const TEST_LIMIT_MS = 60_000;
const folder = join(runFolder, 'mutants');
const tell = createTeller();

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    rooms: { type: 'string', default: 'src/review,src/transactions,src/base' },
    files: { type: 'string', default: '1000' },
    at: { type: 'string' },
  },
});

/** Numbers from 0 to 1 that follow from a seed (mulberry32). */
function randomOf(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Different mutations, in the order in which they are drawn. */
function draw(all, count, random) {
  const left = [...all];
  return Array.from({ length: Math.min(count, left.length) }, () => left.splice(Math.floor(random() * left.length), 1)[0]);
}

/** Whether a mutation is on one of these lines: `src/review/rules/fees.ts:65`. */
const isOn =
  (lines) =>
  ({ file, line }) =>
    lines.includes(`${file}:${line}`);

/** The tests that a source can affect: first the one of its name, then the nearest, of equally near ones the shortest. */
function testsOf(graph, file, times) {
  const isNamesake = (test) => basename(test, '.test.ts') === basename(file, '.ts');
  const msOf = (test) => times[test.slice('test/'.length).replace(/\.ts$/, '.js')] ?? USUAL_FILE_MS;
  return [...affectedTests(graph, [file])]
    .filter(([test]) => test.startsWith('test/unit/'))
    .sort(([one, near], [other, far]) => isNamesake(other) - isNamesake(one) || near - far || msOf(one) - msOf(other))
    .map(([test]) => test);
}

/** Runs a script of Node in the project. */
const node = (ending, args, more) => run(ending, process.execPath, args, { cwd: projectRoot, ...more });

/** Returns the test that fails with this text for a source, or undefined where it survives. */
async function killerOf(ending, { file, text }, tests) {
  const replacement = join(folder, 'mutant.ts');
  writeFileSync(replacement, text);
  const replace = ['--replace', `${file}=${replacement}`];
  const program = join(folder, 'program');
  // Tests start it as a process, and compare it with what they have built in.
  if ((await node(ending, ['esbuild.mjs', '--program', 'review', ...replace, '--out', program])).code !== 0) return 'the build';
  const env = { ...process.env, BINSIGHT_REVIEW_PROGRAM: join(program, 'review.js') };
  for (const some of [tests.slice(0, FIRST_FILES), tests.slice(FIRST_FILES)]) {
    if (some.length === 0) continue;
    const out = join(folder, 'build');
    const only = some.map((test) => test.slice('test/'.length)).join(',');
    const built = await node(ending, ['esbuild.mjs', '--only', only, ...replace, '--out', out]);
    if (built.code !== 0) return 'the build';
    const results = join(folder, 'results.json');
    rmSync(results, { force: true });
    const args = [join('test', 'host', 'mochaPart.mjs'), '--folder', join(out, 'test', 'unit'), '--bail'];
    const stall = { limitMs: STALL_LIMIT_MS, progress: () => statSync(results, { throwIfNoEntry: false })?.mtimeMs };
    const ended = await node(ending, [...args, '--results', results, '--timeout', String(TEST_LIMIT_MS)], { stall, env });
    if (ended.code === 0) continue;
    if (ended.stalled) return 'a test that did not end';
    return JSON.parse(readFileSync(results, 'utf8')).failures[0]?.title ?? 'a file that could not be loaded';
  }
  return undefined;
}

await runToEnd(async (ending) => {
  await prepareProject(ending, tell, { build: false });
  // After a clone, what it imports is installed first.
  const { mutationsOf } = await import('./mutations.mjs');
  mkdirSync(folder, { recursive: true });
  const graph = await readImportGraph();
  const times = readTimes();
  const lines = values.at?.split(',');
  const sources =
    lines === undefined
      ? values.rooms
          .split(',')
          .flatMap(filesIn)
          .filter((file) => file.endsWith('.ts') && !file.includes('/generated/'))
      : [...new Set(lines.map((line) => line.replace(/:\d+$/, '')))];
  const all = sources.flatMap((file) => mutationsOf(file, readFileSync(join(projectRoot, file), 'utf8')));
  const mutants = lines === undefined ? draw(all, Number(values.count), randomOf(Number(values.seed))) : all.filter(isOn(lines));
  let noticed = 0;
  for (const [index, mutant] of mutants.entries()) {
    const killer = await killerOf(ending, mutant, testsOf(graph, mutant.file, times).slice(0, Number(values.files)));
    if (killer !== undefined) noticed += 1;
    tell.say(`${index + 1}  ${mutant.file}:${mutant.line}  ${mutant.what}  ${killer === undefined ? 'SURVIVED' : `noticed by: ${killer}`}`);
  }
  const drawn = lines === undefined ? ` (of ${all.length}, seed ${values.seed})` : '';
  tell.say(`${noticed} of ${mutants.length} mutants were noticed${drawn}.`);
  return 0;
});
