import { TestClient } from './client';
import { startSandbox, type RunningSandbox, type SandboxOptions } from './process';

/**
 * Gives the tests of a suite a sandbox, all of them the same one or `each` a new one, and stops it afterwards; call it
 * within `describe`. Gives the client of the one that runs.
 */
export function useSandbox(of: 'all' | 'each' = 'all', options: SandboxOptions = {}): () => TestClient {
  let running: { readonly sandbox: RunningSandbox; readonly client: TestClient } | undefined;
  const start = async (): Promise<void> => {
    const sandbox = await startSandbox(options);
    running = { sandbox, client: new TestClient(sandbox) };
  };
  const stop = async (): Promise<void> => {
    await running?.sandbox.stop();
    running = undefined;
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
