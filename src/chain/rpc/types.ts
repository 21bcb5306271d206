import type { Connection } from '@solana/web3.js';
import type * as z from 'zod';

/** Requests of a client come before those of the index. */
export type RpcPriority = 'request' | 'background';

/** Options of one JSON-RPC request. */
export interface ChainCallOptions {
  /** Default: `request`. */
  readonly priority?: RpcPriority;
  readonly signal?: AbortSignal;
  /** There is another way: a failure that may pass is not waited for. A limit of requests a second is. Default: `false`. */
  readonly isOptional?: boolean;
}

/** Access to the chain. All requests, those of the SDKs included, count against one limit of requests a second. */
export interface ChainRpc {
  /** For the SDKs. Its requests are limited, retried and counted like all others; commitment `confirmed`. */
  readonly connection: Connection;
  /**
   * Sends one request and checks the result.
   * @throws ChainRpcError with the reason
   */
  call<Schema extends z.ZodType>(
    method: string,
    parameters: readonly unknown[],
    schema: Schema,
    options?: ChainCallOptions,
  ): Promise<z.output<Schema>>;
  /** Requests sent since the start, by method. */
  readonly counts: ReadonlyMap<string, number>;
}
