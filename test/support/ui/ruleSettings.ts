import { readFileSync } from 'node:fs';
import { isRule } from '../../../src/settings/settingTypes';
import { RULES } from '../../../src/settings/generated/settings';
import type { RawSettings } from '../../../src/ui/shell/settings/rebalanceRules';

interface Manifest {
  readonly contributes: {
    readonly configuration: readonly { readonly properties: Readonly<Record<string, { readonly default: unknown }>> }[];
  };
}

const { configuration } = (JSON.parse(readFileSync('package.json', 'utf8')) as Manifest).contributes;
const properties = Object.fromEntries(configuration.flatMap((section) => Object.entries(section.properties)));

/** Gives the default settings and rules with some of them changed. */
export function settingsFor(changed: Readonly<Record<string, unknown>> = {}): RawSettings {
  return (key) => (key in changed ? changed[key] : isRule(key) ? RULES[key].default : properties[key]?.default);
}
