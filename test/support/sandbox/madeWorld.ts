import { cpSync, rmSync } from 'node:fs';
import { startSandbox, temporaryFolder } from './process';

/** Data folders of worlds that are made already, by seed: making one takes seconds, going on with a copy does not. */
const made = new Map<number, Promise<string>>();

/** The seed of worlds in tests that do not say one. */
const USUAL_SEED = 7;

/** A folder of the caller's own with a world that has just been made, and that nobody has used. */
export async function copyOfNewWorld(seed = USUAL_SEED): Promise<string> {
  let original = made.get(seed);
  if (original === undefined) {
    original = makeWorld(seed);
    made.set(seed, original);
  }
  const copy = temporaryFolder();
  cpSync(await original, copy, { recursive: true });
  return copy;
}

async function makeWorld(seed: number): Promise<string> {
  const data = temporaryFolder();
  // All suites of a run go on from it, so that it goes with the process.
  process.once('exit', () => rmSync(data, { recursive: true, force: true }));
  await (await startSandbox({ data, seed })).stop();
  return data;
}
