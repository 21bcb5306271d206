import assert from 'node:assert/strict';
import { overviewSaved } from '../../../../src/protocol/overview';
import { aprText } from '../../../../webview/overview/allTimeSection';
import { currencyOf, initialState, received, savedOf } from '../../../../webview/overview/state';
import { figuresOf } from '../../../../webview/shared/figures';

describe('what the overview panel keeps in mind', () => {
  it('comes back as it was saved', () => {
    const saved = {
      period: '3M',
      currency: 'native',
      range: { from: '2026-01-01' },
      sort: { column: 'pnl', order: 'asc' },
      search: 'bonq',
      columns: ['pairName', 'pnl'],
    } as const;
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

describe('a yearly rate', () => {
  const { text } = figuresOf('en-US');

  for (const [apr, written, isAbsurd] of [
    [undefined, '–', false],
    [0.125, '+12.5%', false],
    [100, '+10,000%', false],
    [18_000_000, 'over +10,000%', true],
    [-500, 'under −10,000%', true],
  ] as const) {
    it(`of ${String(apr)} is "${written}"`, () => assert.deepEqual(aprText(apr, text), { text: written, isAbsurd }));
  }
});
