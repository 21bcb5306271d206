import * as l10n from '@vscode/l10n';
import type { Interval, Pool } from '../../service/pools';
import type { PoolSort } from '../../service/service';
import { calendarDay } from '../../base/format/time';
import { type Locale, displayLocale } from '../../base/format/locale';
import { usd, usdShort } from '../../base/format/money';
import { isKnown, UNKNOWN } from '../../base/format/numbers';
import { bps, feeTvl, percent } from '../../base/format/percent';
import { plainText, rowName } from '../shell/views/text';
import { POOL_TYPE_NAMES } from '../positions/positionRows';
import { joined, type Row, type RowIcon } from '../shell/views/rows';
import type { PoolOrder } from './poolQuery';

const ICONS: Readonly<Record<Pool['poolType'], RowIcon>> = { dlmm: { id: 'graph' }, dammV2: { id: 'pulse' }, other: { id: 'question' } };

/**
 * @param sortBy the figure that comes first; `undefined`: the usual order
 * @param name tells it from the others (poolNames.ts). Default: its pair
 */
export function poolRow(
  pool: Pool,
  sortBy?: PoolSort,
  locale: Locale = displayLocale(),
  isFavorite = false,
  name = plainText(pool.pairName),
): Row {
  const type = POOL_TYPE_NAMES[pool.poolType];
  const volume = pool.volumeUsd['24h'];
  const kind = isKnown(pool.binStepBps) ? l10n.t`${pool.binStepBps} bps` : pool.poolType === 'dammV2' ? type : undefined;
  const sorted = sortBy === undefined ? undefined : sortedFigure(pool, sortBy, locale);
  return {
    id: pool.address,
    label: rowName(name),
    // A narrow sidebar cuts off the end.
    description: joined([
      ...new Set([
        sorted,
        isKnown(pool.feeTvlRatio24h) ? yieldText(pool, locale) : undefined,
        isKnown(pool.tvlUsd) ? usdShort(pool.tvlUsd, locale) : `${l10n.t('TVL')} ${UNKNOWN}`,
        // The name says it where the pair repeats.
        kind === undefined || name.includes(kind) ? undefined : kind,
        isKnown(volume) ? volumeText(pool, locale) : undefined,
        isKnown(pool.binStepBps) || pool.poolType !== 'dammV2' ? type : undefined,
      ]),
    ]),
    icon: ICONS[pool.poolType],
    spoken: `${[
      name,
      type,
      `${l10n.t('TVL')}: ${known(usd(pool.tvlUsd, locale))}`,
      `${volumeName('24h')}: ${known(usd(volume, locale))}`,
      `${yieldName('24h')}: ${known(feeTvl(pool.feeTvlRatio24h, locale))}`,
      isKnown(pool.binStepBps) ? `${l10n.t('Bin step')}: ${bps(pool.binStepBps, locale)}` : undefined,
      isKnown(pool.baseFeePercent) ? `${l10n.t('Base fee')}: ${percent(pool.baseFeePercent, locale)}` : undefined,
    ]
      .filter((part) => part !== undefined)
      .join(', ')}.`,
    contextValue: `pool ${pool.poolType}${isFavorite ? ' favorite' : ''}`,
  };
}

/** The figure by which the pools are sorted; `undefined` if the pool list doesn't contain it. */
function sortedFigure(pool: Pool, sortBy: PoolSort, locale: Locale): string | undefined {
  switch (sortBy) {
    case 'mcap':
      return l10n.t`mcap ${usdShort(pool.marketCapUsd, locale)}`;
    case 'tvl':
      return isKnown(pool.tvlUsd) ? usdShort(pool.tvlUsd, locale) : `${l10n.t('TVL')} ${UNKNOWN}`;
    case 'vol_24h':
      return volumeText(pool, locale);
    case 'fee_tvl_ratio': {
      const { feeTvlRatioIn: other } = pool;
      return other === undefined ? yieldText(pool, locale) : `${feeTvl(other.ratio, locale)}/${other.interval}`;
    }
    case 'created_at':
      return pool.createdAt === undefined ? `${l10n.t('Created')} ${UNKNOWN}` : calendarDay(pool.createdAt, locale);
    case 'volatility':
      return undefined;
  }
}

/** Names an order beside the title of the view: "TVL ↓". The youngest pool is the first by age, so its arrow points the other way. */
export function poolOrderName({ sortBy, interval, isReversed }: PoolOrder): string {
  return `${sortName(sortBy, interval)} ${isReversed === (sortBy === 'created_at') ? '↓' : '↑'}`;
}

/** What pools are sorted by. */
export function sortName(sortBy: PoolSort, interval: Interval): string {
  switch (sortBy) {
    case 'mcap':
      return l10n.t('Market cap');
    case 'tvl':
      return l10n.t('TVL');
    case 'vol_24h':
      return volumeName('24h');
    case 'fee_tvl_ratio':
      return yieldName(interval);
    case 'volatility':
      return l10n.t('Volatility');
    case 'created_at':
      return l10n.t('Age');
  }
}

export function volumeName(interval: Interval): string {
  return l10n.t`${interval} volume`;
}

/** The fees of an interval per dollar in the pool. */
function yieldName(interval: Interval): string {
  return l10n.t`${interval} fees / TVL`;
}

/** Fees of 24 hours per dollar in the pool: "1.04%/d". */
function yieldText({ feeTvlRatio24h }: Pool, locale: Locale): string {
  return l10n.t`${feeTvl(feeTvlRatio24h, locale)}/d`;
}

function volumeText({ volumeUsd }: Pool, locale: Locale): string {
  return l10n.t`vol ${usdShort(volumeUsd['24h'], locale)}`;
}

function known(text: string): string {
  return text === UNKNOWN ? l10n.t('unknown') : text;
}
