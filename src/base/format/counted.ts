import * as l10n from '@vscode/l10n';
import { filled } from './filled';
import { type Locale, displayLocale } from './locale';
import { count, isKnown, UNKNOWN, written } from './numbers';

type TimeUnit = 'day' | 'hour' | 'minute' | 'second';

/** What texts count. Each noun has a whole phrase for one and for several, since plurals differ between languages. */
export type CountedNoun = TimeUnit | 'bin' | 'notice' | 'position' | 'rebalance' | 'request' | 'token' | 'transaction' | 'wallet';

/** `Intl` has the words for times. */
const TIMES: Readonly<Record<TimeUnit, Intl.NumberFormatOptions>> = {
  day: timeUnit('day'),
  hour: timeUnit('hour'),
  minute: timeUnit('minute'),
  second: timeUnit('second'),
};

function timeUnit(unit: TimeUnit): Intl.NumberFormatOptions {
  return { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 0 };
}

function isTimeUnit(noun: CountedNoun): noun is TimeUnit {
  return Object.hasOwn(TIMES, noun);
}

/** A count with its noun: "1 position", "3 positions". */
export function counted(value: number, noun: CountedNoun, locale: Locale = displayLocale()): string {
  if (isTimeUnit(noun)) {
    return isKnown(value) ? written(value, TIMES[noun], 'negative', locale) : UNKNOWN;
  }
  // A fraction is rounded like the figure.
  return filled(textOf(noun, Math.round(value) === 1), count(value, locale));
}

function textOf(noun: Exclude<CountedNoun, TimeUnit>, isOne: boolean): string {
  switch (noun) {
    case 'bin':
      return isOne ? l10n.t('{0} bin') : l10n.t('{0} bins');
    case 'notice':
      return isOne ? l10n.t('{0} notice') : l10n.t('{0} notices');
    case 'position':
      return isOne ? l10n.t('{0} position') : l10n.t('{0} positions');
    case 'rebalance':
      return isOne ? l10n.t('{0} rebalance') : l10n.t('{0} rebalances');
    case 'request':
      return isOne ? l10n.t('{0} request') : l10n.t('{0} requests');
    case 'token':
      return isOne ? l10n.t('{0} token') : l10n.t('{0} tokens');
    case 'transaction':
      return isOne ? l10n.t('{0} transaction') : l10n.t('{0} transactions');
    case 'wallet':
      return isOne ? l10n.t('{0} wallet') : l10n.t('{0} wallets');
  }
}
