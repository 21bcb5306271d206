import * as l10n from '@vscode/l10n';
import { shortAddress } from '../../base/format/identifiers';
import type { Address } from '../../base/solana/address';
import { generateKey, wipe } from '../../wallet/keys';
import { UserError } from '../shell/userError';
import type { CommandHandler } from '../shell/commands/runCommand';
import type { CommandId } from '../shell/commands/registry';
import type { WalletCommandDependencies } from './requireSigner';

export interface NewSandboxWalletDependencies extends WalletCommandDependencies {
  /** Adds pretend SOL to a wallet in the running sandbox. @throws SandboxError with a message for the user */
  readonly airdrop: (owner: Address, sol: number) => Promise<void>;
}

/** SOL of a new wallet, the same as the sandbox's own wallet starts with. */
const FIRST_SOL = 25;
const create = () => l10n.t('Create Wallet');
const CONNECT: CommandId = 'binsight.connectService';

/** Creates a wallet with pretend money. Real wallets are created in a wallet app, which lets the user back up the key. */
export function newSandboxWallet({ prompts, owners, service, airdrop }: NewSandboxWalletDependencies): CommandHandler {
  return async () => {
    if (service().kind !== 'sandbox') {
      throw new UserError(
        l10n.t(
          'Binsight creates wallets for the sandbox only. Create a real wallet in a wallet app, which lets you back up its key, then import it.',
        ),
        { label: l10n.t('Connect to Service…'), command: CONNECT },
      );
    }
    const key = generateKey();
    try {
      const action = await prompts.confirm({
        severity: 'info',
        message: l10n.t`Create a sandbox wallet?\n\n${key.address}`,
        detail: l10n.t`The wallet starts with ${FIRST_SOL} SOL of pretend money and becomes the current wallet. Use “Switch Wallet…” to go back to another one.\n\nNever send real money to it. Its key is stored only in VS Code's secret storage on this machine and is never shown. The wallet is for the sandbox and is never used with a real service.`,
        actions: [create()],
      });
      if (action !== create()) {
        return;
      }
      // First the airdrop: if it fails, no empty wallet is left behind.
      await airdrop(key.address, FIRST_SOL);
      await owners.keepGenerated(key, service());
      void prompts.notify({
        severity: 'info',
        message: l10n.t`Sandbox wallet ${shortAddress(key.address)} created with ${FIRST_SOL} pretend SOL.`,
      });
    } finally {
      wipe(key);
    }
  };
}
