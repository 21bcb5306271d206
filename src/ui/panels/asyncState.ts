import * as l10n from '@vscode/l10n';
import { timeOfDay } from '../../base/format/time';
import type { ListState } from '../../portfolio/types';
import type { Part } from '../../protocol/parts';
import { describeUserError } from '../shell/commands/errorMessage';

/** What went wrong, for the user. */
export function errorSentence(error: Error): string {
  return describeUserError(error)?.message ?? l10n.t('The read was given up before there was an answer.');
}

/** What is said of a part that waits for the request limit. @param untilMs when it is read next, milliseconds since 1970 */
export function rateLimitSentence(untilMs: number): string {
  return l10n.t`Service limit reached. Next update at ${timeOfDay(new Date(untilMs))}.`;
}

/** A part that is a list of the portfolio, or made of one: it stands as the list does. `data` is what is known of it by now. */
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

/** The same part with its data as the panel shows it. */
export function mapState<Known, Shown>(part: Part<Known>, shown: (data: Known) => Shown): Part<Shown> {
  const { data, ...rest } = part;
  return data === undefined ? rest : { ...rest, data: shown(data) };
}
