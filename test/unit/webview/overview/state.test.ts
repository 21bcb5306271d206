import assert from 'node:assert/strict';
import { overviewSaved } from '../../../../src/protocol/overview';
import { LOADING, type Part } from '../../../../src/protocol/parts';
import { aprText } from '../../../../webview/overview/rateWords';
import { currencyOf, initialState, received, savedOf } from '../../../../webview/overview/state';
import { sharedTrouble } from '../../../../webview/overview/troubles';
import { figuresOf } from '../../../../webview/shared/figures';

const failed = (words: string): Part<never> => ({ standing: 'failed', words });
const stale = <Data>(data: Data, words: string): Part<Data> => ({ standing: 'stale', data, words });

describe('what the overview panel keeps in mind', () => {
  it('comes back as it was saved', () => {
    const saved = { period: '3M', currency: 'native', range: { from: '2026-01-01' }, sort: { column: 'pnl', order: 'asc' }, search: 'bonq', columns: ['pairName', 'pnl'] } as const;
    assert.deepEqual(savedOf(initialState(saved, 0)), saved);
    assert.ok(overviewSaved.safeParse(JSON.parse(JSON.stringify(savedOf(initialState(undefined, 0))))).success);
  });

  it('saves no days that are the wrong way round', () => {
    assert.equal(savedOf(initialState({ range: { from: '2026-02-01', to: '2026-01-01' } }, 0)).range, undefined);
  });

  it("prefers the user's own currency to the setting", () => {
    const ambient = { locale: 'en', currency: 'native', serviceName: '', isSandbox: false, canSign: false } as const;
    assert.equal(currencyOf({ currency: undefined, ambient }), 'native');
    assert.equal(currencyOf({ currency: 'usd', ambient }), 'usd');
    assert.equal(currencyOf({ currency: undefined, ambient: undefined }), 'usd');
  });

  it('shows no days of another period', () => {
    const state = initialState({ period: '7D' }, 0);
    const message = { kind: 'earned', earned: { standing: 'ready', data: [] } } as const;
    assert.deepEqual(received(state, { ...message, period: 'ALL' }), {});
    assert.deepEqual(received(state, { ...message, period: '7D' }), { earned: message.earned });
  });
});

describe('the trouble of several parts', () => {
  const ready: Part<never> = { standing: 'ready' };

  it('is told once where it is the same', () => {
    assert.deepEqual(sharedTrouble({ overview: failed('No answer.'), open: LOADING, earned: failed('No answer.'), history: failed('Another.') }), { words: 'No answer.', parts: ['overview', 'earned'], isAll: false });
  });

  it('is each its own where it is not, and none where there is none', () => {
    assert.equal(sharedTrouble({ overview: failed('One.'), open: ready, earned: failed('Another.'), history: ready }), undefined);
    assert.equal(sharedTrouble({ overview: ready, open: ready, earned: LOADING, history: ready }), undefined);
  });

  it('is all there is only where nothing was ever read', () => {
    const all = failed('Down.');
    assert.equal(sharedTrouble({ overview: all, open: all, earned: all, history: all })?.isAll, true);
    assert.equal(sharedTrouble({ overview: all, open: all, earned: stale([], 'Down.'), history: all })?.isAll, false);
  });
});

describe('a yearly rate', () => {
  const { text } = figuresOf('en-US');

  for (const [apr, written, isAbsurd] of [
    [undefined, '–', false],
    [0.125, '+12.5 %', false],
    [100, '+10,000 %', false],
    [18_000_000, 'over +10,000 %', true],
    [-500, 'under −10,000 %', true],
  ] as const) {
    it(`of ${String(apr)} is "${written}"`, () => assert.deepEqual(aprText(apr, text), { text: written, isAbsurd }));
  }
});
