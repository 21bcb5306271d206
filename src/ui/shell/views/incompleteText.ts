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
      return l10n.t`Still reading (${readShare === undefined ? '…' : percent(Math.floor(100 * readShare), locale)}): positions may be missing.`;
    case 'failed':
    case 'other':
      return l10n.t('Positions may be missing: the service cannot read all of their history.');
    case 'unreadable':
    case 'pruned':
      return reason === 'unreadable' || since === undefined
        ? l10n.t('Positions may be missing: the RPC lacks part of their history. Try another RPC.')
        : l10n.t`Positions opened before ${calendarDay(since, locale)} may be missing: the RPC lacks that history. Try another RPC.`;
  }
}
