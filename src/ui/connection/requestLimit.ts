import * as l10n from '@vscode/l10n';
import type { RequestLimit } from '../../portfolio/requestPace';
import type { ServiceConnection } from './connection';

/** Returns the request limit of the service in use, for background reads. */
export function requestLimitOf(connection: Pick<ServiceConnection, 'budget' | 'onDidChangeBudget'>): RequestLimit {
  return { waitMs: () => connection.budget?.waitMs('poll') ?? 0, onDidChange: (listener) => connection.onDidChangeBudget(listener) };
}

const SECOND_MS = 1_000;
/** From this number of seconds, the text counts in minutes. */
const MINUTES_FROM_S = 120;

/**
 * States that the service's request limit is reached and when the next update comes.
 * @param waitMs time until the next update, in milliseconds
 */
export function limitSentence(waitMs: number): string {
  const seconds = Math.max(1, Math.ceil(waitMs / SECOND_MS));
  const next = seconds < MINUTES_FROM_S ? l10n.t`${seconds} s` : l10n.t`${Math.ceil(seconds / 60)} min`;
  return l10n.t`Service limit reached. Next update in ${next}.`;
}
