import * as l10n from '@vscode/l10n';
import { poolSaved } from '../../protocol/pool';
import { positionSaved } from '../../protocol/position';
import { parseAddress } from '../../base/solana/address';
import { POOL_TYPE_NAMES } from '../positions/positionDetails';
import { joined } from '../shell/views/rows';
import { plainText } from '../shell/views/text';
import type { PanelId } from './panelHtml';

/** What determines a panel's title. Names come from the network. */
export interface PanelSubject {
  readonly pairName: string;
  readonly poolType: keyof typeof POOL_TYPE_NAMES;
  readonly binStepBps?: number | undefined;
}

/** The title of a panel's tab: "BONK/SOL · 20 bps", "BONK/SOL · DAMM v2", "BONK/SOL position". Pools of one pair differ by bin step or type. */
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
 * Parses the subject of a restored panel from the state that VS Code kept for its page; `undefined` if it is invalid. The state is parsed strictly:
 * it is stored outside the extension.
 */
export function subjectOf(id: PanelId, state: unknown): string | undefined {
  switch (id) {
    case 'pool': {
      const saved = poolSaved.safeParse(state);
      return saved.success ? parseAddress(saved.data.pool) : undefined;
    }
    case 'position': {
      const saved = positionSaved.safeParse(state);
      return saved.success && saved.data.key !== '' ? saved.data.key : undefined;
    }
    case 'overview':
      // There is only one overview; its page reads the state itself.
      return '';
  }
}
