import { PROGRAMS } from '../../../src/base/solana/programs';
import { RULES } from '../../../src/settings/rules';
import { SECTIONS } from '../../../src/settings/settings';
import type { RuleDeclaration, SettingDeclaration } from '../../../src/settings/settingDeclaration';
import type { BoundedSetting, RuleId } from '../../../src/settings/settingTypes';

/** The smallest amount of SOL. */
const LAMPORT_SOL = 1e-9;
/** Values of other types than any setting with bounds takes. */
const OTHER_TYPES = [null, undefined, NaN, {}, Symbol('neither')];

type Bounded = Exclude<SettingDeclaration, { readonly kind: 'text' }> | RuleDeclaration;

/** A declared rule with values within its bounds and values beyond them. */
export interface DeclaredRule {
  readonly id: RuleId;
  readonly accepted: readonly unknown[];
  readonly rejected: readonly unknown[];
}

/** All rules, in the order of their form. */
export const DECLARED_RULES: readonly DeclaredRule[] = Object.entries(RULES).map(([id, rule]) => ({
  id: id as RuleId,
  accepted: acceptedOf(rule),
  rejected: [...rejectedOf(rule), ...OTHER_TYPES],
}));

/** A declared setting with values within its bounds and values beyond them. */
export interface DeclaredSetting {
  readonly id: BoundedSetting;
  readonly declaration: SettingDeclaration;
  readonly accepted: readonly unknown[];
  readonly rejected: readonly unknown[];
}

/** All settings that have bounds, in the order of the settings editor. */
export const DECLARED_SETTINGS: readonly DeclaredSetting[] = SECTIONS.flatMap(({ settings }) => Object.entries(settings)).flatMap(
  ([id, declaration]) =>
    declaration.kind === 'text'
      ? []
      : [
          {
            id: id as BoundedSetting,
            declaration,
            accepted: acceptedOf(declaration),
            rejected: [...rejectedOf(declaration), ...OTHER_TYPES],
          },
        ],
);

function acceptedOf(setting: Bounded): readonly unknown[] {
  switch (setting.kind) {
    case 'switch':
      return [setting.default, true, false];
    case 'choice':
      return [setting.default, ...setting.choices.map((choice) => (typeof choice === 'string' ? choice : choice.value))];
    case 'integer':
    case 'number':
      return [
        setting.default,
        setting.minimum,
        setting.maximum,
        ...(setting.kind === 'number' ? [(setting.minimum + setting.maximum) / 4] : []),
      ];
    case 'sol':
      return [setting.default, 0, setting.maximum, LAMPORT_SOL];
    case 'addresses':
      return [[], [PROGRAMS.dlmm]];
    case 'line':
      return [setting.default, '', 'x'.repeat(setting.maximum)];
  }
}

function rejectedOf(setting: Bounded): readonly unknown[] {
  switch (setting.kind) {
    case 'switch':
      return ['true', 'false', 0, 1];
    case 'choice':
      return ['', 'other', setting.default.toUpperCase(), `${setting.default} `, 7, true];
    case 'integer':
    case 'number':
      return [
        ...[setting.minimum - 1, setting.maximum + 1, setting.minimum - 0.01, setting.maximum + 0.01, Infinity, -Infinity],
        ...[String(setting.default), true],
        ...(setting.kind === 'integer' ? [setting.minimum + 0.5] : []),
      ];
    case 'sol':
      return [
        -LAMPORT_SOL,
        setting.maximum + LAMPORT_SOL,
        LAMPORT_SOL / 10,
        0.0123456789,
        1e21,
        Infinity,
        String(setting.default),
        [],
        true,
      ];
    case 'addresses':
      return [PROGRAMS.dlmm, { 0: PROGRAMS.dlmm }, 5, true];
    case 'line':
      return ['x'.repeat(setting.maximum + 1), 'two\nlines', 7, true];
  }
}
