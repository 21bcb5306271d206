import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parseSync, Visitor } from 'oxc-parser';

/** The contents of the TypeScript files under a folder that have text for users. */
function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .filter((contents) => contents.includes('l10n.t'));
}

/** The catalog's keys of the texts in a file: `npm run l10n` finds the same ones, and takes twenty seconds for all files. */
function keysOf(contents: string): string[] {
  const keys: string[] = [];
  const isLocalization = (start: number): boolean => contents.startsWith('l10n.t', start);
  new Visitor({
    TaggedTemplateExpression({ tag, quasi }) {
      if (isLocalization(tag.start)) {
        keys.push(
          quasi.quasis.map(({ value: { cooked, raw } }, index) => `${index === 0 ? '' : `{${index - 1}}`}${cooked ?? raw}`).join(''),
        );
      }
    },
    CallExpression({ callee, arguments: [text] }) {
      if (isLocalization(callee.start) && contents.slice(callee.start, callee.end) === 'l10n.t') {
        assert.ok(
          text?.type === 'Literal' && typeof text.value === 'string',
          `not a plain text: ${contents.slice(callee.start, callee.end + 60)}`,
        );
        keys.push(text.value);
      }
    },
  }).visit(parseSync('source.ts', contents).program);
  return keys;
}

function readStrings(file: string): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
}

describe('Localization', () => {
  it('The catalog holds exactly the texts that the code uses: run `npm run l10n` after a text has changed', () => {
    const catalog = readStrings(join('media', 'l10n', 'bundle.l10n.json'));
    const used = new Set([...sources('src'), ...sources('webview')].flatMap(keysOf));
    assert.deepEqual(Object.keys(catalog).sort(), [...used].sort());
  });

  it('The file package.nls.json contains exactly the texts that the manifest uses', () => {
    const manifest = readFileSync('package.json', 'utf8');
    const used = [...manifest.matchAll(/"%([\w.]+)%"/g)].map(([, key]) => key ?? '');
    assert.deepEqual([...new Set(used)].sort(), Object.keys(readStrings('package.nls.json')).sort());
  });

  for (const { language, bundle, manifest } of translations()) {
    it(`The translation to ${language} has every text of the catalog and of the manifest, and no other`, () => {
      assert.deepEqual(Object.keys(readStrings(bundle)).sort(), Object.keys(readStrings(join('media', 'l10n', 'bundle.l10n.json'))).sort());
      assert.deepEqual(Object.keys(readStrings(manifest)).sort(), Object.keys(readStrings('package.nls.json')).sort());
    });

    it(`The translation to ${language} keeps placeholders, icons, settings and formatting of each text`, () => {
      const texts = [...Object.entries(readStrings(bundle)), ...translatedPairs(readStrings('package.nls.json'), readStrings(manifest))];
      assert.deepEqual(
        texts.filter(([text, translation]) => !isDeepStrictEqual(fixedPartsOf(text), fixedPartsOf(translation))),
        [],
      );
    });
  }
});

interface Translation {
  /** "zh-cn" */
  readonly language: string;
  readonly bundle: string;
  readonly manifest: string;
}

function translations(): readonly Translation[] {
  const found = readdirSync(join('media', 'l10n')).flatMap((name) => {
    const language = /^bundle\.l10n\.([\w-]+)\.json$/.exec(name)?.[1];
    return language === undefined ? [] : [{ language, bundle: join('media', 'l10n', name), manifest: `package.nls.${language}.json` }];
  });
  assert.ok(found.length > 0);
  return found;
}

function translatedPairs(texts: Readonly<Record<string, string>>, translated: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(texts).map(([key, text]) => [text, translated[key] ?? '']);
}

/** What a translation must not change: "{0}", "$(warning)", "**", `code`, links to settings and commands, and line breaks. */
function fixedPartsOf(text: string): readonly string[] {
  return [...text.matchAll(/\{\w+\}|\$\([\w~-]+\)|\*\*|`[^`]*`|#binsight[\w.]+#|\(command:[^)]*\)|\(https?:[^)]*\)|\n/g)]
    .map(([part]) => part)
    .sort();
}
