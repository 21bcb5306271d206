import * as l10n from '@vscode/l10n';
import { shortAddress } from '../../base/format/identifiers';
import type { Address } from '../../base/solana/address';
import type { Prompts } from '../shell/prompts/prompts';
import { readAddress } from '../shell/prompts/readAddress';
import type { WalletCommandDependencies } from './requireSigner';

export type WatchDependencies = Pick<WalletCommandDependencies, 'owners' | 'service'> & {
  readonly prompts: Pick<Prompts, 'input' | 'confirm'>;
};

/**
 * Asks for an address and makes it the current wallet, watch-only.
 * @param suggested an address from elsewhere, such as a panel. Since the user didn't type it, they confirm it in a second step.
 * @throws UserError if it is a pretend wallet and the service a real one.
 */
export async function askToWatch({ prompts, owners, service }: WatchDependencies, suggested?: Address): Promise<void> {
  const answer = await prompts.input({
    title: l10n.t('Watch Address'),
    prompt: l10n.t('Address of a wallet. Binsight shows its positions but cannot sign for it.'),
    placeholder: l10n.t('Solana address'),
    ...(suggested === undefined ? {} : { initial: suggested }),
    read: readAddress,
  });
  if (answer.kind !== 'value') {
    return;
  }
  const inUse = owners.active(service())?.address;
  if (suggested !== undefined && answer.value !== inUse) {
    const action = await prompts.confirm({
      severity: 'info',
      message: l10n.t`Watch ${answer.value}?`,
      detail:
        inUse === undefined
          ? l10n.t('Binsight shows its positions but cannot sign for it.')
          : l10n.t`Binsight shows its positions instead of those of ${shortAddress(inUse)} but cannot sign for it. Use Switch Wallet… to go back.`,
      actions: [l10n.t('Watch')],
    });
    if (action === undefined) {
      return;
    }
  }
  await owners.watch(answer.value, service());
}
