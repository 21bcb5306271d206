import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { escapedHtml } from '../../../../src/ui/shell/views/html';
import { FIRST_SCRIPT, FIRST_STYLES, panelHtml, type PanelPage, replacedHtml } from '../../../../src/ui/panels/panelHtml';

const PAGE: PanelPage = {
  language: 'en',
  messages: undefined,
  ...{ id: 'pool', title: 'BONK/SOL', subject: 'address', nonce: 'bm9uY2U', cspSource: 'https://*.webview.example' },
  ...{ script: 'https://files.webview.example/pool.js', style: 'https://files.webview.example/pool.css' },
};
/** webview/shared/page.css with what it imports of ours. */
const PAGE_STYLES = stylesOf('page.css');

function stylesOf(name: string): string {
  return readFileSync(join('webview', 'shared', name), 'utf8').replaceAll(/@import '\.\/([\w-]+\.css)';/g, (_, imported: string) =>
    stylesOf(imported),
  );
}

/** What a browser makes of a text between quotes or tags. */
function unescaped(text: string): string {
  const characters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => characters[name] ?? '');
}

const attribute = (html: string, name: string): string => unescaped(new RegExp(`${name}="([^"]*)"`).exec(html)?.[1] ?? assert.fail(name));

function policyOf(html: string): ReadonlyMap<string, readonly string[]> {
  const meta = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(html)?.[1] ?? assert.fail('no policy');
  return new Map(
    unescaped(meta)
      .split('; ')
      .map((directive) => [directive.split(' ')[0] ?? '', directive.split(' ').slice(1)]),
  );
}

describe('The page of a panel whose files were replaced', () => {
  it('It says to reload the window, with a link, and needs no file and no script', () => {
    const html = replacedHtml('en');
    assert.match(html, /Binsight was updated\. This window signs nothing more\. Reload the window\./);
    assert.equal(attribute(html, 'href'), 'command:workbench.action.reloadWindow');
    assert.doesNotMatch(html, /<script|<link|src=/);
    assert.deepEqual([policyOf(html).get('default-src'), policyOf(html).get('script-src')], [["'none'"], undefined]);
  });
});

describe('The page of a panel', () => {
  it('The page’s policy allows only its own script by nonce and files from the extension’s folder', () => {
    assert.deepEqual(
      [...policyOf(panelHtml(PAGE))],
      [
        ['default-src', ["'none'"]],
        ['img-src', [PAGE.cspSource]],
        ['font-src', [PAGE.cspSource]],
        ['style-src', [PAGE.cspSource, `'nonce-${PAGE.nonce}'`]],
        ['script-src', [`'nonce-${PAGE.nonce}'`]],
        ['base-uri', ["'none'"]],
        ['form-action', ["'none'"]],
      ],
    );
    assert.doesNotMatch(panelHtml(PAGE), /unsafe-|strict-dynamic/);
  });

  it('The policy precedes anything that loads, and the page gives the toolkit the nonce', () => {
    const html = panelHtml(PAGE);
    assert.ok(html.indexOf('Content-Security-Policy') < html.indexOf('<style') && html.indexOf('<style') < html.indexOf('<script'));
    assert.match(html, new RegExp(`<meta property="csp-nonce" content="${PAGE.nonce}">`));
  });

  it('The page has one constant script and no style attributes or event handlers', () => {
    for (const id of ['pool', 'overview', 'position'] as const) {
      const html = panelHtml({ ...PAGE, id });
      assert.deepEqual(html.match(/<script.*?<\/script>/gs), [
        `<script nonce="${PAGE.nonce}" data-script="${PAGE.script}" data-style="${PAGE.style}">${FIRST_SCRIPT}</script>`,
      ]);
      assert.deepEqual(html.match(/<style.*?<\/style>/gs), [`<style nonce="${PAGE.nonce}">${FIRST_STYLES}</style>`]);
      assert.doesNotMatch(html.replace(FIRST_SCRIPT, ''), /\sstyle=|\son\w+=|javascript:/i);
    }
  });

  it('The page references nothing that VS Code would wait for before showing it', () => {
    assert.doesNotMatch(panelHtml(PAGE), /<link|\ssrc=|@import|url\(/);
  });

  it('The page initially looks the same as with its style sheet', () => {
    const declarations = (css: string, rule: RegExp): readonly string[] =>
      [...css.matchAll(rule)]
        .flatMap(([, selector = '', body = '']) =>
          body.split(';').map((line) => `${selector.replaceAll(/\s+/g, '')} ${line.replaceAll(/\s+/g, '')}`),
        )
        .filter((line) => !line.endsWith(' '));
    const root = new Map([...PAGE_STYLES.matchAll(/^ {2}(--[\w-]+): (.*);$/gm)].map(([, name = '', value = '']) => [name, value]));
    const whole = PAGE_STYLES.replaceAll(/\/\*.*?\*\//gs, '').replaceAll(
      /var\((--[\w-]+)\)/g,
      (asked, name: string) => root.get(name) ?? asked,
    );
    const later = new Set(declarations(whole, /([^{}]+)\{([^{}]*)\}/g));
    // h1 shares a rule with the other headings, and has its size in another.
    const missing = declarations(FIRST_STYLES, /([^{}]+)\{([^{}]*)\}/g).filter(
      (declaration) => !later.has(declaration) && !later.has(declaration.replace(/^h1 /, 'h1,h2,h3 ')),
    );
    assert.deepEqual(missing, []);
    assert.ok(later.size > 50);
  });

  it('The page shows its title and placeholders for the cards before a script runs', () => {
    const html = panelHtml(PAGE);
    assert.match(html, /<h1>BONK\/SOL<\/h1>/);
    assert.ok((html.match(/class="card /g) ?? []).length >= 4);
    assert.match(html, /aria-busy="true"/);
    assert.match(html, /role="status">Loading…</);
  });

  it('The page treats any title and subject as text', () => {
    const hostile = ['"><script>alert(1)</script>', `' onload='x`, '&quot;', '</title><img src=x>', '${x}', '$& $1'];
    fc.assert(
      fc.property(fc.oneof(fc.constantFrom(...hostile), fc.string()), (text) => {
        const html = panelHtml({ ...PAGE, title: text, subject: text });
        assert.equal(attribute(html, 'data-subject'), text);
        assert.equal(unescaped(/<h1>(.*?)<\/h1>/s.exec(html)?.[1] ?? ''), text);
        assert.equal((html.match(/<script/g) ?? []).length, 1);
        assert.doesNotMatch(html, /<img/);
      }),
    );
  });

  it('Escaping leaves no character with a meaning in HTML and can be reversed', () => {
    fc.assert(fc.property(fc.string(), (text) => !/[<>"']/.test(escapedHtml(text)) && unescaped(escapedHtml(text)) === text));
  });
});
