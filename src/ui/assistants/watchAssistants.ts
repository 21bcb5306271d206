import { join } from 'node:path';
import type * as vscode from 'vscode';
import type { WindowReadsDependencies } from './windowReads';
import { Assistants, type AssistantsDependencies } from './assistants';
import { reviewSettings } from '../shell/settings/values';
import type { Settings } from '../shell/settings/settings';
import type { Installation } from '../shell/installation';
import type { Log } from '../shell/log';

interface WatchedServices
  extends
    Pick<WindowReadsDependencies, 'portfolio' | 'connect' | 'service' | 'owners' | 'rpc' | 'clock'>,
    Pick<AssistantsDependencies, 'isTrusted' | 'command' | 'onError'> {
  readonly context: Pick<vscode.ExtensionContext, 'extension' | 'asAbsolutePath' | 'globalStorageUri'>;
  readonly installation: Pick<Installation, 'assertIntact'>;
  readonly settings: Settings;
  readonly log: Log;
}

const PROGRAM = 'dist/mcp.js';

/** Offers the tools for assistants while their setting is on. */
export function watchAssistants(services: WatchedServices): Assistants {
  const { context, installation, settings, log } = services;
  const { version } = context.extension.packageJSON as { readonly version: string };
  return new Assistants({
    ...services,
    ...reviewSettings(settings),
    program: context.asAbsolutePath(PROGRAM),
    assertIntact: () => installation.assertIntact(PROGRAM),
    version,
    folder: assistantFolder(services),
    isEnabled: () => settings.get('binsight.assistants.enabled'),
    onDidChangeSetting: (listener) => settings.onDidChange(['binsight.assistants.enabled'], listener),
    defaultSlippageBps: () => settings.get('binsight.slippageBps'),
    hide: (secret) => log.hide(secret),
    log: log.of('assistants'),
  });
}

/** Where windows announce themselves to dist/mcp.js. */
export function assistantFolder({ context }: Pick<WatchedServices, 'context'>): string {
  return join(context.globalStorageUri.fsPath, 'assistants');
}
