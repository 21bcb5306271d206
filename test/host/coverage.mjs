// `npm run coverage`: which code of src/ and webview/ has run in the tests, by room, and which functions have not. Those that are in
// test/coverage/explained.json have a known reason; the others, and entries that no longer hold, are printed and end it with code 1.
//   npm run coverage -- --only unit,sandbox   some parts of `npm test`: the figures alone, for the list is about all of them
//   npm run coverage -- --again               reads what the last run wrote, without running tests
//   npm run coverage -- --list src/review     also the functions that have not run, of files whose path begins so
import { requireNode } from './nodeVersion.mjs';

requireNode();
const { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } = await import('node:fs');
const { tmpdir } = await import('node:os');
const { join, sep } = await import('node:path');
const { parseArgs } = await import('node:util');
const { readCovered } = await import('./coverage/covered.mjs');
const { compareWithList, readExplained } = await import('./coverage/explained.mjs');
const { measureFile, summarize } = await import('./coverage/measure.mjs');
const { runToEnd } = await import('./ending.mjs');
const { projectRoot, runFolder } = await import('./paths.mjs');
const { prepareProject } = await import('./prepare.mjs');
const { createTeller } = await import('./tell.mjs');
const { partsCalled, runParts } = await import('./testParts.mjs');
const { summarize: summarizeTests } = await import('./testSummary.mjs');

/** The parts that run code of the product. */
const MEASURED = ['unit', 'sandbox', 'chain', 'browser', 'editor', 'settings'];
const EXPLAINED = join(projectRoot, 'test', 'coverage', 'explained.json');
const dataFolder = join(runFolder, 'coverage');
const reportFile = join(projectRoot, 'coverage', 'files.json');
/** Which parts the data are of. */
const partsFile = join(dataFolder, 'parts.txt');

const tell = createTeller();

/** Runs the tests with NODE_V8_COVERAGE, which every Node process that they start inherits. */
async function runTests(ending, names) {
  await prepareProject(ending, tell, { build: false });
  rmSync(dataFolder, { recursive: true, force: true });
  mkdirSync(dataFolder, { recursive: true });
  const temporary = mkdtempSync(join(tmpdir(), 'binsight-'));
  ending.add(() => rmSync(temporary, { recursive: true, force: true, maxRetries: 5 }));
  process.env.NODE_V8_COVERAGE = dataFolder;
  const outcomes = await runParts(partsCalled(names), { ending, tell, temporary });
  delete process.env.NODE_V8_COVERAGE;
  writeFileSync(partsFile, names.join(','));
  const { lines, ok } = summarizeTests(outcomes);
  for (const line of lines) tell.say(line);
  return ok;
}

/** All sources, also those that no test loads. */
function sources() {
  return ['src', 'webview'].flatMap((room) =>
    readdirSync(join(projectRoot, room), { recursive: true })
      .map((name) => [room, ...String(name).split(sep)].join('/'))
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts') && !file.includes('/generated/')),
  );
}

function share(part, whole) {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`;
}

function tableOf(rooms) {
  return [
    '| room | files | lines | functions |',
    '|---|---|---|---|',
    ...rooms.map(
      ({ room, files, lines, coveredLines, functions, coveredFunctions }) =>
        `| ${room} | ${files} | ${share(coveredLines, lines)} of ${lines} | ${share(coveredFunctions, functions)} of ${functions} |`,
    ),
  ].join('\n');
}

await runToEnd(async (ending) => {
  const { values } = parseArgs({
    options: { only: { type: 'string' }, again: { type: 'boolean', default: false }, list: { type: 'string' } },
  });
  const asked = values.only?.split(',') ?? MEASURED;
  const unknown = asked.filter((name) => !MEASURED.includes(name));
  if (unknown.length > 0) throw new Error(`No measured part is called ${unknown.join(', ')}. The parts: ${MEASURED.join(', ')}.`);
  if (values.again && !existsSync(partsFile)) throw new Error('There are no data of an earlier run: leave out --again.');
  const isGreen = values.again || (await runTests(ending, asked));
  const names = readFileSync(partsFile, 'utf8').split(',');
  const covered = readCovered(dataFolder, projectRoot);
  const files = sources().map((file) => measureFile(file, readFileSync(join(projectRoot, file), 'utf8'), covered.get(file)));
  mkdirSync(join(projectRoot, 'coverage'), { recursive: true });
  writeFileSync(reportFile, JSON.stringify(files, null, 1));
  tell.say(`\nCoverage by the tests of ${names.join(', ')}:\n\n${tableOf(summarize(files))}\n`);
  const isWhole = MEASURED.every((name) => names.includes(name));
  const { unexplained, stale, explained } = compareWithList(files, readExplained(EXPLAINED));
  if (values.list !== undefined) {
    for (const { file, uncovered } of files.filter((one) => one.file.startsWith(values.list))) {
      for (const name of uncovered) tell.say(`not run  ${file}: ${name}`);
    }
  }
  tell.say(`Functions that have not run: ${explained} explained, ${unexplained.length} not. All files: coverage/files.json`);
  if (!isWhole) {
    tell.say(`The list of explanations holds for all parts (${MEASURED.join(', ')}): it is not checked.`);
    return isGreen ? 0 : 1;
  }
  for (const one of unexplained) tell.say(`NOT EXPLAINED  ${one.file}: ${one.function}`);
  for (const one of stale) tell.say(`STALE  ${one.file}: ${one.function} (${one.reason})`);
  return isGreen && unexplained.length === 0 && stale.length === 0 ? 0 : 1;
});
