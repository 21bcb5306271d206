/** The kinds of failure of a call to the service. */
export type ServiceErrorKind =
  /** A parameter is out of bounds. Checked before sending, so nothing was sent. */
  | 'invalidRequest'
  /** 401 or 403: the API key is missing or wrong, or doesn't allow this call. */
  | 'unauthorized'
  | 'notFound'
  /** Another 4xx, or a 500 whose body says that the request is at fault: the service refused the request. */
  | 'rejected'
  /** 429. */
  | 'rateLimited'
  /** 5xx. */
  | 'server'
  /** No connection, or it broke. */
  | 'unreachable'
  | 'timeout'
  | 'cancelled'
  /** A 2xx status with a body that violates the contract. */
  | 'malformed';

export interface ServiceErrorDetails {
  readonly kind: ServiceErrorKind;
  /** "GET /lp-positions/opening" */
  readonly endpoint: string;
  readonly status?: number;
  /** The message in the service's body, shortened. */
  readonly serviceMessage?: string;
  /** The missing or wrong field: "data[2].position". */
  readonly field?: string;
  /** The wait that the service asks for. */
  readonly retryAfterMs?: number;
  /**
   * True for every failed landing whose request may have reached the service, whatever it answered. For a landing, false means that
   * nothing was sent (no connection, no key, invalid request).
   */
  readonly mayHaveLanded?: boolean;
  readonly cause?: unknown;
}

/** A failed call to the service. The message is for the user and never contains a key or a body. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly kind: ServiceErrorKind;
  readonly endpoint: string;
  readonly status: number | undefined;
  readonly serviceMessage: string | undefined;
  readonly field: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly mayHaveLanded: boolean;

  constructor(message: string, details: ServiceErrorDetails) {
    super(message, { cause: details.cause });
    this.kind = details.kind;
    this.endpoint = details.endpoint;
    this.status = details.status;
    this.serviceMessage = details.serviceMessage;
    this.field = details.field;
    this.retryAfterMs = details.retryAfterMs;
    this.mayHaveLanded = details.mayHaveLanded ?? false;
  }
}
