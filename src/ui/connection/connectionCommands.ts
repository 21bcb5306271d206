import * as l10n from '@vscode/l10n';
import { type BaseUrl, BaseUrlError, parseBaseUrl, PUBLIC_SERVICE_BASE_URL, serviceId } from '../../service/baseUrl';
import { ServiceError } from '../../service/errors';
import type { LiquidityService } from '../../service/service';
import type { CommandId } from '../shell/commands/registry';
import type { CommandHandler, CommandHandlers } from '../shell/commands/runCommand';
import { SandboxError, UserError } from '../shell/errors';
import type { Prompts, Reading } from '../shell/prompts/prompts';
import type { ServiceChoice } from '../shell/serviceChoice';
import { type ApiKeys, readApiKey } from './apiKeys';
import type { CreateService } from './connection';
import type { SandboxProcess, SandboxReady } from './sandboxProcess';

export interface ServiceCommandDependencies {
  readonly prompts: Prompts;
  readonly apiKeys: ApiKeys;
  readonly service: () => ServiceChoice;
  readonly createService: CreateService;
  /** Writes the setting `binsight.service.baseUrl`; empty: the sandbox. */
  readonly setBaseUrl: (baseUrl: string) => Promise<void>;
}

export interface SandboxCommandDependencies {
  readonly prompts: Prompts;
  readonly service: () => ServiceChoice;
  readonly sandbox: Pick<SandboxProcess, 'state' | 'start' | 'startWithNewData'>;
  /** Resets the world of the running sandbox. @throws SandboxError */
  readonly resetWorld: (sandbox: SandboxReady) => Promise<void>;
  /** Drops the connection and all data, and reads them again. */
  readonly reconnect: () => Promise<void>;
}

const CONNECT: CommandId = 'binsight.connectService';
const SANDBOX_URL = '';
const resetText = () => l10n.t('Reset World');

export function serviceCommands(
  dependencies: ServiceCommandDependencies,
): Pick<CommandHandlers, 'binsight.connectService' | 'binsight.setApiKey'> {
  return { 'binsight.connectService': connectService(dependencies), 'binsight.setApiKey': setApiKey(dependencies) };
}

export function sandboxCommands({
  prompts,
  service,
  sandbox,
  resetWorld,
  reconnect,
}: SandboxCommandDependencies): Pick<CommandHandlers, 'binsight.resetSandboxWorld'> {
  return {
    'binsight.resetSandboxWorld': async () => {
      if (service().kind !== 'sandbox') {
        throw new UserError(l10n.t('Another service is in use. Connect to the sandbox to reset its world.'), {
          label: l10n.t('Connect to Service…'),
          command: CONNECT,
        });
      }
      // A sandbox that doesn't start has a world that can't be read.
      const ready = await sandbox.start().catch((error: unknown) => {
        if (error instanceof SandboxError && error.reason !== 'cannotRun') {
          return undefined;
        }
        throw error;
      });
      const detail =
        ready === undefined
          ? l10n.t(
              'The sandbox cannot start with its current world. A new world with a new pretend wallet replaces it. The file of the old world is kept in the sandbox folder, with the date in its name.',
            )
          : l10n.t(
              'A new world replaces all positions, prices and balances, in all windows. The sandbox wallet stays and gets new pretend money. The old world cannot be restored.',
            );
      const action = await prompts.confirm({
        severity: 'warning',
        message: l10n.t('Reset the sandbox world?'),
        detail: l10n.t`${detail}\n\nNo real money is involved.`,
        actions: [resetText()],
      });
      if (action !== resetText()) {
        return;
      }
      if (ready === undefined) {
        await sandbox.startWithNewData();
      } else {
        await resetWorld(ready);
      }
      await reconnect();
      void prompts.notify({
        severity: 'info',
        message:
          ready === undefined ? l10n.t('The sandbox has a new world. The old file was kept.') : l10n.t('The sandbox has a new world.'),
      });
    },
  };
}

function connectService(dependencies: ServiceCommandDependencies): CommandHandler {
  const { prompts, apiKeys, service, setBaseUrl } = dependencies;
  return async () => {
    const baseUrl = await askBaseUrl(prompts, service());
    if (baseUrl === undefined) {
      return;
    }
    if (baseUrl !== SANDBOX_URL) {
      const id = serviceId(baseUrl);
      if ((await apiKeys.get(id)) === undefined) {
        const key = await askWorkingKey(dependencies, baseUrl);
        if (key === undefined) {
          return;
        }
        await apiKeys.set(id, key);
      }
    }
    await setBaseUrl(baseUrl);
    const message =
      baseUrl === SANDBOX_URL
        ? l10n.t('Binsight now uses the sandbox (pretend money).')
        : l10n.t`Binsight now uses ${new URL(baseUrl).host}.`;
    void prompts.notify({ severity: 'info', message });
  };
}

async function askBaseUrl(prompts: Prompts, current: ServiceChoice): Promise<BaseUrl | typeof SANDBOX_URL | undefined> {
  const choice = await prompts.pick<BaseUrl | typeof SANDBOX_URL | 'other'>({
    title: l10n.t('Connect to Service'),
    placeholder: l10n.t('Choose a service'),
    items: [
      {
        label: 'Sandbox',
        description: l10n.t('runs on this machine with pretend money; no account needed'),
        icon: 'beaker',
        value: SANDBOX_URL,
      },
      {
        label: new URL(PUBLIC_SERVICE_BASE_URL).host,
        description: l10n.t('public service; requires an API key'),
        icon: 'globe',
        value: PUBLIC_SERVICE_BASE_URL,
      },
      { label: l10n.t('Other address…'), description: l10n.t('a service with the same API'), icon: 'edit', value: 'other' },
    ],
    isCurrent: (value) => value === (current.kind === 'remote' ? current.baseUrl : SANDBOX_URL),
  });
  if (choice.kind !== 'value' || choice.value !== 'other') {
    return choice.kind === 'value' ? (choice.value as BaseUrl | typeof SANDBOX_URL) : undefined;
  }
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
      const message =
        choice.kind === 'sandbox'
          ? l10n.t('The sandbox creates its own API key. Connect to another service to set a key.')
          : l10n.t('The address in the setting binsight.service.baseUrl is invalid. Connect to another service to set a key.');
      throw new UserError(message, { label: l10n.t('Connect to Service…'), command: CONNECT });
    }
    const key = await askWorkingKey(dependencies, choice.baseUrl);
    if (key !== undefined) {
      await apiKeys.set(choice.id, key);
      void prompts.notify({ severity: 'info', message: l10n.t`API key for ${choice.name} saved.` });
    }
  };
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
      actions: problem.kind === 'unauthorized' ? [tryAnother, keep] : [keep, tryAnother],
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
    await service.discoverPools({ pageSize: 1 }, { signal });
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError && error.kind !== 'cancelled') {
      return error;
    }
    throw error;
  }
}
