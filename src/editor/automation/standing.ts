import { counted } from '../../format/numbers';
import { shortAddress } from '../../format/places';
import { exactTime } from '../../format/time';
import type { AutoRebalanceConsent, AutoRebalanceState } from '../../operations/automation/types';

/**
 * How automation stands in a window.
 * @param granted what is on, in whatever window
 * @param why what keeps this window from taking part, in sentences
 * @param state of this window's loop, where it has one
 */
export function stateInWindow(granted: AutoRebalanceConsent | undefined, why: string | undefined, state: AutoRebalanceState | undefined): AutoRebalanceState {
  if (granted === undefined) {
    return { kind: 'off' };
  }
  if (why !== undefined) {
    return { kind: 'paused', grant: granted, why };
  }
  // Until the loop has looked for the first time, or again, nothing more is known than that it is on.
  return state === undefined || state.kind === 'off' ? { kind: 'on', grant: granted, role: 'active', lastCheckMs: undefined, acting: [], planned: [], doneToday: 0 } : state;
}

/** How automation stands, in one sentence or more. */
export function statusSentence(state: AutoRebalanceState): string {
  switch (state.kind) {
    case 'off':
      return 'Auto-rebalance is off.';
    case 'paused':
      return `Auto-rebalance is paused. ${state.why}`;
    case 'on': {
      const { owner, sinceMs, rules } = state.grant;
      const how = rules.mode === 'ask' ? 'and asks first' : 'and signs by the rules';
      const where = state.role === 'standby' ? ', in another window' : '';
      return `Auto-rebalance is on${where} for ${shortAddress(owner)} since ${exactTime(new Date(sinceMs))}, ${how}. ${counted(state.doneToday, 'rebalance')} in the last 24 hours, by hand or by itself.`;
    }
  }
}
