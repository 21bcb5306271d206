import * as l10n from '@vscode/l10n';
import { priceUsd } from '../../base/format/amounts';
import { binRange, shortAddress } from '../../base/format/identifiers';
import { filled } from '../../base/format/filled';
import { signedSol, signedUsd, usd, usdBrief } from '../../base/format/money';
import { type Locale, displayLocale } from '../../base/format/locale';
import { counted } from '../../base/format/counted';
import { isKnown, significant, UNKNOWN } from '../../base/format/numbers';
import { bps, fractionAsPercent, percent, shortSignedPercent, signedPercent } from '../../base/format/percent';
import { binsOutside, outsideMark, priceDistance } from '../../base/format/rangeDistance';
import { age, exactTime } from '../../base/format/time';
import { totalsOf } from '../../portfolio/snapshot';
import type { PortfolioTotals } from '../../portfolio/types';
import { dailyReturnOf } from '../../service/common';
import type { OpenPosition } from '../../service/positions';
import { worthClaimingUsd } from '../../base/dlmm/claimable';
import { rangeStatus, type RangeStatus } from '../../base/dlmm/rangeStatus';
import { worthOfRewards } from '../../service/rewards';
import type { Lineages } from '../shell/lineages';
import { joined, type Row, type RowIcon, type RowTone } from '../shell/views/rows';
import { plainText, rowName } from '../shell/views/text';
import { type PositionListFilter, type PositionGroup, positionName } from './positionList';

/** Proper names, which are not localized. */
export const POOL_TYPE_NAMES = { dlmm: 'DLMM', dammV2: 'DAMM v2', other: 'other' } as const;

const ICONS: Readonly<Record<RangeStatus, RowIcon>> = {
  inRange: { id: 'pass', color: 'charts.green' },
  outOfRange: { id: 'warning', color: 'list.warningForeground' },
  unknown: { id: 'question', color: 'disabledForeground' },
  // The icon of a DAMM v2 pool.
  none: { id: 'pulse' },
};

function spokenStatus(status: RangeStatus): string | undefined {
  switch (status) {
    case 'inRange':
      return l10n.t('in range');
    case 'outOfRange':
      return l10n.t('out of range');
    case 'unknown':
      return l10n.t('range unknown');
    case 'none':
      return undefined;
  }
}

/**
 * @param busy an operation on the position is in progress
 * @param name distinguishes it from the other positions (positionList.ts)
 */
export function positionRow(position: OpenPosition, busy: boolean, name = positionName(position), locale: Locale = displayLocale()): Row {
  const status = rangeStatus(position);
  return {
    id: position.key,
    label: rowName(name),
    // Most important first: a narrow sidebar cuts off the end.
    description: joined([
      status === 'outOfRange' ? outsideMark(position, locale) : undefined,
      figures({ percent: position.pnlPercent.usd, valueUsd: position.value.usd, feesUsd: undefined }, locale),
      claimMark(position, locale),
      status === 'outOfRange' ? l10n.t('out of range') : status === 'unknown' ? l10n.t('range unknown') : undefined,
      position.ageHours === undefined ? undefined : age(position.ageHours, locale),
    ]),
    tone: toneOf(position.pnl.usd),
    icon: busy ? { id: 'loading~spin' } : ICONS[status],
    spoken: `${[
      name,
      busy ? l10n.t('operation in progress') : undefined,
      spokenStatus(status),
      isKnown(position.value.usd) ? `${l10n.t('Value')}: ${usd(position.value.usd, locale)}` : l10n.t('value unknown'),
      spokenPnl(position, locale),
      position.ageHours === undefined ? undefined : `${l10n.t('Age')}: ${spokenAge(position.ageHours, locale)}`,
      claimMark(position, locale),
    ]
      .filter((part) => part !== undefined)
      .join(', ')}.`,
    contextValue: [
      'position',
      position.poolType,
      status,
      ...(position.address === undefined ? [] : ['addressed']),
      ...(busy ? ['busy'] : []),
    ].join(' '),
  };
}

/** PnL since the first deposit of positions that rebalances turned into others; `undefined`: none was rebalanced. */
export function lineageText(since: ReturnType<Lineages['since']>, locale: Locale = displayLocale()): string | undefined {
  return since === undefined
    ? undefined
    : l10n.t`Since the first deposit, over ${counted(since.rebalances, 'rebalance', locale)}: PnL ${signedUsd(since.pnl.usd, locale)}, ${signedSol(since.pnl.native, locale)}.`;
}

/**
 * The row of the sums over the listed positions.
 * @param hidden number of positions that the filter hides
 * @param since PnL since the first deposits, if there were rebalances
 */
export function totalsRow(
  totals: PortfolioTotals,
  hidden: number,
  locale: Locale = displayLocale(),
  since?: ReturnType<Lineages['since']>,
): Row {
  const description = figures({ percent: totals.pnlPercent, valueUsd: totals.valueUsd, feesUsd: totals.uncollectedFeeUsd }, locale);
  const lineage = lineageText(since, locale);
  const label = hidden === 0 ? l10n.t`Total of ${totals.count}` : l10n.t`Total of ${totals.count}, ${hidden} hidden`;
  return {
    id: 'totals',
    label,
    description,
    icon: { id: 'symbol-operator' },
    tone: toneOf(totals.pnlUsd),
    spoken: [
      `${label}, ${l10n.t('PnL')}: ${signedUsd(totals.pnlUsd, locale)} (${signedPercent(totals.pnlPercent, locale)}), ${l10n.t('Value')}: ${usd(totals.valueUsd, locale)}, ${l10n.t('Unclaimed fees')}: ${usd(totals.uncollectedFeeUsd, locale)}.`,
      ...(lineage === undefined ? [] : [lineage]),
    ].join(' '),
    contextValue: 'totals',
  };
}

/** The heading of a group, with its sums. */
export function groupRow({ key, by, positions }: PositionGroup, locale: Locale = displayLocale()): Row {
  const totals = totalsOf(positions);
  const label = by === 'range' ? statusHeading(key) : positions[0] === undefined ? '' : positionName(positions[0]);
  const step = positions[0]?.binStepBps;
  const kind = by === 'pool' && step !== undefined && positions[0]?.poolType !== 'dammV2' ? l10n.t`${step} bps` : undefined;
  const sums = figures({ percent: totals.pnlPercent, valueUsd: totals.valueUsd, feesUsd: totals.uncollectedFeeUsd }, locale);
  return {
    id: `group/${by}/${key}`,
    label: rowName(label),
    // Most important first: a narrow sidebar cuts off the end.
    description: joined([String(totals.count), sums, kind]),
    icon:
      by === 'range'
        ? isRangeStatus(key)
          ? ICONS[key]
          : ICONS.unknown
        : positions[0]?.poolType === 'dammV2'
          ? ICONS.none
          : { id: 'graph' },
    tone: toneOf(totals.pnlUsd),
    spoken: `${label}, ${counted(totals.count, 'position', locale)}, ${joined([sums, kind])}`,
    contextValue: 'group',
  };
}

/** Names a filter beside the title of the view; `undefined`: all positions are listed. */
export function filterName(filter: PositionListFilter): string | undefined {
  switch (filter) {
    case 'all':
      return undefined;
    case 'outOfRange':
      return l10n.t('out of range');
    case 'inRange':
      return l10n.t('in range');
    case 'profit':
      return l10n.t('Gains');
    case 'loss':
      return l10n.t('Losses');
  }
}

function isRangeStatus(text: string): text is RangeStatus {
  return Object.hasOwn(ICONS, text);
}

function statusHeading(status: string): string {
  switch (status) {
    case 'outOfRange':
      return l10n.t('Out of range');
    case 'inRange':
      return l10n.t('In range');
    case 'none':
      return l10n.t('Full range');
    default:
      return l10n.t('Range unknown');
  }
}

/**
 * What a claim would bring after its costs: "$19 to claim". Nothing where it would cost more than it brings; the fees where the price of SOL
 * is not known.
 */
function claimMark(position: OpenPosition, locale: Locale): string | undefined {
  const net = worthClaimingUsd(position);
  if (net === undefined) {
    return feesMark(position.uncollectedFee.usd, locale);
  }
  return net > 0 ? filled(l10n.t('{0} to claim'), usdBrief(net, locale)) : undefined;
}

function feesMark(feesUsd: number | undefined, locale: Locale): string | undefined {
  return isKnown(feesUsd) ? filled(l10n.t('{0} fees'), usdBrief(feesUsd, locale)) : undefined;
}

/** "$530 · +3.3% · $19 fees". */
export function figures(
  { percent: rate, valueUsd, feesUsd }: Readonly<Record<'percent' | 'valueUsd' | 'feesUsd', number | undefined>>,
  locale: Locale,
): string {
  return joined([
    isKnown(valueUsd) ? usdBrief(valueUsd, locale) : `${l10n.t('Value')} ${UNKNOWN}`,
    isKnown(rate) ? shortSignedPercent(rate, locale) : l10n.t`PnL ${UNKNOWN}`,
    feesMark(feesUsd, locale),
  ]);
}

export function toneOf(pnl: number | undefined): RowTone | undefined {
  return !isKnown(pnl) || pnl === 0 ? undefined : pnl > 0 ? 'gain' : 'loss';
}

/** Names the claimed fees, and says if their value is an estimate. */
export function claimedFeesLabel({ isFeeEstimate }: Pick<OpenPosition, 'isFeeEstimate'>): string {
  return isFeeEstimate === true ? l10n.t('Claimed fees (estimate)') : l10n.t('Claimed fees');
}

/** The detail rows of an open position, in display order. Figures that the service doesn't report have no row. */
export function positionDetails(position: OpenPosition, locale: Locale = displayLocale()): readonly Row[] {
  const range = rangeText(position, locale);
  const { usd: daily } = dailyReturnOf(position);
  const row = (part: string, label: string, icon: string, description: string | undefined, contextValue = 'detail'): Row[] =>
    description === undefined || description === '' || description === UNKNOWN
      ? []
      : [{ id: `${position.key}/${part}`, label, description, icon: { id: icon }, spoken: `${label}: ${description}`, contextValue }];
  return [
    ...row('range', l10n.t('Range'), 'arrow-both', range === undefined ? undefined : joined([range.range, range.edges, range.bins])),
    ...row('price', l10n.t('Price'), 'tag', priceUsd(position.priceRangeUsd?.current ?? position.price0Usd, locale)),
    ...row('token0', plainText(position.token0.symbol), 'circle-outline', holding(position.amount0, position.price0Usd, locale)),
    ...row('token1', plainText(position.token1.symbol), 'circle-outline', holding(position.amount1, position.price1Usd, locale)),
    ...row('uncollected', l10n.t('Unclaimed fees'), 'arrow-circle-up', feesText(position, locale)),
    ...row('rewards', l10n.t('Unclaimed rewards'), 'gift', rewardsText(position, locale)),
    ...row(
      'collected',
      claimedFeesLabel(position),
      'check-all',
      isKnown(position.collectedFee.usd) ? usd(position.collectedFee.usd, locale) : undefined,
    ),
    ...row('pnl', l10n.t('PnL'), 'graph-line', pnlDetail(position, locale)),
    ...row('daily', l10n.t('Daily return'), 'calendar', fractionAsPercent(daily, locale)),
    ...row(
      'age',
      l10n.t('Age'),
      'clock',
      joined([
        position.ageHours === undefined ? undefined : age(position.ageHours, locale),
        position.createdAt === undefined ? undefined : l10n.t`since ${exactTime(position.createdAt, locale)}`,
      ]),
    ),
    ...row(
      'kind',
      l10n.t('Type'),
      'symbol-structure',
      joined([
        POOL_TYPE_NAMES[position.poolType],
        position.strategy,
        position.binStepBps === undefined ? undefined : `${l10n.t('Bin step')} ${bps(position.binStepBps, locale)}`,
      ]),
    ),
    ...row(
      'address',
      l10n.t('Address'),
      'key',
      position.address === undefined ? undefined : shortAddress(position.address),
      'detail addressed',
    ),
  ];
}

/** "+$12.30 (+2.4%)", or only one of the two if the other is unknown. */
export function pnlText(position: OpenPosition): string {
  const { usd: amount } = position.pnl;
  const { usd: rate } = position.pnlPercent;
  if (!isKnown(amount) && !isKnown(rate)) {
    return l10n.t`PnL ${UNKNOWN}`;
  }
  return isKnown(amount) ? `${signedUsd(amount)}${isKnown(rate) ? ` (${signedPercent(rate)})` : ''}` : signedPercent(rate);
}

/**
 * The range of a position and the distance of the price to its bounds: in prices where they are known, with the bins apart, else in bins;
 * "full range" in DAMM v2 pools; `undefined` if the bins are unknown.
 */
export function rangeText(
  position: OpenPosition,
  locale: Locale = displayLocale(),
): { readonly range: string; readonly edges: string | undefined; readonly bins?: string } | undefined {
  const { lowerBinId: lower, upperBinId: upper, activeBinId: active, priceRangeUsd: prices } = position;
  if (position.poolType === 'dammV2') {
    return { range: l10n.t('full range'), edges: undefined };
  }
  if (lower === undefined || upper === undefined) {
    return undefined;
  }
  const bins = binRange(lower, upper, locale);
  const where =
    prices === undefined
      ? { range: bins }
      : { range: l10n.t`${priceUsd(prices.lower, locale)} to ${priceUsd(prices.upper, locale)}`, bins };
  if (active === undefined) {
    return { ...where, edges: undefined };
  }
  const distance = (of: number) => distanceText(of, position.binStepBps, locale);
  const outside = binsOutside(position);
  if (outside !== undefined) {
    return {
      ...where,
      edges: outside.isAbove ? l10n.t`price ${distance(outside.bins)} above` : l10n.t`price ${distance(outside.bins)} below`,
    };
  }
  return { ...where, edges: l10n.t`${distance(active - lower)} to lower bound, ${distance(upper - active)} to upper bound` };
}

/** "3.03% (3 bins)"; only the bins where the bin step is unknown. */
function distanceText(bins: number, binStepBps: number | undefined, locale: Locale): string {
  const inBins = counted(bins, 'bin', locale);
  return binStepBps === undefined ? inBins : `${percent(priceDistance(bins, binStepBps), locale)} (${inBins})`;
}

function spokenPnl(position: OpenPosition, locale: Locale): string {
  const { usd: amount } = position.pnl;
  const { usd: rate } = position.pnlPercent;
  if (!isKnown(amount)) {
    return `${l10n.t('PnL')}: ${l10n.t('unknown')}`;
  }
  const figures = `${usd(Math.abs(amount), locale)}${isKnown(rate) ? ` (${percent(Math.abs(rate), locale)})` : ''}`;
  return `${amount < 0 ? l10n.t('loss') : l10n.t('gain')} ${figures}`;
}

function spokenAge(hours: number, locale: Locale): string {
  if (hours < 1) {
    return counted(Math.max(0, Math.floor(hours * 60)), 'minute', locale);
  }
  return hours < 24 ? counted(Math.floor(hours), 'hour', locale) : counted(Math.floor(hours / 24), 'day', locale);
}

function holding(amount: number | undefined, price: number | undefined, locale: Locale): string | undefined {
  return isKnown(amount) ? joined([significant(amount, 6, locale), isKnown(price) ? usd(amount * price, locale) : undefined]) : undefined;
}

/** The fees of a position: "$12.30 · 1.2 USDC + 0.07 SOL". */
export function feesText(position: OpenPosition, locale: Locale = displayLocale()): string | undefined {
  const parts = [
    isKnown(position.uncollectedFee0)
      ? `${significant(position.uncollectedFee0, 4, locale)} ${plainText(position.token0.symbol)}`
      : undefined,
    isKnown(position.uncollectedFee1)
      ? `${significant(position.uncollectedFee1, 4, locale)} ${plainText(position.token1.symbol)}`
      : undefined,
  ].filter((part) => part !== undefined);
  return joined([isKnown(position.uncollectedFee.usd) ? usd(position.uncollectedFee.usd, locale) : undefined, parts.join(' + ')]);
}

/** The rewards of a position: "$1.30 · 1.2 MEME + 0.07 SOL". */
export function rewardsText({ uncollectedRewards: rewards }: OpenPosition, locale: Locale = displayLocale()): string | undefined {
  if (rewards === undefined || rewards.length === 0) {
    return undefined;
  }
  const worth = worthOfRewards(rewards).usd;
  const amounts = rewards.map(
    ({ amount, token: { symbol } }) => `${isKnown(amount) ? significant(amount, 4, locale) : UNKNOWN} ${plainText(symbol)}`,
  );
  return joined([isKnown(worth) ? usd(worth, locale) : undefined, amounts.join(' + ')]);
}

function pnlDetail({ pnl, pnlPercent }: OpenPosition, locale: Locale): string {
  const both = (amount: string, known: number | undefined, rate: number | undefined) =>
    isKnown(known) ? `${amount}${isKnown(rate) ? ` (${signedPercent(rate, locale)})` : ''}` : undefined;
  return joined([
    both(signedUsd(pnl.usd, locale), pnl.usd, pnlPercent.usd),
    both(signedSol(pnl.native, locale), pnl.native, pnlPercent.native),
  ]);
}
