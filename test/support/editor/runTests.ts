import { appendFileSync, writeFileSync } from 'node:fs';
import { runTestFolder } from '../../host/mochaRun.mjs';

/**
 * Runs every test of a folder in the extension host. What is said goes to the file BINSIGHT_TEST_LOG, for an extension host's output
 * reaches no terminal; what came of it to BINSIGHT_TEST_RESULTS.
 * @throws when a test fails: VS Code then ends with code 1
 */
export async function runTests(folder: string): Promise<void> {
  const log = required('BINSIGHT_TEST_LOG');
  writeFileSync(log, '');
  const write = (line: string) => appendFileSync(log, `${line}\n`);
  try {
    const failed = await runTestFolder({
      folder,
      resultsFile: required('BINSIGHT_TEST_RESULTS'),
      write,
      timeoutMs: Number(required('BINSIGHT_TEST_TIMEOUT_MS')),
      grep: process.env['BINSIGHT_TEST_GREP'],
      files: process.env['BINSIGHT_TEST_FILES']?.split(','),
    });
    if (failed > 0) {
      throw new Error(`${failed} failed`);
    }
  } catch (error) {
    write(error instanceof Error ? (error.stack ?? error.message) : String(error));
    throw error;
  }
}

function required(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') {
    throw new Error(`${name} is not set`);
  }
  return value;
}
