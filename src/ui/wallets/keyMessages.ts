import * as l10n from '@vscode/l10n';
import { timeOfDay } from '../../base/format/time';
import type { KnownOwner } from './ownerIndex';
import type { WalletLock } from './owners';

/** How a wallet's key stands, for a list: "can sign · passphrase". */
export function keyDescription({ canSign }: KnownOwner, lock: WalletLock): string {
  if (!canSign) {
    return l10n.t('watched only');
  }
  switch (lock.kind) {
    case 'none':
      return l10n.t('can sign');
    case 'locked':
      return l10n.t('can sign · passphrase');
    case 'unlocked':
      return l10n.t`can sign · unlocked until ${timeOfDay(new Date(lock.untilMs))}`;
  }
}

/** The codicon that goes with {@link keyDescription}. */
export function keyIcon({ canSign }: KnownOwner, lock: WalletLock): string {
  return !canSign ? 'eye' : { none: 'key', locked: 'lock', unlocked: 'unlock' }[lock.kind];
}

/** How a wallet's key stands, as a sentence. */
export function keySentence({ canSign }: KnownOwner, lock: WalletLock): string {
  if (!canSign) {
    return l10n.t('This wallet is only watched: Binsight has no key of it.');
  }
  switch (lock.kind) {
    case 'none':
      return l10n.t('Binsight has the key of this wallet, without a passphrase.');
    case 'locked':
      return l10n.t('This wallet is locked: its passphrase is asked for when something is to be signed.');
    case 'unlocked':
      return l10n.t`This wallet is unlocked until ${timeOfDay(new Date(lock.untilMs))}; “Lock Wallets” locks it at once.`;
  }
}
