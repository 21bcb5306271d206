import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseRpcUrl } from '../../../src/base/solana/rpcUrl';
import { openIndexStore } from '../../../src/chain/index/openIndex';
import { createOwnerIndex } from '../../../src/chain/index/ownerIndex';
import type { IndexProgress } from '../../../src/chain/index/types';
import { createChainRpc } from '../../../src/chain/rpc/client';
import { SyntheticHistory } from './syntheticHistory';

/** What indexing an owner costs. */
export interface IndexFigures {
  readonly progress: IndexProgress;
  /** From the first request to the last row, with a node that answers at once and no limit of requests. */
  readonly milliseconds: number;
  readonly requests: number;
  /** Requests of one more listing, with nothing new. */
  readonly requestsAfter: number;
  /** Duration of reading all positions of the owner from the store, and again from memory. */
  readonly firstReadMs: number;
  readonly secondReadMs: number;
  readonly positions: number;
  readonly complete: number;
  readonly bytesOnDisk: number;
  /** Growth of the process's memory. */
  readonly residentBytes: number;
}

/** Indexes the history of an owner with so many transactions, in a folder of its own. */
export async function measureIndex(
  transactions: number,
  node: Partial<Pick<SyntheticHistory, 'hasPages' | 'missingInPages'>> = {},
): Promise<IndexFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'binsight-index-'));
  const file = join(folder, 'index.sqlite');
  const history = Object.assign(new SyntheticHistory(transactions), node);
  const controller = new AbortController();
  const { signal } = controller;
  const rpc = createChainRpc({ url: parseRpcUrl('https://rpc.example/'), requestsPerSecond: 1_000_000, fetch: history.fetch, signal });
  const residentBefore = process.memoryUsage.rss();
  const store = openIndexStore(file, () => undefined);
  const index = createOwnerIndex({ rpc, store, log: () => undefined, signal });
  const requests = (): number => [...history.counts.values()].reduce((sum, count) => sum + count, 0);
  const timed = <Result>(run: () => Result): readonly [Result, number] => {
    const began = performance.now();
    return [run(), performance.now() - began];
  };
  try {
    const began = performance.now();
    const progress = await index.catchUp(history.owner, 600_000);
    const milliseconds = performance.now() - began;
    const used = requests();
    await index.catchUp(history.owner, 600_000);
    const requestsAfter = requests() - used;
    const [positions, firstReadMs] = timed(() => index.positions({ owner: history.owner }));
    const [, secondReadMs] = timed(() => index.positions({ owner: history.owner }));
    const residentBytes = process.memoryUsage.rss() - residentBefore;
    controller.abort();
    await index.ended;
    store.close();
    return {
      ...{ progress, milliseconds, requests: used, requestsAfter, firstReadMs, secondReadMs, residentBytes },
      positions: positions.length,
      complete: positions.filter(({ complete }) => complete).length,
      bytesOnDisk: statSync(file).size,
    };
  } finally {
    controller.abort();
    rmSync(folder, { recursive: true, force: true });
  }
}
