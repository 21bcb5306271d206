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
