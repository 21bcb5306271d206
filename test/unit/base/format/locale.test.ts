import assert from 'node:assert/strict';
import fc from 'fast-check';
import { WarmLocale } from '../../../../src/base/format/locale';
import { sol, signedUsd, solToTheLamport, usd } from '../../../../src/base/format/money';
import { signedPercent } from '../../../../src/base/format/percent';
import { price } from '../../../../src/base/format/amounts';
import { exactTime, relativeTime } from '../../../../src/base/format/time';

describe('Locale with reusable formatters', () => {
  for (const tag of ['en-US', 'de-DE', 'ar-EG', 'ja']) {
    it(`The reusable formatters write like Intl does for ${tag}`, () => {
      const warm = new WarmLocale(tag);
      fc.assert(
        fc.property(fc.double({ min: -1e17, max: 1e17, noNaN: true }), (value) => {
          for (const write of [usd, signedUsd, sol, solToTheLamport, signedPercent, price]) {
            assert.equal(write(value, warm), write(value, tag));
          }
        }),
      );
      const at = new Date(Date.UTC(2026, 10, 20, 10, 3, 12));
      assert.equal(exactTime(at, warm, 'UTC'), exactTime(at, tag, 'UTC'));
      assert.equal(exactTime(at, warm, 'Asia/Tokyo'), exactTime(at, tag, 'Asia/Tokyo'));
      assert.equal(relativeTime(at, at.getTime() + 7_200_000, warm), relativeTime(at, at.getTime() + 7_200_000, tag));
    });
  }

  it('A locale creates each formatter once and reuses it', () => {
    const warm = new WarmLocale('en-US');
    const twoPlaces = { maximumFractionDigits: 2 };
    assert.equal(warm.numbers(twoPlaces, 'negative'), warm.numbers(twoPlaces, 'negative'));
    assert.equal(warm.numbers(twoPlaces, 'negative'), warm.numbers({ maximumFractionDigits: 2 }, 'negative'));
    assert.notEqual(warm.numbers(twoPlaces, 'negative'), warm.numbers({ maximumFractionDigits: 3 }, 'negative'));
    assert.notEqual(warm.numbers(twoPlaces, 'negative'), warm.numbers(twoPlaces, 'always'));
    assert.equal(warm.dates({ year: 'numeric' }), warm.dates({ year: 'numeric' }));
  });
});
