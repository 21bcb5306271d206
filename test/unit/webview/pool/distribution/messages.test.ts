import assert from 'node:assert/strict';
import type { PoolView } from '../../../../../src/protocol/pool';
import { DistributionModel, type DistributionView } from '../../../../../webview/pool/distribution/model';
import { binOf } from '../../../../../webview/pool/distribution/bars';
import { binMessages, spokenBin } from '../../../../../webview/pool/distribution/messages';
import { figuresOf } from '../../../../../webview/shared/figures';

const POOL: PoolView = {
  pairName: 'JUP/SOL',
  poolType: 'dlmm',
  price: 0.005,
  binStepBps: 100,
  activeBinId: 0,
  x: { symbol: 'JUP', decimals: 6, priceUsd: 0.5 },
  y: { symbol: 'SOL', decimals: 6, priceUsd: 100 },
  volumeUsd: {},
  volumeChangePercent: {},
  priceChangePercent: {},
  fees: {},
  bins: [
    { binId: -1, x: 0, y: 2 },
    { binId: 0, x: 10, y: 1 },
    { binId: 3, x: 40, y: 0 },
  ],
  feeStats: [],
};
const VIEW: DistributionView = {
  pool: POOL,
  own: [],
  figures: figuresOf('en-US'),
  currency: 'usd',
  solUsd: 100,
  isPriceSwapped: false,
  overlay: undefined,
};

function shown(change: Partial<DistributionView> = {}): DistributionModel {
  const model = new DistributionModel();
  model.show({ ...VIEW, ...change });
  return model;
}

describe('Texts about bins', () => {
  const say = (binId: number, model: DistributionModel): string => {
    return spokenBin(binMessages(binId, binOf(model.valued.bins, binId), model.textContext));
  };

  it('The text of a bin tells its position, its price and its content', () => {
    assert.equal(say(0, shown()), 'Active bin 0; 1 SOL per JUP; $105.00: 10 JUP, 1 SOL');
    assert.equal(say(3, shown()), 'bin 3; From active: +3.03%; 1.0303 SOL per JUP; $20.00: 40 JUP, 0 SOL');
    assert.equal(say(2, shown()), 'bin 2; From active: +2.01%; 1.0201 SOL per JUP; $0.00: 0 JUP, 0 SOL');
  });

  it('The text of a bin follows the swapped price direction, also for the distance', () =>
    assert.equal(say(3, shown({ isPriceSwapped: true })), 'bin 3; From active: −2.94%; 0.9706 JUP per SOL; $20.00: 40 JUP, 0 SOL'));

  it('The text of a bin tells its value in SOL', () => assert.match(say(0, shown({ currency: 'native' })), /1\.05 SOL: 10 JUP/));

  it('The summary tells the number of bins, the prices, the share of the TVL and the largest bin', () => {
    assert.equal(
      shown({ pool: { ...POOL, tvlUsd: 650 } }).summary,
      "3 bins with liquidity around the price, from 0.9901 to 1.0303 SOL per JUP. That is 50% of the pool's TVL. The largest is bin −1 with $200.00.",
    );
    assert.equal(shown({ pool: { ...POOL, bins: [] } }).summary, 'No bin has liquidity.');
  });
});

describe('Share of the bins in the TVL', () => {
  const share = (pool: Partial<PoolView>): string =>
    /SOL per JUP\. (?:(.*?) )?The largest/.exec(shown({ pool: { ...POOL, ...pool } }).summary)?.[1] ?? '';

  it('The share never exceeds the TVL of the pool, and is left out if the TVL is not known', () => {
    assert.equal(share({ tvlUsd: 325 }), "That is 100% of the pool's TVL.");
    assert.equal(share({ tvlUsd: 300 }), "That is 100% of the pool's TVL.");
    for (const tvlUsd of [undefined, 0, Number.NaN]) {
      assert.equal(share({ tvlUsd }), '');
    }
    assert.equal(share({ tvlUsd: 650, x: { symbol: 'JUP', decimals: 6 } }), '');
  });
});

describe('Chart model', () => {
  it("The keyboard reaches every bin, the active bin, the user's ranges and the planned range", () => {
    assert.deepEqual(shown().cursorLimits, { least: -1, most: 3 });
    const own = [{ key: 'a', lowerBinId: -40, upperBinId: 2, value: {}, pnl: {}, uncollectedFee: {} }];
    const overlay = { range: { fromBinId: 0, toBinId: 90 }, legend: '', draw: () => undefined, wordsFor: () => undefined };
    assert.deepEqual(shown({ own, overlay }).cursorLimits, { least: -40, most: 90 });
  });

  it('The model reuses computed values until their inputs change', () => {
    const model = shown();
    const { valued: weighed, textContext: language } = model;
    model.show({
      ...VIEW,
      overlay: { range: { fromBinId: -5, toBinId: 5 }, legend: '', draw: () => undefined, wordsFor: () => undefined },
    });
    assert.equal(model.valued, weighed);
    assert.equal(model.textContext, language);
    model.show({ ...VIEW, currency: 'native' });
    assert.notEqual(model.textContext, language);
  });
});
