import * as l10n from '@vscode/l10n';
import { timeOfDay } from '../../../base/format/time';
import type { ListState } from '../../../portfolio/types';
import { ServiceError } from '../../../service/errors';
import type { JournalProblem, OperationRecord } from '../../../transactions/journal/types';
import { ConnectionError, SandboxError } from '../connectionErrors';
import type { OpenTask } from '../openTasks';
import type { ServiceChoice } from '../serviceChoice';
import { joined } from './rows';

/**
 * Why a view is empty, or that it is not: the value of its context key, by which package.json chooses the words and the
 * button of the empty view.
 */
export type ViewState =
  /** Nothing was asked for yet, or the first answer is on its way. */
  | 'loading'
  | 'startingSandbox'
  | 'sandboxCannotRun'
  | 'sandboxFailed'
  | 'invalidAddress'
  | 'noApiKey'
  | 'noOwner'
  /** The service does not accept the API key. */
  | 'refused'
  | 'unreachable'
  | 'failed'
  /** Answered, and there is nothing. */
  | 'empty'
  | 'listed';

/** What decides how a view stands. */
export interface ViewFacts {
  readonly choice: ServiceChoice;
  readonly connection: ConnectionStatus;
  /** The view is about an owner, and there is none. */
  readonly ownerMissing: boolean;
  readonly list: ListState;
  readonly count: number;
}

/** Gives the state of a view. Rows that are there are shown whatever happened since. */
export function viewState({ choice, connection, ownerMissing, list, count }: ViewFacts): ViewState {
  if (count > 0) {
    return 'listed';
  }
  switch (connection.kind) {
    case 'failed':
      return stateOfError(connection.error);
    case 'opening':
      return choice.kind === 'sandbox' ? 'startingSandbox' : 'loading';
    case 'open':
      break;
  }
  if (ownerMissing) {
    return 'noOwner';
  }
  switch (list.kind) {
    case 'failed':
    case 'stale':
      return stateOfError(list.error);
    case 'ready':
      return 'empty';
    case 'idle':
    case 'loading':
      return 'loading';
  }
}

/** Why the Activity view is empty, or that it is not: the value of its context key. */
export function activityViewState(state: ActivityState): 'loading' | 'failed' | 'empty' | 'listed' {
  return state.kind !== 'ready' ? state.kind : state.records.length + state.problems.length > 0 ? 'listed' : 'empty';
}

/** What an error says about the service. */
function stateOfError(error: Error): ViewState {
  if (error instanceof ConnectionError) {
    return error.reason;
  }
  if (error instanceof SandboxError) {
    return error.reason === 'cannotRun' ? 'sandboxCannotRun' : 'sandboxFailed';
  }
  if (error instanceof ServiceError) {
    switch (error.kind) {
      case 'unauthorized':
        return 'refused';
      case 'unreachable':
      case 'timeout':
        return 'unreachable';
      default:
        return 'failed';
    }
  }
  return 'failed';
}

/** What stands beside the title of the positions: which service, whether there is a key to sign with, how old the rows are. */
export function viewDescription(choice: ServiceChoice, list: ListState, isWatchedOnly: boolean): string {
  const asOf = list.kind === 'ready' || list.kind === 'stale' ? l10n.t`as of ${timeOfDay(list.asOf)}` : undefined;
  return joined([choice.name, isWatchedOnly ? l10n.t('watched only') : undefined, asOf]);
}

/** What kept a list from being read, in words; `undefined` when nothing did. */
export function problemOf({ connection, list }: Pick<ViewFacts, 'connection' | 'list'>): string | undefined {
  if (connection.kind === 'failed') {
    return connection.error.message;
  }
  return list.kind === 'failed' || list.kind === 'stale' ? list.error.message : undefined;
}

/**
 * What stands above a view's rows: that they are old, and why, or that the service's request limit keeps them from being read; `undefined` when
 * all is well. An empty view has none for other reasons: VS Code would show it in the place of the words and the button that package.json has
 * for that. While the limit is reached, it says more than these.
 * @param limit says that the request limit is reached; `undefined`: it is not
 */
export function viewMessage({ list, count }: Pick<ViewFacts, 'list' | 'count'>, limit?: string): string | undefined {
  if (count === 0) {
    return list.kind === 'failed' && isLimited(list.error) ? limit : undefined;
  }
  return list.kind === 'stale'
    ? l10n.t`These figures are from ${timeOfDay(list.asOf)}. ${limit !== undefined && isLimited(list.error) ? limit : list.error.message}`
    : limit;
}

/** Whether a list was not read because of the service's request limit. */
export function isLimited(error: Error): boolean {
  return error instanceof ServiceError && error.kind === 'rateLimited';
}

/** What is known of the journal. */
export type ActivityState =
  /** It was not read yet. */
  | { readonly kind: 'loading' }
  /** Newest first. */
  | {
      readonly kind: 'ready';
      readonly records: readonly OperationRecord[];
      readonly problems: readonly JournalProblem[];
      /** By the ids of the operations. */ readonly left: ReadonlyMap<string, OpenTask>;
    }
  /** It could not be read. */
  | { readonly kind: 'failed'; readonly error: Error };

/** How far the way to the service is. `open` says nothing of whether the service answers: the lists know that. */
export type ConnectionStatus =
  { readonly kind: 'opening' } | { readonly kind: 'open' } | { readonly kind: 'failed'; readonly error: Error };
