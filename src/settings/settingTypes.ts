import type { Address } from '../base/solana/address';
import { RULES, SETTINGS } from './generated/settings';

export type SettingId = keyof typeof SETTINGS;

/** A rule of rebalances. It is read like a setting, and kept with the state of the extension. */
export type RuleId = keyof typeof RULES;

type ById = typeof SETTINGS & typeof RULES;

/** The settings whose values have bounds. Their features parse the others (`text`). */
export type BoundedSetting = { [Id in SettingId]: ById[Id] extends { readonly kind: 'text' } ? never : Id }[SettingId];

/** The settings whose invalid values count as the strictest ones. */
export type StrictSetting = { [Id in BoundedSetting]: ById[Id] extends { readonly strictWhenFaulty: true } ? Id : never }[BoundedSetting];

/** The value of a setting, as code reads it: SOL as lamports, lists without repeated addresses. */
export type SettingValue<Id extends SettingId | RuleId> = ValueOfKind<ById[Id]>;

type ValueOfKind<Bounds> = Bounds extends { readonly kind: 'switch' }
  ? boolean
  : Bounds extends { readonly kind: 'choice'; readonly choices: readonly (infer Choice)[] }
    ? Choice
    : Bounds extends { readonly kind: 'integer' | 'number' }
      ? number
      : Bounds extends { readonly kind: 'sol' }
        ? bigint
        : Bounds extends { readonly kind: 'addresses' }
          ? readonly Address[]
          : string;

/** All ids, in the order of the settings editor. */
export const SETTING_IDS = Object.keys(SETTINGS) as readonly SettingId[];

/** All rules, in the order of their form. */
export const RULE_IDS = Object.keys(RULES) as readonly RuleId[];

export function isRule(id: string): id is RuleId {
  return id in RULES;
}

/** The settings whose ids begin with `prefix`, in the order of the settings editor. */
export function settingsUnder(prefix: `binsight.${string}.`): readonly SettingId[] {
  return SETTING_IDS.filter((id) => id.startsWith(prefix));
}
