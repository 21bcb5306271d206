import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { maxBinIdOf, uiPriceOfBin } from '../../../../src/base/dlmm/bins';
import { type RangeContext, readRangeText } from '../../../../src/base/dlmm/rangeText';

/** 1% steps around 0.0306 SOL per token. */
const CONTEXT: RangeContext = { activeBinId: -350, binStepBps: 100, decimalsX: 9, decimalsY: 9, isSwapped: false, locale: 'en-US' };
/** SOL/USDC: about 139.18 USDC per SOL. */
const SOL_USDC: RangeContext = { ...CONTEXT, activeBinId: -1973, binStepBps: 10, decimalsX: 9, decimalsY: 6 };

function read(text: string, context = CONTEXT): readonly [string, number, number] | string {
  const reading = readRangeText(text, context);
  return reading.ok ? [reading.unit, reading.range.fromBinId, reading.range.toBinId] : reading.problem;
}

describe('A typed range', () => {
  it('A range is read in bins around the active bin or from bin to bin', () => {
    for (const text of ['34', '±34', '+-34', '+/- 34', ' 34 ', '34 bins']) {
      assert.deepEqual(read(text), ['bins', -384, -316], text);
    }
    for (const text of ['-400..-300', '-400 … -300', '-400 to -300', '−400 −300', '-400:-300', '-400 - -300', '-400 to -300 bins']) {
      assert.deepEqual(read(text), ['bins', -400, -300], text);
    }
    // Two dots between bins above 0 are no decimal points.
    for (const text of ['1757..1787', '1757...1787', '1757 to 1787']) {
      assert.deepEqual(read(text, { ...CONTEXT, activeBinId: 1_797 }), ['bins', 1_757, 1_787], text);
    }
  });

  it('A range is read in percent from the current price, and covers at least what was typed', () => {
    // 1.01^5 is 1.0510, and 1.01^-6 is 0.9420.
    for (const text of ['-5% +5%', '−5% to 5%', '-5%..+5%', '-5 to +5%', '±5%', '5 %']) {
      assert.deepEqual(read(text), ['percent', -356, -345], text);
    }
    assert.deepEqual(read('+2% +8%'), ['percent', -348, -342]);
    assert.deepEqual(read('-5,5% 5,5%', { ...CONTEXT, locale: 'de-DE' }), read('-5.5% 5.5%'));
  });

  it('A range is read in prices, in the direction that is shown', () => {
    assert.deepEqual(read('0.0225 to 0.0282'), ['prices', -382, -358]);
    assert.deepEqual(read('0,0225 to 0,0282', { ...CONTEXT, locale: 'de-DE' }), ['prices', -382, -358]);
    assert.deepEqual(read('2.25e-2 2.82e-2'), ['prices', -382, -358]);
    // 1 / 0.0282 and 1 / 0.0225 tokens per SOL.
    const [, from, to] = read('35.46 to 44.44', { ...CONTEXT, isSwapped: true });
    assert.deepEqual([from, to], [-382, -358]);
    assert.deepEqual(read('-5% +10%', { ...CONTEXT, isSwapped: true }), ['percent', -360, -344]);
  });

  it('A mark that may group thousands is refused, and the two readings are named', () => {
    const german = { ...SOL_USDC, locale: 'de-DE' };
    for (const text of ['1.200 to 1.300', '130,5 to 1.200', '999..1.200', '-1.200 to -1.100 bins', '1.200%']) {
      const reading = readRangeText(text, german);
      assert.ok(!reading.ok && reading.problem === 'ambiguous' && / can mean \d+(,\d)? or \d{4}\. /.test(reading.message), text);
    }
    for (const text of ['0.004 to 0.005', '130.5 to 150.25', '130.0001 to 150.0001', '1.2 to 1.3']) {
      assert.deepEqual(read(text, german), read(text, SOL_USDC), text);
    }
    assert.equal(read('1.200 to 1.300', SOL_USDC)[0], 'prices');
    const reading = readRangeText('0.9 to 1,200', SOL_USDC);
    assert.ok(!reading.ok && reading.problem === 'ambiguous');
    assert.match(reading.message, /^"1,200" can mean 1\.2 or 1200\. /);
  });

  it('Whole numbers are the bins or the prices that are closer to the active bin', () => {
    assert.deepEqual(read('130 to 150', SOL_USDC), ['prices', -2042, -1898]);
    assert.deepEqual(read('700 to 800', { ...SOL_USDC, activeBinId: 750 }), ['bins', 700, 800]);
    // Around the active bin either way.
    assert.deepEqual(read('1 to 100', { ...CONTEXT, activeBinId: 50 }), ['bins', 1, 100]);
    assert.deepEqual(read('130 to 150 bins', SOL_USDC), ['bins', 130, 150]);
    assert.deepEqual(read('130.0 to 150.0', { ...SOL_USDC, activeBinId: 140 }), ['prices', -2042, -1898]);
    assert.deepEqual(read('-5..+5', SOL_USDC), ['bins', -5, 5]);
  });

  it('A range that is not written as one, or that the pool cannot have, is refused with the reason', () => {
    for (const text of [
      '',
      'wide',
      '1.5',
      '0.004',
      '-100% 5%',
      '1 2 3',
      '--5 5',
      '1.2.3 4',
      '0 to 0.5',
      '-0.1 0.5',
      '5% bins',
      '1,5 2',
      '9'.repeat(200),
    ]) {
      assert.equal(read(text), 'unreadable', text);
    }
    assert.equal(read('0.0225 to 0.0282', { ...CONTEXT, decimalsX: undefined }), 'noPrices');
    assert.equal(read('-5% +5%', { ...CONTEXT, binStepBps: undefined }), 'noPrices');
    assert.equal(read('1e-90 to 1e90'), 'outside');
  });

  it('The prices of two bins, written with the digits that fields show, are read as these bins, in both directions', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 400 }),
        fc.integer({ min: 0, max: 18 }),
        fc.integer({ min: 0, max: 18 }),
        fc.double({ min: -0.7, max: 0.7, noNaN: true }),
        fc.nat(1_400),
        fc.boolean(),
        (binStepBps, decimalsX, decimalsY, share, width, isSwapped) => {
          const from = Math.round(maxBinIdOf(binStepBps) * share) + 0;
          const to = Math.min(from + width, maxBinIdOf(binStepBps));
          const shown = (bin: number): string => {
            const price = uiPriceOfBin(bin, binStepBps, decimalsX, decimalsY);
            return (isSwapped ? 1 / price : price).toExponential(7);
          };
          const [first, second] = isSwapped ? [to, from] : [from, to];
          const context = { ...CONTEXT, activeBinId: from, binStepBps, decimalsX, decimalsY, isSwapped };
          assert.deepEqual(read(`${shown(first)} to ${shown(second)}`, context), ['prices', from, to]);
        },
      ),
    );
  });

  it('A range in percent contains both of its ends and not a whole bin more, in both directions', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 400 }),
        fc.integer({ min: -90, max: 300 }),
        fc.nat(100),
        fc.boolean(),
        (binStepBps, first, width, isSwapped) => {
          const reading = readRangeText(`${first}% ${first + width}%`, { ...CONTEXT, activeBinId: 0, binStepBps, isSwapped });
          assert.ok(reading.ok && reading.unit === 'percent');
          const step = Math.log1p(binStepBps / 10_000);
          const ends = [first, first + width].map((percent) => ((isSwapped ? -1 : 1) * Math.log1p(percent / 100)) / step);
          const { fromBinId, toBinId } = reading.range;
          assert.ok(fromBinId <= Math.min(...ends) + 0.021 && fromBinId > Math.min(...ends) - 1, `${fromBinId} ${ends.join(' ')}`);
          assert.ok(toBinId >= Math.max(...ends) - 0.021 && toBinId < Math.max(...ends) + 1, `${toBinId} ${ends.join(' ')}`);
        },
      ),
    );
  });

  it('Whatever is typed, a range that is read has whole bins', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[-+±.,% \dtobinse…]{0,24}$/)), fc.boolean(), (text, isSwapped) => {
        const reading = readRangeText(text, { ...CONTEXT, isSwapped });
        assert.ok(!reading.ok || (Number.isInteger(reading.range.fromBinId) && Number.isInteger(reading.range.toBinId)));
      }),
    );
  });
});
