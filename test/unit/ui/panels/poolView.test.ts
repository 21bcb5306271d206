import assert from 'node:assert/strict';
import { poolView } from '../../../../src/protocol/pool';
import { poolViewOf } from '../../../../src/ui/panels/poolView';
import { pool } from '../../../support/portfolio/fixtures';
import { MINT_X, MINT_Y, poolInfo, tokenFacts } from '../../../support/ui/panels/poolFixtures';

const NO_INTERVALS = { '5m': undefined, '1h': undefined, '6h': undefined, '24h': undefined };

describe('The pool view', () => {
  it('The price that the changes lead up to is that of the record, at the time of the record', () => {
    const record = pool(1, { price0Usd: 2 });
    assert.deepEqual(poolViewOf(poolInfo(), record, undefined, 7).priceAfterChanges, { usd: 2, atMs: 7 });
    assert.equal(poolViewOf(poolInfo(), { ...record, price0Usd: undefined }, undefined, 7).priceAfterChanges, undefined);
    assert.equal(poolViewOf(poolInfo(), undefined).priceAfterChanges, undefined);
  });

  it('The pool view combines the details with the record of the pool list', () => {
    const record = pool(1, {
      pairName: 'BONK/SOL',
      volumeUsd: { '5m': 1, '1h': 2, '6h': 3, '24h': 4 },
      volumeChangePercent: { ...NO_INTERVALS, '24h': -12 },
      priceChangePercent: { ...NO_INTERVALS, '1h': 3 },
      tvlUsd: 1_000,
      feeTvlRatio24h: 0.02,
      topHolderPercent: 7,
      mintOrFreezeEnabled: true,
      createdAt: new Date(5),
    });
    const view = poolViewOf(poolInfo(), record);
    assert.deepEqual(view, {
      pairName: 'BONK/SOL',
      poolType: 'dlmm',
      x: {
        address: MINT_X,
        symbol: 'BONK',
        name: 'Bonk',
        decimals: 5,
        priceUsd: 0.3,
        marketCapUsd: 1_000,
        fdvUsd: 2_000,
        organicScore: 40,
        topHolderPercent: 7,
        mintOrFreezeEnabled: true,
        holders: 5,
      },
      y: {
        address: MINT_Y,
        symbol: 'SOL',
        name: undefined,
        decimals: 9,
        priceUsd: 150,
        marketCapUsd: 1_000,
        fdvUsd: 2_000,
        organicScore: 40,
        holders: 5,
      },
      price: 0.002,
      binStepBps: 100,
      tvlUsd: 1_000,
      amountX: 100,
      amountY: 20,
      volumeUsd: { '5m': 1, '1h': 2, '6h': 3, '24h': 4 },
      volumeChangePercent: { ...NO_INTERVALS, '24h': -12 },
      priceChangePercent: { ...NO_INTERVALS, '1h': 3 },
      fees: { basePercent: 1, dynamicPercent: 1.5, maxPercent: 10, protocolPercent: 5, collectedIn: 'y', fees24hUsd: 20, feeTvl24h: 0.02 },
      createdAtMs: 5,
      activeBinId: -381,
      bins: [
        { binId: -382, x: 0, y: 7 },
        { binId: -381, x: 3, y: 2 },
        { binId: -380, x: 9, y: 0 },
      ],
      feeStats: [{ atMs: Date.UTC(2026, 10, 19, 22), feeUsd: 1.5, volumeUsd: 150 }],
    });
    poolView.parse(JSON.parse(JSON.stringify(view)));
  });

  it('The pool view uses the statistics of the details if the pool is not listed', () => {
    const statistics = {
      tvlUsd: 500,
      volumeUsd: { '5m': 1, '1h': 2, '6h': 3, '24h': 40 },
      fees24hUsd: 10,
      binStepBps: 80,
      createdAt: new Date('2026-01-02T00:00:00.000Z'),
    };
    const view = poolViewOf(poolInfo({ statistics }), undefined);
    assert.deepEqual(view.volumeUsd, { '5m': 1, '1h': 2, '6h': 3, '24h': 40 });
    assert.equal(view.tvlUsd, 500);
    assert.deepEqual([view.fees.fees24hUsd, view.fees.feeTvl24h], [10, 0.02]);
    assert.equal(view.binStepBps, 80);
    assert.equal(view.createdAtMs, Date.UTC(2026, 0, 2));
    assert.equal(view.pairName, 'BONK/SOL');
    assert.deepEqual(view.volumeChangePercent, {});
  });

  it('The pool view derives the bin step from neighboring bin prices if nothing else states it', () => {
    const view = poolViewOf(poolInfo(), undefined);
    assert.equal(view.binStepBps, 101);
    assert.deepEqual([view.tvlUsd, view.fees.fees24hUsd, view.fees.feeTvl24h], [undefined, undefined, undefined]);
  });

  it('The view of a pool without bins has a price and no bins', () => {
    const info = poolInfo({
      poolType: 'dammV2',
      activeBin: undefined,
      bins: [],
      tokens: [tokenFacts({ priceUsd: 3 }), tokenFacts({ address: MINT_Y, priceUsd: 150 })],
    });
    const view = poolViewOf(info, pool(1, { poolType: 'dammV2', binStepBps: undefined }));
    assert.deepEqual([view.price, view.activeBinId, view.bins, view.binStepBps], [0.02, undefined, [], undefined]);
  });

  it('Tokens missing from the details are named by the record, or by a question mark', () => {
    const record = pool(1, { price0Usd: 4, holders: 9, marketCapUsd: 8 });
    const view = poolViewOf(poolInfo({ tokens: [] }), record);
    assert.deepEqual(
      [view.x.symbol, view.x.priceUsd, view.x.holders, view.x.marketCapUsd, view.y.symbol, view.y.priceUsd],
      ['P1', 4, 9, 8, 'SOL', 150],
    );
    assert.deepEqual(
      [poolViewOf(poolInfo({ tokens: [] }), undefined)].map(({ x, y, pairName }) => [x.symbol, y.symbol, pairName]),
      [['?', '?', '?/?']],
    );
    const { address } = record;
    assert.equal(poolViewOf(poolInfo({ tokens: [] }), undefined, address).pairName, `${address.slice(0, 4)}…${address.slice(-4)}`);
  });
});
