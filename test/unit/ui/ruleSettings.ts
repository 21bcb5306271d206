import { readFileSync } from 'node:fs';
import type { RawSettings } from '../../../src/ui/shell/settings/rebalanceRules';

interface Manifest {
  readonly contributes: { readonly configuration: { readonly properties: Readonly<Record<string, { readonly default: unknown }>> } };
}

const { properties } = (JSON.parse(readFileSync('package.json', 'utf8')) as Manifest).contributes.configuration;

/** The settings as they are until somebody changes them, with some of them changed. */
export function settingsFor(changed: Readonly<Record<string, unknown>> = {}): RawSettings {
  return (key) => (key in changed ? changed[key] : properties[key]?.default);
}
