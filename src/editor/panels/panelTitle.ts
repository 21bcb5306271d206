import { plainText } from '../views/plainText';
import { POOL_TYPE_NAMES } from '../views/positionDetails';
import { joined } from '../views/rows';

/** What is known of a pool or a position by which its panel is called; names come from the network. */
export interface PanelSubject {
  readonly pairName: string;
  readonly poolType: keyof typeof POOL_TYPE_NAMES;
  readonly binStepBps?: number | undefined;
}

/** What a panel is called on its tab: pools of one pair differ by their bin step, or have no bins. "BONK/SOL · 20 bps", "BONK/SOL · DAMM v2", "BONK/SOL position". */
export function tabTitle(id: 'pool' | 'position', { pairName, poolType, binStepBps }: PanelSubject): string {
  const name = plainText(pairName);
  if (id === 'position') {
    return `${name} position`;
  }
  return joined([name, binStepBps === undefined ? (poolType === 'dammV2' ? POOL_TYPE_NAMES.dammV2 : undefined) : `${binStepBps} bps`]);
}
