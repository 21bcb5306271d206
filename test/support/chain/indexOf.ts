import { parseRpcUrl } from '../../../src/base/solana/rpcUrl';
import { createOwnerIndex, type ChainIndex, type OwnerIndexOptions } from '../../../src/chain/index/ownerIndex';
import { INDEX_MIGRATIONS } from '../../../src/chain/index/indexSchema';
import { createChainRpc } from '../../../src/chain/rpc/client';
import type { ChainRpc } from '../../../src/chain/rpc/types';
import { SqliteStore } from '../../../src/engine/store/sqliteStore';

/** An index over a node, and what it has logged. */
export interface TestIndex {
  readonly index: ChainIndex;
  readonly rpc: ChainRpc;
  readonly lines: readonly string[];
  /** Ends it as the process does. */
  stop(): Promise<void>;
}

/** Opens an index over the RPC at `url`. @param file by default in memory */
export function indexOf(url: string, { file, ...options }: Partial<OwnerIndexOptions> & { readonly file?: string } = {}): TestIndex {
  const controller = new AbortController();
  const lines: string[] = [];
  const rpc = createChainRpc({ url: parseRpcUrl(url), requestsPerSecond: 2_000, signal: controller.signal, random: () => 0 });
  const store = options.store ?? new SqliteStore(file, INDEX_MIGRATIONS);
  const index = createOwnerIndex({ rpc, store, log: (line) => lines.push(line), signal: controller.signal, ...options });
  return {
    index,
    rpc,
    lines,
    stop: async () => {
      controller.abort();
      await index.ended;
      store.close();
    },
  };
}
