import assert from 'node:assert/strict';
import { figuresOf, gainOrLoss, inCurrency, nonBreaking } from '../../../../webview/shared/figures';

const MONEY = { usd: -1234.5, native: 0.0123456789 };

describe('figures', () => {
  const { text } = figuresOf('en-US');

  it('are of the currency that is asked for', () => {
    assert.equal(inCurrency(MONEY, 'usd'), -1234.5);
    assert.equal(inCurrency(MONEY, 'native'), 0.0123456789);
    assert.equal(inCurrency(undefined, 'usd'), undefined);
    assert.deepEqual(
      [text.money(MONEY, 'usd'), text.signedMoney(MONEY, 'native'), text.exactMoney(MONEY, 'native')],
      ['−$1,234.50', '+0.0123 SOL', '0.012345679 SOL'],
    );
  });

  it('are gains, losses or neither', () => {
    assert.deepEqual(
      [5, -5, 0, undefined, NaN].map((value) => gainOrLoss(value)),
      ['gain', 'loss', '', '', ''],
    );
  });

  it('that are not known are all written in one way', () => {
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

  it('tell percent from fractions', () => {
    assert.deepEqual([text.percent(5), text.fraction(0.05), text.signedFraction(-0.05)], ['5%', '5%', '−5%']);
  });

  it('are written in the language of the editor', () => {
    assert.equal(figuresOf('de').text.usd(1234.5), '1.234,50\u00a0$');
    assert.equal(figuresOf('de').text.count(12345), '12.345');
  });

  it('stay whole where a line of a sentence ends', () => {
    assert.equal(
      nonBreaking(`Best ${text.signedMoney({ usd: 5 }, 'usd')}, worst ${text.signedMoney({ usd: -5 }, 'usd')}, 1 − 2`),
      'Best +\u2060$5.00, worst −\u2060$5.00, 1 − 2',
    );
    assert.equal(nonBreaking(`by ${text.percent(2.5)} (3 bins)`), 'by 2.5% (3 bins)');
  });

  it('are written even where there is no such language', () => {
    assert.equal(figuresOf('not a language').text.count(12345), '12,345');
    assert.equal(figuresOf('').text.count(12345), '12,345');
  });
});
