import * as l10n from '@vscode/l10n';

/** A request that can't be fulfilled. Nothing has happened. The message says why and what helps. */
export class UserError extends Error {
  override readonly name = 'UserError';

  /** Commands that help, and the labels of their buttons. */
  readonly remedies: readonly { readonly label: string; readonly command: string }[];

  constructor(message: string, ...remedies: UserError['remedies']) {
    super(message);
    this.remedies = remedies;
  }
}

/** The files of the extension were replaced or removed under this window. Nothing was signed. */
export class ReplacedError extends Error {
  override readonly name = 'ReplacedError';

  constructor(options?: ErrorOptions) {
    super(replacedText(), options);
  }
}

/** What the user reads once the files of the extension were replaced under this window. */
export function replacedText(): string {
  return l10n.t('Binsight was updated. This window signs nothing more. Reload the window.');
}

export const RELOAD_WINDOW = 'workbench.action.reloadWindow';

/** The user cancelled. No message is shown. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

/**
 * Waits for `work` until `signal` is aborted. The work itself continues, because others can wait for it too.
 * @throws Cancelled as soon as `signal` is aborted
 */
export async function orCancelled<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  let leave: () => void = () => undefined;
  const left = new Promise<never>((_, reject) => {
    leave = () => reject(new Cancelled());
    // An aborted signal does not fire again.
    if (signal.aborted) {
      leave();
    }
    signal.addEventListener('abort', leave, { once: true });
  });
  try {
    return await Promise.race([work, left]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

export type ConnectionErrorReason =
  | 'noApiKey'
  | 'invalidAddress'
  /** A Solana RPC is selected, and this machine has no address of one. */
  | 'noRpcAddress'
  /** The Solana RPC refuses the requests, or is of another chain. */
  | 'rpcRefused'
  /** The Solana RPC doesn't answer, fails, or allows no more requests at the moment. */
  | 'rpcUnavailable';

/** The service can't be contacted. The message tells the user what is missing. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';

  constructor(
    readonly reason: ConnectionErrorReason,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export type ProcessErrorReason =
  /** This system can't run it. A retry doesn't help. */
  | 'cannotRun'
  /** It didn't start, or crashed too often. */
  | 'failed'
  /** Its store can't be read. The sandbox starts again after a reset of its world. */
  | 'damaged'
  /** It was stopped because another service was chosen or the window closes. */
  | 'stopped'
  /** The files of the extension were replaced under this window. */
  | 'replaced';

/** A service that runs as a process on this machine is not available. The message is for the user. */
export abstract class ProcessError extends Error {
  constructor(
    readonly reason: ProcessErrorReason,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The sandbox is not available. */
export class SandboxError extends ProcessError {
  override readonly name = 'SandboxError';
}

/** The service that answers from a Solana RPC is not available on this machine. */
export class RpcServiceError extends ProcessError {
  override readonly name = 'RpcServiceError';
}
