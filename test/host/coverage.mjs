// `npm run coverage`: which code of src/ and webview/ runs in the tests, by room. Ends with code 1 where a room is below its floor (test/coverage/floors.json).
// The report is coverage/index.html: each file with what has run and what has not.
//   npm run coverage -- --only unit,sandbox   some parts of `npm test`: the figures alone, for the floors are about all of them
//   npm run coverage -- --again               reads what the last run wrote, without running tests
import { requireNode } from './nodeVersion.mjs';

requireNode();
const { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } = await import('node:fs');
const { tmpdir } = await import('node:os');
const { join } = await import('node:path');
const { parseArgs } = await import('node:util');
const { belowFloors, readFloors, reportCoverage, roomsOf } = await import('./coverage/report.mjs');
const { runToEnd } = await import('./ending.mjs');
const { projectRoot, runFolder } = await import('./paths.mjs');
const { prepareProject } = await import('./prepare.mjs');
const { createTeller } = await import('./tell.mjs');
const { partsCalled, runParts } = await import('./testParts.mjs');
const { summarize: summarizeTests } = await import('./testSummary.mjs');

/** The parts that run code of the product. */
const MEASURED = ['unit', 'sandbox', 'chain', 'browser', 'editor', 'settings'];
const FLOORS = join(projectRoot, 'test', 'coverage', 'floors.json');
const dataFolder = join(runFolder, 'coverage');
/** Which parts the data are of. */
const partsFile = join(runFolder, 'coverage.parts.txt');

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

const percent = (share) => `${share.toFixed(1)} %`;

await runToEnd(async (ending) => {
  const { values } = parseArgs({ options: { only: { type: 'string' }, again: { type: 'boolean', default: false } } });
  const asked = values.only?.split(',') ?? MEASURED;
  const unknown = asked.filter((name) => !MEASURED.includes(name));
  if (unknown.length > 0) throw new Error(`No measured part is called ${unknown.join(', ')}. The parts: ${MEASURED.join(', ')}.`);
  if (values.again && !existsSync(partsFile)) throw new Error('There are no data of an earlier run: leave out --again.');
  const isGreen = values.again || (await runTests(ending, asked));
  const names = readFileSync(partsFile, 'utf8').split(',');
  const rooms = roomsOf(await reportCoverage(dataFolder, join(projectRoot, 'coverage')));
  tell.say(`\nCoverage by the tests of ${names.join(', ')}; by file: coverage/index.html`);
  for (const { room, files, lines, functions } of rooms) {
    tell.say(`${room.padEnd(20)} ${String(files).padStart(4)} files  lines ${percent(lines)}  functions ${percent(functions)}`);
  }
  if (!MEASURED.every((name) => names.includes(name))) {
    tell.say(`The floors hold for all parts (${MEASURED.join(', ')}): they are not checked.`);
    return isGreen ? 0 : 1;
  }
  const below = belowFloors(rooms, readFloors(FLOORS));
  for (const complaint of below) tell.say(`BELOW ITS FLOOR  ${complaint}`);
  return isGreen && below.length === 0 ? 0 : 1;
});
