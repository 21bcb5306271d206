import * as l10n from '@vscode/l10n';
import { shortAddress } from '../../base/format/identifiers';
import type { KnownOwner } from './ownerIndex';
import type { Owners } from './owners';
import type { Prompts } from '../shell/prompts/prompts';
import { UserError } from '../shell/userError';
import type { ServiceChoice } from '../shell/serviceChoice';
import type { CommandId } from '../shell/commands/registry';

export interface WalletCommandDependencies {
  readonly prompts: Prompts;
  readonly owners: Owners;
  readonly service: () => ServiceChoice;
  /** VS Code runs in a browser: secrets would be stored there and used on another machine. */
  readonly isInBrowser: boolean;
}

const IMPORT: CommandId = 'binsight.importWalletKey';
const WATCH: CommandId = 'binsight.watchAddress';

export const importRemedy = () => ({ label: l10n.t('Import Wallet Key…'), command: IMPORT }) as const;
export const watchRemedy = () => ({ label: l10n.t('Watch Address…'), command: WATCH }) as const;

/**
 * Refuses keys of real wallets in a browser window: the key would be stored in the browser and sent to another machine to sign.
 * @throws UserError if keys cannot be used in this window.
 */
export function refuseKeysInBrowser({ isInBrowser, service }: Pick<WalletCommandDependencies, 'isInBrowser' | 'service'>): void {
  if (isInBrowser && service().kind !== 'sandbox') {
    throw new UserError(
      l10n.t(
        'VS Code runs in a browser here: a key would be stored in the browser and used on the machine that serves it. To import keys of real wallets and to sign, use the desktop VS Code only. You can still watch an address.',
      ),
      watchRemedy(),
    );
  }
}

/**
 * Returns the current wallet.
 * @throws UserError if there is none, it is watch-only, or keys cannot be used in this window.
 */
export function requireSigningOwner(
  dependencies: Pick<WalletCommandDependencies, 'isInBrowser' | 'service'> & { readonly owners: Pick<Owners, 'active'> },
): KnownOwner {
  refuseKeysInBrowser(dependencies);
  const owner = dependencies.owners.active(dependencies.service());
  if (owner === undefined) {
    throw new UserError(l10n.t('No wallet selected. Import a wallet key to sign.'), importRemedy());
  }
  if (!owner.canSign) {
    throw new UserError(l10n.t`${shortAddress(owner.address)} is a watch-only wallet. Import its key to sign.`, importRemedy());
  }
  return owner;
}
