import { parseRpcUrl } from '../../../src/base/solana/rpcUrl';
import { createRpc } from '../../../src/rpc/rpc';
import type { SolanaRpc } from '../../../src/rpc/types';
import type { ReadyLine } from './process';

/** The RPC of a sandbox, as the extension reads it. */
export function rpcOf({ url, apiKey }: Pick<ReadyLine, 'url' | 'apiKey'>): SolanaRpc {
  return createRpc({ url: parseRpcUrl(new URL(`/rpc?api-key=${apiKey}`, url).href) });
}
