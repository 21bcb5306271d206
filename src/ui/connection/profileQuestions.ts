import * as l10n from '@vscode/l10n';
import { titleOf } from '../../base/text';
import type { PickItem, Prompts, Reading } from '../shell/prompts/prompts';
import { readServiceChoice, type ServiceChoice } from '../shell/serviceChoice';
import { joined } from '../shell/views/rows';
import { addressItems, changeAddress, type ProfileAddressDependencies } from './profileAddresses';
import { LONGEST_PROFILE_NAME, type ProfileAddress, type ServiceProfile, type ServiceProfiles, shownName } from './serviceProfiles';

export interface ProfileQuestionDependencies {
  readonly prompts: Prompts;
  readonly profiles: ServiceProfiles;
  readonly service: () => ServiceChoice;
  /** Writes the setting `binsight.service.baseUrl`. */
  readonly setBaseUrl: (baseUrl: string) => Promise<void>;
  /** Connects again, so that another name of the profile is shown. */
  readonly reconnect: () => Promise<void>;
}

/** Asks for another API key of a profile, and stores it. */
export type ChangeKey = (profile: ServiceProfile, choice: Extract<ServiceChoice, { kind: 'remote' }>) => Promise<void>;

/** The setting's value for the sandbox. */
export const SANDBOX_URL = '';

/** Asks for the name of a new profile if another one has the usual name. `undefined`: cancelled. */
export async function askNewName({ prompts, profiles }: ProfileQuestionDependencies, usual: string): Promise<string | undefined> {
  if (!profiles.hasName(usual)) {
    return usual;
  }
  return askName(prompts, profiles, '', l10n.t('This name is taken.'));
}

async function askName(prompts: Prompts, profiles: ServiceProfiles, initial: string, prompt: string): Promise<string | undefined> {
  const typed = await prompts.input({
    title: titleOf(l10n.t('Rename…')),
    prompt,
    initial,
    read: (text) => readName(text, initial, profiles),
  });
  return typed.kind === 'value' ? typed.value : undefined;
}

/** Parses the name of a profile while it is typed. */
function readName(text: string, before: string, profiles: ServiceProfiles): Reading<string> {
  const name = text.trim();
  if (name === '' || name.length > LONGEST_PROFILE_NAME) {
    return { ok: false, message: l10n.t`Enter a name of at most ${LONGEST_PROFILE_NAME} characters.` };
  }
  if (/sandbox/i.test(name)) {
    return { ok: false, message: l10n.t('This name is taken.') };
  }
  return name.toLowerCase() !== before.toLowerCase() && profiles.hasName(name)
    ? { ok: false, message: l10n.t('This name is taken.') }
    : { ok: true, value: name };
}

/** Lets the user rename or remove a profile, or change its key and addresses. A removed one that is in use gives way to the sandbox. */
export async function manageProfiles(
  dependencies: ProfileQuestionDependencies & ProfileAddressDependencies,
  changeKey: ChangeKey,
): Promise<void> {
  const { prompts, profiles, service, setBaseUrl, reconnect } = dependencies;
  const picked = await prompts.pick({
    title: titleOf(l10n.t('Manage Profiles…')),
    placeholder: l10n.t('Choose a profile'),
    items: (await profiles.list(service())).map((profile) => profileItem(profile, profiles.inUse(service()), profile)),
  });
  if (picked.kind !== 'value') {
    return;
  }
  const profile = picked.value;
  // Asked again after each question: another window may have switched meanwhile.
  const isInUse = () => profiles.inUse(service())?.id === profile.id;
  const choice = readServiceChoice(profile.setting);
  const action = await prompts.pick<'rename' | 'key' | 'remove' | ProfileAddress>({
    title: shownName(profile),
    placeholder: l10n.t('Choose what to do'),
    items: [
      { label: l10n.t('Rename…'), icon: 'edit', value: 'rename' },
      ...(choice.kind === 'remote' ? [{ label: l10n.t('Set API Key…'), icon: 'key', value: 'key' as const }] : []),
      ...addressItems(profiles, profile, choice),
      { label: l10n.t('Remove…'), icon: 'trash', value: 'remove' },
    ],
  });
  if (action.kind !== 'value') {
    return;
  }
  if (action.value === 'key' && choice.kind === 'remote') {
    await changeKey(profile, choice);
    return;
  }
  if (action.value === 'rename') {
    const name = await askName(prompts, profiles, profile.name, shownName(profile));
    if (name !== undefined) {
      await profiles.rename(profile, name);
      await (isInUse() ? reconnect() : Promise.resolve());
    }
    return;
  }
  if (action.value !== 'remove') {
    await (action.value === 'key' ? undefined : changeAddress(dependencies, profile, action.value));
    return;
  }
  const remove = titleOf(l10n.t('Remove…'));
  const answer = await prompts.confirm({
    severity: 'warning',
    message: l10n.t`Remove the profile “${shownName(profile)}”?`,
    detail: [
      l10n.t('Its keys and addresses are deleted. Wallets and positions stay.'),
      ...(isInUse() ? [l10n.t('Binsight then uses the sandbox.')] : []),
    ].join('\n\n'),
    actions: [remove],
  });
  if (answer === remove) {
    await (isInUse() ? setBaseUrl(SANDBOX_URL) : Promise.resolve());
    await profiles.remove(profile);
  }
}

/** A profile in a list, marked if it is in use. */
export function profileItem<Value>(profile: ServiceProfile, inUse: ServiceProfile | undefined, value: Value): PickItem<Value> {
  const { host, name, setting } = profile;
  const isRpc = readServiceChoice(setting).kind === 'solanaRpc';
  const use = profile.id === inUse?.id ? l10n.t('in use') : undefined;
  return {
    label: name,
    description: joined([name.includes(host) ? undefined : host, use]),
    icon: isRpc ? 'server-process' : 'globe',
    value,
  };
}
