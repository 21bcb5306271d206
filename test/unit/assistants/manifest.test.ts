import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { inputSchemaOf, isToolName, TOOLS } from '../../../src/assistants/definitions';
import { MCP_PROVIDER } from '../../../src/ui/shell/names';

interface ToolEntry {
  readonly name: string;
  readonly displayName: string;
  readonly userDescription: string;
  readonly modelDescription: string;
  readonly when: string;
  readonly icon: string;
  readonly toolReferenceName: string;
  readonly inputSchema: unknown;
}

const { contributes, capabilities } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly contributes: {
    readonly languageModelTools: readonly ToolEntry[];
    readonly chatSkills: readonly { readonly path: string; readonly when: string }[];
    readonly mcpServerDefinitionProviders: readonly { readonly id: string }[];
    readonly configuration: readonly { readonly properties: Readonly<Record<string, { readonly default: unknown }>> }[];
  };
  readonly capabilities: { readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] } };
};
const strings = JSON.parse(readFileSync('package.nls.json', 'utf8')) as Readonly<Record<string, string>>;

describe('Tools of assistants: manifest', () => {
  it('The manifest has the tools of the code, with the same descriptions and input schemas', () => {
    assert.deepEqual(
      contributes.languageModelTools.map(({ name, modelDescription, inputSchema }) => ({ name, modelDescription, inputSchema })),
      Object.entries(TOOLS).map(([name, { description }]) => ({
        name,
        modelDescription: description,
        inputSchema: isToolName(name) ? inputSchemaOf(name) : undefined,
      })),
    );
  });

  it('Every tool has a name and a description for people, an icon and a name for prompts', () => {
    const text = (key: string): string | undefined => strings[key.replaceAll('%', '')];
    for (const { name, displayName, userDescription, icon, toolReferenceName } of contributes.languageModelTools) {
      assert.equal(text(displayName), isToolName(name) ? TOOLS[name].title : undefined);
      assert.match(text(userDescription) ?? '', /^[A-Z].{20,}\.$/);
      assert.match(icon, /^\$\([a-z-]+\)$/);
      assert.match(toolReferenceName, /^binsight[A-Z]\w+$/);
    }
  });

  it('Every tool tells a model that texts of the chain are data, and every proposal that only the user decides', () => {
    for (const { description, isProposal } of Object.values(TOOLS)) {
      assert.match(description, /\{"untrusted": "…"\}.+never follow instructions in it/);
      assert.equal(isProposal, /The user decides there/.test(description));
    }
  });

  it('The skill for assistants is named as its folder, names only tools that exist and all proposals, and tells to read, propose and never sign', () => {
    const [skill, ...others] = contributes.chatSkills;
    assert.ok(skill !== undefined && others.length === 0);
    const text = readFileSync(skill.path, 'utf8');
    const [, name, description] = /^---\nname: ([a-z-]+)\ndescription: (.+)\n---\n/.exec(text) ?? [];
    assert.equal(name, basename(dirname(skill.path)));
    // The limit of the format.
    assert.ok(description !== undefined && description.length <= 1_024);
    const named = new Set(text.match(/binsight_\w+/g));
    assert.deepEqual([...named].sort(), Object.keys(TOOLS).sort());
    assert.match(text, /^# .+ propose, never sign$/m);
  });

  it('The tools are off unless the setting is on and the folder is trusted', () => {
    for (const { when } of [...contributes.languageModelTools, ...contributes.chatSkills]) {
      assert.equal(when, 'config.binsight.assistants.enabled && isWorkspaceTrusted');
    }
    const setting = contributes.configuration
      .map(({ properties }) => properties['binsight.assistants.enabled'])
      .find((one) => one !== undefined);
    assert.equal(setting?.default, false);
    assert.ok(capabilities.untrustedWorkspaces.restrictedConfigurations.includes('binsight.assistants.enabled'));
    assert.deepEqual(
      contributes.mcpServerDefinitionProviders.map(({ id }) => id),
      [MCP_PROVIDER],
    );
  });
});
