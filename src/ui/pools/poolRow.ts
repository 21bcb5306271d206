import * as l10n from '@vscode/l10n';
import type { Pool } from '../../service/pools';
import { usd, usdShort } from '../../base/format/money';
import { isKnown, UNKNOWN } from '../../base/format/numbers';
import { bps, feeTvl, percent } from '../../base/format/percent';
import { plainText } from '../shell/views/text';
import { POOL_TYPE_NAMES } from '../positions/positionRows';
import { joined, type Row, type RowIcon } from '../shell/views/rows';

const ICONS: Readonly<Record<Pool['poolType'], RowIcon>> = { dlmm: { id: 'graph' }, dammV2: { id: 'pulse' }, other: { id: 'question' } };

export function poolRow(pool: Pool): Row {
  const name = plainText(pool.pairName);
  const type = POOL_TYPE_NAMES[pool.poolType];
  const volume = pool.volumeUsd['24h'];
  return {
    id: pool.address,
    label: name,
    // A narrow sidebar cuts off the end, so what distinguishes the pools of one pair comes first: the bin step, or DAMM v2.
    description: joined([
      isKnown(pool.binStepBps) ? l10n.t`${pool.binStepBps} bps` : pool.poolType === 'dammV2' ? type : undefined,
      l10n.t`TVL ${usdShort(pool.tvlUsd)}`,
      l10n.t`24 h ${usdShort(volume)}`,
      l10n.t`fee/TVL ${feeTvl(pool.feeTvlRatio24h)}`,
      isKnown(pool.binStepBps) || pool.poolType !== 'dammV2' ? type : undefined,
    ]),
    icon: ICONS[pool.poolType],
    spoken: `${[
      l10n.t`${name}, ${type} pool`,
      l10n.t`total value locked ${known(usd(pool.tvlUsd))}`,
      l10n.t`24-hour volume ${known(usd(volume))}`,
      isKnown(pool.feeTvlRatio24h) ? l10n.t`24-hour fees ${feeTvl(pool.feeTvlRatio24h)} of TVL` : l10n.t('24-hour fees unknown'),
      isKnown(pool.binStepBps) ? l10n.t`bin step ${bps(pool.binStepBps)}` : undefined,
      isKnown(pool.baseFeePercent) ? l10n.t`base fee ${percent(pool.baseFeePercent)}` : undefined,
    ]
      .filter((part) => part !== undefined)
      .join(', ')}.`,
    contextValue: `pool ${pool.poolType}`,
  };
}

function known(text: string): string {
  return text === UNKNOWN ? l10n.t('unknown') : text;
}
