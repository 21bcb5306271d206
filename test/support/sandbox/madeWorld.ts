import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { lock } from 'proper-lockfile';
import { PATIENCE_MS } from '../patience';
import { SHORT_PAST, startSandbox, temporaryFolder } from './process';

/** Data folders of worlds that are made already, by name: making one takes seconds, going on with a copy does not. */
const made = new Map<string, Promise<string>>();

/** Which world. */
export interface WorldOptions {
  readonly seed?: number;
  /** Of two days, where nobody looks at history: reading and auditing all of it takes most of the time of a test. Else of ninety. */
  readonly hasShortPast?: boolean;
}

/** The seed of worlds in tests that do not say one. */
const USUAL_SEED = 7;

/** How often it is looked whether another process has made a world. */
const POLL_MS = 200;

/** A folder of the caller's own with a world that has just been made, and that was not used. */
export async function copyOfNewWorld({ seed = USUAL_SEED, hasShortPast = false }: WorldOptions = {}): Promise<string> {
  const name = `seed-${seed}${hasShortPast ? '-short' : ''}`;
  const make = async (data: string): Promise<void> => {
    await (await startSandbox({ data, seed, args: hasShortPast ? SHORT_PAST : [] })).stop();
  };
  let original = made.get(name);
  if (original === undefined) {
    const shared = process.env['BINSIGHT_WORLDS'];
    original = shared === undefined ? makeOwnWorld(make) : makeSharedWorld(shared, name, make);
    made.set(name, original);
  }
  const copy = temporaryFolder();
  cpSync(await original, copy, { recursive: true });
  return copy;
}

async function makeOwnWorld(make: (data: string) => Promise<void>): Promise<string> {
  const data = temporaryFolder();
  // All suites of a run go on from it, so that it goes with the process.
  process.once('exit', () => rmSync(data, { recursive: true, force: true }));
  await make(data);
  return data;
}

/** Of several processes of a run, the first one makes the world, and the others wait for it. */
async function makeSharedWorld(folder: string, name: string, make: (data: string) => Promise<void>): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const data = join(folder, name);
  const release = await lock(data, {
    realpath: false,
    retries: { retries: PATIENCE_MS / POLL_MS, factor: 1, minTimeout: POLL_MS, maxTimeout: POLL_MS },
  });
  try {
    if (!existsSync(data)) {
      // Another name until it is whole: a process that is killed leaves nothing that another one would use.
      const unfinished = `${data}.${process.pid}`;
      await make(unfinished);
      renameSync(unfinished, data);
    }
  } finally {
    await release();
  }
  return data;
}
