import * as l10n from '@vscode/l10n';
import { shortAddress } from '../../base/format/places';
import type { Address } from '../../base/solana/address';
import { generateKey, wipe } from '../../wallet/keys';
import { UserError } from '../shell/userError';
import type { CommandHandler } from '../shell/commands/runCommand';
import type { CommandId } from '../shell/commands/registry';
import type { WalletCommandDependencies } from './requireSigner';

/** What new wallets are made with. */
export interface NewSandboxWalletDependencies extends WalletCommandDependencies {
  /** Lets the running sandbox give so much pretend SOL to a wallet. @throws SandboxError in words */
  readonly airdrop: (owner: Address, sol: number) => Promise<void>;
}

/** As much as the sandbox's own wallet begins with. */
const FIRST_SOL = 25;
const create = () => l10n.t('Create Wallet');
const CONNECT: CommandId = 'binsight.connectService';

/** The command that makes a wallet with pretend money. Real wallets are made in a wallet application, which backs them up. */
export function newSandboxWallet({ prompts, owners, service, airdrop }: NewSandboxWalletDependencies): CommandHandler {
  return async () => {
    if (service().kind !== 'sandbox') {
      throw new UserError(
        l10n.t(
          'Binsight makes wallets for the sandbox only. Make a real one in a wallet application, which gives you a copy of its key, and import it.',
        ),
        { label: l10n.t('Connect to a Service'), command: CONNECT },
      );
    }
    const key = generateKey();
    try {
      const action = await prompts.confirm({
        severity: 'info',
        message: l10n.t`Create a new wallet for the sandbox?\n\n${key.address}`,
        detail: l10n.t`It begins with ${FIRST_SOL} SOL of pretend money, and is put into use at once; “Switch Wallet” leads back to the others.\n\nNever send real money to it. Its key is kept in VS Code's secret storage on this machine and nowhere else, and is never shown: it is made for the sandbox, and is not used with a real service.`,
        actions: [create()],
      });
      if (action !== create()) {
        return;
      }
      // First: where the sandbox gives nothing, there is no empty wallet to clear away.
      await airdrop(key.address, FIRST_SOL);
      await owners.keepGenerated(key, service());
      void prompts.notify({
        severity: 'info',
        message: l10n.t`The sandbox wallet ${shortAddress(key.address)} was created with ${FIRST_SOL} SOL of pretend money, and is in use now.`,
      });
    } finally {
      wipe(key);
    }
  };
}
