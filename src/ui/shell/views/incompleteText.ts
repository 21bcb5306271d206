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
        ? l10n.t('Still reading: positions may be missing.')
        : l10n.t`Still reading (${percent(Math.floor(100 * readShare), locale)}): positions may be missing.`;
    case 'failed':
      return l10n.t('Positions may be missing: their history cannot be read now.');
    case 'unreadable':
      return l10n.t('Positions may be missing: the RPC lacks some transactions. Try another RPC.');
    case 'pruned':
      return since === undefined
        ? l10n.t('Older positions may be missing: the RPC lacks the old history. Try another RPC.')
        : l10n.t`Positions opened before ${calendarDay(since, locale)} may be missing: the RPC lacks that history. Try another RPC.`;
    case 'other':
      return l10n.t('Positions may be missing: the service lacks part of the history.');
  }
}
