import * as l10n from '@vscode/l10n';
import { filled } from './filled';
import { type Locale, displayLocale } from './locale';
import { count } from './numbers';

/** What texts count. Each noun has a whole phrase for one and for several, since plurals differ between languages. */
export type CountedNoun =
  | 'bin'
  | 'claim'
  | 'closed position'
  | 'day'
  | 'hour'
  | 'minute'
  | 'notice'
  | 'open position'
  | 'pool'
  | 'position'
  | 'rebalance'
  | 'request'
  | 'row'
  | 'second'
  | 'token'
  | 'transaction'
  | 'wallet';

/** A count with its noun: "1 position", "3 positions". */
export function counted(value: number, noun: CountedNoun, locale: Locale = displayLocale()): string {
  // A fraction is rounded like the figure.
  return filled(textOf(noun, Math.round(value) === 1), count(value, locale));
}

function textOf(noun: CountedNoun, isOne: boolean): string {
  switch (noun) {
    case 'bin':
      return isOne ? l10n.t('{0} bin') : l10n.t('{0} bins');
    case 'claim':
      return isOne ? l10n.t('{0} claim') : l10n.t('{0} claims');
    case 'closed position':
      return isOne ? l10n.t('{0} closed position') : l10n.t('{0} closed positions');
    case 'day':
      return isOne ? l10n.t('{0} day') : l10n.t('{0} days');
    case 'hour':
      return isOne ? l10n.t('{0} hour') : l10n.t('{0} hours');
    case 'minute':
      return isOne ? l10n.t('{0} minute') : l10n.t('{0} minutes');
    case 'notice':
      return isOne ? l10n.t('{0} notice') : l10n.t('{0} notices');
    case 'open position':
      return isOne ? l10n.t('{0} open position') : l10n.t('{0} open positions');
    case 'pool':
      return isOne ? l10n.t('{0} pool') : l10n.t('{0} pools');
    case 'position':
      return isOne ? l10n.t('{0} position') : l10n.t('{0} positions');
    case 'rebalance':
      return isOne ? l10n.t('{0} rebalance') : l10n.t('{0} rebalances');
    case 'request':
      return isOne ? l10n.t('{0} request') : l10n.t('{0} requests');
    case 'row':
      return isOne ? l10n.t('{0} row') : l10n.t('{0} rows');
    case 'second':
      return isOne ? l10n.t('{0} second') : l10n.t('{0} seconds');
    case 'token':
      return isOne ? l10n.t('{0} token') : l10n.t('{0} tokens');
    case 'transaction':
      return isOne ? l10n.t('{0} transaction') : l10n.t('{0} transactions');
    case 'wallet':
      return isOne ? l10n.t('{0} wallet') : l10n.t('{0} wallets');
  }
}
