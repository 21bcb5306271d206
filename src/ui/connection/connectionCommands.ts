import * as l10n from '@vscode/l10n';
import { titleOf } from '../../base/text';
import { rpcName } from '../../base/solana/rpcUrl';
import { errorText } from '../../base/thrown';
import { type BaseUrl, BaseUrlError, parseBaseUrl, PUBLIC_SERVICE_BASE_URL } from '../../service/baseUrl';
import { ServiceError } from '../../service/errors';
import type { LiquidityService } from '../../service/service';
import type { CommandId } from '../../settings/generated/commandIds';
import type { CommandHandler, CommandHandlers } from '../shell/commands/runCommand';
import { UserError } from '../shell/errors';
import type { PickItem, Prompts, Reading } from '../shell/prompts/prompts';
import { readServiceChoice, SANDBOX, sameService, type ServiceChoice } from '../shell/serviceChoice';
import { joined } from '../shell/views/rows';
import { type ApiKeys, readApiKey } from './apiKeys';
import type { CreateService } from './connection';
import { moveToRemote, nameOfRemote, type Remote } from './remoteSandbox';
import { connectPublicRpc, PUBLIC_RPC, publicRpcDetail, publicRpcText } from './publicRpc';
import { nextStartText } from './profileAddresses';
import { askReviewRpc, askRpc, nothingSavedText, type RpcQuestionDependencies } from './rpcQuestions';
import { askNewName, manageProfiles, profileItem, type ProfileQuestionDependencies, SANDBOX_URL } from './profileQuestions';
import { defaultName, isKeyed, type ServiceProfile, shownName } from './serviceProfiles';

export interface ServiceCommandDependencies extends RpcQuestionDependencies, ProfileQuestionDependencies {
  readonly apiKeys: ApiKeys;
  readonly service: () => ServiceChoice;
  readonly createService: CreateService;
  /** Writes the setting `binsight.service.baseUrl`; empty: the sandbox, {@link solanaId}: a Solana RPC. */
  readonly setBaseUrl: (baseUrl: string) => Promise<void>;
  /** False after a start of the sandbox has shown that it cannot run on this system. */
  readonly canRunSandbox: () => boolean;
  /** The remote of this window; `undefined`: there is none, or Binsight runs in it. */
  readonly remote: Remote | undefined;
  /** Whether the local service asks Meteora's public APIs: the setting `binsight.solanaRpc.publicData`. */
  readonly usesPublicData: () => boolean;
  readonly setPublicData: (isOn: boolean) => Promise<void>;
}

const CONNECT: CommandId = 'binsight.connectService';

export function serviceCommands(
  dependencies: ServiceCommandDependencies,
): Pick<CommandHandlers, 'binsight.connectService' | 'binsight.useSandbox' | 'binsight.setApiKey'> {
  return {
    'binsight.connectService': connectService(dependencies),
    'binsight.useSandbox': () => dependencies.setBaseUrl(SANDBOX_URL),
    'binsight.setApiKey': setApiKey(dependencies),
  };
}

/** What *Connect to Service…* offers. */
type OfferedService =
  | { readonly kind: 'sandbox' | 'remoteSandbox' | 'publicRpc' | 'solanaRpc' | 'public' | 'other' | 'manage' }
  /** Changes what a Solana RPC comes with, and asks again. */
  | { readonly kind: 'publicData' }
  | { readonly kind: 'profile'; readonly profile: ServiceProfile };

/** The service that is used now. */
interface Connected {
  readonly name: string;
  /** Its key is saved, but could not be verified. */
  readonly problem?: ServiceError | undefined;
}

interface TypedKey {
  /** An API key, or the address of an RPC. */
  readonly key: string;
  readonly problem: ServiceError | undefined;
}

/** A name, not to be translated. */
const LP_AGENT = 'LP Agent';

function connectService(dependencies: ServiceCommandDependencies): CommandHandler {
  const { prompts, apiKeys, setBaseUrl, profiles, service } = dependencies;
  const connectRemote = async (baseUrl: BaseUrl): Promise<Connected | undefined> => {
    const choice = readServiceChoice(baseUrl);
    const known = await profiles.list(service());
    const stored = choice.kind === 'remote' ? await apiKeys.get(choice.id) : undefined;
    if (choice.kind !== 'remote') {
      return undefined;
    }
    // A key of a service that was entered before.
    const isKnown = stored !== undefined && !known.some(({ setting }) => setting === baseUrl);
    const typed = isKnown ? { key: stored, problem: undefined } : await askWorkingKey(dependencies, baseUrl);
    const name = typed === undefined ? undefined : await askNewName(dependencies, defaultName(choice, choice.name));
    if (typed === undefined || name === undefined) {
      return undefined;
    }
    const reviewRpc = await askReviewRpc(dependencies);
    if (reviewRpc === undefined) {
      return undefined;
    }
    const profile = await profiles.add(choice, typed.key, name, reviewRpc === 'none' ? undefined : reviewRpc);
    await setBaseUrl(baseUrl);
    return { name: shownName(profile), problem: typed.problem };
  };
  const connectRpc = async (): Promise<Connected | undefined> => {
    const rpc = await askRpc(dependencies);
    const choice = rpc === undefined ? undefined : readServiceChoice(rpc.serviceId);
    if (rpc === undefined || choice?.kind !== 'solanaRpc') {
      return undefined;
    }
    await profiles.list(service());
    const known = await profiles.withSecret(choice, rpc.url);
    if (known !== undefined) {
      await profiles.replaceSecret(known, choice, rpc.url);
    }
    const name = known === undefined ? await askNewName(dependencies, defaultName(choice, rpcName(rpc.url))) : known.name;
    if (name === undefined) {
      return undefined;
    }
    const profile = known ?? (await profiles.add(choice, rpc.url, name));
    await setBaseUrl(rpc.serviceId);
    return { name: shownName(profile) };
  };
  const connectProfile = async (profile: ServiceProfile): Promise<Connected | undefined> => {
    const choice = readServiceChoice(profile.setting);
    if (!isKeyed(choice)) {
      throw new UserError(noKeyText(choice));
    }
    let problem: ServiceError | undefined;
    if (await profiles.hasSecret(profile)) {
      await profiles.use(profile);
    } else {
      // Secrets can be lost, for example with the key ring of the system.
      const typed =
        choice.kind === 'remote' ? await askWorkingKey(dependencies, choice.baseUrl) : await askRpcAgain(dependencies, choice.id);
      if (typed === undefined) {
        return undefined;
      }
      problem = typed.problem;
      await profiles.replaceSecret(profile, choice, typed.key);
    }
    await setBaseUrl(profile.setting);
    return { name: shownName(profile), problem };
  };
  const connect = async (offered: Exclude<OfferedService, { readonly kind: 'publicData' }>): Promise<Connected | undefined> => {
    switch (offered.kind) {
      case 'sandbox':
        await setBaseUrl(SANDBOX_URL);
        return { name: l10n.t('Sandbox (pretend)') };
      case 'remoteSandbox':
        if (dependencies.remote !== undefined) {
          await moveToRemote(dependencies.remote, prompts);
        }
        return undefined;
      case 'profile':
        return connectProfile(offered.profile);
      case 'publicRpc':
        return { name: shownName((await connectPublicRpc(dependencies)).profile) };
      case 'solanaRpc':
        return connectRpc();
      case 'public':
        return connectRemote(PUBLIC_SERVICE_BASE_URL);
      case 'other': {
        const baseUrl = await askOtherAddress(prompts, service());
        return baseUrl === undefined ? undefined : connectRemote(baseUrl);
      }
      case 'manage':
        await manageProfiles({ ...dependencies, askReviewRpc: () => askReviewRpc(dependencies) }, (profile, choice) =>
          askNewKey(dependencies, profile, choice),
        );
        return undefined;
    }
  };
  return async () => {
    let offered = await askService(dependencies);
    while (offered?.kind === 'publicData') {
      await switchPublicData(dependencies);
      offered = await askService(dependencies);
    }
    const connected = offered === undefined ? undefined : await connect(offered);
    if (connected !== undefined) {
      void tellConnected(dependencies, connected);
    }
  };
}

/** Says which service is used now. One that could not be reached is not called connected, and the sandbox is one press away. */
async function tellConnected({ prompts, setBaseUrl }: ServiceCommandDependencies, { name, problem }: Connected): Promise<void> {
  if (problem === undefined) {
    await prompts.notify({ severity: 'info', message: l10n.t`Binsight now uses ${name}.` });
    return;
  }
  const useSandbox = l10n.t('Use Sandbox');
  const message = [l10n.t`Binsight now uses ${name}.`, l10n.t`Its key could not be verified. ${problem.message}`].join(' ');
  if ((await prompts.notify({ severity: 'warning', message, actions: [useSandbox] })) === useSandbox) {
    // VS Code refuses to write settings that are damaged or not saved, and says why.
    await setBaseUrl(SANDBOX_URL).catch((error: unknown) => prompts.notify({ severity: 'error', message: errorText(error) }));
  }
}

/** Turns Meteora's public data on or off. A local service that runs keeps what it was started with. */
async function switchPublicData({ prompts, service, usesPublicData, setPublicData }: ServiceCommandDependencies): Promise<void> {
  await setPublicData(!usesPublicData());
  if (service().kind === 'solanaRpc') {
    void prompts.notify({ severity: 'info', message: nextStartText() });
  }
}

/** Asks for the address of a lost RPC of this chain. */
async function askRpcAgain(dependencies: ServiceCommandDependencies, serviceId: string): Promise<TypedKey | undefined> {
  const rpc = await askRpc(dependencies);
  if (rpc !== undefined && rpc.serviceId !== serviceId) {
    throw new UserError(l10n.t`${rpcName(rpc.url)} serves another chain and is not used.`);
  }
  return rpc === undefined ? undefined : { key: rpc.url, problem: undefined };
}

function remoteItem(remote: Remote): PickItem<OfferedService> {
  return {
    label: l10n.t`Sandbox in ${nameOfRemote(remote)}`,
    description: l10n.t('pretend money'),
    icon: 'beaker',
    value: { kind: 'remoteSandbox' },
  };
}

function publicRpcItem<Value>(value: Value): PickItem<Value> {
  return { label: publicRpcText(), detail: publicRpcDetail(), icon: 'globe', value };
}

/**
 * Asks where the positions of a watched address are, unless a service is connected: the sandbox knows nothing of real wallets.
 * @returns the service to watch it with; `undefined`: the user cancelled
 * @throws UserError if the public RPC does not answer
 */
export async function askWhereToWatch(dependencies: ServiceCommandDependencies): Promise<ServiceChoice | undefined> {
  const { prompts, service, canRunSandbox, setBaseUrl } = dependencies;
  const current = service();
  if (current.kind === 'remote' || current.kind === 'solanaRpc') {
    return current;
  }
  const sandbox = { label: l10n.t('Sandbox'), detail: l10n.t('Pretend money. It knows no real wallets.'), icon: 'beaker' };
  const answer = await prompts.pick<'publicRpc' | 'sandbox' | 'connect'>({
    title: l10n.t('Watch Address'),
    placeholder: l10n.t('Choose a service'),
    items: [
      publicRpcItem('publicRpc'),
      {
        label: l10n.t('Connect to Service…'),
        detail: l10n.t('Your own RPC, or a service with an API key: faster, and for zaps.'),
        icon: 'plug',
        value: 'connect',
      },
      ...(canRunSandbox() ? [{ ...sandbox, value: 'sandbox' as const }] : []),
    ],
  });
  switch (answer.kind === 'value' ? answer.value : undefined) {
    case 'publicRpc':
      return (await connectPublicRpc(dependencies)).choice;
    case 'connect': {
      await connectService(dependencies)(undefined);
      return sameService(service(), current) ? undefined : service();
    }
    case 'sandbox':
      await setBaseUrl(SANDBOX_URL);
      return SANDBOX;
    case undefined:
      return undefined;
  }
}

async function askService({
  prompts,
  profiles,
  service,
  canRunSandbox,
  remote,
  usesPublicData,
}: ServiceCommandDependencies): Promise<OfferedService | undefined> {
  const current = service();
  const known = await profiles.list(current);
  const inUse = profiles.inUse(current);
  const newProfile = known.length === 0 ? {} : { heading: '' };
  const sandbox = {
    label: l10n.t('Sandbox'),
    description: joined([l10n.t('pretend money'), current.kind === 'sandbox' ? l10n.t('in use') : undefined]),
    icon: 'beaker',
    value: { kind: 'sandbox' } as const,
  };
  const choice = await prompts.pick<OfferedService>({
    title: titleOf(l10n.t('Connect to Service…')),
    placeholder: l10n.t('Choose a service'),
    items: [
      ...(canRunSandbox() ? [sandbox] : remote === undefined ? [] : [remoteItem(remote)]),
      ...known.map((profile, index) => ({
        ...profileItem<OfferedService>(profile, inUse, { kind: 'profile', profile }),
        ...(index === 0 ? { heading: '' } : {}),
      })),
      ...(known.some(({ host }) => host === rpcName(PUBLIC_RPC))
        ? []
        : [{ ...publicRpcItem<OfferedService>({ kind: 'publicRpc' }), ...newProfile }]),
      {
        label: l10n.t('Solana RPC'),
        icon: 'server-process',
        value: { kind: 'solanaRpc' },
        ...(known.some(({ host }) => host === rpcName(PUBLIC_RPC)) ? newProfile : {}),
      },
      {
        label: usesPublicData() ? l10n.t('Meteora’s Public Data: On') : l10n.t('Meteora’s Public Data: Off'),
        detail: l10n.t('For a Solana RPC. Faster, but Meteora learns the addresses of your wallets, positions and pools.'),
        icon: usesPublicData() ? 'pass-filled' : 'circle-large-outline',
        value: { kind: 'publicData' },
      },
      {
        label: LP_AGENT,
        description: joined([new URL(PUBLIC_SERVICE_BASE_URL).host, l10n.t('API key')]),
        icon: 'globe',
        value: { kind: 'public' },
      },
      { label: l10n.t('Other…'), description: l10n.t('a service with the same API'), icon: 'edit', value: { kind: 'other' } },
      ...(known.length === 0 ? [] : [{ label: l10n.t('Manage Profiles…'), icon: 'gear', value: { kind: 'manage' } as const, heading: '' }]),
    ],
    isCurrent: (value) => (value.kind === 'profile' ? value.profile.id === inUse?.id : value.kind === 'sandbox' && inUse === undefined),
  });
  return choice.kind === 'value' ? choice.value : undefined;
}

async function askOtherAddress(prompts: Prompts, current: ServiceChoice): Promise<BaseUrl | undefined> {
  const typed = await prompts.input({
    title: titleOf(l10n.t('Connect to Service…')),
    prompt: l10n.t('The address must end with its version path, such as /open-api/v1.'),
    placeholder: PUBLIC_SERVICE_BASE_URL,
    initial: current.kind === 'remote' ? current.baseUrl : undefined,
    read: readBaseUrl,
  });
  return typed.kind === 'value' ? typed.value : undefined;
}

/** Parses a service address while it is typed. */
function readBaseUrl(text: string): Reading<BaseUrl> {
  try {
    const value = parseBaseUrl(text);
    return new URL(value).pathname === '/'
      ? { ok: false, message: l10n.t('The address must end with its version path, such as /open-api/v1.') }
      : { ok: true, value };
  } catch (error) {
    if (error instanceof BaseUrlError) {
      return { ok: false, message: error.message };
    }
    throw error;
  }
}

function setApiKey(dependencies: ServiceCommandDependencies): CommandHandler {
  const { profiles, service } = dependencies;
  return async () => {
    const choice = service();
    if (choice.kind !== 'remote') {
      throw new UserError(noKeyText(choice), { label: l10n.t('Connect to Service…'), command: CONNECT });
    }
    // The user may switch to another profile while the question is open.
    await profiles.list(choice);
    await askNewKey(dependencies, profiles.inUse(choice), choice);
  };
}

/** Asks for an API key of a profile, and stores it. `profile` undefined: of the service in use, which has none. */
async function askNewKey(
  dependencies: ServiceCommandDependencies,
  profile: ServiceProfile | undefined,
  choice: Extract<ServiceChoice, { kind: 'remote' }>,
): Promise<void> {
  const { prompts, profiles } = dependencies;
  const typed = await askWorkingKey(dependencies, choice.baseUrl);
  if (typed !== undefined) {
    await profiles.setSecret(profile, choice, typed.key);
    void prompts.notify({ severity: 'info', message: l10n.t`${choice.name} was changed.` });
  }
}

function noKeyText({ kind, name }: Exclude<ServiceChoice, { kind: 'remote' }>): string {
  return kind === 'invalid' ? l10n.t('The service address in the settings is invalid.') : l10n.t`${name} needs no API key.`;
}

/**
 * Asks for a key until the service accepts one or the user wants to save an unverified one.
 * @returns the key, which is not stored yet; `undefined` if the user cancelled
 */
async function askWorkingKey({ prompts, createService }: ServiceCommandDependencies, baseUrl: BaseUrl): Promise<TypedKey | undefined> {
  const { host } = new URL(baseUrl);
  for (;;) {
    const typed = await prompts.input({
      title: l10n.t('API key'),
      prompt: l10n.t`Kept in VS Code's secret storage, and sent only to ${host}.`,
      secret: true,
      read: readApiKey,
    });
    if (typed.kind !== 'value') {
      return undefined;
    }
    const key = typed.value;
    const problem = await prompts.progress({ title: l10n.t`Asking ${host}…`, cancellable: true }, async (_, signal) =>
      tryKey(await createService(baseUrl, key), signal),
    );
    if (problem === undefined) {
      return { key, problem };
    }
    const tryAnother = l10n.t('Try Again');
    const keep = l10n.t('Save Anyway');
    const action = await prompts.confirm({
      severity: 'warning',
      message: l10n.t`Could not verify the API key with ${host}`,
      detail: `${problem.message}\n\n${nothingSavedText()}`,
      // The first action is preselected: Enter saves no key that was not verified.
      actions: [tryAnother, keep],
    });
    if (action !== tryAnother) {
      return action === keep ? { key, problem } : undefined;
    }
  }
}

/**
 * Verifies a key with the smallest request.
 * @returns the error, if the request failed
 * @throws ServiceError if the user cancelled
 */
async function tryKey(service: LiquidityService, signal: AbortSignal): Promise<ServiceError | undefined> {
  try {
    await service.discoverPools({ pageSize: 1 }, { signal, pace: 'user' });
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError && error.kind !== 'cancelled') {
      return error;
    }
    throw error;
  }
}
