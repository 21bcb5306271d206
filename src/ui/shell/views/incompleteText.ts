import * as l10n from '@vscode/l10n';
import { displayLocale, type Locale } from '../../../base/format/locale';
import { percent } from '../../../base/format/percent';
import { calendarDay } from '../../../base/format/time';
import type { ListState } from '../../../portfolio/types';

/** Says that positions may be missing from the list, and why; `undefined`: the list is whole, as far as is known. */
export function incompleteText(list: ListState, locale: Locale = displayLocale()): string | undefined {
  const incomplete = list.kind === 'ready' ? list.incomplete : undefined;
  if (incomplete === undefined) {
    return undefined;
  }
  const { reason, readShare, since } = incomplete;
  switch (reason) {
    case 'indexing':
      return readShare === undefined
        ? l10n.t('Still reading the history of this wallet: positions may be missing until then.')
        : l10n.t`Still reading: ${percent(Math.floor(100 * readShare), locale)}. Positions may be missing until the history of this wallet is read.`;
    case 'failed':
      return l10n.t('Positions may be missing: the history of this wallet cannot be read now.');
    case 'unreadable':
      return l10n.t('Positions may be missing: the RPC does not give some transactions of this wallet. Another RPC may have them.');
    case 'pruned':
      return since === undefined
        ? l10n.t('Older positions may be missing: the RPC does not have the whole history. Another RPC may have it.')
        : l10n.t`Positions that were opened before ${calendarDay(since, locale)} may be missing: the RPC has no older history. Another RPC may have it.`;
    case 'other':
      return l10n.t('Positions may be missing: the service does not have the whole history of this wallet.');
  }
}
