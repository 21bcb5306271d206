import * as l10n from '@vscode/l10n';
import { keyIcon, keyDescription } from './keyMessages';
import type { KnownOwner, OwnerOrigin } from './ownerIndex';
import type { Owners } from './owners';
import type { PickItem, Prompts } from '../shell/prompts/prompts';

/** Which wallets there are to choose from. */
export interface OwnerQuestion {
  readonly title: string;
  readonly placeholder: string;
  readonly among: readonly KnownOwner[];
  /** The one in use; highlighted, and marked. */
  readonly current?: KnownOwner | undefined;
}

const originWords = (): Readonly<Record<OwnerOrigin, string | undefined>> => ({
  user: undefined,
  sandbox: 'sandbox',
  generated: l10n.t('made for the sandbox'),
});

/** Lets the user choose a wallet, and shows of each where it comes from, whether it signs, and whether it is locked. */
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
        // On a line of its own: beside an address there is no room for it in a narrow window.
        detail: [
          originWords()[owner.origin],
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
  });
  return answer.kind === 'value' ? answer.value : undefined;
}
