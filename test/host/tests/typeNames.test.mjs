import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../paths.mjs';

const DECLARATION = /^export (?:declare )?(?:abstract )?(?:interface|type|class) (\w+)/gm;

describe('names of exported types', () => {
  it('A name stands for one exported type in all modules', () => {
    /** @type {Map<string, string[]>} */
    const files = new Map();
    for (const folder of ['src', 'webview']) {
      for (const name of readdirSync(join(projectRoot, folder), { recursive: true }).map(String)) {
        if (!name.endsWith('.ts')) continue;
        const text = readFileSync(join(projectRoot, folder, name), 'utf8');
        for (const [, type] of text.matchAll(DECLARATION)) files.set(type, [...(files.get(type) ?? []), join(folder, name)]);
      }
    }
    assert.ok(files.size > 500, `only ${files.size} types were found`);
    assert.deepEqual(
      [...files].filter(([, places]) => places.length > 1),
      [],
    );
  });
});
