import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What makes markup out of a text, or a link. */
const MARKUP = /<a[\s>]|\bhref\s*=|unsafeHTML|unsafeStatic|\b(?:inner|outer)HTML\b|insertAdjacentHTML|document\.write/;

describe('The panels', () => {
  it('Panels write external text as plain text, so that it never becomes markup or a link', () => {
    const files = readdirSync('webview', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    assert.ok(files.length > 20);
    const found = files.flatMap((name) =>
      readFileSync(join('webview', name), 'utf8')
        .split('\n')
        .flatMap((line, index) => (MARKUP.test(line) ? [`webview/${name}:${index + 1}: ${line.trim()}`] : [])),
    );
    assert.deepEqual(found, []);
  });
});
