import * as l10n from '@vscode/l10n';
import type { OpenPosition } from '../../service/positions';
import { percent, signedPercent } from '../../base/format/percent';
import { binRange } from '../../base/format/places';
import { signedUsd, signedUsdShort, usd, usdShort } from '../../base/format/money';
import { counted, isKnown, UNKNOWN } from '../../base/format/numbers';
import { age } from '../../base/format/time';
import { plainText } from '../shell/views/text';
import { joined, type Row, type RowIcon } from '../shell/views/rows';

/** Whether a position earns fees, as far as the service says. */
export type RangeStatus = 'inRange' | 'outOfRange' | 'unknown';

/** Gives a position's range status. */
export function rangeStatus(position: OpenPosition): RangeStatus {
  return position.inRange === undefined ? 'unknown' : position.inRange ? 'inRange' : 'outOfRange';
}

const ICONS: Readonly<Record<RangeStatus, RowIcon>> = {
  inRange: { id: 'pass', color: 'charts.green' },
  outOfRange: { id: 'warning', color: 'list.warningForeground' },
  unknown: { id: 'question', color: 'disabledForeground' },
};

const spokenStatus = (): Readonly<Record<RangeStatus, string>> => ({
  inRange: l10n.t('in range'),
  outOfRange: l10n.t('out of range, earns no fees'),
  unknown: l10n.t('not known whether in range'),
});

/** The row of an open position. `busy`: an operation on it is under way. */
export function positionRow(position: OpenPosition, busy: boolean): Row {
  const status = rangeStatus(position);
  const name = plainText(position.pairName);
  return {
    id: position.key,
    label: name,
    // In a narrow sidebar only the beginning is seen.
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
      busy ? l10n.t('operation under way') : undefined,
      spokenStatus()[status],
      isKnown(position.value.usd) ? l10n.t`worth ${usd(position.value.usd)}` : l10n.t('value not known'),
      spokenPnl(position),
      position.ageHours === undefined ? undefined : l10n.t`open for ${spokenAge(position.ageHours)}`,
      isKnown(position.uncollectedFee.usd) ? l10n.t`uncollected fees ${usd(position.uncollectedFee.usd)}` : undefined,
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

/** "+$12.30 (+2.4%)"; the known half alone where only one is known. */
export function pnlText(position: OpenPosition, amountText = signedUsd): string {
  const { usd: amount } = position.pnl;
  const { usd: rate } = position.pnlPercent;
  if (!isKnown(amount) && !isKnown(rate)) {
    return l10n.t`PnL ${UNKNOWN}`;
  }
  return isKnown(amount) ? `${amountText(amount)}${isKnown(rate) ? ` (${signedPercent(rate)})` : ''}` : signedPercent(rate);
}

/** Where the price stands in the range: "5 bins (4.9%) above the lower edge, …"; "full range" in DAMM v2 pools; `undefined` where bins are not known. */
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
    return { range, edges: l10n.t`price is ${distance(lower - active)} below` };
  }
  if (active > upper) {
    return { range, edges: l10n.t`price is ${distance(active - upper)} above` };
  }
  return { range, edges: l10n.t`${distance(active - lower)} to the lower edge, ${distance(upper - active)} to the upper` };
}

/** How far `bins` are apart, as a share of the lower of the two prices: (1 + step)^bins − 1. */
function distancePercent(bins: number, binStepBps: number | undefined): string {
  return binStepBps === undefined ? '' : ` (${percent(100 * Math.expm1(bins * Math.log1p(binStepBps / 10_000)))})`;
}

function spokenPnl(position: OpenPosition): string {
  const { usd: amount } = position.pnl;
  const { usd: rate } = position.pnlPercent;
  if (!isKnown(amount)) {
    return l10n.t('profit or loss not known');
  }
  const word = amount < 0 ? 'loss' : 'profit';
  return `${word} ${usd(Math.abs(amount))}${isKnown(rate) ? l10n.t` or ${percent(Math.abs(rate))}` : ''}`;
}

function spokenAge(hours: number): string {
  if (hours < 1) {
    return counted(Math.max(0, Math.floor(hours * 60)), 'minute');
  }
  return hours < 24 ? counted(Math.floor(hours), 'hour') : counted(Math.floor(hours / 24), 'day');
}
