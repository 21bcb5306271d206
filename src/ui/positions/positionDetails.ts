import * as l10n from '@vscode/l10n';
import type { OpenPosition } from '../../service/positions';
import { signedSol, signedUsd, usd } from '../../base/format/money';
import { isKnown, significant, UNKNOWN } from '../../base/format/numbers';
import { bps, fractionAsPercent, signedPercent } from '../../base/format/percent';
import { shortAddress } from '../../base/format/identifiers';
import { priceUsd } from '../../base/format/amounts';
import { age, exactTime } from '../../base/format/time';
import { plainText } from '../shell/views/text';
import { rangeText } from './positionRow';
import { joined, type Row } from '../shell/views/rows';

/** Proper names, which are not localized. */
export const POOL_TYPE_NAMES = { dlmm: 'DLMM', dammV2: 'DAMM v2', other: 'other' } as const;

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
