import * as l10n from '@vscode/l10n';
import { Cancelled } from '../cancelled';
import { BaseUrlError } from '../../../service/baseUrl';
import { ServiceError, type ServiceErrorKind } from '../../../service/errors';
import { OperationError } from '../../../transactions/errors';
import { KeyError, SigningError } from '../../../wallet/errors';
import { ConnectionError, SandboxError } from '../connectionErrors';
import { VIEW } from '../names';
import { UserError } from '../userError';
import type { CommandId } from './registry';

/** A failure in words, and the ways on from it. */
export interface UserErrorDescription {
  readonly message: string;
  readonly severity: 'info' | 'warning' | 'error';
  /** Of the entry in the log. */
  readonly level: 'info' | 'warn' | 'error';
  /** Doing the same again may work, and can do no harm. */
  readonly canRetry: boolean;
  readonly remedies: readonly Remedy[];
  /** The operation that failed, by its id in the journal. */
  readonly operation?: string | undefined;
}

/** A button, and the command behind it. */
export interface Remedy {
  readonly label: string;
  readonly command: string;
}

const remedy = (label: string, command: CommandId): Remedy => ({ label, command });
const showLogText = () => remedy(l10n.t('Show Log'), 'binsight.showLog');
const setApiKeyText = () => remedy(l10n.t('Set API Key'), 'binsight.setApiKey');
const connect = () => remedy(l10n.t('Connect to a Service'), 'binsight.connectService');
const importKey = () => remedy(l10n.t('Import Wallet Key'), 'binsight.importWalletKey');
const showActivity = (): Remedy => ({ label: l10n.t('Show Activity'), command: `${VIEW.activity}.focus` });
const resetWorld = () => remedy(l10n.t('Reset World…'), 'binsight.resetSandboxWorld');
const REFRESH = remedy('Refresh', 'binsight.refresh');

/** How the sandbox begins its answer while its store cannot be read (src/sandbox/store/damage.ts). */
const SAYS_STORE_DAMAGED = 'The store of the sandbox cannot be read';

/** Words what was thrown, for the user; `undefined` where the user has cancelled and there is nothing to tell. */
export function describeUserError(error: unknown): UserErrorDescription | undefined {
  if (error instanceof OperationError) {
    return {
      message: error.message,
      severity: 'error',
      level: 'error',
      canRetry: error.money === 'untouched',
      operation: error.operation,
      remedies: [
        ...(error.money === 'unknown' || error.kind === 'underWay' ? [showActivity()] : []),
        ...(error.money === 'unknown' ? [REFRESH] : []),
        ...causeRemedies(error.cause),
        showLogText(),
      ],
    };
  }
  if (error instanceof Cancelled) {
    return undefined;
  }
  if (error instanceof ServiceError) {
    return describeServiceError(error);
  }
  if (error instanceof SigningError) {
    return {
      message: error.message,
      severity: 'error',
      level: 'error',
      canRetry: false,
      remedies: [...causeRemedies(error), showLogText()],
    };
  }
  if (error instanceof ConnectionError) {
    return { message: error.message, severity: 'warning', level: 'warn', canRetry: false, remedies: causeRemedies(error) };
  }
  if (error instanceof SandboxError) {
    return error.reason === 'stopped'
      ? undefined
      : {
          message: error.message,
          severity: 'error',
          level: 'error',
          canRetry: error.reason === 'failed',
          remedies: [...causeRemedies(error), showLogText()],
        };
  }
  if (error instanceof KeyError) {
    const message = error.isAboutStored ? error.message : l10n.t`${error.message} Nothing was changed.`;
    return { message, severity: 'error', level: 'info', canRetry: true, remedies: causeRemedies(error) };
  }
  if (error instanceof BaseUrlError) {
    return { message: error.message, severity: 'error', level: 'info', canRetry: true, remedies: [] };
  }
  if (error instanceof UserError) {
    return {
      message: error.message,
      severity: 'info',
      level: 'info',
      canRetry: false,
      remedies: error.remedy === undefined ? [] : [error.remedy],
    };
  }
  return {
    message: l10n.t('Something went wrong in Binsight that it has no words for. The log has the details.'),
    severity: 'error',
    level: 'error',
    canRetry: false,
    remedies: [showLogText()],
  };
}

function describeServiceError(error: ServiceError): UserErrorDescription | undefined {
  return error.kind === 'cancelled'
    ? undefined
    : {
        message: error.message,
        severity: 'error',
        level: 'warn',
        canRetry: MAY_PASS[error.kind],
        remedies: [...causeRemedies(error), showLogText()],
      };
}

/** Whether a failure may be over by the next time. */
const MAY_PASS: Readonly<Record<ServiceErrorKind, boolean>> = {
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

/** What puts the cause right. */
function causeRemedies(cause: unknown): readonly Remedy[] {
  if (cause instanceof ServiceError) {
    return cause.kind === 'unauthorized'
      ? [setApiKeyText()]
      : cause.serviceMessage?.startsWith(SAYS_STORE_DAMAGED) === true
        ? [resetWorld()]
        : [];
  }
  if (cause instanceof ConnectionError) {
    return [cause.reason === 'noApiKey' ? setApiKeyText() : connect()];
  }
  if (cause instanceof SandboxError) {
    return cause.reason === 'cannotRun' ? [connect()] : cause.reason === 'damaged' ? [resetWorld()] : [];
  }
  if (cause instanceof KeyError) {
    return cause.kind === 'badRecord' ? [importKey()] : [];
  }
  if (cause instanceof SigningError) {
    return cause.kind === 'noKey' || cause.kind === 'otherKey' ? [importKey()] : [];
  }
  return [];
}
