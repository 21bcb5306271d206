import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { generatedFiles } from '../../../src/settings/generate/files';
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
});
