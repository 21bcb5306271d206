import * as l10n from '@vscode/l10n';
import { shortAddress } from '../../base/format/identifiers';
import type { OwnerOrigin } from './ownerIndex';
import { UserError } from '../shell/userError';
import type { CommandHandler, CommandHandlers } from '../shell/commands/runCommand';
import { importKey } from './importWalletKey';
import { newSandboxWallet, type NewSandboxWalletDependencies } from './newSandboxWallet';
import { lockWallets, removeWalletPassphrase, setWalletPassphrase } from './passphraseCommands';
import { pickOwner } from './pickOwner';
import { watchRemedy, type WalletCommandDependencies } from './requireSigner';
import { askToWatch } from './watchAddress';

export type WalletCommandId =
  | 'binsight.importWalletKey'
  | 'binsight.forgetWalletKey'
  | 'binsight.newSandboxWallet'
  | 'binsight.setWalletPassphrase'
  | 'binsight.removeWalletPassphrase'
  | 'binsight.lockWallets'
  | 'binsight.watchAddress'
  | 'binsight.switchWallet';

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

const forgetConsequence = (): Readonly<Record<OwnerOrigin, string>> => ({
  user: l10n.t(
    "The key is deleted from the secret storage on this machine and can't be recovered. Make sure that you have a backup: without one, you lose everything the wallet holds. Its positions stay visible unless you forget the address too.",
  ),
  sandbox: l10n.t("This is the sandbox's pretend wallet. Without its key it becomes watch-only. To sign again, import the key."),
  generated: l10n.t(
    'This wallet was created for the sandbox, and there is no copy of its key: its pretend money will be lost. Its positions stay visible unless you forget the address too.',
  ),
});

function forgetKey({ prompts, owners, service }: WalletCommandDependencies): CommandHandler {
  return async () => {
    const among = owners.known(service()).filter(({ canSign }) => canSign);
    if (among.length === 0) {
      throw new UserError(l10n.t('There is no wallet key to forget for this service.'));
    }
    const owner = await pickOwner({ title: l10n.t('Forget Wallet Key'), placeholder: l10n.t('Choose a wallet'), among }, prompts, owners);
    if (owner === undefined) {
      return;
    }
    const forgetKey = l10n.t('Forget Key');
    const forgetAll = l10n.t('Forget Key and Address');
    const action = await prompts.confirm({
      severity: 'warning',
      message: l10n.t`Forget the key of ${owner.address}?`,
      detail: forgetConsequence()[owner.origin],
      // The sandbox's own wallet would come back with the sandbox.
      actions: owner.origin === 'sandbox' ? [forgetKey] : [forgetKey, forgetAll],
    });
    switch (action) {
      case undefined:
        return;
      case forgetKey:
        await owners.forgetKey(owner.address);
        void prompts.notify({ severity: 'info', message: l10n.t`Key forgotten. ${shortAddress(owner.address)} is now watch-only.` });
        return;
      case forgetAll:
        await owners.remove(owner.address);
        void prompts.notify({ severity: 'info', message: l10n.t`Forgot ${shortAddress(owner.address)} and its key.` });
    }
  };
}

function switchWallet({ prompts, owners, service }: WalletCommandDependencies): CommandHandler {
  return async () => {
    const known = owners.known(service());
    if (known.length === 0) {
      throw new UserError(l10n.t('No wallets yet. Import a wallet key or watch an address first.'), watchRemedy());
    }
    const owner = await pickOwner(
      { title: l10n.t('Switch Wallet'), placeholder: l10n.t('Choose a wallet'), among: known, current: owners.active(service()) },
      prompts,
      owners,
    );
    if (owner !== undefined) {
      await owners.activate(owner.address, service());
    }
  };
}
