import { parseAddress } from '../../solana/address';
import type { PanelId } from './panelHtml';

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
