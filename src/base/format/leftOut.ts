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
    ['value', l10n.t('Value')],
    ['pnl', l10n.t('PnL')],
    ['pnlPercent', l10n.t('PnL %')],
    ['uncollectedFee', l10n.t('Unclaimed fees')],
  ] as const;

const REASONS = ['notReported', 'implausible'] as const;

/**
 * Sentences that say how many positions each sum excludes, and why: "Left out, as not reported: 1 position (Value), 2 positions (PnL)." Empty if nothing is excluded. A sum for which no position reports a figure is shown as unknown, so it isn't mentioned.
 * @param positions number of open positions
 * @param write formats a count with its noun: "2 positions"
 */
export function leftOutSentences(
  leftOut: LeftOutOfSums,
  positions: number,
  write: (count: number, noun: CountedNoun) => string = counted,
): readonly string[] {
  return REASONS.flatMap((reason) => {
    const parts = (currency: 'usd' | 'native', unit = ''): readonly string[] =>
      sumsText()
        .map(([sum, name]) => ({ name, left: leftOut[sum][currency], count: leftOut[sum][currency][reason] }))
        .filter(({ left, count }) => count > 0 && left.notReported < positions)
        .map(({ name, count }) => `${write(count, 'position')} (${name}${unit})`);
    const isSame = parts('usd').join() === parts('native').join();
    const all = (isSame ? parts('usd') : [...parts('usd', ', USD'), ...parts('native', ', SOL')]).join(', ');
    return all === ''
      ? []
      : [reason === 'notReported' ? l10n.t`Left out, as not reported: ${all}.` : l10n.t`Left out, as too large to be real: ${all}.`];
  });
}
