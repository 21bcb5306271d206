import type { RuleDeclaration, SettingDeclaration, SettingSection } from '../settingDeclaration';

/** What 32 to 44 characters of base58 look like; people add spaces when they paste. */
const ADDRESS_PATTERN = String.raw`^\s*[1-9A-HJ-NP-Za-km-z]{32,44}\s*$`;
const ADDRESS_ERROR_KEY = 'configuration.address.patternErrorMessage';
const ADDRESS_ERROR = 'Not a Solana address: it has 32 to 44 letters and digits, without 0, O, I and l.';
const NAMESPACE = 'binsight.';
/** Stands for the bounds and the default in the description of a number. */
const BOUNDS = '{bounds}';

/** A part of package.json, and its English texts by their keys in package.nls.json. */
export interface Contribution<Json> {
  readonly json: Json;
  readonly texts: Readonly<Record<string, string>>;
}

/** All settings of some sections, by id. */
export function settingsOf(sections: readonly SettingSection[]): readonly (readonly [string, SettingDeclaration])[] {
  return sections.flatMap(({ settings }) => Object.entries(settings));
}

/** `contributes.configuration` of package.json. */
export function configurationOf(sections: readonly SettingSection[]): Contribution<unknown> {
  const texts: Record<string, string> = {};
  const text = (key: string, english: string): string => {
    texts[key] = english;
    return `%${key}%`;
  };
  const json = sections.map(({ id, title, settings }, place) => ({
    id: NAMESPACE + id,
    title: text(`configuration.${id}.title`, title),
    order: place + 1,
    properties: Object.fromEntries(Object.entries(settings).map((setting, order) => [setting[0], propertyOf(setting, order + 1, text)])),
  }));
  return { json, texts };
}

/** The settings that a folder in Restricted Mode cannot set: `restrictedConfigurations` of package.json. */
export function restrictedSettings(sections: readonly SettingSection[]): readonly string[] {
  return settingsOf(sections).flatMap(([id, { unrestricted }]) => (unrestricted === true ? [] : [id]));
}

/** The module with what code needs of the settings and the rules: their ids and bounds, no words. */
export function settingsModule(sections: readonly SettingSection[], rules: Readonly<Record<string, RuleDeclaration>>): string {
  return [
    '// Generated from settings.ts and rules.ts by `npm run generate`; not edited by hand.',
    '',
    '/** The settings with their bounds, in the order of the settings editor. */',
    'export const SETTINGS = {',
    ...settingsOf(sections).map(([id, setting]) => `  '${id}': ${literalOf(boundsOf(setting))},`),
    '} as const;',
    '',
    '/** The rules with their bounds and defaults, in the order of their form. */',
    'export const RULES = {',
    ...Object.entries(rules).map(([id, rule]) => `  '${id}': ${literalOf({ ...boundsOf(rule), default: defaultOf(rule) })},`),
    '} as const;',
    '',
  ].join('\n');
}

function defaultOf(rule: RuleDeclaration): unknown {
  return rule.kind === 'addresses' ? [] : rule.default;
}

/** The description as users see it. */
export function fullDescription(id: string, setting: SettingDeclaration): string {
  const { description } = setting;
  switch (setting.kind) {
    case 'switch':
      return `${description} ${setting.default ? 'On' : 'Off'} by default.`;
    case 'addresses':
      return `${description} Empty by default.`;
    case 'integer':
    case 'number':
    case 'sol': {
      if (!description.includes(BOUNDS)) {
        throw new Error(`The description of ${id} has no ${BOUNDS}.`);
      }
      const minimum = setting.kind === 'sol' ? 0 : setting.minimum;
      return description.replace(BOUNDS, `${minimum} to ${setting.maximum}, ${setting.default} by default`);
    }
    case 'choice':
    case 'line':
    case 'text':
      return description;
  }
}

/** The schema of a setting in package.json. No folder can set it: its scope is the application. */
function propertyOf(
  [id, setting]: readonly [string, SettingDeclaration],
  order: number,
  text: (key: string, english: string) => string,
): Readonly<Record<string, unknown>> {
  const key = `configuration.${id.slice(NAMESPACE.length)}`;
  return {
    ...schemaOf(key, setting, text),
    scope: 'application',
    order,
    markdownDescription: text(`${key}.markdownDescription`, fullDescription(id, setting)),
  };
}

function schemaOf(
  key: string,
  setting: SettingDeclaration,
  text: (key: string, english: string) => string,
): Readonly<Record<string, unknown>> {
  switch (setting.kind) {
    case 'switch':
      return { type: 'boolean', default: setting.default };
    case 'choice': {
      const { choices } = setting;
      const described = choices.flatMap(({ value, description }) => (description === undefined ? [] : [{ value, description }]));
      return {
        type: 'string',
        default: setting.default,
        enum: choices.map(({ value }) => value),
        enumItemLabels: choices.map(({ value, label }) => text(`${key}.enumItemLabels.${value}`, label)),
        ...(described.length === 0
          ? {}
          : {
              markdownEnumDescriptions: described.map(({ value, description }) =>
                text(`${key}.markdownEnumDescriptions.${value}`, description),
              ),
            }),
      };
    }
    case 'integer':
    case 'number':
      return { type: setting.kind, default: setting.default, minimum: setting.minimum, maximum: setting.maximum };
    case 'sol':
      return { type: 'number', default: setting.default, minimum: 0, maximum: setting.maximum };
    case 'addresses':
      return {
        type: 'array',
        items: { type: 'string', pattern: ADDRESS_PATTERN, patternErrorMessage: text(ADDRESS_ERROR_KEY, ADDRESS_ERROR) },
        uniqueItems: true,
        maxItems: setting.maximum,
        default: [],
      };
    case 'line':
      return { type: 'string', default: setting.default, maxLength: setting.maximum };
    case 'text': {
      const { pattern, patternErrorMessage } = setting;
      return {
        type: 'string',
        default: setting.default,
        ...(pattern === undefined ? {} : { pattern }),
        ...(patternErrorMessage === undefined ? {} : { patternErrorMessage: text(`${key}.patternErrorMessage`, patternErrorMessage) }),
      };
    }
  }
}

/** What readers need to know of a setting. Only package.json has the default. */
function boundsOf(setting: SettingDeclaration | RuleDeclaration): Readonly<Record<string, unknown>> {
  const strict = 'strictWhenFaulty' in setting && setting.strictWhenFaulty === true ? { strictWhenFaulty: true } : {};
  switch (setting.kind) {
    case 'choice':
      return {
        kind: setting.kind,
        choices: setting.choices.map((choice) => (typeof choice === 'string' ? choice : choice.value)),
        ...strict,
      };
    case 'integer':
    case 'number':
      return { kind: setting.kind, minimum: setting.minimum, maximum: setting.maximum, unit: setting.unit, ...strict };
    case 'sol':
    case 'addresses':
    case 'line':
      return { kind: setting.kind, maximum: setting.maximum, ...strict };
    case 'switch':
    case 'text':
      return { kind: setting.kind, ...strict };
  }
}

/** A value as a literal of TypeScript, on one line. Its texts are plain: ids of choices and names of units. */
function literalOf(value: unknown): string {
  if (Array.isArray(value)) {
    return `[${value.map(literalOf).join(', ')}]`;
  }
  if (typeof value === 'object' && value !== null) {
    return `{ ${Object.entries(value)
      .map(([key, part]) => `${key}: ${literalOf(part)}`)
      .join(', ')} }`;
  }
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value);
}
