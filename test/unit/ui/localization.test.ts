import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getL10nJson } from '@vscode/l10n-dev';

/** The TypeScript files under a folder. */
function sources(folder: string): { extension: '.ts'; contents: string }[] {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => ({ extension: '.ts' as const, contents: readFileSync(join(folder, name), 'utf8') }))
    .filter(({ contents }) => contents.includes('l10n.t'));
}

function readStrings(file: string): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
}

describe('Localization', () => {
  it('The catalogue holds exactly the texts that the code uses: run `npm run l10n` after a text has changed', async () => {
    const catalogue = readStrings(join('media', 'l10n', 'bundle.l10n.json'));
    assert.deepEqual(Object.keys(catalogue).sort(), Object.keys(await getL10nJson([...sources('src'), ...sources('webview')])).sort());
  });

  it('The file package.nls.json contains exactly the texts that the manifest uses', () => {
    const manifest = readFileSync('package.json', 'utf8');
    const used = [...manifest.matchAll(/"%([\w.]+)%"/g)].map(([, key]) => key ?? '');
    assert.deepEqual([...new Set(used)].sort(), Object.keys(readStrings('package.nls.json')).sort());
  });
});
