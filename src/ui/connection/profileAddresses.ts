import * as l10n from '@vscode/l10n';
import { titleOf } from '../../base/text';
import type { RpcUrl } from '../../base/solana/rpcUrl';
import type { Prompts, PickItem, Reading } from '../shell/prompts/prompts';
import type { ServiceChoice } from '../shell/serviceChoice';
import { type ApiAddress, type ProfileAddress, type ServiceProfile, type ServiceProfiles, shownName } from './serviceProfiles';

export interface ProfileAddressDependencies {
  readonly prompts: Prompts;
  readonly profiles: ServiceProfiles;
  readonly service: () => ServiceChoice;
  /** Asks for the RPC of the review of a service. */
  readonly askReviewRpc: () => Promise<RpcUrl | 'none' | undefined>;
}

/** The APIs to whose address no path is added. */
const TAKE_QUERY: ReadonlySet<ApiAddress> = new Set(['priceApi', 'jito']);

interface AddressWords {
  readonly label: string;
  /** What it is for, and what it learns. */
  readonly detail: string;
  /** Where the profile has none. */
  readonly without: string;
}

/** Without what an address must not have: a user name, a password, a fragment. */
const EXAMPLE = 'https://example.com/path';
/** Where pools, prices and swaps come from without another API. A name, not to be translated. */
const METEORA = 'Meteora';

const words = (): Readonly<Record<ProfileAddress, AddressWords>> => ({
  reviewRpc: {
    label: l10n.t('RPC for the Review…'),
    detail: l10n.t('Makes the review stricter. Learns what you are about to sign.'),
    without: l10n.t('none'),
  },
  dataApi: {
    label: l10n.t('Data API…'),
    detail: l10n.t('Like Meteora’s data API. Learns your wallets and the pools that you look at.'),
    without: METEORA,
  },
  priceApi: { label: l10n.t('Price API…'), detail: l10n.t('Like Jupiter’s Price API v3. Learns which tokens you hold.'), without: METEORA },
  swapApi: {
    label: l10n.t('Swap API…'),
    detail: l10n.t('Like Jupiter’s Swap API v1. Learns your wallet address and what you swap.'),
    without: METEORA,
  },
  jito: {
    label: l10n.t('Jito Block Engine…'),
    detail: l10n.t('Lands an operation whole or not at all, for a tip.'),
    without: l10n.t('none'),
  },
});

/** The addresses that a profile of this service can have. */
function kindsOf(choice: ServiceChoice): readonly ProfileAddress[] {
  return choice.kind === 'remote' ? ['reviewRpc'] : choice.kind === 'solanaRpc' ? ['priceApi', 'swapApi', 'jito', 'dataApi'] : [];
}

/** The addresses of a profile in a list: of each the host, never the rest. */
export function addressItems(
  profiles: ServiceProfiles,
  profile: ServiceProfile,
  choice: ServiceChoice,
): readonly PickItem<ProfileAddress>[] {
  return kindsOf(choice).map((kind) => {
    const { label, detail, without } = words()[kind];
    return { label, description: profiles.addressOf(profile, kind)?.host ?? without, detail, icon: 'link', value: kind };
  });
}

/** Asks for an address of a profile, and stores or removes it. */
export async function changeAddress(
  { prompts, profiles, service, askReviewRpc }: ProfileAddressDependencies,
  profile: ServiceProfile,
  kind: ProfileAddress,
): Promise<void> {
  const typed = kind === 'reviewRpc' ? await askReviewRpc() : await askApi(prompts, profiles, profile, kind);
  if (typed === undefined) {
    return;
  }
  await profiles.setAddress(profile, kind, typed === 'none' ? undefined : typed);
  const saved = l10n.t`${shownName(profile)} was changed.`;
  void prompts.notify({
    severity: 'info',
    message: kind !== 'reviewRpc' && service().kind === 'solanaRpc' ? `${saved} ${nextStartText()}` : saved,
  });
}

/** A local service that runs keeps what it was started with. */
export function nextStartText(): string {
  return l10n.t('The change takes effect when the local service next starts.');
}

async function askApi(prompts: Prompts, profiles: ServiceProfiles, profile: ServiceProfile, kind: ApiAddress): Promise<string | undefined> {
  const { label, detail, without } = words()[kind];
  const known = profiles.addressOf(profile, kind);
  const typed = await prompts.input({
    title: titleOf(label),
    prompt: l10n.t`${detail} Kept in VS Code's secret storage.`,
    placeholder: known === undefined ? without : l10n.t`Leave empty to remove ${known.host}`,
    read: (text) => readApiAddress(text, kind),
  });
  return typed.kind === 'value' ? typed.value : undefined;
}

/** Parses the address of an API while it is typed; empty: none. The same bounds as in src/chain/arguments.ts. */
function readApiAddress(text: string, kind: ApiAddress): Reading<string> {
  const trimmed = text.trim();
  if (trimmed === '') {
    return { ok: true, value: 'none' };
  }
  const url = URL.canParse(trimmed) ? new URL(trimmed) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && /^(?:localhost|127\.0\.0\.1)$/.test(url.hostname));
  if (url === undefined || !isSafe || url.username !== '' || url.password !== '' || url.hash !== '') {
    return { ok: false, message: l10n.t`Enter a complete address, such as ${EXAMPLE}.` };
  }
  return TAKE_QUERY.has(kind) || url.search === ''
    ? { ok: true, value: url.href.replace(/\/$/, '') }
    : { ok: false, message: l10n.t`The address must not contain “${'?'}”.` };
}
