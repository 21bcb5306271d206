import * as l10n from '@vscode/l10n';
import { shortAddress } from '../../base/format/places';
import { counted } from '../../base/format/numbers';
import type { Address } from '../../base/solana/address';
import { wipe } from '../../wallet/keys';
import { askNewPassphrase, passphraseWarning } from './askPassphrase';
import type { KeptKey } from './keyStore';
import type { Owners } from './owners';
import { UserError } from '../shell/userError';
import type { CommandHandler } from '../shell/commands/runCommand';
import { pickOwner } from './pickOwner';
import type { CommandId } from '../shell/commands/registry';
import { importRemedy, refuseKeysInBrowser, type WalletCommandDependencies } from './requireSigner';

const SET: CommandId = 'binsight.setWalletPassphrase';
const setRemedy = () => ({ label: l10n.t('Set Wallet Passphrase'), command: SET }) as const;

/** The command that puts a stored key under a passphrase, or under another one; the present one is asked for first. */
export function setWalletPassphrase(dependencies: WalletCommandDependencies): CommandHandler {
  const { prompts, owners, service } = dependencies;
  return async () => {
    refuseKeysInBrowser(dependencies);
    const among = owners.known(service()).filter(({ canSign }) => canSign);
    if (among.length === 0) {
      throw new UserError(l10n.t('Binsight keeps no key of a wallet for this service, so there is nothing to protect.'), importRemedy());
    }
    const owner = await pickOwner(
      { title: l10n.t('Set Wallet Passphrase'), placeholder: l10n.t('The key of which wallet shall have a passphrase?'), among },
      prompts,
      owners,
    );
    if (owner === undefined) {
      return;
    }
    const { address, origin } = owner;
    const kept = await keptKey(owners, address);
    const title = kept.isProtected ? l10n.t('Change Wallet Passphrase') : l10n.t('Set Wallet Passphrase');
    const key = await owners.openKey(kept, { title, prompt: l10n.t`The present passphrase of ${address}, which is to be changed.` });
    if (key === undefined) {
      return;
    }
    try {
      const passphrase = await askNewPassphrase(
        title,
        l10n.t`A ${kept.isProtected ? 'new ' : ''}passphrase for the key of ${address}.`,
        prompts,
      );
      if (passphrase === undefined) {
        return;
      }
      const set = l10n.t('Set Passphrase');
      const action = await prompts.confirm({
        severity: 'warning',
        message: l10n.t`Put the key of ${address} under this passphrase?`,
        detail: l10n.t`From then on Binsight asks for it, in every window, before it signs for this wallet. ${passphraseWarning(origin)}`,
        actions: [set],
      });
      if (action === set) {
        await owners.setPassphrase(kept, key, passphrase);
        void prompts.notify({
          severity: 'info',
          message: l10n.t`The key of ${shortAddress(address)} is under ${kept.isProtected ? l10n.t('the new') : 'a'} passphrase now. It is asked for when something is to be signed.`,
        });
      }
    } finally {
      wipe(key);
    }
  };
}

/** The command that takes the passphrase from a stored key; it is asked for first. */
export function removeWalletPassphrase(dependencies: WalletCommandDependencies): CommandHandler {
  const { prompts, owners, service } = dependencies;
  return async () => {
    refuseKeysInBrowser(dependencies);
    const among = owners.known(service()).filter(({ hasPassphrase }) => hasPassphrase);
    if (among.length === 0) {
      throw new UserError(l10n.t('No key that Binsight keeps for this service has a passphrase.'), setRemedy());
    }
    const owner = await pickOwner(
      { title: l10n.t('Remove Wallet Passphrase'), placeholder: l10n.t('From the key of which wallet?'), among },
      prompts,
      owners,
    );
    if (owner === undefined) {
      return;
    }
    const { address } = owner;
    const kept = await keptKey(owners, address);
    const key = await owners.openKey(kept, {
      title: l10n.t('Remove Wallet Passphrase'),
      prompt: l10n.t`The passphrase of ${address}. Without one, other extensions and programs that you run may get at the stored key.`,
    });
    if (key === undefined) {
      return;
    }
    try {
      await owners.setPassphrase(kept, key, undefined);
    } finally {
      wipe(key);
    }
    void prompts.notify({
      severity: 'info',
      message: l10n.t`The key of ${shortAddress(address)} has no passphrase any more. What you approve is signed without one.`,
    });
  };
}

/** The command that forgets all passphrases that were entered, in every window. */
export function lockWallets({ prompts, owners, service }: WalletCommandDependencies): CommandHandler {
  return async () => {
    const count = await owners.lock();
    if (count === 0 && !owners.known(service()).some(({ hasPassphrase }) => hasPassphrase)) {
      throw new UserError(
        l10n.t(
          'There is nothing to lock: no key that Binsight keeps for this service has a passphrase. What you approve is signed without one.',
        ),
        setRemedy(),
      );
    }
    const message =
      count === 0
        ? l10n.t('No wallet was unlocked in this window. All others are locked too.')
        : l10n.t`${counted(count, 'wallet')} locked, in all windows. The passphrase is asked for when something is to be signed.`;
    void prompts.notify({ severity: 'info', message });
  };
}

/** @throws Refusal where nothing is stored any more, KeyError where it cannot be read. */
async function keptKey(owners: Owners, address: Address): Promise<KeptKey> {
  const kept = await owners.storedKey(address);
  if (kept === undefined) {
    throw new UserError(
      l10n.t`VS Code has lost the key of ${address}: nothing is stored for it any more. Import it again, from your own copy.`,
      importRemedy(),
    );
  }
  return kept;
}
