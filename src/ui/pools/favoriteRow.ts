import * as l10n from '@vscode/l10n';
import { type Locale, displayLocale } from '../../base/format/locale';
import { isKnown } from '../../base/format/numbers';
import type { Pool } from '../../service/pools';
import type { PoolSort } from '../../service/service';
import { POOL_TYPE_NAMES } from '../positions/positionRows';
import { joined, type Row } from '../shell/views/rows';
import { poolRow } from './poolRow';

export interface FavoritePool {
  readonly pool: Pool;
  /** `unread`: its figures are not known yet. `notFound`: the service doesn't know the pool any more. */
  readonly state: 'known' | 'unread' | 'notFound';
}

/** The row of a favorite in the group of favorites. */
export function favoriteRow({ pool, state }: FavoritePool, sortBy?: PoolSort, locale: Locale = displayLocale(), name?: string): Row {
  const row = poolRow(pool, sortBy, locale, true, name);
  const id = `favorite ${pool.address}`;
  switch (state) {
    case 'known':
      return { ...row, id };
    case 'unread': {
      const binStep = isKnown(pool.binStepBps) ? l10n.t`${pool.binStepBps} bps` : undefined;
      return { ...row, id, description: joined([binStep, POOL_TYPE_NAMES[pool.poolType]]) };
    }
    case 'notFound':
      return {
        id,
        label: row.label,
        description: l10n.t('not found by the service'),
        icon: { id: 'warning' },
        spoken: `${row.label}, ${l10n.t('not found by the service')}.`,
        contextValue: 'pool gone favorite',
      };
  }
}
