// One part of the tests that needs no editor around it:
//   node mochaPart.mjs --folder dist/test/unit --results FILE --timeout MS [--grep TEXT] [--files A,B] [--bail] [--claims FOLDER] [--end-limit MS]
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { runTestFolder } from './mochaRun.mjs';
import { readTimes } from './testTimes.mjs';

/** After its last test the process ends by itself; what keeps it alive was left running by a test. Long enough for a slow machine to close connections. */
const END_LIMIT_MS = 30_000;

const { values } = parseArgs({
  options: {
    folder: { type: 'string' },
    results: { type: 'string' },
    timeout: { type: 'string' },
    grep: { type: 'string' },
    files: { type: 'string' },
    bail: { type: 'boolean' },
    claims: { type: 'string' },
    'end-limit': { type: 'string', default: String(END_LIMIT_MS) },
  },
});
const times = readTimes();
try {
  const failed = await runTestFolder({
    folder: values.folder,
    resultsFile: values.results,
    write: (line) => process.stdout.write(`${line}\n`),
    timeoutMs: Number(values.timeout),
    grep: values.grep,
    files: values.files?.split(','),
    // A process alone keeps their order.
    timeOf: values.claims === undefined ? undefined : (file) => times[`${basename(values.folder)}/${file}`],
    bail: values.bail,
    claims: values.claims,
  });
  process.exitCode = failed === 0 ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
}
setTimeout(() => {
  process.stderr.write(`The tests left something running: ${process.getActiveResourcesInfo().join(', ')}\n`);
  process.exit(1);
}, Number(values['end-limit'])).unref();
