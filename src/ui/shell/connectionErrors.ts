/** Why there is nothing to connect to. */
export type ConnectionErrorReason = 'noApiKey' | 'invalidAddress';

/** The service cannot even be asked. The message says what is missing, in words for the user. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';

  constructor(
    readonly reason: ConnectionErrorReason,
    message: string,
  ) {
    super(message);
  }
}

/** Why there is no sandbox. */
export type SandboxErrorReason =
  /** This system cannot run it; trying again does not help. */
  | 'cannotRun'
  /** It did not start, or stopped more often than it was restarted. */
  | 'failed'
  /** Its store cannot be read: it starts again once its world is reset. */
  | 'damaged'
  /** It is no longer wanted: another service was chosen, or the window closes. */
  | 'stopped';

/** The sandbox is not there. The message says so in words for the user. */
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
