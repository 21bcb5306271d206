import * as l10n from '@vscode/l10n';
import { timeOfDay } from '../../../base/format/time';
import type { ListState } from '../../../portfolio/types';
import { ServiceError } from '../../../service/errors';
import type { JournalProblem, OperationRecord } from '../../../transactions/journal/types';
import { ConnectionError, RpcServiceError, SandboxError } from '../errors';
import type { OpenTask } from '../openTasks';
import type { ServiceChoice } from '../serviceChoice';
import { incompleteText } from './incompleteText';
import { joined } from './rows';

/**
 * State of a view, and the value of its context key. package.json chooses the welcome text by it.
 */
export type ViewState =
  /** No request has been answered yet. */
  | 'loading'
  | 'startingSandbox'
  | 'sandboxCannotRun'
  | 'sandboxFailed'
  /** The process that answers from a Solana RPC. */
  | 'startingService'
  | 'serviceFailed'
  | 'noRpcAddress'
  /** The Solana RPC refuses the requests, or is of another chain. */
  | 'rpcRefused'
  /** It doesn't answer, fails, or allows no more requests at the moment. */
  | 'rpcUnavailable'
  | 'invalidAddress'
  | 'noApiKey'
  | 'noOwner'
  /** The service rejected the API key. */
  | 'refused'
  | 'unreachable'
  | 'failed'
  /** The service answered with an empty list. */
  | 'empty'
  | 'listed';

export interface ViewFacts {
  readonly choice: ServiceChoice;
  readonly connection: ConnectionStatus;
  /** The view needs a wallet, and none is selected. */
  readonly ownerMissing: boolean;
  readonly list: ListState;
  readonly count: number;
}

/** Returns the state of a view. Existing rows stay visible after any failure. */
export function viewState({ choice, connection, ownerMissing, list, count }: ViewFacts): ViewState {
  if (count > 0) {
    return 'listed';
  }
  switch (connection.kind) {
    case 'failed':
      return stateOfError(connection.error, choice);
    case 'opening':
      return choice.kind === 'sandbox' ? 'startingSandbox' : choice.kind === 'solanaRpc' ? 'startingService' : 'loading';
    case 'open':
      break;
  }
  if (ownerMissing) {
    return 'noOwner';
  }
  switch (list.kind) {
    case 'failed':
    case 'stale':
      return stateOfError(list.error, choice);
    case 'ready':
      return 'empty';
    case 'idle':
    case 'loading':
      return 'loading';
  }
}

/** State of the Activity view, and the value of its context key. */
export function activityViewState(state: ActivityState): 'loading' | 'failed' | 'empty' | 'listed' {
  return state.kind !== 'ready' ? state.kind : state.records.length + state.problems.length > 0 ? 'listed' : 'empty';
}

/** Status of the local service while it can't use its RPC. */
const SERVICE_UNAVAILABLE = 503;

function stateOfError(error: Error, choice: ServiceChoice): ViewState {
  if (error instanceof ConnectionError) {
    return error.reason;
  }
  if (error instanceof SandboxError) {
    return error.reason === 'cannotRun' ? 'sandboxCannotRun' : 'sandboxFailed';
  }
  if (error instanceof RpcServiceError) {
    return 'serviceFailed';
  }
  if (error instanceof ServiceError) {
    switch (error.kind) {
      case 'unauthorized':
        return 'refused';
      case 'unreachable':
      case 'timeout':
        return 'unreachable';
      default:
        return choice.kind === 'solanaRpc' && error.status === SERVICE_UNAVAILABLE ? 'rpcUnavailable' : 'failed';
    }
  }
  return 'failed';
}

export interface DescribedView {
  readonly choice: ServiceChoice;
  readonly list: ListState;
  readonly isWatchedOnly: boolean;
  /** What the sandbox plays. */
  readonly played?: 'hostile' | 'fault' | undefined;
  /** `undefined`: all positions are listed. */
  readonly filter?: string | undefined;
  /** `undefined`: the wallet has no name. */
  readonly walletName?: string | undefined;
}

/**
 * The text beside the title of the Positions view: the service and what it plays, the wallet's name, whether it is watch-only, the filter, and the
 * time of the last update.
 */
export function viewDescription({ choice, list, isWatchedOnly, played, filter, walletName }: DescribedView): string {
  const asOf = list.kind === 'ready' || list.kind === 'stale' ? l10n.t`as of ${timeOfDay(list.asOf)}` : undefined;
  const play = played === undefined ? undefined : played === 'hostile' ? l10n.t('hostile service') : l10n.t('fault');
  return joined([choice.name, play, walletName, isWatchedOnly ? l10n.t('watch-only') : undefined, filter, asOf]);
}

/** Message of the error that kept a list from being read; `undefined` if there is none. */
export function problemOf({ connection, list }: Pick<ViewFacts, 'connection' | 'list'>): string | undefined {
  if (connection.kind === 'failed') {
    return connection.error.message;
  }
  return list.kind === 'failed' || list.kind === 'stale' ? list.error.message : undefined;
}

/**
 * The message above a view's rows: that they are outdated and why, that the request limit is reached, or how far history has been read;
 * `undefined` if all is well. For an empty view it returns only the request limit, or what may be missing and why, because VS Code shows the
 * message instead of the welcome text of package.json.
 * @param limit states that the request limit is reached; `undefined`: it is not
 * @param progress states how far history has been read; `undefined`: to the end
 */
export function viewMessage({ list, count }: Pick<ViewFacts, 'list' | 'count'>, limit?: string, progress?: string): string | undefined {
  if (count === 0) {
    return list.kind === 'failed' && isLimited(list.error) ? limit : list.kind === 'ready' ? (incompleteText(list) ?? progress) : undefined;
  }
  return list.kind === 'stale'
    ? `${l10n.t`Last updated ${timeOfDay(list.asOf)}.`} ${limit !== undefined && isLimited(list.error) ? limit : list.error.message}`
    : (limit ?? incompleteText(list) ?? progress);
}

/** Tells whether an error is about the service's request limit. */
export function isLimited(error: Error): boolean {
  return error instanceof ServiceError && error.kind === 'rateLimited';
}

export type ActivityState =
  /** The journal has not been read yet. */
  | { readonly kind: 'loading' }
  /** Newest first. */
  | {
      readonly kind: 'ready';
      readonly records: readonly OperationRecord[];
      readonly problems: readonly JournalProblem[];
      /** By operation id. */ readonly left: ReadonlyMap<string, OpenTask>;
    }
  | { readonly kind: 'failed'; readonly error: Error };

/** State of the connection. `open` doesn't mean that the service answers: the lists hold that. */
export type ConnectionStatus =
  | { readonly kind: 'opening' }
  | { readonly kind: 'open' }
  | { readonly kind: 'failed'; readonly error: Error };
