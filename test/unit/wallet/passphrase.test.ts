import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { passphraseBytes, problemOfNewPassphrase, SHORTEST_PASSPHRASE } from '../../../src/wallet/passphrase';

describe('A new passphrase', () => {
  it('A passphrase of sufficient length and variety is accepted', () => {
    for (const text of [
      'correct horse battery',
      'abcdefghijkl',
      '12345678901234567890',
      'пароль из слов',
      '密碼短語需要十二個字才夠長',
      'a'.repeat(3) + 'bcdefghij',
    ]) {
      assert.equal(problemOfNewPassphrase(text), undefined, text);
    }
  });

  it('A refused passphrase is reported with the reason, and the reason does not quote it', () => {
    for (const [text, reason] of [
      ['', /Enter a passphrase/],
      ['qwert', /At least 12 characters \(now 5\)/],
      ['abcdefghijk', /At least 12/],
      // Six characters of two units each.
      ['🙂🙃😀😁😂🤣', /now 6/],
      [' correct horse battery', /space/],
      ['correct horse battery\n', /space/],
      ['aaaaaaaaaaaaaaaa', /easy to guess/],
      ['abababababab', /easy to guess/],
      ['abcdefgh'.repeat(40), /At most 256/],
    ] as const) {
      const problem = problemOfNewPassphrase(text) ?? '';
      assert.match(problem, reason, text);
      assert.ok(text.length < 5 || !problem.includes(text));
    }
  });

  it('A passphrase shorter than the minimum length is never accepted', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: SHORTEST_PASSPHRASE - 1, unit: 'grapheme-composite' }), (text) => {
        fc.pre(Array.from(text.normalize('NFKC')).length < SHORTEST_PASSPHRASE);
        assert.notEqual(problemOfNewPassphrase(text), undefined);
      }),
    );
  });

  it('A passphrase gives the same bytes in every Unicode composition of its letters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        assert.deepEqual(passphraseBytes(text.normalize('NFD')), passphraseBytes(text.normalize('NFC')));
      }),
    );
  });
});
