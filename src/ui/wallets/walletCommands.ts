import * as l10n from '@vscode/l10n';
import { shortAddress } from '../../base/format/places';
import type { OwnerOrigin } from './ownerIndex';
import { UserError } from '../shell/userError';
import type { CommandHandler, CommandHandlers } from '../shell/commands/runCommand';
import { importKey } from './importWalletKey';
import { newSandboxWallet, type NewSandboxWalletDependencies } from './newSandboxWallet';
import { lockWallets, removeWalletPassphrase, setWalletPassphrase } from './passphraseCommands';
import { pickOwner } from './pickOwner';
import { watchRemedy, type WalletCommandDependencies } from './requireSigner';
import { askToWatch } from './watchAddress';

/** The ids of the commands about wallets and their keys. */
export type WalletCommandId =
  | 'binsight.importWalletKey'
  | 'binsight.forgetWalletKey'
  | 'binsight.newSandboxWallet'
  | 'binsight.setWalletPassphrase'
  | 'binsight.removeWalletPassphrase'
  | 'binsight.lockWallets'
  | 'binsight.watchAddress'
  | 'binsight.switchWallet';

/** The commands about wallets and their keys. */
export function walletCommands(dependencies: NewSandboxWalletDependencies): Pick<CommandHandlers, WalletCommandId> {
  return {
    'binsight.importWalletKey': importKey(dependencies),
    'binsight.forgetWalletKey': forgetKey(dependencies),
    'binsight.newSandboxWallet': newSandboxWallet(dependencies),
    'binsight.setWalletPassphrase': setWalletPassphrase(dependencies),
    'binsight.removeWalletPassphrase': removeWalletPassphrase(dependencies),
    'binsight.lockWallets': lockWallets(dependencies),
    'binsight.watchAddress': () => askToWatch(dependencies),
    'binsight.switchWallet': switchWallet(dependencies),
  };
}

const forgetting = (): Readonly<Record<OwnerOrigin, string>> => ({
  user: l10n.t(
    'It is deleted from the secret storage on this machine and cannot be brought back from there. Make sure that you have a copy: without one, what the wallet holds is lost. Its positions go on being shown, unless the address is forgotten too.',
  ),
  sandbox: l10n.t("This is the sandbox's pretend wallet. Without its key it is only watched. Importing the key again makes it sign again."),
  generated: l10n.t(
    'This wallet was made here for the sandbox, and there is no copy of its key: its pretend money is out of reach from then on. Its positions go on being shown, unless the address is forgotten too.',
  ),
});

function forgetKey({ prompts, owners, service }: WalletCommandDependencies): CommandHandler {
  return async () => {
    const among = owners.known(service()).filter(({ canSign }) => canSign);
    if (among.length === 0) {
      throw new UserError(l10n.t('Binsight keeps no key of a wallet for this service.'));
    }
    const owner = await pickOwner(
      { title: l10n.t('Forget Wallet Key'), placeholder: l10n.t('The key of which wallet?'), among },
      prompts,
      owners,
    );
    if (owner === undefined) {
      return;
    }
    const forgetKey = l10n.t('Forget Key');
    const forgetAll = l10n.t('Forget Key and Address');
    const action = await prompts.confirm({
      severity: 'warning',
      message: l10n.t`Forget the key of ${owner.address}?`,
      detail: forgetting()[owner.origin],
      // The sandbox's own wallet would come back with the sandbox.
      actions: owner.origin === 'sandbox' ? [forgetKey] : [forgetKey, forgetAll],
    });
    switch (action) {
      case undefined:
        return;
      case forgetKey:
        await owners.forgetKey(owner.address);
        void prompts.notify({
          severity: 'info',
          message: l10n.t`The key of ${shortAddress(owner.address)} was forgotten. The wallet is only watched now.`,
        });
        return;
      case forgetAll:
        await owners.remove(owner.address);
        void prompts.notify({ severity: 'info', message: l10n.t`${shortAddress(owner.address)} and its key were forgotten.` });
    }
  };
}

function switchWallet({ prompts, owners, service }: WalletCommandDependencies): CommandHandler {
  return async () => {
    const known = owners.known(service());
    if (known.length === 0) {
      throw new UserError(l10n.t('Binsight knows no wallet yet.'), watchRemedy());
    }
    const owner = await pickOwner(
      {
        title: l10n.t('Switch Wallet'),
        placeholder: l10n.t('Whose positions are shown?'),
        among: known,
        current: owners.active(service()),
      },
      prompts,
      owners,
    );
    if (owner !== undefined) {
      await owners.activate(owner.address, service());
    }
  };
}
