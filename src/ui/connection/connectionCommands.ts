import * as l10n from '@vscode/l10n';
import { rpcName } from '../../base/solana/rpcUrl';
import { type BaseUrl, BaseUrlError, parseBaseUrl, PUBLIC_SERVICE_BASE_URL, serviceId } from '../../service/baseUrl';
import { ServiceError } from '../../service/errors';
import type { LiquidityService } from '../../service/service';
import type { CommandId } from '../shell/commands/registry';
import type { CommandHandler, CommandHandlers } from '../shell/commands/runCommand';
import { UserError } from '../shell/errors';
import type { Prompts, Reading } from '../shell/prompts/prompts';
import { type ServiceChoice, solanaRpcName } from '../shell/serviceChoice';
import { type ApiKeys, readApiKey } from './apiKeys';
import type { CreateService } from './connection';
import { askRpc, type RpcQuestionDependencies } from './rpcQuestions';

export interface ServiceCommandDependencies extends RpcQuestionDependencies {
  readonly apiKeys: ApiKeys;
  readonly service: () => ServiceChoice;
  readonly createService: CreateService;
  /** Writes the setting `binsight.service.baseUrl`; empty: the sandbox, {@link solanaId}: a Solana RPC. */
  readonly setBaseUrl: (baseUrl: string) => Promise<void>;
}

const CONNECT: CommandId = 'binsight.connectService';
/** The setting's value for the sandbox. */
const SANDBOX_URL = '';

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
type OfferedService = 'sandbox' | 'solanaRpc' | 'public' | 'other';

function connectService(dependencies: ServiceCommandDependencies): CommandHandler {
  const { prompts, apiKeys, setBaseUrl } = dependencies;
  const connectRemote = async (baseUrl: BaseUrl): Promise<string | undefined> => {
    const id = serviceId(baseUrl);
    if ((await apiKeys.get(id)) === undefined) {
      const key = await askWorkingKey(dependencies, baseUrl);
      if (key === undefined) {
        return undefined;
      }
      await apiKeys.set(id, key);
    }
    await setBaseUrl(baseUrl);
    return new URL(baseUrl).host;
  };
  const connectRpc = async (): Promise<string | undefined> => {
    const rpc = await askRpc(dependencies);
    if (rpc === undefined) {
      return undefined;
    }
    await (await dependencies.rpcAddresses()).set(rpc.serviceId, rpc.url);
    await setBaseUrl(rpc.serviceId);
    return solanaRpcName(rpcName(rpc.url));
  };
  const connect = async (offered: OfferedService): Promise<string | undefined> => {
    switch (offered) {
      case 'sandbox':
        await setBaseUrl(SANDBOX_URL);
        return l10n.t('the sandbox (pretend money)');
      case 'solanaRpc':
        return connectRpc();
      case 'public':
        return connectRemote(PUBLIC_SERVICE_BASE_URL);
      case 'other': {
        const baseUrl = await askOtherAddress(prompts, dependencies.service());
        return baseUrl === undefined ? undefined : connectRemote(baseUrl);
      }
    }
  };
  return async () => {
    const offered = await askService(prompts, dependencies.service());
    const name = offered === undefined ? undefined : await connect(offered);
    if (name !== undefined) {
      void prompts.notify({ severity: 'info', message: l10n.t`Binsight now uses ${name}.` });
    }
  };
}

async function askService(prompts: Prompts, current: ServiceChoice): Promise<OfferedService | undefined> {
  const choice = await prompts.pick<OfferedService>({
    title: l10n.t('Connect to Service'),
    placeholder: l10n.t('Choose a service'),
    items: [
      {
        label: l10n.t('Sandbox'),
        description: l10n.t('pretend money on this machine; no account needed'),
        icon: 'beaker',
        value: 'sandbox',
      },
      {
        label: l10n.t('Solana RPC'),
        description: l10n.t('reads the chain through an RPC of your choice; no account needed'),
        icon: 'server-process',
        value: 'solanaRpc',
      },
      {
        label: 'LP Agent',
        description: l10n.t`${new URL(PUBLIC_SERVICE_BASE_URL).host}; requires an API key`,
        icon: 'globe',
        value: 'public',
      },
      { label: l10n.t('Other…'), description: l10n.t('a service with the same API, by its address'), icon: 'edit', value: 'other' },
    ],
    isCurrent: (value) => value === offeredOf(current),
  });
  return choice.kind === 'value' ? choice.value : undefined;
}

function offeredOf(current: ServiceChoice): OfferedService {
  switch (current.kind) {
    case 'sandbox':
    case 'solanaRpc':
      return current.kind;
    case 'remote':
      return current.baseUrl === PUBLIC_SERVICE_BASE_URL ? 'public' : 'other';
    case 'invalid':
      return 'sandbox';
  }
}

async function askOtherAddress(prompts: Prompts, current: ServiceChoice): Promise<BaseUrl | undefined> {
  const typed = await prompts.input({
    title: l10n.t('Connect to Service'),
    prompt: l10n.t('Service address, with its version path'),
    placeholder: PUBLIC_SERVICE_BASE_URL,
    initial: current.kind === 'remote' ? current.baseUrl : undefined,
    read: readBaseUrl,
  });
  return typed.kind === 'value' ? typed.value : undefined;
}

/** Parses a service address while it is typed. */
function readBaseUrl(text: string): Reading<BaseUrl> {
  try {
    return { ok: true, value: parseBaseUrl(text) };
  } catch (error) {
    if (error instanceof BaseUrlError) {
      return { ok: false, message: error.message };
    }
    throw error;
  }
}

function setApiKey(dependencies: ServiceCommandDependencies): CommandHandler {
  const { prompts, apiKeys, service } = dependencies;
  return async () => {
    const choice = service();
    if (choice.kind !== 'remote') {
      throw new UserError(noKeyText(choice), { label: l10n.t('Connect to Service…'), command: CONNECT });
    }
    const key = await askWorkingKey(dependencies, choice.baseUrl);
    if (key !== undefined) {
      await apiKeys.set(choice.id, key);
      void prompts.notify({ severity: 'info', message: l10n.t`API key for ${choice.name} saved.` });
    }
  };
}

function noKeyText({ kind }: Exclude<ServiceChoice, { kind: 'remote' }>): string {
  switch (kind) {
    case 'sandbox':
      return l10n.t('The sandbox creates its own API key. Connect to another service to set a key.');
    case 'solanaRpc':
      return l10n.t(
        'A Solana RPC needs no API key of its own. A key can be part of its address. Connect to it again to change the address.',
      );
    case 'invalid':
      return l10n.t('The address in the setting binsight.service.baseUrl is invalid. Connect to another service to set a key.');
  }
}

/**
 * Asks for a key until the service accepts one or the user wants to save an unverified one.
 * @returns the key, which is not stored yet; `undefined` if the user cancelled
 */
async function askWorkingKey({ prompts, createService }: ServiceCommandDependencies, baseUrl: BaseUrl): Promise<string | undefined> {
  const { host } = new URL(baseUrl);
  for (;;) {
    const typed = await prompts.input({
      title: l10n.t`API Key for ${host}`,
      prompt: l10n.t`The key is kept in VS Code's secret storage and sent only to ${host}.`,
      placeholder: l10n.t('API key'),
      secret: true,
      read: readApiKey,
    });
    if (typed.kind !== 'value') {
      return undefined;
    }
    const key = typed.value;
    const problem = await prompts.progress({ title: l10n.t`Verifying the API key with ${host}…`, cancellable: true }, async (_, signal) =>
      tryKey(await createService(baseUrl, key), signal),
    );
    if (problem === undefined) {
      return key;
    }
    const tryAnother = l10n.t('Try Another Key');
    const keep = l10n.t('Save Anyway');
    const action = await prompts.confirm({
      severity: 'warning',
      message: problem.kind === 'unauthorized' ? l10n.t`${host} rejected this API key` : l10n.t`Couldn't verify the API key with ${host}`,
      detail: l10n.t`${problem.message}\n\nThe key has not been saved.`,
      // The first action is preselected: Enter saves no key that was not verified.
      actions: [tryAnother, keep],
    });
    if (action !== tryAnother) {
      return action === keep ? key : undefined;
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
