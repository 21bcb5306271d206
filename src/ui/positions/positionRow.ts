import * as l10n from '@vscode/l10n';
import type { OpenPosition } from '../../service/positions';
import { percent, signedPercent } from '../../base/format/percent';
import { binRange } from '../../base/format/identifiers';
import { signedUsd, signedUsdShort, usd, usdShort } from '../../base/format/money';
import { counted, isKnown, UNKNOWN } from '../../base/format/numbers';
import { age } from '../../base/format/time';
import { plainText } from '../shell/views/text';
import { joined, type Row, type RowIcon } from '../shell/views/rows';

/** The range status as reported by the service. */
export type RangeStatus = 'inRange' | 'outOfRange' | 'unknown';

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
