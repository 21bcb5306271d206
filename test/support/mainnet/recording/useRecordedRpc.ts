import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Mainnet } from '../mainnet';
import { Faults } from '../rpc/faults';
import { Node } from '../rpc/node';
import { RpcServer } from '../rpc/server';
import { FrozenChain } from './frozenChain';
import { readRecording, saveRecording } from './recording';

/** The chain's present when a recording is made. */
const PRESENT_MS = Date.UTC(2026, 10, 1);

/** An RPC for the tests of a suite, and what they have to know about its chain. */
export interface RecordedRpc {
  readonly rpcUrl: string;
  readonly faults: Faults;
  readonly notes: Readonly<Record<string, string>>;
}

/**
 * Serves a recorded chain to the tests of a suite, also where there are no real programs: its accounts and transactions at one moment, behind the
 * same RPC as the little mainnet's. It runs no transactions. BINSIGHT_RECORD=1 makes the recording in test/chain/recordings again.
 * @param scenario what happens on the little mainnet before it is recorded; returns notes for the tests
 */
export function useRecordedRpc(name: string, scenario: (mainnet: Mainnet) => Promise<Readonly<Record<string, string>>>): () => RecordedRpc {
  const folder = join('test', 'chain', 'recordings');
  const file = join(folder, `${name}.br`);
  let server: RpcServer | undefined;
  let rpc: RecordedRpc | undefined;
  before(async () => {
    if (process.env.BINSIGHT_RECORD === '1') {
      const mainnet = await Mainnet.start({ nowMs: PRESENT_MS });
      const notes = await scenario(mainnet);
      mainnet.finalize();
      mkdirSync(folder, { recursive: true });
      saveRecording(file, { chain: mainnet.chain.record(), notes });
      await mainnet.stop();
    }
    const { chain, notes } = readRecording(file);
    const faults = new Faults(() => []);
    server = new RpcServer(new Node(new FrozenChain(chain), faults), faults);
    rpc = { rpcUrl: await server.start(), faults, notes };
  });
  after(() => server?.stop());
  afterEach(() => rpc?.faults.clear());
  return () => {
    if (rpc === undefined) {
      throw new TypeError('The recorded RPC runs only during tests');
    }
    return rpc;
  };
}
