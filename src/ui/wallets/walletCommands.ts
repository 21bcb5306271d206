import { shortAddress } from '../../base/format/places';
import type { OwnerOrigin } from './ownerIndex';
import { UserError } from '../shell/userError';
import type { CommandHandler, CommandHandlers } from '../shell/commands/runCommand';
import { importKey } from './importWalletKey';
import { newSandboxWallet, type NewSandboxWalletDependencies } from './newSandboxWallet';
import { lockWallets, removeWalletPassphrase, setWalletPassphrase } from './passphraseCommands';
import { pickOwner } from './pickOwner';
import { WATCH_REMEDY, type WalletCommandDependencies } from './requireSigner';
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

const FORGETTING: Readonly<Record<OwnerOrigin, string>> = {
  user: 'It is deleted from the secret storage on this machine and cannot be brought back from there. Make sure that you have a copy: without one, what the wallet holds is lost. Its positions go on being shown, unless the address is forgotten too.',
  sandbox: "This is the sandbox's pretend wallet. Without its key it is only watched. Importing the key again makes it sign again.",
  generated:
    'This wallet was made here for the sandbox, and there is no copy of its key: its pretend money is out of reach from then on. Its positions go on being shown, unless the address is forgotten too.',
};

function forgetKey({ prompts, owners, service }: WalletCommandDependencies): CommandHandler {
  return async () => {
    const among = owners.known(service()).filter(({ canSign }) => canSign);
    if (among.length === 0) {
      throw new UserError('Binsight keeps no key of a wallet for this service.');
    }
    const owner = await pickOwner({ title: 'Forget Wallet Key', placeholder: 'The key of which wallet?', among }, prompts, owners);
    if (owner === undefined) {
      return;
    }
    const action = await prompts.confirm<'Forget Key' | 'Forget Key and Address'>({
      severity: 'warning',
      message: `Forget the key of ${owner.address}?`,
      detail: FORGETTING[owner.origin],
      // The sandbox's own wallet would come back with the sandbox.
      actions: owner.origin === 'sandbox' ? ['Forget Key'] : ['Forget Key', 'Forget Key and Address'],
    });
    switch (action) {
      case undefined:
        return;
      case 'Forget Key':
        await owners.forgetKey(owner.address);
        void prompts.notify({
          severity: 'info',
          message: `The key of ${shortAddress(owner.address)} was forgotten. The wallet is only watched now.`,
        });
        return;
      case 'Forget Key and Address':
        await owners.remove(owner.address);
        void prompts.notify({ severity: 'info', message: `${shortAddress(owner.address)} and its key were forgotten.` });
    }
  };
}

function switchWallet({ prompts, owners, service }: WalletCommandDependencies): CommandHandler {
  return async () => {
    const known = owners.known(service());
    if (known.length === 0) {
      throw new UserError('Binsight knows no wallet yet.', WATCH_REMEDY);
    }
    const owner = await pickOwner(
      { title: 'Switch Wallet', placeholder: 'Whose positions are shown?', among: known, current: owners.active(service()) },
      prompts,
      owners,
    );
    if (owner !== undefined) {
      await owners.activate(owner.address, service());
    }
  };
}
