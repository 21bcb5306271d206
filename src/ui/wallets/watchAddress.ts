import * as l10n from '@vscode/l10n';
import { shortAddress } from '../../base/format/places';
import type { Address } from '../../base/solana/address';
import type { Prompts } from '../shell/prompts/prompts';
import { readAddress } from '../shell/prompts/readAddress';
import type { WalletCommandDependencies } from './requireSigner';

/** What watching takes. */
export type WatchDependencies = Pick<WalletCommandDependencies, 'owners' | 'service'> & {
  readonly prompts: Pick<Prompts, 'input' | 'confirm'>;
};

/**
 * Asks which address is to be watched, and puts it into use.
 * @param suggested an address that was found elsewhere, such as in a panel. Nobody has typed it, so the user is asked once more.
 * @throws Refusal where it is a pretend wallet and the service is a real one.
 */
export async function askToWatch({ prompts, owners, service }: WatchDependencies, suggested?: Address): Promise<void> {
  const answer = await prompts.input({
    title: l10n.t('Watch an Address'),
    prompt: l10n.t('The address of a wallet. Its positions are shown; nothing can be signed for it.'),
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
      detail: l10n.t`${inUse === undefined ? l10n.t('Its positions are shown.') : l10n.t`Its positions are shown in place of those of ${shortAddress(inUse)}; Switch Wallet leads back.`} Nothing can be signed for it.`,
      actions: ['Watch'],
    });
    if (action === undefined) {
      return;
    }
  }
  await owners.watch(answer.value, service());
}
