/** The kinds of failure of an RPC call. */
export type RpcErrorKind =
  /** No connection, or it broke. */
  | 'unreachable'
  | 'timeout'
  | 'cancelled'
  /** A status other than 2xx: the key, the plan, the request rate. */
  | 'status'
  /** The RPC answered with a JSON-RPC error, whose code is in `code`. */
  | 'refused'
  /** The answer is not what the method returns. */
  | 'malformed';

/** A failed RPC call. The message names the RPC by its host and contains no part of the address that may be a key. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  constructor(
    readonly kind: RpcErrorKind,
    message: string,
    /** The JSON-RPC error code for `refused`, the HTTP status for `status`. */
    readonly code?: number,
  ) {
    super(message);
  }
}
