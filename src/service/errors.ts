/** What kind of failure a call to the service ended in. */
export type ServiceErrorKind =
  /** Bounds were checked before sending: nothing was sent. */
  | 'invalidRequest'
  /** 401 or 403: the API key is missing, wrong or not allowed this. */
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
  /** A success status with a body that does not fit the contract. */
  | 'malformed';

/** What is known of a failed call. */
export interface ServiceErrorDetails {
  readonly kind: ServiceErrorKind;
  /** "GET /lp-positions/opening" */
  readonly endpoint: string;
  readonly status?: number;
  /** What the service's body said, shortened, in its own words. */
  readonly serviceMessage?: string;
  /** The field that is missing or wrong: "data[2].position". */
  readonly field?: string;
  /** How long the service asks to wait. */
  readonly retryAfterMs?: number;
  /**
   * True for every failed landing whose request may have reached the service, whatever it answered. False for a landing: nothing was
   * sent (no connection, no key, refused before sending).
   */
  readonly mayHaveLanded?: boolean;
  readonly cause?: unknown;
}

/** A call to the service that failed. The message says what happened, in words for the user; never a key or a body. */
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
