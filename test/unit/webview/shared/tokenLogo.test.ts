import assert from 'node:assert/strict';
import fc from 'fast-check';
import { LOGO_COLORS, tokenLogoOf } from '../../../../webview/shared/tokenLogo';

describe('Token logo', () => {
  for (const [symbol, letters] of [
    ['SOL', 'SOL'],
    ['$wif', 'WIF'],
    ['USDC', 'USD'],
    ['x', 'X'],
    ['币安人生', '币安人'],
    ['🐸', '?'],
    ['', '?'],
    ['<b>', 'B'],
  ] as const) {
    it(`The logo of "${symbol}" shows ${letters}`, () => {
      const logo = tokenLogoOf(symbol, 'address');
      assert.deepEqual([logo.letters, logo.length], [letters, Array.from(letters).length]);
    });
  }

  it('A logo is always the same for its token, with two colors', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'Z', '7', '$', 'é', '币', '🐸', '\u0301', '\ufdfa', '<', ' ') }),
        fc.string(),
        (symbol, address) => {
          const logo = tokenLogoOf(symbol, address);
          assert.deepEqual(logo, tokenLogoOf(symbol, address));
          assert.notEqual(logo.color, logo.secondColor);
          for (const color of [logo.color, logo.secondColor]) {
            assert.ok(Number.isInteger(color) && color >= 0 && color < LOGO_COLORS);
          }
          assert.ok(logo.length >= 1 && logo.length <= 3 && logo.parts >= 1 && logo.parts <= 8);
        },
      ),
    );
  });

  it('Different tokens with the same symbol have different logos', () => {
    const looks = new Set(Array.from({ length: 100 }, (_, index) => JSON.stringify(tokenLogoOf('USDC', `address ${index}`))));
    assert.ok(looks.size > 60, `${looks.size} of 100 look different`);
  });
});
