import type { CommandDeclaration, CommandSubjects } from '../commandDeclaration';
import type { SettingDeclaration, SettingSection } from '../settingDeclaration';
import { fullDescription, settingsOf } from './settingFiles';

const TABLE_HEAD = ['| Setting | Default (other values) | Meaning |', '|---|---|---|'];

/** The table of the README: the settings that a person has to decide, with the first sentence of their descriptions. */
export function readmeSettings(sections: readonly SettingSection[]): readonly string[] {
  return [
    ...TABLE_HEAD,
    ...settingsOf(sections)
      .filter(([, { inReadme }]) => inReadme === true)
      .map(([id, setting]) => rowOf(id, setting, firstSentence(asMarkdown(fullDescription(id, setting))))),
  ];
}

/** A table of all commands, by subject. Commands that the palette never shows are in a column of their own. */
export function readmeCommands(subjects: CommandSubjects): readonly string[] {
  const cell = (commands: readonly CommandDeclaration[]): string =>
    commands.map((command) => `*${command.title}*${keysOf(command)}`).join(', ');
  const rows = Object.entries(subjects).map(([subject, commands]) => {
    const all = Object.values(commands).filter(isContributed);
    const hidden = all.filter(({ inPalette }) => inPalette === false);
    return `| ${subject} | ${cell(all.filter((command) => !hidden.includes(command)))} | ${cell(hidden)} |`;
  });
  return ['| Subject | In the Command Palette | Only in menus and panels |', '|---|---|---|', ...rows];
}

/** Whether VS Code has to know the command; the others are run by id, from a message, a row or a panel. */
export function isContributed({ inPalette, menus, keybinding }: CommandDeclaration): boolean {
  return inPalette !== false || menus !== undefined || keybinding !== undefined;
}

function keysOf({ keybinding }: CommandDeclaration): string {
  return keybinding === undefined ? '' : ` (\`${keybinding.key}\`, on macOS \`${keybinding.mac}\`)`;
}

/** docs/settings.md: all settings with their whole descriptions, by section. */
export function settingsDocument(sections: readonly SettingSection[]): string {
  return [
    '# Settings',
    '',
    '<!-- npm run generate -->',
    '',
    'In the order of the settings editor, which finds them as `@ext:binsight.binsight`. They apply to all windows; folders cannot set them.',
    ...sections.flatMap(({ title, settings }) => [
      '',
      `## ${title}`,
      '',
      ...TABLE_HEAD,
      ...Object.entries(settings).map(([id, setting]) =>
        rowOf(id, setting, [asMarkdown(fullDescription(id, setting)), ...choicesOf(setting)].join('<br>')),
      ),
    ]),
    '',
  ].join('\n');
}

function rowOf(id: string, setting: SettingDeclaration, meaning: string): string {
  return `| \`${id}\` | ${defaultOf(setting)} | ${meaning.replaceAll('|', String.raw`\|`)} |`;
}

/** The default of a setting; with the other choices, if it has any. */
function defaultOf(setting: SettingDeclaration): string {
  const code = (value: string): string => `\`${value}\``;
  switch (setting.kind) {
    case 'switch':
      return setting.default ? 'on' : 'off';
    case 'choice': {
      const others = setting.choices.filter(({ value }) => value !== setting.default);
      return `${code(setting.default)} (${others.map(({ value }) => code(value)).join(', ')})`;
    }
    case 'integer':
    case 'number':
    case 'sol':
      return String(setting.default);
    case 'addresses':
      return 'empty';
    case 'line':
    case 'text':
      return setting.default === '' ? 'empty' : code(setting.default);
  }
}

/** What the choices of a setting mean, as far as their values don't say it. */
function choicesOf(setting: SettingDeclaration): readonly string[] {
  return setting.kind !== 'choice'
    ? []
    : setting.choices.map(
        ({ value, label, description }) => `\`${value}\`: ${label}${description === undefined ? '' : `: ${asMarkdown(description)}`}`,
      );
}

/** A description outside of the settings editor: links to settings become their names. */
function asMarkdown(description: string): string {
  return description.replace(/`#([\w.]+)#`/g, '`$1`');
}

function firstSentence(description: string): string {
  return /^.*?[.:]?(?:\.(?=\s)|$)/s.exec(description)?.[0] ?? description;
}
