import * as l10n from '@vscode/l10n';
import { type CountedNoun, counted } from './counted';

/** Positions that a sum excludes, by reason. */
interface LeftOut {
  readonly notReported: number;
  readonly implausible: number;
}

/** The sums, by currency. */
type LeftOutOfSums = Readonly<Record<'value' | 'pnl' | 'pnlPercent' | 'uncollectedFee', Readonly<Record<'usd' | 'native', LeftOut>>>>;

const sumsText = () =>
  [
    ['value', l10n.t('value')],
    ['pnl', l10n.t('PnL')],
    ['pnlPercent', l10n.t('PnL in percent')],
    ['uncollectedFee', l10n.t('unclaimed fees')],
  ] as const;

const reasons = () =>
  [
    ['notReported', l10n.t('the service does not report the figure')],
    ['implausible', l10n.t('the figure is too large to be real')],
  ] as const;

/**
 * Sentences that say how many positions each sum excludes, and why: "Excluded because the service doesn't report the figure: 1 position
 * (value), 2 positions (PnL)." Empty if nothing is excluded. A sum for which no position reports a figure is shown as unknown, so it isn't mentioned.
 * @param positions number of open positions
 * @param write formats a count with its noun: "2 positions"
 */
export function leftOutSentences(
  leftOut: LeftOutOfSums,
  positions: number,
  write: (count: number, noun: CountedNoun) => string = counted,
): readonly string[] {
  return reasons().flatMap(([reason, because]) => {
    const parts = (currency: 'usd' | 'native'): string => {
      const mentioned = sumsText()
        .map(([sum, name]) => ({ name, left: leftOut[sum][currency], count: leftOut[sum][currency][reason] }))
        .filter(({ left, count }) => count > 0 && left.notReported < positions);
      return mentioned.map(({ name, count }) => `${write(count, 'position')} (${name})`).join(', ');
    };
    const [usd, native] = [parts('usd'), parts('native')];
    if (usd === native) {
      return usd === '' ? [] : [l10n.t`Excluded because ${because}: ${usd}.`];
    }
    return [
      ...(usd === '' ? [] : [l10n.t`Excluded from the sums in USD because ${because}: ${usd}.`]),
      ...(native === '' ? [] : [l10n.t`Excluded from the sums in SOL because ${because}: ${native}.`]),
    ];
  });
}
