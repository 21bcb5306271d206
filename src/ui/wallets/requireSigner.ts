import * as l10n from '@vscode/l10n';
import { shortAddress } from '../../base/format/places';
import type { KnownOwner } from './ownerIndex';
import type { Owners } from './owners';
import type { Prompts } from '../shell/prompts/prompts';
import { UserError } from '../shell/userError';
import type { ServiceChoice } from '../shell/serviceChoice';
import type { CommandId } from '../shell/commands/registry';

/** What the commands about wallets work with. */
export interface WalletCommandDependencies {
  readonly prompts: Prompts;
  readonly owners: Owners;
  readonly service: () => ServiceChoice;
  /** VS Code runs in a browser: secrets would be kept there, and be used on another machine. */
  readonly isInBrowser: boolean;
}

const IMPORT: CommandId = 'binsight.importWalletKey';
const WATCH: CommandId = 'binsight.watchAddress';

/** What helps where a wallet has no key. */
export const importRemedy = () => ({ label: l10n.t('Import Wallet Key'), command: IMPORT }) as const;
/** What helps where there is no wallet. */
export const watchRemedy = () => ({ label: l10n.t('Watch an Address'), command: WATCH }) as const;

/**
 * Signing in a browser window would take the key out of the browser's storage and to another machine.
 * @throws Refusal where keys are not used in this window.
 */
export function refuseKeysInBrowser({ isInBrowser, service }: Pick<WalletCommandDependencies, 'isInBrowser' | 'service'>): void {
  if (isInBrowser && service().kind !== 'sandbox') {
    throw new UserError(
      l10n.t(
        'VS Code runs in a browser here: a key would lie in the browser and be used on the machine that serves it. Keys of real wallets are imported, and used for signing, in the desktop VS Code only. Watching works here too.',
      ),
      watchRemedy(),
    );
  }
}

/**
 * Gives the wallet in use, where it can sign.
 * @throws Refusal where it cannot.
 */
export function requireSigningOwner(
  dependencies: Pick<WalletCommandDependencies, 'isInBrowser' | 'service'> & { readonly owners: Pick<Owners, 'active'> },
): KnownOwner {
  refuseKeysInBrowser(dependencies);
  const owner = dependencies.owners.active(dependencies.service());
  if (owner === undefined) {
    throw new UserError(l10n.t('No wallet is set up that could sign.'), importRemedy());
  }
  if (!owner.canSign) {
    throw new UserError(
      l10n.t`${shortAddress(owner.address)} is only watched: Binsight has no key to sign with. Import its key first.`,
      importRemedy(),
    );
  }
  return owner;
}
