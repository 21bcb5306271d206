import * as l10n from '@vscode/l10n';
import { DataUnavailableError } from '../../../autoRebalance/inputs';
import { BaseUrlError } from '../../../service/baseUrl';
import { ServiceError, type ServiceErrorKind } from '../../../service/errors';
import { OperationError } from '../../../transactions/errors';
import { KeyError, SigningError } from '../../../wallet/errors';
import { Cancelled, ConnectionError, ProcessError, RELOAD_WINDOW, ReplacedError, SandboxError, UserError } from '../errors';
import { VIEW } from '../names';
import { SecretError } from '../secrets';
import type { CommandId } from '../../../settings/generated/commandIds';

/** A failure as it is shown to the user: the message, and what can be done about it. */
export interface UserErrorDescription {
  readonly message: string;
  readonly severity: 'info' | 'warning' | 'error';
  /** Level of the log entry. */
  readonly level: 'info' | 'warn' | 'error';
  /** The same command may succeed if it is repeated, and repeating it is safe. */
  readonly canRetry: boolean;
  readonly remedies: readonly Remedy[];
  /** Journal id of the operation that failed. */
  readonly operation?: string | undefined;
}

/** A button of a notification, and the command that it runs. */
export interface Remedy {
  readonly label: string;
  readonly command: string;
  readonly argument?: unknown;
}

const remedy = (label: string, command: CommandId, argument?: unknown): Remedy => ({
  label,
  command,
  ...(argument === undefined ? {} : { argument }),
});
const showLog = () => remedy(l10n.t('Show Log'), 'binsight.showLog');
const setApiKey = () => remedy(l10n.t('Set API Key…'), 'binsight.setApiKey');
const connect = () => remedy(l10n.t('Connect to Service…'), 'binsight.connectService');
const watchAddress = () => remedy(l10n.t('Watch Address…'), 'binsight.watchAddress');
const importKey = () => remedy(l10n.t('Import Wallet Key…'), 'binsight.importWalletKey');
const showActivity = (): Remedy => ({ label: l10n.t('Show Activity'), command: `${VIEW.activity}.focus` });
const resetWorld = () => remedy(l10n.t('Reset World…'), 'binsight.resetSandboxWorld');
/** The only button: one notification says it, however many commands are refused. */
const reloadWindow = (): Remedy => ({ label: l10n.t('Reload Window'), command: RELOAD_WINDOW });
const refresh = () => remedy(l10n.t('Refresh'), 'binsight.refresh');

/** Start of the sandbox's error message while its store cannot be read (src/sandbox/store/damage.ts). */
const STORE_DAMAGED_PREFIX = 'The store of the sandbox cannot be read';

/**
 * Describes a thrown value to the user.
 * @returns `undefined` if the user cancelled or stopped the work: there is nothing to show
 */
export function describeUserError(error: unknown): UserErrorDescription | undefined {
  if (error instanceof OperationError) {
    return {
      message: error.message,
      severity: 'error',
      level: 'error',
      canRetry: error.money === 'untouched',
      operation: error.operation,
      remedies: [
        ...lookUpRemedies(error),
        ...(error.money === 'unknown' || error.kind === 'underWay' || error.kind === 'mayRepeat' ? [showActivity()] : []),
        ...(error.money === 'unknown' ? [refresh()] : []),
        ...causeRemedies(error.cause),
        showLog(),
      ],
    };
  }
  if (error instanceof ReplacedError || (error instanceof ProcessError && error.reason === 'replaced')) {
    return { message: error.message, severity: 'warning', level: 'warn', canRetry: false, remedies: [reloadWindow()] };
  }
  if (error instanceof Cancelled) {
    return undefined;
  }
  if (error instanceof ServiceError) {
    return describeServiceError(error);
  }
  if (error instanceof SigningError) {
    return { message: error.message, severity: 'error', level: 'error', canRetry: false, remedies: [...causeRemedies(error), showLog()] };
  }
  if (error instanceof ConnectionError) {
    return {
      message: error.message,
      severity: 'warning',
      level: 'warn',
      canRetry: error.reason === 'rpcUnavailable',
      remedies: causeRemedies(error),
    };
  }
  if (error instanceof ProcessError) {
    return error.reason === 'stopped'
      ? undefined
      : {
          message: error.message,
          severity: 'error',
          level: 'error',
          canRetry: error.reason === 'failed',
          remedies: [...causeRemedies(error), showLog()],
        };
  }
  if (error instanceof SecretError) {
    return { message: error.message, severity: 'error', level: 'warn', canRetry: true, remedies: [showLog()] };
  }
  if (error instanceof KeyError) {
    const message = error.isAboutStored ? error.message : l10n.t`${error.message} Nothing was changed.`;
    return { message, severity: 'error', level: 'info', canRetry: true, remedies: causeRemedies(error) };
  }
  if (error instanceof BaseUrlError) {
    return { message: error.message, severity: 'error', level: 'info', canRetry: true, remedies: [] };
  }
  if (error instanceof DataUnavailableError) {
    return {
      message: error.message,
      severity: 'error',
      level: 'warn',
      canRetry: true,
      remedies: [...causeRemedies(error.cause), showLog()],
    };
  }
  if (error instanceof UserError) {
    return { message: error.message, severity: 'info', level: 'info', canRetry: false, remedies: error.remedies };
  }
  return {
    message: l10n.t('An unexpected error occurred. See the log.'),
    severity: 'error',
    level: 'error',
    canRetry: false,
    remedies: [showLog()],
  };
}

/** How to look up what may have landed, before it is repeated. */
function lookUpRemedies({ lookUp, operation }: OperationError): readonly Remedy[] {
  if (lookUp === undefined || operation === undefined) {
    return [];
  }
  const target = { kind: 'operation', id: operation };
  return [
    lookUp.hasExplorer
      ? remedy(l10n.t('Open in Explorer'), 'binsight.openInExplorer', target)
      : remedy(l10n.t('Copy Signature'), 'binsight.copySignature', target),
  ];
}

function describeServiceError(error: ServiceError): UserErrorDescription | undefined {
  return error.kind === 'cancelled'
    ? undefined
    : {
        message: error.message,
        severity: 'error',
        level: 'warn',
        canRetry: IS_TRANSIENT[error.kind],
        remedies: [...causeRemedies(error), showLog()],
      };
}

/** Failures that a retry can overcome. */
const IS_TRANSIENT: Readonly<Record<ServiceErrorKind, boolean>> = {
  invalidRequest: false,
  unauthorized: false,
  notFound: false,
  rejected: false,
  rateLimited: true,
  server: true,
  unreachable: true,
  timeout: true,
  cancelled: false,
  malformed: true,
};

/** Commands that fix the cause of a failure. */
function causeRemedies(cause: unknown): readonly Remedy[] {
  if (cause instanceof ServiceError) {
    return cause.kind === 'unauthorized'
      ? [setApiKey()]
      : cause.serviceMessage?.startsWith(STORE_DAMAGED_PREFIX) === true
        ? [resetWorld()]
        : [];
  }
  if (cause instanceof ConnectionError) {
    return cause.reason === 'rpcUnavailable' ? [showLog()] : [cause.reason === 'noApiKey' ? setApiKey() : connect()];
  }
  if (cause instanceof ProcessError) {
    return cause.reason === 'cannotRun'
      ? // Watching needs nothing but an address; only another service helps where the local one does not run.
        [...(cause instanceof SandboxError ? [watchAddress()] : []), connect()]
      : cause.reason === 'damaged' && cause instanceof SandboxError
        ? [resetWorld()]
        : [];
  }
  if (cause instanceof ReplacedError) {
    return [reloadWindow()];
  }
  if (cause instanceof KeyError) {
    return cause.kind === 'badRecord' ? [importKey()] : [];
  }
  if (cause instanceof SigningError) {
    return cause.kind === 'noKey' || cause.kind === 'otherKey' ? [importKey()] : [];
  }
  return [];
}
