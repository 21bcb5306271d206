// `npm test`: everything that proves Binsight, in order, with one line at the end: `N passed, N failed`.
//   npm test -- --only unit,editor    these parts only
//   npm test -- --grep TEXT           of the tests, those whose whole title holds TEXT
//   npm test -- A.test.ts B.test.ts    these files; those under test/unit, test/sandbox and test/chain are built alone
//   npm test -- --changed              checks and tests of what differs from main, as far as two minutes reach
//   npm test -- --recordings           everything, and test/chain a second time, without builds of the real programs
//   npm test -- --long                 models and faults with all their runs, attacks in all places, as in CI
import { requireNode } from './nodeVersion.mjs';

requireNode();
const { mkdtempSync, rmSync } = await import('node:fs');
const { tmpdir } = await import('node:os');
const { join } = await import('node:path');
const { parseArgs } = await import('node:util');
const { runToEnd } = await import('./ending.mjs');
const { prepareProject } = await import('./prepare.mjs');
const { createTeller } = await import('./tell.mjs');
const { changedParts } = await import('./changed.mjs');
const { EVERYTHING, PARTS, partsCalled, partsOnRecordings, runParts, fileParts } = await import('./testParts.mjs');
const { summarize } = await import('./testSummary.mjs');

const tell = createTeller();

function readOptions() {
  const { values, positionals } = parseArgs({
    options: {
      only: { type: 'string' },
      grep: { type: 'string' },
      changed: { type: 'boolean', default: false },
      long: { type: 'boolean', default: false },
      recordings: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  });
  if ([values.only !== undefined, values.changed, positionals.length > 0].filter(Boolean).length > 1) {
    throw new Error('Name files, or parts with --only, or --changed: one of them.');
  }
  return { ...values, files: positionals };
}

/** What to run, and a line on what is left out. */
async function chooseParts({ only, changed, files, recordings }) {
  if (changed) return changedParts();
  if (files.length > 0) return { parts: fileParts(files) };
  if (only === undefined) return { parts: recordings ? [...EVERYTHING, ...partsOnRecordings()] : EVERYTHING };
  const names = only.split(',');
  const unknown = names.filter((name) => !PARTS.some((part) => part.name === name));
  if (unknown.length > 0)
    throw new Error(`No part is called ${unknown.join(', ')}. The parts: ${[...new Set(PARTS.map(({ name }) => name))].join(', ')}.`);
  return { parts: partsCalled(names) };
}

await runToEnd(async (ending) => {
  const options = readOptions();
  await prepareProject(ending, tell, { build: false });
  const { parts, notRun } = await chooseParts(options);
  // What a part leaves there when it is ended before its time goes with it.
  const temporary = mkdtempSync(join(tmpdir(), 'binsight-'));
  ending.add(() => rmSync(temporary, { recursive: true, force: true, maxRetries: 5 }));
  const outcomes = await runParts(parts, { ending, tell, temporary, grep: options.grep, isLong: options.long });
  const { lines, ok } = summarize(outcomes);
  if (notRun !== undefined) lines.splice(-1, 0, notRun);
  for (const line of lines) tell.say(line);
  return ok ? 0 : 1;
});
