import type { CommandDeclaration, CommandSubjects } from '../commandDeclaration';
import type { Contribution } from './settingFiles';

const NAMESPACE = 'binsight.';
const CATEGORY = 'Binsight';

/** All commands, by id. */
function commandsOf(subjects: CommandSubjects): readonly (readonly [string, CommandDeclaration])[] {
  return Object.values(subjects).flatMap((commands) => Object.entries(commands));
}

/** `commands`, `menus` and `keybindings` of `contributes` in package.json. */
export function commandContributions(subjects: CommandSubjects): Contribution<Readonly<Record<string, unknown>>> {
  const commands = commandsOf(subjects);
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
export function commandIdsModule(subjects: CommandSubjects): string {
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
export function commandTraitsModule(subjects: CommandSubjects): string {
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
