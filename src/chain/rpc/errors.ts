/** The kinds of failure of a request to the chain. */
export type ChainRpcErrorKind =
  /** Too many requests for the plan (429), also after waiting. */
  | 'rateLimited'
  /** The requests that the plan includes are used up until it renews. */
  | 'planUsedUp'
  /** The node does not offer this method, or not for these parameters. Any refusal of a search is one that has no other reason. */
  | 'refusedMethod'
  /** The key is wrong or missing (HTTP 401). */
  | 'unauthorized'
  /** No answer in time. A transaction that was sent may have been taken. */
  | 'timeout'
  /** No connection, a broken one, HTTP 5xx, or a node that is behind. A transaction that was sent may have been taken. */
  | 'unavailable'
  /** A transaction of a later version than is read. */
  | 'unsupportedVersion'
  /** The answer is not what the method returns, or is longer than allowed. */
  | 'invalidResponse'
  /** Any other JSON-RPC error: its code is in `code`. */
  | 'refused'
  | 'cancelled';

/** What is known of a failure besides its kind. */
export interface ChainRpcErrorDetails {
  /** The code of the JSON-RPC error, or the HTTP status. */
  readonly code?: number;
  readonly status?: number;
  /** `data` of the JSON-RPC error: untrusted. */
  readonly data?: unknown;
  readonly cause?: unknown;
}

/**
 * A failed request to the chain. Message and cause name the RPC by its host and contain no part of its address that may be a key.
 */
export class ChainRpcError extends Error {
  override readonly name = 'ChainRpcError';
  readonly kind: ChainRpcErrorKind;
  readonly method: string;
  readonly code: number | undefined;
  /** HTTP status of the answer; `undefined`: none came. */
  readonly status: number | undefined;
  readonly data: unknown;

  constructor(kind: ChainRpcErrorKind, method: string, message: string, { code, status, data, cause }: ChainRpcErrorDetails = {}) {
    super(message, cause === undefined ? {} : { cause });
    this.kind = kind;
    this.method = method;
    this.code = code;
    this.status = status;
    this.data = data;
  }
}
