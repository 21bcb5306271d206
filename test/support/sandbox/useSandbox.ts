import { rmSync } from 'node:fs';
import { TestClient } from './client';
import { copyOfNewWorld, type WorldOptions } from './madeWorld';
import { argumentsOf, type SandboxOptions } from './process';
import { SharedProcess, type SharedSandbox } from './shared/sharedProcess';

/** A market that stands still, so that figures of one answer are those of the next; what clients do and shocks still move it. */
export const STILL: Pick<SandboxOptions, 'args'> = { args: ['--price-speed', '0'] };

/** The same, of a world with little history: for operations, which do not look at it. */
export const STILL_AND_SHORT: Pick<SandboxOptions, 'args'> & WorldOptions = { ...STILL, hasShortPast: true };

/** One for all suites of a run. */
const shared = new SharedProcess();

/**
 * Gives the tests of a suite a sandbox, all of them the same one or `each` one of its own, and stops it afterwards; call
 * it within `describe`. Gives the client of the one that runs. Each goes on from a copy of one new world. All run in one process.
 */
export function useSandbox(of: 'all' | 'each' = 'all', options: Pick<SandboxOptions, 'args'> & WorldOptions = {}): () => TestClient {
  let running: { readonly sandbox: SharedSandbox; readonly client: TestClient; readonly data: string } | undefined;
  const start = async (): Promise<void> => {
    const data = await copyOfNewWorld(options);
    const sandbox = await shared.start(argumentsOf(data, options));
    running = { sandbox, client: new TestClient(sandbox), data };
  };
  const stop = async (): Promise<void> => {
    const { sandbox, data } = running ?? {};
    running = undefined;
    await sandbox?.stop();
    if (data !== undefined) {
      rmSync(data, { recursive: true, force: true });
    }
  };
  if (of === 'all') {
    before(start);
    after(stop);
  } else {
    beforeEach(start);
    afterEach(stop);
  }
  return () => {
    if (running === undefined) {
      throw new Error('No sandbox is running: tests alone may ask for one');
    }
    return running.client;
  };
}
