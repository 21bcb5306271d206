import assert from 'node:assert/strict';
import type { Plan } from '../../../../src/protocol/pool';
import { FIRST_LPERS, poolSaved, type PoolView } from '../../../../src/protocol/pool';
import type { Part } from '../../../../src/protocol/schemas';
import { inCurrencyOf, inOtherCurrency, withoutCurrency } from '../../../../webview/pool/lperColumns';
import { bothOf, poolMoney } from '../../../../webview/pool/money';
import { chosenCurrency, initialState, planning, received, savedOf } from '../../../../webview/pool/state';

const POOL: PoolView = {
  pairName: 'JUP/SOL',
  poolType: 'dlmm',
  price: 0.005,
  binStepBps: 100,
  activeBinId: -500,
  x: { symbol: 'JUP' },
  y: { symbol: 'SOL', address: 'So11111111111111111111111111111111111111112', priceUsd: 200 },
  volumeUsd: {},
  volumeChangePercent: {},
  priceChangePercent: {},
  fees: {},
  bins: [],
  feeStats: [],
};
const READY: Part<PoolView> = { status: 'ready', data: POOL, asOfMs: 1 };

describe('State of the pool panel', () => {
  it('A plan that became a position is over: the panel says what was opened, and does not offer the same amount again', () => {
    const before = {
      ...initialState(undefined),
      pool: READY,
      mode: 'plan' as const,
      draft: { fromBinId: -510, toBinId: -490, amountText: '2' },
    };
    const opened = { key: 'a key', value: { usd: 333.09 }, inRange: true };
    const after = { ...before, ...received(before, { kind: 'opened', opened }) };
    assert.deepEqual([after.mode, after.opened, after.draft.amountText, after.draft.fromBinId], ['look', opened, undefined, -510]);
    // The next plan begins without it.
    assert.equal(planning(after, undefined).opened, undefined);
  });

  it('The state of the pool panel is restored as saved, without data that was read', () => {
    const state = {
      ...initialState(undefined),
      mode: 'plan' as const,
      currency: 'native' as const,
      isPriceSwapped: true,
      horizon: '7d' as const,
      chartPeriod: '30d' as const,
      viewport: { from: -520.25, to: -480 },
      lpersColumns: ['owner', 'apr'],
      lpersQuery: { orderBy: 'roi', sortOrder: 'asc' as const, page: 3 },
      pool: READY,
      draft: { fromBinId: -510, toBinId: -490, amountText: '1.', texts: { fromBin: '-51' } },
    };
    const saved = savedOf('pool', state);
    assert.deepEqual(Object.keys(saved).sort(), [
      'chartPeriod',
      'currency',
      'horizon',
      'isPriceSwapped',
      'lpers',
      'mode',
      'plan',
      'pool',
      'sight',
    ]);
    const restored = initialState(poolSaved.parse(JSON.parse(JSON.stringify(saved))));
    const { mode, currency, isPriceSwapped, horizon, chartPeriod, viewport, lpersColumns, lpersQuery, draft } = restored;
    assert.deepEqual(
      { mode, currency, isPriceSwapped, horizon, chartPeriod, viewport, lpersColumns, lpersQuery },
      {
        mode: 'plan',
        currency: 'native',
        isPriceSwapped: true,
        horizon: '7d',
        chartPeriod: '30d',
        viewport: { from: -520.25, to: -480 },
        lpersColumns: ['owner', 'apr'],
        lpersQuery: { orderBy: 'roi', sortOrder: 'asc', page: 3 },
      },
    );
    assert.deepEqual([draft.fromBinId, draft.toBinId, draft.amountText, draft.texts], [-510, -490, '1.', undefined]);
    assert.equal(restored.pool.data, undefined);
  });

  it("The first state uses the service's own sort order and the currency of the settings", () => {
    const state = initialState(undefined);
    assert.equal(state.lpersQuery, FIRST_LPERS);
    assert.equal(chosenCurrency(state), 'usd');
    const ambient = {
      locale: 'en',
      currency: 'native' as const,
      serviceName: 'Sandbox',
      isSandbox: true,
      hasExplorer: false,
      canSign: false,
      isOwnService: true,
    };
    assert.equal(chosenCurrency({ ...state, ambient }), 'native');
    assert.equal(chosenCurrency({ ...state, ambient, currency: 'usd' }), 'usd');
  });

  it('Planning starts with the given range, the last range, or a range around the active bin', () => {
    const state = { ...initialState(undefined), pool: READY };
    const given = planning(state, { fromBinId: -600, toBinId: -550 });
    assert.deepEqual([given.mode, given.draft?.fromBinId, given.draft?.toBinId], ['plan', -600, -550]);
    const around = planning(state, undefined).draft;
    assert.equal(((around?.fromBinId ?? 0) + (around?.toBinId ?? 0)) / 2, -500);
    const last = planning({ ...state, draft: { fromBinId: 1, toBinId: 2 } }, undefined).draft;
    assert.deepEqual([last?.fromBinId, last?.toBinId], [1, 2]);
  });

  it('A plan started before the active bin is known gets its range once it is known', () => {
    const waiting = { ...initialState(undefined), ...planning(initialState(undefined), undefined) };
    assert.equal(waiting.draft.fromBinId, undefined);
    const after = received(waiting, { kind: 'pool', pool: READY });
    assert.ok((after.draft?.fromBinId ?? 0) < -500 && (after.draft?.toBinId ?? -1000) > -500);
  });

  it('A plan that is to be changed fills in every field, in the words of the language, and nothing of an earlier draft is left', () => {
    const plan: Plan = {
      range: { fromBinId: -600, toBinId: -550 },
      activeBinId: -580,
      strategy: 'Curve',
      amountLamports: '1500000000',
      percentX: 0.4,
      slippageBps: 250,
    };
    const before = { ...initialState(undefined), pool: READY, draft: { texts: { fromBin: '-1x' }, amountText: '9' } };
    const expected = { fromBinId: -600, toBinId: -550, strategy: 'Curve', percentX: 0.4, amountText: '1.5', slippageText: '2.5' };
    assert.deepEqual(received(before, { kind: 'startPlan', plan }).draft, expected);
    const tokens = received(before, { kind: 'startPlan', plan: { ...plan, amountLamports: undefined } }).draft;
    assert.equal(tokens?.amountText, '');
    const waiting = { ...initialState(undefined), ...received(initialState(undefined), { kind: 'startPlan', plan }) };
    assert.deepEqual(received(waiting, { kind: 'pool', pool: READY }).draft, expected);
  });

  it('A range requested before the pool is known is kept', () => {
    const waiting = { ...initialState(undefined), ...planning(initialState(undefined), { fromBinId: -700, toBinId: -690 }) };
    assert.equal(received(waiting, { kind: 'pool', pool: READY }).draft?.fromBinId, -700);
  });
});

describe('Currency of the pool panel', () => {
  it('Amounts are shown in SOL only if the price of SOL is known', () => {
    assert.deepEqual(poolMoney('native', POOL, undefined), { currency: 'native', solUsd: 200 });
    assert.deepEqual(poolMoney('native', undefined, undefined), { currency: 'usd', solUsd: undefined });
    assert.deepEqual(poolMoney('native', { x: { symbol: 'A' }, y: { symbol: 'B' } }, 150), { currency: 'native', solUsd: 150 });
    assert.deepEqual(bothOf(100, { solUsd: 200 }), { usd: 100, native: 0.5 });
    assert.deepEqual(bothOf(100, { solUsd: undefined }), { usd: 100, native: undefined });
  });
});

describe('Sort order of the top LPers', () => {
  it('The sort column follows the shown currency if the service has both', () => {
    assert.equal(inCurrencyOf('total_pnl', 'native'), 'total_pnl_native');
    assert.equal(inCurrencyOf('total_pnl_native', 'usd'), 'total_pnl');
    assert.equal(inCurrencyOf('apr', 'native'), 'apr');
    assert.equal(withoutCurrency('win_rate_native'), 'win_rate');
  });

  it('Changing the currency returns to the first page only if the sort column changes', () => {
    const query = { orderBy: 'total_fee', sortOrder: 'asc' as const, page: 4 };
    assert.deepEqual(inOtherCurrency(query, 'native'), { orderBy: 'total_fee_native', sortOrder: 'asc', page: 1 });
    assert.equal(inOtherCurrency(query, 'usd'), query);
    const byAge = { orderBy: 'avg_age_hour', sortOrder: 'desc' as const, page: 2 };
    assert.equal(inOtherCurrency(byAge, 'native'), byAge);
  });
});
