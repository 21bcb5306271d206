import { COMMANDS } from '../commands';
import { RULES } from '../rules';
import { SECTIONS } from '../settings';
import { isContributed, readmeCommands, readmeSettings, settingsDocument } from './documents';
import { configurationOf, type Contribution, restrictedSettings, settingsModule } from './settingFiles';
import type { CommandDeclaration, CommandSubjects } from '../commandDeclaration';

/** Returns the text of a file of the project. */
type ReadFile = (path: string) => string;

/**
 * Gives the files that are written from the declarations, by their path in the project. What is not declared stays as it is: in package.json all
 * but the contributions of settings and commands, in the README all but its tables, in package.nls.json the other texts.
 */
export function generatedFiles(read: ReadFile): Readonly<Record<string, string>> {
  const [commands, configuration] = [commandContributions(COMMANDS), configurationOf(SECTIONS)];
  const contributed = { ...commands.json, configuration: configuration.json };
  return {
    'package.json': manifestWith(read('package.json'), contributed, restrictedSettings(SECTIONS)),
    'package.nls.json': textsWith(read('package.nls.json'), { ...commands.texts, ...configuration.texts }),
    'README.md': documentWith(read('README.md'), { settings: readmeSettings(SECTIONS), commands: readmeCommands(COMMANDS) }),
    'docs/settings.md': settingsDocument(SECTIONS),
    'src/settings/generated/commandIds.ts': commandIdsModule(COMMANDS),
    'src/settings/generated/commandTraits.ts': commandTraitsModule(COMMANDS),
    'src/settings/generated/settings.ts': settingsModule(SECTIONS, RULES),
  };
}

interface Manifest {
  readonly capabilities: { readonly untrustedWorkspaces: Readonly<Record<string, unknown>> };
  readonly contributes: Readonly<Record<string, unknown>>;
}

function manifestWith(text: string, contributed: Readonly<Record<string, unknown>>, restricted: readonly string[]): string {
  const manifest = JSON.parse(text) as Manifest;
  return asJson({
    ...manifest,
    capabilities: {
      ...manifest.capabilities,
      untrustedWorkspaces: { ...manifest.capabilities.untrustedWorkspaces, restrictedConfigurations: restricted },
    },
    contributes: { ...manifest.contributes, ...contributed },
  });
}

/** The texts of the declarations follow the others. */
function textsWith(text: string, declared: Readonly<Record<string, string>>): string {
  const others = Object.entries(JSON.parse(text) as Readonly<Record<string, string>>).filter(
    ([key]) => !/^(command|configuration)\./.test(key),
  );
  return asJson({ ...Object.fromEntries(others), ...declared });
}

/** A document with its tables written again; everything outside their marks stays. */
function documentWith(text: string, tables: Readonly<Record<string, readonly string[]>>): string {
  return Object.entries(tables).reduce((document, [name, lines]) => {
    const [begin, end] = [`<!-- ${name}: npm run generate -->`, `<!-- end of ${name} -->`];
    const [before = '', rest = ''] = document.split(begin);
    const after = rest.split(end)[1];
    if (after === undefined) {
      throw new Error(`The README has no marks "${begin}" and "${end}".`);
    }
    return [before, begin, '\n\n', ...lines.map((line) => `${line}\n`), '\n', end, after].join('');
  }, text);
}

function asJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

const NAMESPACE = 'binsight.';
const CATEGORY = 'Binsight';

/** All commands, by id. */
function commandsOf(subjects: CommandSubjects): readonly (readonly [string, CommandDeclaration])[] {
  return Object.values(subjects).flatMap((commands) => Object.entries(commands));
}

/** `commands`, `menus` and `keybindings` of `contributes` in package.json. */
export function commandContributions(subjects: CommandSubjects): Contribution<Readonly<Record<string, unknown>>> {
  const commands = commandsOf(subjects).filter(([, command]) => isContributed(command));
  const places = commands.flatMap(([command, { menus = [] }]) =>
    menus.map(({ menu, when, group }) => ({ menu, item: { command, when, group } })),
  );
  const menus = [...new Set(places.map(({ menu }) => menu))].map((name) => [
    name,
    places.filter(({ menu }) => menu === name).map(({ item }) => item),
  ]);
  return {
    json: {
      commands: commands.map(([command, { icon, enablement }]) => ({
        command,
        title: `%${titleKey(command)}%`,
        category: CATEGORY,
        ...(icon === undefined ? {} : { icon: `$(${icon})` }),
        ...(enablement === undefined ? {} : { enablement }),
      })),
      menus: {
        ...(Object.fromEntries(menus) as Readonly<Record<string, unknown>>),
        commandPalette: commands.flatMap(([command, { inPalette }]) => (inPalette === true ? [] : [{ command, when: String(inPalette) }])),
      },
      keybindings: commands.flatMap(([command, { keybinding }]) => (keybinding === undefined ? [] : [{ command, ...keybinding }])),
    },
    texts: Object.fromEntries(commands.map(([id, { title }]) => [titleKey(id), title])),
  };
}

/** The module with what activation needs of the commands: their ids. */
function commandIdsModule(subjects: CommandSubjects): string {
  return [
    '// Generated from commands.ts by `npm run generate`; not edited by hand.',
    '',
    '/** The ids of all commands. */',
    'export const COMMAND_IDS = [',
    ...commandsOf(subjects).map(([id]) => `  '${id}',`),
    '] as const;',
    '',
    'export type CommandId = (typeof COMMAND_IDS)[number];',
    '',
  ].join('\n');
}

/** The module with the traits that are enforced when a command runs. */
function commandTraitsModule(subjects: CommandSubjects): string {
  return [
    '// Generated from commands.ts by `npm run generate`; not edited by hand.',
    "import type { CommandTraits } from '../commandDeclaration';",
    "import type { CommandId } from './commandIds';",
    '',
    '/** What each command may do and what it needs. */',
    'export const COMMAND_TRAITS: Readonly<Record<CommandId, CommandTraits>> = {',
    ...commandsOf(subjects).map(
      ([id, { movesFunds, needsTrust, argument }]) =>
        `  '${id}': { movesFunds: ${movesFunds}, needsTrust: ${needsTrust}, argument: '${argument}' },`,
    ),
    '};',
    '',
  ].join('\n');
}

function titleKey(id: string): string {
  return `command.${id.slice(NAMESPACE.length)}.title`;
}
