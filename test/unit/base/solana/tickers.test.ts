import assert from 'node:assert/strict';
import { KNOWN_TOKENS } from '../../../../src/base/solana/programs';
import { tickerText } from '../../../../src/base/solana/tickers';
import { MINT } from '../../../support/review/bundles';

describe('Tickers', () => {
  it('Only the mint that a well-known ticker belongs to is shown with it alone, whatever the service calls either', () => {
    for (const [mint, { symbol }] of KNOWN_TOKENS) {
      assert.equal(tickerText('anything', mint), symbol);
      assert.equal(tickerText(symbol, MINT), `"${symbol}" (not ${symbol}, but ${MINT})`);
      assert.equal(tickerText(symbol.toLowerCase(), MINT, 'short'), `"${symbol.toLowerCase()}" (not ${symbol}, but short)`);
    }
    assert.equal(tickerText('BONK', MINT), 'BONK');
  });
});
