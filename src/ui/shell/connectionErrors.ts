export type ConnectionErrorReason = 'noApiKey' | 'invalidAddress';

/** The service can't be contacted. The message tells the user what is missing. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';

  constructor(
    readonly reason: ConnectionErrorReason,
    message: string,
  ) {
    super(message);
  }
}

export type SandboxErrorReason =
  /** This system can't run it. A retry doesn't help. */
  | 'cannotRun'
  /** It didn't start, or crashed too often. */
  | 'failed'
  /** Its store can't be read. It starts again after a reset of its world. */
  | 'damaged'
  /** It was stopped because another service was chosen or the window closes. */
  | 'stopped';

/** The sandbox is not available. The message is for the user. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';

  constructor(
    readonly reason: SandboxErrorReason,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
