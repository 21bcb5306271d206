import type { Address } from '../base/solana/address';
import { SETTINGS } from './generated/settings';

export type SettingId = keyof typeof SETTINGS;

type ById = typeof SETTINGS;

/** The settings whose values have bounds. Their features parse the others (`text`). */
export type BoundedSetting = { [Id in SettingId]: ById[Id] extends { readonly kind: 'text' } ? never : Id }[SettingId];

/** The settings whose invalid values count as the strictest ones. */
export type StrictSetting = { [Id in BoundedSetting]: ById[Id] extends { readonly strictWhenFaulty: true } ? Id : never }[BoundedSetting];

/** The value of a setting, as code reads it: SOL as lamports, lists without repeated addresses. */
export type SettingValue<Id extends SettingId> = ValueOfKind<ById[Id]>;

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

/** The settings whose ids begin with `prefix`, in the order of the settings editor. */
export function settingsUnder(prefix: `binsight.${string}.`): readonly SettingId[] {
  return SETTING_IDS.filter((id) => id.startsWith(prefix));
}
