import * as l10n from '@vscode/l10n';
import { counted } from './numbers';

/** How many positions a sum leaves out, and why. */
interface LeftOut {
  readonly notReported: number;
  readonly implausible: number;
}

/** The sums, by currency. */
type LeftOutOfSums = Readonly<Record<'value' | 'pnl' | 'pnlPercent' | 'uncollectedFee', Readonly<Record<'usd' | 'native', LeftOut>>>>;

const sumsText = () =>
  [
    ['value', l10n.t('the value')],
    ['pnl', l10n.t('the PnL')],
    ['pnlPercent', l10n.t('the PnL in percent')],
    ['uncollectedFee', l10n.t('the uncollected fees')],
  ] as const;

const reasons = () =>
  [
    ['notReported', l10n.t('because the service does not report the figure')],
    ['implausible', l10n.t('because the figure is too large to be real')],
  ] as const;

/**
 * Says of each sum over the open positions how many of them it leaves out, and why: "Left out, because the service does not report the
 * figure: 1 position in the value, 2 positions in the PnL." No sentence where nothing is left out. A sum for which no position reports a
 * figure is shown as not known, so it is not mentioned.
 * @param positions how many there are
 * @param write writes a count with what is counted: "2 positions"
 */
export function leftOutSentences(
  leftOut: LeftOutOfSums,
  positions: number,
  write: (count: number, one: string) => string = counted,
): readonly string[] {
  return reasons().flatMap(([reason, because]) => {
    const parts = (currency: 'usd' | 'native'): string => {
      const mentioned = sumsText()
        .map(([sum, name]) => ({ name, left: leftOut[sum][currency], count: leftOut[sum][currency][reason] }))
        .filter(({ left, count }) => count > 0 && left.notReported < positions);
      return mentioned.map(({ name, count }) => l10n.t`${write(count, 'position')} in ${name}`).join(', ');
    };
    const [usd, native] = [parts('usd'), parts('native')];
    const sentence = (of: string, text: string): readonly string[] => (text === '' ? [] : [l10n.t`Left out${of}, ${because}: ${text}.`]);
    return usd === native
      ? sentence('', usd)
      : [...sentence(l10n.t(' of the sums in US dollars'), usd), ...sentence(l10n.t(' of the sums in SOL'), native)];
  });
}
