/** Why an RPC gave nothing to go by. */
export type RpcErrorKind =
  /** No connection, or it broke. */
  | 'unreachable'
  | 'timeout'
  | 'cancelled'
  /** A status that is no success: the key, the plan, the rate. */
  | 'status'
  /** It answered with an error of its own; `code` says which. */
  | 'refused'
  /** The answer is not what the method gives. */
  | 'malformed';

/** A call of an RPC that failed. The message names the RPC by its host and holds no part of the address that may be a key. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  constructor(
    readonly kind: RpcErrorKind,
    message: string,
    /** Of JSON-RPC for `refused`, of HTTP for `status`. */
    readonly code?: number,
  ) {
    super(message);
  }
}
