import type { AutoRebalanceAction } from '../../autoRebalance/types';

/** What auto-rebalance tells those who are not looking at its window. */
export type AutoRebalanceAnnouncement =
  /** It asks before it acts. `why`: sentences. */
  | { readonly kind: 'asks'; readonly pairName: string; readonly action: AutoRebalanceAction; readonly why: string }
  /** It begins to act without asking. */
  | { readonly kind: 'acts'; readonly pairName: string; readonly action: AutoRebalanceAction; readonly why: string }
  /** It does not go on without the user. `undefined`: with no position. */
  | { readonly kind: 'needsUser'; readonly pairName: string | undefined };

/** Hears what auto-rebalance tells. */
export type Announce = (announcement: AutoRebalanceAnnouncement) => void;
