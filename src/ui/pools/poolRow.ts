import type { Pool } from '../../service/pools';
import { usd, usdShort } from '../../base/format/money';
import { isKnown, UNKNOWN } from '../../base/format/numbers';
import { bps, feeTvl, percent } from '../../base/format/percent';
import { plainText } from '../shell/views/text';
import { POOL_TYPE_NAMES } from '../positions/positionDetails';
import { joined, type Row, type RowIcon } from '../shell/views/rows';

const ICONS: Readonly<Record<Pool['poolType'], RowIcon>> = { dlmm: { id: 'graph' }, dammV2: { id: 'pulse' }, other: { id: 'question' } };

/** The row of a pool that could be entered. */
export function poolRow(pool: Pool): Row {
  const name = plainText(pool.pairName);
  const type = POOL_TYPE_NAMES[pool.poolType];
  const volume = pool.volumeUsd['24h'];
  return {
    id: pool.address,
    label: name,
    // In a narrow sidebar only the beginning is seen; pools of one pair differ by their bin step or have no bins.
    description: joined([
      isKnown(pool.binStepBps) ? `${pool.binStepBps} bps` : pool.poolType === 'dammV2' ? type : undefined,
      `TVL ${usdShort(pool.tvlUsd)}`,
      `24 h ${usdShort(volume)}`,
      `fee/TVL ${feeTvl(pool.feeTvlRatio24h)}`,
      isKnown(pool.binStepBps) || pool.poolType !== 'dammV2' ? type : undefined,
    ]),
    icon: ICONS[pool.poolType],
    spoken: `${[
      `${name}, ${type} pool`,
      `total value locked ${known(usd(pool.tvlUsd))}`,
      `volume of 24 hours ${known(usd(volume))}`,
      isKnown(pool.feeTvlRatio24h) ? `daily fees of ${feeTvl(pool.feeTvlRatio24h)} of the value locked` : 'daily fees not known',
      isKnown(pool.binStepBps) ? `bin step ${bps(pool.binStepBps)}` : undefined,
      isKnown(pool.baseFeePercent) ? `base fee ${percent(pool.baseFeePercent)}` : undefined,
    ]
      .filter((part) => part !== undefined)
      .join(', ')}.`,
    contextValue: `pool ${pool.poolType}`,
  };
}

function known(text: string): string {
  return text === UNKNOWN ? 'not known' : text;
}
