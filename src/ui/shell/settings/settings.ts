import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { LogFunction } from '../log';
import type { Prompts } from '../prompts/prompts';
import { type BoundedSetting, isRule, type RuleId, type SettingId, type SettingValue } from '../../../settings/settingTypes';
import type { RuleStore } from './ruleStore';
import { faultText, type FormerAddress, leftOutText, type Read, readerOf, whenFaulty } from './values';
import type { Subscription } from '../../../base/async/clock';

const openSettings = () => l10n.t('Open Settings');

/**
 * The extension's settings, read on every access. An invalid value is replaced by the default, or by the strictest value if the setting
 * guards money. The user gets one warning per invalid value.
 */
export class Settings {
  /** Invalid values that the user was warned about: "name=value". */
  readonly #warned = new Set<string>();

  readonly #prompts: Prompts;
  readonly #log: LogFunction;

  constructor(
    prompts: Prompts,
    log: LogFunction,
    readonly rules: RuleStore,
  ) {
    this.#prompts = prompts;
    this.#log = log;
  }

  /** Returns a setting that has bounds. */
  get<Id extends BoundedSetting>(id: Id): SettingValue<Id> {
    return this.read(id, readerOf(id), whenFaulty()[id]);
  }

  /**
   * Returns a setting that its feature parses.
   * @param strict replaces an invalid value instead of the default
   */
  read<Value>(key: SettingId, read: Read<Value>, strict?: { readonly value: Value; readonly written: string }): Value {
    const raw = rawValueOf(key);
    const reading = read(raw);
    if (reading.ok) {
      if (reading.leftOut !== undefined) {
        this.#warnOnce(key, raw, leftOutText(key, reading.leftOut, l10n.t('They are ignored until you correct them.')));
      }
      return reading.value;
    }
    const used = strict?.written ?? JSON.stringify(defaultOf(key));
    this.#warnOnce(key, raw, faultText(key, reading, l10n.t`Until you correct it, ${used} is used.`));
    return strict === undefined ? this.#defaultOf(key, read) : strict.value;
  }

  /** Returns the raw value of a setting or a rule, whose readers load on demand (rebalanceRules.ts). */
  raw(id: SettingId | RuleId): unknown {
    return isRule(id) ? this.rules.get(id) : rawValueOf(id);
  }

  /** The trimmed service address; empty: the sandbox. */
  get baseUrl(): string {
    // The parser reports a value that is not text as an invalid address.
    return textOf(rawValueOf('binsight.service.baseUrl'));
  }

  /** The trimmed value of what was a setting once; `undefined`: it is not in the user settings. It can contain a key. */
  former(id: FormerAddress): string | undefined {
    const value = vscode.workspace.getConfiguration().inspect(id)?.globalValue;
    return value === undefined ? undefined : textOf(value);
  }

  /** Removes it from the user settings. */
  async removeFormer(id: FormerAddress): Promise<void> {
    await vscode.workspace.getConfiguration().update(id, undefined, vscode.ConfigurationTarget.Global);
  }

  /** Writes the service address to the user settings; empty: the sandbox. */
  async setBaseUrl(baseUrl: string): Promise<void> {
    await vscode.workspace
      .getConfiguration()
      .update('binsight.service.baseUrl', baseUrl === '' ? undefined : baseUrl, vscode.ConfigurationTarget.Global);
  }

  /** Writes to the user settings whether the local service asks Meteora's public APIs. */
  async setPublicData(isOn: boolean): Promise<void> {
    await vscode.workspace
      .getConfiguration()
      .update('binsight.solanaRpc.publicData', isOn ? undefined : false, vscode.ConfigurationTarget.Global);
  }

  /** Writes to the user settings that VS Code runs an extension in the remote of a window, where there is one. */
  async runInRemote(extensionId: string): Promise<void> {
    const remote = vscode.workspace.getConfiguration('remote');
    const kinds: unknown = remote.inspect('extensionKind')?.globalValue;
    await remote.update(
      'extensionKind',
      { ...(typeof kinds === 'object' ? kinds : {}), [extensionId]: ['workspace'] },
      vscode.ConfigurationTarget.Global,
    );
  }

  /** Calls `listener` when one of `keys` changes. */
  onDidChange(keys: readonly SettingId[], listener: () => void): Subscription {
    return vscode.workspace.onDidChangeConfiguration((event) => {
      if (keys.some((key) => event.affectsConfiguration(key))) {
        listener();
      }
    });
  }

  #defaultOf<Value>(key: string, read: Read<Value>): Value {
    const reading = read(defaultOf(key));
    if (!reading.ok) {
      throw new Error(`The default of ${key} in package.json must be ${reading.expected}, not ${reading.found}`);
    }
    return reading.value;
  }

  /** @param problem must not quote a value that can be a secret */
  #warnOnce(key: string, raw: unknown, problem: string): void {
    const fault = `${key}=${JSON.stringify(raw)}`;
    if (this.#warned.has(fault)) {
      return;
    }
    this.#warned.add(fault);
    this.#log('warn', problem);
    void this.#prompts
      .notify({ severity: 'warning', message: problem, actions: [openSettings()] })
      .then((action) => (action === openSettings() ? vscode.commands.executeCommand('workbench.action.openSettings', key) : undefined));
  }
}

function defaultOf(key: string): unknown {
  return vscode.workspace.getConfiguration().inspect(key)?.defaultValue;
}

/** Reads only the section of the setting: VS Code copies the whole section that is requested, and without one the settings of all extensions. */
function rawValueOf(key: string): unknown {
  const end = key.lastIndexOf('.');
  return vscode.workspace.getConfiguration(key.slice(0, end)).get<unknown>(key.slice(end + 1));
}

/** Returns the trimmed text of a setting; empty if it is not set. */
function textOf(raw: unknown): string {
  return typeof raw === 'string' ? raw.trim() : raw === undefined || raw === null ? '' : JSON.stringify(raw);
}
