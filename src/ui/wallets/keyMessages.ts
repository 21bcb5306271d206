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

/** The state of a wallet's key, as a sentence. */
export function keySentence({ canSign }: KnownOwner, lock: WalletLock): string {
  if (!canSign) {
    return l10n.t('This wallet is watch-only: Binsight has no key for it.');
  }
  switch (lock.kind) {
    case 'none':
      return l10n.t('The key of this wallet is stored without a passphrase.');
    case 'locked':
      return l10n.t('This wallet is locked. You enter its passphrase when you sign.');
    case 'unlocked':
      return l10n.t`This wallet is unlocked until ${timeOfDay(new Date(lock.untilMs))}. Use “Lock Wallets” to lock it now.`;
  }
}
