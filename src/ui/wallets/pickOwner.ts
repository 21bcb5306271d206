import * as l10n from '@vscode/l10n';
import { keyIcon, keyDescription } from './keyMessages';
import type { KnownOwner, OwnerOrigin } from './ownerIndex';
import type { Owners } from './owners';
import type { PickItem, Prompts } from '../shell/prompts/prompts';

/** A list of wallets to choose from. */
export interface OwnerQuestion {
  readonly title: string;
  readonly placeholder: string;
  readonly among: readonly KnownOwner[];
  /** The current wallet: highlighted and marked. */
  readonly current?: KnownOwner | undefined;
}

const originText = (): Readonly<Record<OwnerOrigin, string | undefined>> => ({
  user: undefined,
  sandbox: l10n.t('sandbox'),
  generated: l10n.t('created for the sandbox'),
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
        label: owner.address,
        // On its own line: next to an address it would be cut off in a narrow window.
        detail: [
          originText()[owner.origin],
          keyDescription(owner, lock),
          owner.address === current?.address ? l10n.t('current') : undefined,
        ]
          .filter((part) => part !== undefined)
          .join(' · '),
        icon: keyIcon(owner, lock),
        value: owner,
      };
    }),
    isCurrent: ({ address }) => address === current?.address,
  });
  return answer.kind === 'value' ? answer.value : undefined;
}
