/** The unit of a number, as messages about a value out of bounds name it (ui/shell/settings/values.ts). */
export type SettingUnit =
  | 'basis points'
  | 'bins'
  | 'checks'
  | 'minutes'
  | 'percent'
  | 'positions'
  | 'rebalances'
  | 'requests per second'
  | 'seconds'
  | 'US dollars';

/** What a setting takes. */
type SettingKind =
  | { readonly kind: 'switch'; readonly default: boolean }
  | { readonly kind: 'choice'; readonly default: string; readonly choices: readonly SettingChoice[] }
  /** A number between its bounds, both included; an `integer` is whole. */
  | {
      readonly kind: 'integer' | 'number';
      readonly default: number;
      readonly minimum: number;
      readonly maximum: number;
      readonly unit: SettingUnit;
    }
  /** An amount of SOL from 0 to `maximum`, which code reads as lamports. */
  | { readonly kind: 'sol'; readonly default: number; readonly maximum: number }
  /** A list of at most `maximum` Solana addresses, empty by default. */
  | { readonly kind: 'addresses'; readonly maximum: number }
  /** One line of at most `maximum` characters. */
  | { readonly kind: 'line'; readonly default: string; readonly maximum: number }
  /** Text that its feature parses. */
  | { readonly kind: 'text'; readonly default: string; readonly pattern?: string; readonly patternErrorMessage?: string };

/** A rule of rebalances. Its choices are named where they are shown. */
export type RuleDeclaration =
  | Extract<SettingKind, { readonly kind: 'integer' | 'number' | 'sol' | 'addresses' }>
  | { readonly kind: 'choice'; readonly default: string; readonly choices: readonly string[] };

export interface SettingChoice {
  readonly value: string;
  readonly label: string;
  readonly description?: string;
}

export type SettingDeclaration = SettingKind & {
  /**
   * English Markdown. Its first sentence has to say enough alone. `{bounds}` stands for the bounds and the default of a number; the default of
   * a switch and of a list is added at the end.
   */
  readonly description: string;
  /** A folder in Restricted Mode may set it: nothing that is signed, sent or stored depends on it. */
  readonly unrestricted?: true;
  /** An invalid value counts as the strictest one (`whenFaulty` in ui/shell/settings/values.ts), because the default can be laxer than what the user meant. */
  readonly strictWhenFaulty?: true;
  /** The README lists it: a person has to decide it. docs/settings.md lists all settings. */
  readonly inReadme?: true;
};

/** A section of the settings editor, with its settings by id, in the order of the editor. */
export interface SettingSection {
  readonly id: string;
  readonly title: string;
  readonly settings: Readonly<Record<`binsight.${string}`, SettingDeclaration>>;
}
