import * as l10n from '@vscode/l10n';
import type { HistorySums, HistoryWindow } from '../../src/protocol/overview';
import type { CurrencyView } from '../../src/protocol/schemas';
import type { Figures } from '../shared/figures';

/** A column, as it is named in the table. */
interface NamedColumn {
  readonly id: string;
  readonly label: string;
}

/** How many of the found positions each sum leaves out, as a sentence; `undefined` if the sums of these columns are complete. */
export function incompleteSums(
  { found, sums }: Pick<HistoryWindow, 'found' | 'sums'>,
  columns: readonly NamedColumn[],
  currency: CurrencyView,
  { count }: Pick<Figures['text'], 'count'>,
): string | undefined {
  const parts = columns.flatMap(({ id, label }) => {
    const leftOut = isSummed(id) ? found - sums.counts[id][currency] : 0;
    return leftOut > 0 ? [`${label} ${count(leftOut)}`] : [];
  });
  return parts.length === 0
    ? undefined
    : l10n.t`Positions left out of sums, because amounts are unknown or implausible: ${parts.join(', ')}.`;
}

function isSummed(id: string): id is keyof HistorySums['counts'] {
  return id === 'input' || id === 'output' || id === 'fee' || id === 'reward' || id === 'pnl';
}
