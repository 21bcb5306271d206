import * as l10n from '@vscode/l10n';
import type { CommandId } from '../../settings/generated/commandIds';
import { UserError } from '../shell/errors';
import type { PickItem, Prompts } from '../shell/prompts/prompts';
import type { ServiceChoice } from '../shell/serviceChoice';
import { keyDescription, keyIcon } from './keyMessages';
import { type KnownOwner, mayUseInBrowser, type OwnerOrigin } from './ownerIndex';
import type { Owners } from './owners';
import { walletLabel } from './walletNames';

export interface WalletCommandDependencies {
  readonly prompts: Prompts;
  readonly owners: Owners;
  readonly service: () => ServiceChoice;
  /** VS Code runs in a browser: secrets would be stored there and used on another machine. */
  readonly isInBrowser: boolean;
}

/** A list of wallets to choose from. */
export interface OwnerQuestion {
  readonly title: string;
  readonly placeholder: string;
  readonly among: readonly KnownOwner[];
  /** The current wallet: highlighted and marked. */
  readonly current?: KnownOwner | undefined;
}

const IMPORT: CommandId = 'binsight.importWalletKey';
const WATCH: CommandId = 'binsight.watchAddress';
export const importRemedy = () => ({ label: l10n.t('Import Wallet Key…'), command: IMPORT }) as const;
export const watchRemedy = () => ({ label: l10n.t('Watch Address…'), command: WATCH }) as const;

/**
 * Refuses keys of real wallets in a browser window: the key would be stored in the browser and sent to another machine to sign.
 * @param owner whose key is to be used; `undefined`: one that the user enters
 * @throws UserError if keys cannot be used in this window.
 */
export function refuseKeysInBrowser(
  { isInBrowser, service }: Pick<WalletCommandDependencies, 'isInBrowser' | 'service'>,
  owner?: KnownOwner,
): void {
  if (isInBrowser && !mayUseInBrowser(owner, service())) {
    throw new UserError(
      l10n.t('VS Code runs in a browser here, where keys are not safe. To sign, use the desktop VS Code.'),
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
  const owner = dependencies.owners.active(dependencies.service());
  refuseKeysInBrowser(dependencies, owner);
  if (owner === undefined) {
    throw new UserError(l10n.t('No wallet selected. Import a wallet key to sign.'), importRemedy());
  }
  if (!owner.canSign) {
    throw new UserError(l10n.t`${walletLabel(owner)} is a watch-only wallet. Import its key to sign.`, importRemedy());
  }
  return owner;
}

const originText = (): Readonly<Record<OwnerOrigin, string | undefined>> => ({
  user: undefined,
  sandbox: l10n.t('Sandbox'),
  generated: l10n.t('Sandbox'),
  testChain: l10n.t('test chain'),
});

/** Lets the user choose a wallet. Each entry shows the origin of the wallet and whether it can sign. `undefined`: the user cancelled. */
export async function pickOwner(
  { title, placeholder, among, current }: OwnerQuestion,
  prompts: Prompts,
  owners: Owners,
): Promise<KnownOwner | undefined> {
  const answer = await prompts.pick({
    title,
    placeholder,
    items: among.map((owner): PickItem<KnownOwner> => {
      const lock = owners.lockOf(owner);
      return {
        label: owner.name ?? owner.address,
        // On its own line: next to an address it would be cut off in a narrow window.
        detail: [
          owner.name === undefined ? undefined : owner.address,
          originText()[owner.origin],
          keyDescription(owner, lock),
          owner.address === current?.address ? l10n.t('in use') : undefined,
        ]
          .filter((part) => part !== undefined)
          .join(' · '),
        icon: keyIcon(owner, lock),
        value: owner,
      };
    }),
    isCurrent: ({ address }) => address === current?.address,
    matchDetails: true,
  });
  return answer.kind === 'value' ? answer.value : undefined;
}
