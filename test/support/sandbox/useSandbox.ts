import { rmSync } from 'node:fs';
import { TestClient } from './client';
import { copyOfNewWorld } from './madeWorld';
import { startSandbox, type RunningSandbox, type SandboxOptions } from './process';

/** A market that stands still, so that figures of one answer are those of the next; what clients do and shocks still move it. */
export const STILL: Omit<SandboxOptions, 'data'> = { args: ['--price-speed', '0'] };

/**
 * Gives the tests of a suite a sandbox, all of them the same one or `each` one of its own, and stops it afterwards; call
 * it within `describe`. Gives the client of the one that runs. Each goes on from a copy of one new world.
 */
export function useSandbox(of: 'all' | 'each' = 'all', options: Omit<SandboxOptions, 'data'> = {}): () => TestClient {
  let running: { readonly sandbox: RunningSandbox; readonly client: TestClient; readonly data: string } | undefined;
  const start = async (): Promise<void> => {
    const data = await copyOfNewWorld(options.seed);
    const sandbox = await startSandbox({ ...options, data });
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
