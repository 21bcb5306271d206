import * as l10n from '@vscode/l10n';
import { type Locale, displayLocale } from './locale';
import { count } from './numbers';

/** What texts count. Each noun has a whole phrase for one and for several, since plurals differ between languages. */
export type CountedNoun =
  | 'bin'
  | 'closed position'
  | 'day'
  | 'hour'
  | 'minute'
  | 'notice'
  | 'open position'
  | 'pool'
  | 'position'
  | 'request'
  | 'row'
  | 'second'
  | 'token'
  | 'transaction'
  | 'wallet';

/** A count with its noun: "1 position", "3 positions". */
export function counted(value: number, noun: CountedNoun, locale: Locale = displayLocale()): string {
  const figure = count(value, locale);
  // A fraction is rounded like the figure.
  const isOne = Math.round(value) === 1;
  switch (noun) {
    case 'bin':
      return isOne ? l10n.t`${figure} bin` : l10n.t`${figure} bins`;
    case 'closed position':
      return isOne ? l10n.t`${figure} closed position` : l10n.t`${figure} closed positions`;
    case 'day':
      return isOne ? l10n.t`${figure} day` : l10n.t`${figure} days`;
    case 'hour':
      return isOne ? l10n.t`${figure} hour` : l10n.t`${figure} hours`;
    case 'minute':
      return isOne ? l10n.t`${figure} minute` : l10n.t`${figure} minutes`;
    case 'notice':
      return isOne ? l10n.t`${figure} notice` : l10n.t`${figure} notices`;
    case 'open position':
      return isOne ? l10n.t`${figure} open position` : l10n.t`${figure} open positions`;
    case 'pool':
      return isOne ? l10n.t`${figure} pool` : l10n.t`${figure} pools`;
    case 'position':
      return isOne ? l10n.t`${figure} position` : l10n.t`${figure} positions`;
    case 'request':
      return isOne ? l10n.t`${figure} request` : l10n.t`${figure} requests`;
    case 'row':
      return isOne ? l10n.t`${figure} row` : l10n.t`${figure} rows`;
    case 'second':
      return isOne ? l10n.t`${figure} second` : l10n.t`${figure} seconds`;
    case 'token':
      return isOne ? l10n.t`${figure} token` : l10n.t`${figure} tokens`;
    case 'transaction':
      return isOne ? l10n.t`${figure} transaction` : l10n.t`${figure} transactions`;
    case 'wallet':
      return isOne ? l10n.t`${figure} wallet` : l10n.t`${figure} wallets`;
  }
}
