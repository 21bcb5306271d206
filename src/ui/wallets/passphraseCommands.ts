import * as l10n from '@vscode/l10n';
import type { Address } from '../../base/solana/address';
import { titleOf } from '../../base/text';
import { wipe } from '../../wallet/keys';
import type { CommandId } from '../../settings/generated/commandIds';
import type { CommandHandler } from '../shell/commands/runCommand';
import { UserError } from '../shell/errors';
import { askNewPassphrase, passphraseWarning } from './askPassphrase';
import { storageNotice } from './importWalletKey';
import type { StoredKeyEntry } from './keyStore';
import type { Owners } from './owners';
import { walletLabel } from './walletNames';
import { importRemedy, pickOwner, refuseKeysInBrowser, type WalletCommandDependencies } from './walletSelection';

const MANAGE: CommandId = 'binsight.manageWallets';
const setRemedy = () => ({ label: l10n.t('Manage Wallets…'), command: MANAGE }) as const;

/** Sets or changes the passphrase of a stored key. To change it, the user first enters the current one. */
export function setWalletPassphrase(dependencies: WalletCommandDependencies): CommandHandler {
  const { prompts, owners, service } = dependencies;
  return async () => {
    refuseKeysInBrowser(dependencies);
    const among = owners.known(service()).filter(({ canSign }) => canSign);
    if (among.length === 0) {
      throw new UserError(l10n.t('There is no wallet key for this service.'), importRemedy());
    }
    const owner = await pickOwner(
      { title: titleOf(l10n.t('Set Passphrase…')), placeholder: l10n.t('Choose a wallet'), among },
      prompts,
      owners,
    );
    if (owner === undefined) {
      return;
    }
    const { address, origin } = owner;
    const entry = await requireStoredKey(owners, address);
    const title = titleOf(l10n.t('Set Passphrase…'));
    const key = await owners.openKey(entry, { title, prompt: l10n.t`Enter the passphrase of ${address}.` });
    if (key === undefined) {
      return;
    }
    try {
      const passphrase = await askNewPassphrase(title, l10n.t`Choose a passphrase for the key of ${address}.`, prompts);
      if (passphrase === undefined) {
        return;
      }
      const set = title;
      const action = await prompts.confirm({
        severity: 'warning',
        message: l10n.t`Protect the key of ${address} with this passphrase?`,
        detail: passphraseWarning(origin),
        actions: [set],
      });
      if (action === set) {
        await owners.setPassphrase(entry, key, passphrase);
        void prompts.notify({ severity: 'info', message: l10n.t`Passphrase of ${walletLabel(owner)} set.` });
      }
    } finally {
      wipe(key);
    }
  };
}

/** Removes the passphrase of a stored key, after the user has entered it. */
export function removeWalletPassphrase(dependencies: WalletCommandDependencies): CommandHandler {
  const { prompts, owners, service } = dependencies;
  return async () => {
    refuseKeysInBrowser(dependencies);
    const among = owners.known(service()).filter(({ hasPassphrase }) => hasPassphrase);
    if (among.length === 0) {
      throw new UserError(l10n.t('No wallet key for this service has a passphrase.'), setRemedy());
    }
    const owner = await pickOwner(
      { title: titleOf(l10n.t('Remove Passphrase…')), placeholder: l10n.t('Choose a wallet'), among },
      prompts,
      owners,
    );
    if (owner === undefined) {
      return;
    }
    const { address } = owner;
    const entry = await requireStoredKey(owners, address);
    const key = await owners.openKey(entry, {
      title: titleOf(l10n.t('Remove Passphrase…')),
      prompt: `${l10n.t`Enter the passphrase of ${address}.`} ${storageNotice()}`,
    });
    if (key === undefined) {
      return;
    }
    try {
      await owners.setPassphrase(entry, key, undefined);
    } finally {
      wipe(key);
    }
    void prompts.notify({ severity: 'info', message: l10n.t`Passphrase of ${walletLabel(owner)} removed.` });
  };
}

/** Locks all unlocked wallets, in every window. */
export function lockWallets({ prompts, owners, service }: WalletCommandDependencies): CommandHandler {
  return async () => {
    const count = await owners.lock();
    if (count === 0 && !owners.known(service()).some(({ hasPassphrase }) => hasPassphrase)) {
      throw new UserError(l10n.t('No wallet key for this service has a passphrase.'), setRemedy());
    }
    void prompts.notify({ severity: 'info', message: l10n.t('All wallets with a passphrase are locked, in all windows.') });
  };
}

/** @throws UserError if the key is no longer stored; KeyError if it cannot be read. */
async function requireStoredKey(owners: Owners, address: Address): Promise<StoredKeyEntry> {
  const entry = await owners.storedKey(address);
  if (entry === undefined) {
    throw new UserError(l10n.t`There is no key for ${address}. Nothing was signed. Import it from your backup.`, importRemedy());
  }
  return entry;
}
