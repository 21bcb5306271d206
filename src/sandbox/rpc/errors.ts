/** Codes of JSON-RPC 2.0, and those that Solana's nodes add (agave: `rpc_custom_error.rs`). */
export const RPC_CODES = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  unsupportedTransactionVersion: -32015,
  minContextSlotNotReached: -32016,
} as const;

/** Why a call has no result: becomes the `error` of its answer. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

/** The parameters are not what the method takes. */
export function invalidParams(message: string): RpcError {
  return new RpcError(RPC_CODES.invalidParams, message);
}
