import { told } from '../../../src/base/reasons/reason';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describeDetails } from '../../../src/review/describe/details';
import { operationDocument } from '../../../src/ui/activity/operationDocument';
import { explorerOfTransaction } from '../../../src/ui/shell/explorer';
import { documentHtml } from '../../../src/ui/shell/views/documentHtml';
import { documentPage } from '../../../src/ui/shell/views/documentPage';
import { documentSentence, escapedMarkdown } from '../../../src/ui/shell/views/text';
import { record, SIGNATURE, SUBMITTED } from '../../support/ui/journalRecords';
import { reviewWith } from '../../support/ui/reviews';

/** The text that a reader sees in a page. */
function readable(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

describe('A rendered document', () => {
  it('A document is shown as headings, paragraphs, tables, quotes, lists and code', () => {
    const html = documentHtml(
      '# Zap out of BONK/SOL\n\nIt landed.\n\n> Slippage \\> 1%\n\n- Pool: `5x`\n- Share: 50%\n\n- one\n- two: 2\n\n| Position | Value |\n| --- | --- |\n| A\\|B | $1,234.50 |\n',
    );
    assert.equal(
      html,
      [
        '<h1>Zap out of BONK/SOL</h1>',
        '<p>It landed.</p>',
        '<blockquote>Slippage &gt; 1%</blockquote>',
        '<table class="facts"><tbody><tr><th scope="row">Pool</th><td><code>5x</code></td></tr><tr><th scope="row">Share</th><td>50%</td></tr></tbody></table>',
        '<ul><li>one</li><li>two: 2</li></ul>',
        '<div class="wide"><table><thead><tr><th scope="col">Position</th><th scope="col">Value</th></tr></thead><tbody><tr><td>A|B</td><td class="figure">$1,234.50</td></tr></tbody></table></div>',
      ].join('\n'),
    );
  });

  it('A document links to the explorer only, and loads nothing, whatever names and messages contain', () => {
    const isOwnLink = (tag: string) => /^<a href="https:\/\/solscan\.io\/tx\/[1-9A-Za-z]{64,88}">$/.test(tag);
    const { markdown } = operationDocument(
      record(
        [...SUBMITTED, { kind: 'failed', reason: told('[Claim](https://evil.example) ![x](https://evil.example/x.png) <img src=x>') }],
        { service: 'https://service.example', pairName: '<script>alert(1)</script>/SOL' },
      ),
    );
    assert.ok(documentHtml(markdown).includes(`<a href="${explorerOfTransaction(SIGNATURE)}">`));
    const hostile = fc.oneof(
      fc.string(),
      fc.constantFrom('<script>', '`', '\\', '<a href="x">', '](https://evil.example)', '| ', '\n', '- ', '> '),
    );
    fc.assert(
      fc.property(fc.array(hostile), (parts) => {
        const html = documentHtml(`${markdown}\n\n${parts.join('')}`);
        const tags = html.match(/<[^>]*>/g) ?? [];
        const foreign = tags.filter(
          (tag) =>
            !isOwnLink(tag) &&
            !/^<\/?(?:h[1-3]|p|ul|li|blockquote|table|thead|tbody|tr|td|th|div|code|a|br)(?: (?:class="(?:facts|figure|wide)"|scope="(?:row|col)"))?>$/.test(
              tag,
            ),
        );
        assert.deepEqual(foreign, []);
      }),
    );
  });

  it('The reader sees escaped texts as they were', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
        const line = text.replaceAll(/\s+/g, ' ').trim();
        assert.equal(readable(documentHtml(`# ${documentSentence(line)}`)), line);
      }),
    );
    assert.equal(readable(documentHtml(`# ${escapedMarkdown('A&B_<x>|(1.0)')}`)), 'A&B_<x>|(1.0)');
  });

  it('The details of a review are a page with its findings and facts by name', () => {
    const html = documentHtml(describeDetails(reviewWith('confirm', [{ rule: 'TIP-2', verdict: 'confirm', message: 'The tip is high.' }])));
    assert.match(
      html,
      /<h2>Findings<\/h2>\n<table class="facts"><tbody><tr><th scope="row">Confirm \(TIP-2\)<\/th><td>The tip is high\.<\/td>/,
    );
    assert.match(html, /<th scope="row">Goes to<\/th>/);
  });

  it('The page of a document runs no script, loads nothing, and begins below the list that leads back to a question', () => {
    const page = (place?: 'belowQuestion') =>
      documentPage({ title: '"><script>', markdown: '# <script>https://evil.example', place, nonce: 'abc', language: 'en' });
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(page())?.[1] ?? '';
    assert.deepEqual(readable(policy).split('; ').toSorted(), [
      "base-uri 'none'",
      "default-src 'none'",
      "form-action 'none'",
      "style-src 'nonce-abc'",
    ]);
    assert.doesNotMatch(page(), /<script|<link|<img|<iframe|https:\/\/evil|@import|url\(/);
    assert.match(page('belowQuestion'), /<body class="below-question">/);
    assert.match(page(), /<body>/);
  });
});
