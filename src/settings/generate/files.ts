import { COMMANDS } from '../commands';
import { SECTIONS } from '../settings';
import { commandContributions, commandIdsModule, commandTraitsModule } from './commandFiles';
import { readmeCommands, readmeSettings, settingsDocument } from './documents';
import { configurationOf, restrictedSettings, settingsModule } from './settingFiles';

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
    'src/settings/generated/settings.ts': settingsModule(SECTIONS),
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
