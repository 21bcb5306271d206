import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  amountText,
  priceOf,
  priceText,
  rangeText,
  problemOfRange,
  readAmount,
  readBin,
  readPrice,
  readRange,
  readShare,
  readSlippage,
  shareText,
  slippageText,
  type PriceScale,
} from '../../../../../webview/pool/plan/parseInput';

import { poolView } from './samples';

const EN = 'en-US';
const SCALE: PriceScale = { binStepBps: 100, decimalsX: 5, decimalsY: 9, isSwapped: false };
const RANGE_CONTEXT = {
  activeBinId: -350,
  binStepBps: 100,
  x: { address: undefined, symbol: 'BONK', decimals: 5 },
  y: { address: undefined, symbol: 'SOL', decimals: 9 },
};

describe('Fields of a plan', () => {
  it('Amounts are read exactly, and written amounts are read back unchanged', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 19n), (lamports) =>
        assert.deepEqual(readAmount(amountText(lamports, EN), EN), { ok: true, value: lamports }),
      ),
    );
    assert.deepEqual(readAmount(' .5 sol ', EN), { ok: true, value: 500_000_000n });
    assert.deepEqual(readAmount('1.', EN), { ok: true, value: 1_000_000_000n });
  });

  it('Invalid amounts are refused', () => {
    for (const text of [
      '-1',
      '+1',
      '1e3',
      '1,5',
      '1 000',
      '0',
      '0.0',
      '1.0000000001',
      'all',
      '.',
      '0x10',
      '١',
      '9'.repeat(50),
      'NaN',
      'Infinity',
    ]) {
      assert.equal(readAmount(text, EN).ok, false, text);
    }
  });

  it('A number that can be read in two ways is refused in every field, with both readings', () => {
    const readers: Readonly<Record<string, (text: string, locale: string) => { readonly ok: boolean; readonly message?: string }>> = {
      amount: readAmount,
      slippage: readSlippage,
      share: readShare,
      price: (text, locale) => readPrice(text, 'from', SCALE, locale),
      range: (text, locale) => readRange(`0,5 to ${text}`.replace(',', locale === EN ? '.' : ','), RANGE_CONTEXT, false, locale),
    };
    for (const [name, read] of Object.entries(readers)) {
      for (const [text, locale] of [
        ['1.200', 'de-DE'],
        ['12.340', 'fr-FR'],
        ['1,200', EN],
      ] as const) {
        const { ok, message } = read(text, locale);
        assert.ok(!ok, `${name} ${text}`);
        assert.match(message ?? '', new RegExp(`^"${text.replace('.', '\\.')}" can mean [\\d.,]+ or \\d+\\. `), name);
      }
    }
  });

  it('Slippage tolerance is read in percent and in basis points', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000 }), (value) => {
        for (const text of [slippageText(value, EN), `${slippageText(value, EN)} %`, `${value} bps`, `${value}bp`]) {
          const reading = readSlippage(text, EN);
          assert.equal(reading.ok && reading.value, value, text);
        }
      }),
    );
    for (const text of ['', '100.01', '10001 bps', '1.5 bps', '-1', '1.005', 'bps']) {
      assert.equal(readSlippage(text, EN).ok, false, text);
    }
    assert.match(noteOf(readSlippage('0', EN)), /fails as soon as the price moves/);
    assert.match(noteOf(readSlippage('5.01', EN)), /high slippage/);
    assert.equal(noteOf(readSlippage('5', EN)), '500 bps (5%)');
  });

  it('Shares are read exactly, and written shares are read back unchanged', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000 }), (shareBps) =>
        assert.deepEqual(readShare(shareText(shareBps / 10_000, EN), EN), { ok: true, value: shareBps / 10_000 }),
      ),
    );
    for (const text of ['', '101', '-1', '100.01', 'half']) {
      assert.equal(readShare(text, EN).ok, false, text);
    }
  });

  it('Bins are read with either minus sign', () => {
    assert.deepEqual(readBin(' −350 '), { ok: true, value: -350 });
    assert.deepEqual(readBin('+7'), { ok: true, value: 7 });
    for (const text of ['', '1.5', '1e3', '12345678', '--1', 'x']) {
      assert.equal(readBin(text).ok, false, text);
    }
  });

  it('The written price of a bin is read back as that bin, in both directions and for any pool', () => {
    const scales = fc.record({
      binStepBps: fc.integer({ min: 1, max: 400 }),
      decimalsX: fc.integer({ min: 0, max: 12 }),
      decimalsY: fc.integer({ min: 0, max: 12 }),
      isSwapped: fc.boolean(),
    });
    fc.assert(
      fc.property(scales, fc.integer({ min: -1_000, max: 1_000 }), fc.constantFrom('from' as const, 'to' as const), (scale, bin, end) => {
        for (const locale of [EN, 'de-DE']) {
          assert.deepEqual(readPrice(priceText(priceOf(bin, scale), locale), end, scale, locale), { ok: true, value: bin });
        }
      }),
    );
  });

  it('The written range is read back as that range, in both directions and at any bin step, and is in percent where the step is not finest', () => {
    const around = fc.record({
      binStepBps: fc.constantFrom(1, 2, 4, 5, 8, 10, 20, 25, 80, 100, 400),
      activeBinId: fc.integer({ min: -1_000, max: 1_000 }),
      below: fc.integer({ min: -69, max: 200 }),
      width: fc.integer({ min: 1, max: 69 }),
      isSwapped: fc.boolean(),
    });
    fc.assert(
      fc.property(around, ({ binStepBps, activeBinId, below, width, isSwapped }) => {
        const range = { fromBinId: activeBinId - below, toBinId: activeBinId - below + width - 1 };
        for (const locale of [EN, 'de-DE', 'zh-CN']) {
          const pool = poolView({ binStepBps, activeBinId });
          const text = rangeText(range, pool, isSwapped, locale);
          assert.deepEqual(readRange(text, pool, isSwapped, locale), { ok: true, value: range }, text);
          assert.ok(text.endsWith('%') || binStepBps < 4 || Math.abs(below) > 100, text);
        }
      }),
    );
  });

  it('A price between two bins snaps outwards', () => {
    const between = Math.sqrt(priceOf(-350, SCALE) * priceOf(-349, SCALE));
    assert.deepEqual(readPrice(priceText(between, EN), 'from', SCALE, EN), { ok: true, value: -350 });
    assert.deepEqual(readPrice(priceText(between, EN), 'to', SCALE, EN), { ok: true, value: -349 });
    const swapped = { ...SCALE, isSwapped: true };
    assert.deepEqual(readPrice(priceText(1 / between, EN), 'from', swapped, EN), { ok: true, value: -350 });
  });

  it('Invalid prices, and prices that no bin has, are refused', () => {
    for (const text of ['', '0', '-1', 'abc', '.', 'e5', '1e999', '1e-300', '1e300', '0x10', 'Infinity']) {
      assert.equal(readPrice(text, 'from', SCALE, EN).ok, false, text);
    }
  });

  it('Ranges that no position can have are refused with a reason', () => {
    assert.equal(problemOfRange({ fromBinId: -700, toBinId: 699 }, 100), undefined);
    assert.match(problemOfRange({ fromBinId: -700, toBinId: 700 }, 100) ?? '', /The range has 1401 bins; a position holds at most 1400/);
    assert.match(problemOfRange({ fromBinId: 1, toBinId: 0 }, 100) ?? '', /The lower bin comes first: 0 to 1/);
    assert.match(problemOfRange({ fromBinId: 9_000, toBinId: 9_010 }, 100) ?? '', /go from −4458 to 4458/);
    assert.match(problemOfRange({ fromBinId: 450_000, toBinId: 450_001 }, undefined) ?? '', /go from/);
  });
});

function noteOf(reading: { readonly ok: boolean; readonly note?: string }): string {
  return reading.note ?? '';
}
