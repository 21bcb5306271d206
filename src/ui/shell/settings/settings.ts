import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { PoolSort } from '../../../service/service';
import type { LogFunction } from '../log';
import type { Prompts } from '../prompts/prompts';
import { SETTING } from '../names';
import { READ, whenFaulty, type BoundedSetting, type SettingReading, type ValueOf } from './values';
import type { Subscription } from '../../../base/async/clock';

const openSettingsText = () => l10n.t('Open Settings');

/**
 * The extension's settings, read afresh each time. In the place of a value that cannot be read the default counts, or the
 * strictest one where money is guarded by it; either is told once.
 */
export class Settings {
  /** The faulty values that were warned of: "name=value". */
  private readonly warned = new Set<string>();

  constructor(
    private readonly prompts: Prompts,
    private readonly log: LogFunction,
  ) {}

  /** Gives a setting that has bounds. */
  get<Key extends BoundedSetting>(key: Key): ValueOf<Key> {
    const read = READ[key] as (raw: unknown) => SettingReading<ValueOf<Key>>;
    const raw = vscode.workspace.getConfiguration().get<unknown>(key);
    const reading = read(raw);
    if (reading.ok) {
      if (reading.leftOut !== undefined) {
        this.warnOnce(key, raw, l10n.t`has something in it that does not count: ${reading.leftOut}. The rest of it counts.`);
      }
      return reading.value;
    }
    const strict = whenFaulty()[key];
    this.warnOnce(key, raw, l10n.t`${reading.message}. ${strict?.words ?? l10n.t('The default is used')} until it is corrected.`);
    return strict === undefined ? this.defaultOf(key, read) : strict.value;
  }

  /** Gives a setting as it stands, unread: for those whose rules are loaded only where they are needed (rebalanceRules.ts). */
  raw(key: string): unknown {
    return vscode.workspace.getConfiguration().get<unknown>(key);
  }

  /** The address of the service as it was typed, without the spaces around it; empty: the sandbox. */
  get baseUrl(): string {
    // Anything but text counts as an address that cannot be read, and is named as such where it is parsed.
    return textOf(vscode.workspace.getConfiguration().get<unknown>(SETTING.baseUrl));
  }

  /** The address of the RPC likewise; empty: none. It may have a key in it. */
  get rpcUrl(): string {
    return textOf(vscode.workspace.getConfiguration().get<unknown>(SETTING.rpcUrl));
  }

  /** Tells, once for each address, that the address of the RPC cannot be used. `problem` says why, and repeats nothing that may be a key. */
  warnOfRpcUrl(problem: string): void {
    this.warnOnce(
      SETTING.rpcUrl,
      this.rpcUrl,
      l10n.t`holds no address that can be used. ${problem} No RPC is asked until it is corrected.`,
    );
  }

  /** Sets the address of the service for this user; empty: the sandbox. */
  async setBaseUrl(baseUrl: string): Promise<void> {
    await vscode.workspace
      .getConfiguration()
      .update(SETTING.baseUrl, baseUrl === '' ? undefined : baseUrl, vscode.ConfigurationTarget.Global);
  }

  /** Sets by what the pools are sorted, for this user. */
  async setPoolsSortBy(value: PoolSort): Promise<void> {
    await vscode.workspace.getConfiguration().update(SETTING.poolsSortBy, value, vscode.ConfigurationTarget.Global);
  }

  /** Calls `listener` when one of `keys` has changed. */
  onDidChange(keys: readonly string[], listener: () => void): Subscription {
    return vscode.workspace.onDidChangeConfiguration((event) => {
      if (keys.some((key) => event.affectsConfiguration(key))) {
        listener();
      }
    });
  }

  private defaultOf<Key extends BoundedSetting>(key: Key, read: (raw: unknown) => SettingReading<ValueOf<Key>>): ValueOf<Key> {
    const reading = read(vscode.workspace.getConfiguration().inspect(key)?.defaultValue);
    if (!reading.ok) {
      throw new Error(`The default of ${key} in package.json ${reading.message}`);
    }
    return reading.value;
  }

  /** @param problem what is wrong with it; neither it nor anything else that is told repeats a value that may be a secret. */
  private warnOnce(key: string, raw: unknown, problem: string): void {
    const fault = `${key}=${JSON.stringify(raw)}`;
    if (this.warned.has(fault)) {
      return;
    }
    this.warned.add(fault);
    this.log('warn', `${key} ${problem}`);
    void this.prompts
      .notify({ severity: 'warning', message: l10n.t`The setting ${key} ${problem}`, actions: [openSettingsText()] })
      .then((action) => (action === openSettingsText() ? vscode.commands.executeCommand('workbench.action.openSettings', key) : undefined));
  }
}

/** What stands in a setting that takes text, without the spaces around it; empty where there is nothing. */
function textOf(raw: unknown): string {
  return typeof raw === 'string' ? raw.trim() : JSON.stringify(raw ?? '');
}
