import * as l10n from '@vscode/l10n';
import { timeOfDay } from '../../base/format/time';
import type { ListState } from '../../portfolio/types';
import type { Part } from '../../protocol/schemas';
import { describeUserError } from '../shell/commands/errorMessage';

/** The error's message for the user. */
export function errorSentence(error: Error): string {
  return describeUserError(error)?.message ?? l10n.t('Loading was canceled before there was an answer.');
}

/** The message of a part that waits for the request limit. @param untilMs time of the next read, milliseconds since 1970 */
export function rateLimitSentence(untilMs: number): string {
  return l10n.t`Service limit reached. Next update at ${timeOfDay(new Date(untilMs))}.`;
}

/** A part that is derived from a list of the portfolio and has its state. @param data the data known so far */
export function stateOfList<Data>(state: ListState, data: Data): Part<Data> {
  switch (state.kind) {
    case 'idle':
    case 'loading':
      return { standing: 'loading' };
    case 'ready':
      return { standing: 'ready', data, asOfMs: state.asOf.getTime() };
    case 'stale':
      return { standing: 'stale', data, asOfMs: state.asOf.getTime(), words: errorSentence(state.error) };
    case 'failed':
      return { standing: 'failed', words: errorSentence(state.error) };
  }
}

/** Converts a part's data to the panel's format. */
export function mapState<Known, Shown>(part: Part<Known>, shown: (data: Known) => Shown): Part<Shown> {
  const { data, ...rest } = part;
  return data === undefined ? rest : { ...rest, data: shown(data) };
}
