import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Mainnet } from '../mainnet';
import { Recording } from './recording';
import { Replay } from './replay';

/** The chain's present when a recording is made, so that a recording made again is the same. */
const PRESENT_MS = Date.UTC(2026, 10, 1);

/** An RPC for the tests of a suite, and what they have to know of its chain. */
export interface RecordedRpc {
  readonly rpcUrl: string;
  readonly notes: Readonly<Record<string, string>>;
}

/**
 * Lets a suite run on a recording of the little mainnet, also where there are no real programs. With BINSIGHT_RECORD=1 the suite runs on the
 * little mainnet itself, and what it asks is recorded to test/chain/recordings. A test that asks for anything else than was recorded fails.
 * @param scenario what happens on the chain before the tests; gives notes for them
 */
export function useRecordedRpc(name: string, scenario: (mainnet: Mainnet) => Promise<Readonly<Record<string, string>>>): () => RecordedRpc {
  const folder = join('test', 'chain', 'recordings');
  const file = join(folder, `${name}.json.br`);
  let rpc: RecordedRpc | undefined;
  let stop: (() => Promise<void>) | undefined;
  before(async () => {
    if (process.env.BINSIGHT_RECORD === '1') {
      const mainnet = await Mainnet.start({ nowMs: PRESENT_MS });
      const notes = await scenario(mainnet);
      mainnet.finalize();
      const recording = new Recording(notes);
      mainnet.node.onAnswer = (method, params, answer) => recording.add(method, params, answer);
      rpc = { rpcUrl: mainnet.rpcUrl, notes };
      stop = async () => {
        mkdirSync(folder, { recursive: true });
        recording.save(file);
        await mainnet.stop();
      };
    } else {
      const recording = Recording.read(file);
      const replay = new Replay(recording);
      rpc = { rpcUrl: await replay.start(), notes: recording.notes };
      stop = async () => {
        await replay.stop();
        assert.deepEqual(replay.unknown, [], `not in ${file}; BINSIGHT_RECORD=1 records it again`);
      };
    }
  });
  after(() => stop?.());
  return () => {
    if (rpc === undefined) {
      throw new TypeError('The recorded RPC runs only during tests');
    }
    return rpc;
  };
}
