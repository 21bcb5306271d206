// One part of the tests that needs no editor around it:
//   node --enable-source-maps mochaPart.mjs --folder dist/test/unit --results FILE --timeout MS [--grep TEXT]
import { parseArgs } from 'node:util';
import { runTestFolder } from './mochaRun.mjs';

/** After its last test a process that is left alone ends; what keeps it up was left running by a test. */
const END_LIMIT_MS = 5_000;

const { values } = parseArgs({
  options: { folder: { type: 'string' }, results: { type: 'string' }, timeout: { type: 'string' }, grep: { type: 'string' } },
});
try {
  const failed = await runTestFolder({
    folder: values.folder,
    resultsFile: values.results,
    write: (line) => process.stdout.write(`${line}\n`),
    timeoutMs: Number(values.timeout),
    grep: values.grep,
  });
  process.exitCode = failed === 0 ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
}
setTimeout(() => {
  process.stderr.write(`The tests left something running: ${process.getActiveResourcesInfo().join(', ')}\n`);
  process.exit(1);
}, END_LIMIT_MS).unref();
