import { told } from '../../../src/base/reasons/reason';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { withOwnLinksOnly } from '../../../src/ui/shell/views/text';
import { explorerOfTransaction } from '../../../src/ui/shell/explorer';
import { operationDocument } from '../../../src/ui/activity/operationDocument';
import { describeDetails } from '../../../src/review/describe/details';
import { addressOf } from '../../support/portfolio/fixtures';
import { record, SIGNATURE, SUBMITTED } from '../../support/ui/journalRecords';
import { reviewWith } from '../../support/ui/reviews';

/** What VS Code makes a link of in a document: these schemes, wherever they stand. */
const LINK = /(?:https?|file|ftp|vscode):\/\/\S+/gi;
const linksIn = (text: string): readonly string[] => text.match(LINK) ?? [];

describe('Links in documents', () => {
  it('A document links only to the explorer, even if a token or the service names another address', () => {
    const { markdown } = operationDocument(
      record([...SUBMITTED, { kind: 'failed', reason: told('Claim at https://evil.example/now') }], {
        service: 'https://service.example',
        pairName: 'https://evil.example/SOL',
      }),
    );
    const links = linksIn(withOwnLinksOnly(markdown));
    assert.ok(links.includes(`${explorerOfTransaction(SIGNATURE)}>`));
    assert.deepEqual(
      links.filter((link) => !link.startsWith('https://solscan.io/tx/')),
      [],
    );
  });

  it('A review document has no links, whatever the token’s name and the findings contain', () => {
    const review = reviewWith('confirm', [{ rule: 'MEM-1', verdict: 'confirm', message: 'A memo says https://evil.example.' }], {
      minimumOut: [{ mint: addressOf(700), amountRaw: 5n, from: 'Jupiter' }],
    });
    const markdown = describeDetails(review, () => ({ symbol: 'https://evil.example', decimals: 0 }), [
      'Should come back: https://evil.example',
    ]);
    assert.ok(linksIn(markdown).length > 0);
    assert.deepEqual(linksIn(withOwnLinksOnly(markdown)), []);
  });

  it('A document keeps everything except foreign links unchanged', () => {
    const own = `- \`${SIGNATURE}\`: <${explorerOfTransaction(SIGNATURE)}>`;
    assert.equal(withOwnLinksOnly(`# BONK/SOL\n\n${own}\n`), `# BONK/SOL\n\n${own}\n`);
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string(), fc.webUrl(), fc.constant(own), fc.constant('<https://solscan.io/tx/../evil>'))),
        (parts) => {
          const text = withOwnLinksOnly(parts.join(' '));
          assert.deepEqual(
            linksIn(text).filter((link) => link !== `${explorerOfTransaction(SIGNATURE)}>`),
            [],
          );
          assert.equal(text.split(own).length, parts.join(' ').split(own).length);
        },
      ),
    );
  });
});
