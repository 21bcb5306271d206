import * as l10n from '@vscode/l10n';
import { timeOfDay } from '../../base/format/time';
import { joined } from '../shell/views/rows';
import type { KnownOwner } from './ownerIndex';
import type { WalletLock } from './owners';

/** The state of a wallet's key, for lists: "can sign · locked". */
export function keyDescription({ canSign }: KnownOwner, lock: WalletLock): string {
  if (!canSign) {
    return l10n.t('watch-only');
  }
  switch (lock.kind) {
    case 'none':
      return l10n.t('can sign');
    case 'locked':
      return joined([l10n.t('can sign'), l10n.t('locked')]);
    case 'unlocked':
      return joined([l10n.t('can sign'), l10n.t`unlocked until ${timeOfDay(new Date(lock.untilMs))}`]);
  }
}

/** The codicon for {@link keyDescription}. */
export function keyIcon({ canSign }: KnownOwner, lock: WalletLock): string {
  return !canSign ? 'eye' : { none: 'key', locked: 'lock', unlocked: 'unlock' }[lock.kind];
}
