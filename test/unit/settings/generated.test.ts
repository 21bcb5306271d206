import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { commandContributions, generatedFiles } from '../../../src/settings/generate/files';
import { fullDescription } from '../../../src/settings/generate/settingFiles';

describe('What the declarations generate', () => {
  for (const [path, text] of Object.entries(generatedFiles((name) => readFileSync(name, 'utf8')))) {
    it(`${path} is what the declarations say: run \`npm run generate\` after a change`, () => {
      assert.equal(readFileSync(path, 'utf8'), text);
    });
  }

  it('A description tells the bounds and the default of a number, and one that leaves them out is refused', () => {
    const number = { kind: 'integer', default: 3, minimum: 2, maximum: 1000, unit: 'checks' } as const;
    assert.equal(fullDescription('x', { ...number, description: 'Checks ({bounds}).' }), 'Checks (2 to 1000, 3 by default).');
    assert.throws(() => fullDescription('x', { ...number, description: 'Checks.' }), /The description of x has no \{bounds\}/);
  });

  it('A command gets its places, keys and conditions in the manifest as they are declared', () => {
    const traits = { movesFunds: false, needsTrust: false, argument: 'none' } as const;
    const inTitle = { menu: 'view/title', when: 'view == binsight.pools', group: 'navigation@1' } as const;
    const keybinding = { key: 'f1', mac: 'f2', when: 'x' };
    const { json, texts } = commandContributions({
      Pools: {
        'binsight.one': { ...traits, title: 'One', icon: 'star', inPalette: false, enablement: 'x', keybinding, menus: [inTitle] },
        'binsight.two': { ...traits, title: 'Two…', inPalette: 'y' },
        'binsight.three': { ...traits, title: 'Three', inPalette: true },
      },
    });
    const named = (id: string) => ({ command: `binsight.${id}`, title: `%command.${id}.title%`, category: 'Binsight' });
    assert.deepEqual(json, {
      commands: [{ ...named('one'), icon: '$(star)', enablement: 'x' }, named('two'), named('three')],
      menus: {
        'view/title': [{ command: 'binsight.one', when: inTitle.when, group: inTitle.group }],
        commandPalette: [
          { command: 'binsight.one', when: 'false' },
          { command: 'binsight.two', when: 'y' },
        ],
      },
      keybindings: [{ command: 'binsight.one', ...keybinding }],
    });
    assert.deepEqual(texts, { 'command.one.title': 'One', 'command.two.title': 'Two…', 'command.three.title': 'Three' });
  });
});
