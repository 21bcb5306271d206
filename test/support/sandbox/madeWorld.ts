import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { lock } from 'proper-lockfile';
import { PATIENCE_MS } from '../patience';
import { startSandbox, temporaryFolder } from './process';

/** Data folders of worlds that are made already, by seed: making one takes seconds, going on with a copy does not. */
const made = new Map<number, Promise<string>>();

/** The seed of worlds in tests that do not say one. */
const USUAL_SEED = 7;

/** How often it is looked whether another process has made a world. */
const POLL_MS = 200;

/** A folder of the caller's own with a world that has just been made, and that was not used. */
export async function copyOfNewWorld(seed = USUAL_SEED): Promise<string> {
  let original = made.get(seed);
  if (original === undefined) {
    const shared = process.env['BINSIGHT_WORLDS'];
    original = shared === undefined ? makeOwnWorld(seed) : makeSharedWorld(shared, seed);
    made.set(seed, original);
  }
  const copy = temporaryFolder();
  cpSync(await original, copy, { recursive: true });
  return copy;
}

async function makeOwnWorld(seed: number): Promise<string> {
  const data = temporaryFolder();
  // All suites of a run go on from it, so that it goes with the process.
  process.once('exit', () => rmSync(data, { recursive: true, force: true }));
  await makeWorld(data, seed);
  return data;
}

/** Of several processes of a run, the first one makes the world, and the others wait for it. */
async function makeSharedWorld(folder: string, seed: number): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const data = join(folder, `seed-${seed}`);
  const release = await lock(data, {
    realpath: false,
    retries: { retries: PATIENCE_MS / POLL_MS, factor: 1, minTimeout: POLL_MS, maxTimeout: POLL_MS },
  });
  try {
    if (!existsSync(data)) {
      // Another name until it is whole: a process that is killed leaves nothing that another one would use.
      const unfinished = `${data}.${process.pid}`;
      await makeWorld(unfinished, seed);
      renameSync(unfinished, data);
    }
  } finally {
    await release();
  }
  return data;
}

async function makeWorld(data: string, seed: number): Promise<void> {
  await (await startSandbox({ data, seed })).stop();
}
