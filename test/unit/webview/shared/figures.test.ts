import assert from 'node:assert/strict';
import { figuresOf, gainOrLoss, inCurrency, nonBreaking } from '../../../../webview/shared/figures';

const MONEY = { usd: -1234.5, native: 0.0123456789 };

describe('Figures', () => {
  const { text } = figuresOf('en-US');

  it('Figures are written in the requested currency', () => {
    assert.equal(inCurrency(MONEY, 'usd'), -1234.5);
    assert.equal(inCurrency(MONEY, 'native'), 0.0123456789);
    assert.equal(inCurrency(undefined, 'usd'), undefined);
    assert.deepEqual(
      [text.money(MONEY, 'usd'), text.signedMoney(MONEY, 'native'), text.exactMoney(MONEY, 'native')],
      ['−$1,234.50', '+0.0123 SOL', '0.012345679 SOL'],
    );
  });

  it('A figure is a gain, a loss or neither', () => {
    assert.deepEqual(
      [5, -5, 0, undefined, NaN].map((value) => gainOrLoss(value)),
      ['gain', 'loss', '', '', ''],
    );
  });

  it('All unknown figures are written as the same dash', () => {
    const unknown = [
      text.money(undefined, 'usd'),
      text.money({}, 'native'),
      text.percent(undefined),
      text.fraction(undefined),
      text.count(undefined),
      text.age(undefined),
      text.exact(undefined),
      text.clock(undefined),
      text.address(undefined),
      text.price(undefined),
      text.bins(1, undefined),
    ];
    assert.deepEqual([...new Set(unknown)], ['–']);
  });

  it('Percentages are written as they are, and fractions as percentages', () => {
    assert.deepEqual([text.percent(5), text.fraction(0.05), text.signedFraction(-0.05)], ['5%', '5%', '−5%']);
  });

  it('Figures are written in the language of the editor', () => {
    assert.equal(figuresOf('de').text.usd(1234.5), '1.234,50\u00a0$');
    assert.equal(figuresOf('de').text.count(12345), '12.345');
  });

  it('A figure is never split at the end of a line', () => {
    assert.equal(
      nonBreaking(`Best ${text.signedMoney({ usd: 5 }, 'usd')}, worst ${text.signedMoney({ usd: -5 }, 'usd')}, 1 − 2`),
      'Best +\u2060$5.00, worst −\u2060$5.00, 1 − 2',
    );
    assert.equal(nonBreaking(`by ${text.percent(2.5)} (3 bins)`), 'by 2.5% (3 bins)');
  });

  it('Figures are written in a default language if the language is invalid', () => {
    assert.equal(figuresOf('not a language').text.count(12345), '12,345');
    assert.equal(figuresOf('').text.count(12345), '12,345');
  });
});
