import * as vscode from 'vscode';
import type { Subscription } from '../../portfolio/types';
import type { LogFunction } from '../log/log';
import type { Prompts } from '../prompts/prompts';
import { SETTING } from '../names';
import { READ, type BoundedSetting, type SettingReading, type ValueOf } from './values';

const OPEN_SETTINGS = 'Open Settings';

/** The extension's settings, read afresh each time. A value out of bounds counts as the default, and is warned of once. */
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
      return reading.value;
    }
    this.warnOnce(key, raw, reading.message);
    const fallback = read(vscode.workspace.getConfiguration().inspect(key)?.defaultValue);
    if (!fallback.ok) {
      throw new Error(`The default of ${key} in package.json ${fallback.message}`);
    }
    return fallback.value;
  }

  /** The address of the service as it was typed, without the spaces around it; empty: the sandbox. */
  get baseUrl(): string {
    // Anything but text counts as an address that cannot be read, and is named as such where it is parsed.
    const raw = vscode.workspace.getConfiguration().get<unknown>(SETTING.baseUrl);
    return typeof raw === 'string' ? raw.trim() : JSON.stringify(raw ?? '');
  }

  /** Sets the address of the service for this user; empty: the sandbox. */
  async setBaseUrl(baseUrl: string): Promise<void> {
    await vscode.workspace.getConfiguration().update(SETTING.baseUrl, baseUrl === '' ? undefined : baseUrl, vscode.ConfigurationTarget.Global);
  }

  /** Sets a setting for this user. */
  async set<Key extends BoundedSetting>(key: Key, value: ValueOf<Key>): Promise<void> {
    await vscode.workspace.getConfiguration().update(key, value, vscode.ConfigurationTarget.Global);
  }

  /** Calls `listener` when one of `keys` has changed. */
  onDidChange(keys: readonly string[], listener: () => void): Subscription {
    return vscode.workspace.onDidChangeConfiguration((event) => {
      if (keys.some((key) => event.affectsConfiguration(key))) {
        listener();
      }
    });
  }

  private warnOnce(key: BoundedSetting, raw: unknown, problem: string): void {
    const fault = `${key}=${JSON.stringify(raw)}`;
    if (this.warned.has(fault)) {
      return;
    }
    this.warned.add(fault);
    this.log('warn', `${key} ${problem}; the default counts`);
    void this.prompts
      .notify({ severity: 'warning', message: `The setting ${key} ${problem}. The default is used until it is corrected.`, actions: [OPEN_SETTINGS] })
      .then((action) => (action === OPEN_SETTINGS ? vscode.commands.executeCommand('workbench.action.openSettings', key) : undefined));
  }
}
