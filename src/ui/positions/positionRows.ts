import * as l10n from '@vscode/l10n';
import { priceUsd } from '../../base/format/amounts';
import { binRange, shortAddress } from '../../base/format/identifiers';
import { signedSol, signedUsd, signedUsdShort, usd, usdShort } from '../../base/format/money';
import { counted, isKnown, significant, UNKNOWN } from '../../base/format/numbers';
import { bps, fractionAsPercent, percent, signedPercent } from '../../base/format/percent';
import { age, exactTime } from '../../base/format/time';
import type { OpenPosition } from '../../service/positions';
import { joined, type Row, type RowIcon } from '../shell/views/rows';
import { plainText } from '../shell/views/text';

/** The range status as reported by the service. */
export type RangeStatus = 'inRange' | 'outOfRange' | 'unknown';

/** Proper names, which are not localized. */
export const POOL_TYPE_NAMES = { dlmm: 'DLMM', dammV2: 'DAMM v2', other: 'other' } as const;

const ICONS: Readonly<Record<RangeStatus, RowIcon>> = {
  inRange: { id: 'pass', color: 'charts.green' },
  outOfRange: { id: 'warning', color: 'list.warningForeground' },
  unknown: { id: 'question', color: 'disabledForeground' },
};

const spokenStatus = (): Readonly<Record<RangeStatus, string>> => ({
  inRange: l10n.t('in range'),
  outOfRange: l10n.t('out of range, earns no fees'),
  unknown: l10n.t('range status unknown'),
});

/** @param busy an operation on the position is in progress */
export function positionRow(position: OpenPosition, busy: boolean): Row {
  const status = rangeStatus(position);
  const name = plainText(position.pairName);
  return {
    id: position.key,
    label: name,
    // Most important first: a narrow sidebar cuts off the end.
    description: joined([
      isKnown(position.value.usd) ? usdShort(position.value.usd) : l10n.t`value ${UNKNOWN}`,
      pnlText(position, signedUsdShort),
      status === 'outOfRange' ? l10n.t('out of range') : status === 'unknown' ? l10n.t('range unknown') : undefined,
      position.ageHours === undefined ? undefined : age(position.ageHours),
      isKnown(position.uncollectedFee.usd) ? l10n.t`fees ${usdShort(position.uncollectedFee.usd)}` : undefined,
    ]),
    icon: busy ? { id: 'loading~spin' } : ICONS[status],
    spoken: `${[
      name,
      busy ? l10n.t('operation in progress') : undefined,
      spokenStatus()[status],
      isKnown(position.value.usd) ? l10n.t`value ${usd(position.value.usd)}` : l10n.t('value unknown'),
      spokenPnl(position),
      position.ageHours === undefined ? undefined : l10n.t`open for ${spokenAge(position.ageHours)}`,
      isKnown(position.uncollectedFee.usd) ? l10n.t`unclaimed fees ${usd(position.uncollectedFee.usd)}` : undefined,
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

/** The detail rows of an open position, in display order. Figures that the service doesn't report have no row. */
export function positionDetails(position: OpenPosition): readonly Row[] {
  const range = rangeText(position);
  const row = (part: string, label: string, icon: string, description: string | undefined, contextValue = 'detail'): Row[] =>
    description === undefined || description === '' || description === UNKNOWN
      ? []
      : [{ id: `${position.key}/${part}`, label, description, icon: { id: icon }, spoken: `${label}: ${description}`, contextValue }];
  return [
    ...row('range', l10n.t('Range'), 'arrow-both', range === undefined ? undefined : joined([range.range, range.edges])),
    ...row('price', l10n.t('Price'), 'tag', priceDetail(position)),
    ...row('token0', plainText(position.token0.symbol), 'circle-outline', holding(position.amount0, position.price0Usd)),
    ...row('token1', plainText(position.token1.symbol), 'circle-outline', holding(position.amount1, position.price1Usd)),
    ...row('uncollected', l10n.t('Unclaimed fees'), 'arrow-circle-up', feesDetail(position)),
    ...row(
      'collected',
      l10n.t('Claimed fees'),
      'check-all',
      isKnown(position.collectedFee.usd) ? usd(position.collectedFee.usd) : undefined,
    ),
    ...row('pnl', l10n.t('PnL'), 'graph-line', pnlDetail(position)),
    ...row(
      'daily',
      l10n.t('Daily return'),
      'calendar',
      isKnown(position.dailyReturn.usd) ? l10n.t`${fractionAsPercent(position.dailyReturn.usd)} per day` : undefined,
    ),
    ...row(
      'age',
      l10n.t('Age'),
      'clock',
      joined([
        position.ageHours === undefined ? undefined : age(position.ageHours),
        position.createdAt === undefined ? undefined : l10n.t`since ${exactTime(position.createdAt)}`,
      ]),
    ),
    ...row(
      'kind',
      l10n.t('Type'),
      'symbol-structure',
      joined([
        POOL_TYPE_NAMES[position.poolType],
        position.strategy,
        position.binStepBps === undefined ? undefined : l10n.t`bin step ${bps(position.binStepBps)}`,
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

export function rangeStatus(position: OpenPosition): RangeStatus {
  return position.inRange === undefined ? 'unknown' : position.inRange ? 'inRange' : 'outOfRange';
}

/** "+$12.30 (+2.4%)", or only one of the two if the other is unknown. */
export function pnlText(position: OpenPosition, amountText = signedUsd): string {
  const { usd: amount } = position.pnl;
  const { usd: rate } = position.pnlPercent;
  if (!isKnown(amount) && !isKnown(rate)) {
    return l10n.t`PnL ${UNKNOWN}`;
  }
  return isKnown(amount) ? `${amountText(amount)}${isKnown(rate) ? ` (${signedPercent(rate)})` : ''}` : signedPercent(rate);
}

/** The bins of a position and the distance of the price to its bounds; "full range" in DAMM v2 pools; `undefined` if the bins are unknown. */
export function rangeText(position: OpenPosition): { readonly range: string; readonly edges: string | undefined } | undefined {
  const { lowerBinId: lower, upperBinId: upper, activeBinId: active } = position;
  if (position.poolType === 'dammV2') {
    return { range: l10n.t('full range'), edges: undefined };
  }
  if (lower === undefined || upper === undefined) {
    return undefined;
  }
  const range = binRange(lower, upper);
  if (active === undefined) {
    return { range, edges: undefined };
  }
  const distance = (bins: number) => `${counted(bins, 'bin')}${distancePercent(bins, position.binStepBps)}`;
  if (active < lower) {
    return { range, edges: l10n.t`price ${distance(lower - active)} below` };
  }
  if (active > upper) {
    return { range, edges: l10n.t`price ${distance(active - upper)} above` };
  }
  return { range, edges: l10n.t`${distance(active - lower)} to lower bound, ${distance(upper - active)} to upper bound` };
}

/** Price distance of `bins` bins relative to the lower of the two prices: (1 + step)^bins − 1. */
function distancePercent(bins: number, binStepBps: number | undefined): string {
  return binStepBps === undefined ? '' : ` (${percent(100 * Math.expm1(bins * Math.log1p(binStepBps / 10_000)))})`;
}

function spokenPnl(position: OpenPosition): string {
  const { usd: amount } = position.pnl;
  const { usd: rate } = position.pnlPercent;
  if (!isKnown(amount)) {
    return l10n.t('profit or loss unknown');
  }
  const figures = `${usd(Math.abs(amount))}${isKnown(rate) ? ` (${percent(Math.abs(rate))})` : ''}`;
  return amount < 0 ? l10n.t`loss ${figures}` : l10n.t`profit ${figures}`;
}

function spokenAge(hours: number): string {
  if (hours < 1) {
    return counted(Math.max(0, Math.floor(hours * 60)), 'minute');
  }
  return hours < 24 ? counted(Math.floor(hours), 'hour') : counted(Math.floor(hours / 24), 'day');
}

function priceDetail({ priceRangeUsd, price0Usd }: OpenPosition): string | undefined {
  return priceRangeUsd === undefined
    ? isKnown(price0Usd)
      ? priceUsd(price0Usd)
      : undefined
    : l10n.t`${priceUsd(priceRangeUsd.current)}, range ${priceUsd(priceRangeUsd.lower)} to ${priceUsd(priceRangeUsd.upper)}`;
}

function holding(amount: number | undefined, price: number | undefined): string | undefined {
  return isKnown(amount) ? joined([significant(amount, 6), isKnown(price) ? usd(amount * price) : undefined]) : undefined;
}

function feesDetail(position: OpenPosition): string | undefined {
  const parts = [
    isKnown(position.uncollectedFee0) ? `${significant(position.uncollectedFee0)} ${plainText(position.token0.symbol)}` : undefined,
    isKnown(position.uncollectedFee1) ? `${significant(position.uncollectedFee1)} ${plainText(position.token1.symbol)}` : undefined,
  ].filter((part) => part !== undefined);
  return joined([isKnown(position.uncollectedFee.usd) ? usd(position.uncollectedFee.usd) : undefined, parts.join(' + ')]);
}

function pnlDetail({ pnl, pnlPercent }: OpenPosition): string {
  const both = (amount: string, known: number | undefined, rate: number | undefined) =>
    isKnown(known) ? `${amount}${isKnown(rate) ? ` (${signedPercent(rate)})` : ''}` : undefined;
  return joined([both(signedUsd(pnl.usd), pnl.usd, pnlPercent.usd), both(signedSol(pnl.native), pnl.native, pnlPercent.native)]);
}
