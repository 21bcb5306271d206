import * as l10n from '@vscode/l10n';
import { parseAddress } from '../../base/solana/address';
import { POOL_TYPE_NAMES } from '../positions/positionDetails';
import { joined } from '../shell/views/rows';
import { plainText } from '../shell/views/text';
import type { PanelId } from './panelHtml';

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
    return l10n.t`${name} position`;
  }
  return joined([
    name,
    binStepBps === undefined ? (poolType === 'dammV2' ? POOL_TYPE_NAMES.dammV2 : undefined) : l10n.t`${binStepBps} bps`,
  ]);
}

/**
 * Gives what a panel was about, from what its page had VS Code keep; `undefined` where that does not tell. Also the identity is read
 * strictly, for the state lies outside of what we write.
 */
export async function subjectOf(id: PanelId, state: unknown): Promise<string | undefined> {
  switch (id) {
    case 'pool': {
      const { poolSaved } = await import('../../protocol/pool');
      const saved = poolSaved.safeParse(state);
      return saved.success ? parseAddress(saved.data.pool) : undefined;
    }
    case 'position': {
      const { positionSaved } = await import('../../protocol/position');
      const saved = positionSaved.safeParse(state);
      return saved.success && saved.data.key !== '' ? saved.data.key : undefined;
    }
    case 'overview':
      // There is only one, whatever it remembers: its page reads that by itself.
      return '';
  }
}
