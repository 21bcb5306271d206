import assert from 'node:assert/strict';
import { overviewSaved, PERIODS } from '../../../../src/protocol/overview';
import { isMeaningfulApr } from '../../../../webview/overview/allTimeSection';
import { currencyOf, hasNoHistory, initialState, received, savedOf } from '../../../../webview/overview/state';

describe('State of the overview panel', () => {
  it('The state of the overview panel is restored as it was saved', () => {
    const saved = {
      period: '3M',
      currency: 'native',
      range: { from: '2026-01-01' },
      sort: { column: 'pnl', order: 'asc' },
      search: 'bonq',
      result: 'losses',
      columns: ['pairName', 'pnl'],
    } as const;
    assert.deepEqual(savedOf(initialState(saved, 0)), saved);
    assert.ok(overviewSaved.safeParse(JSON.parse(JSON.stringify(savedOf(initialState(undefined, 0))))).success);
  });

  it('A date range in the wrong order is not saved', () => {
    assert.equal(savedOf(initialState({ range: { from: '2026-02-01', to: '2026-01-01' } }, 0)).range, undefined);
  });

  it("The user's own currency takes precedence over the setting", () => {
    const ambient = {
      locale: 'en',
      currency: 'native',
      serviceName: '',
      isSandbox: false,
      hasExplorer: true,
      canSign: false,
      isOwnService: false,
    } as const;
    assert.equal(currencyOf({ currency: undefined, ambient }), 'native');
    assert.equal(currencyOf({ currency: 'usd', ambient }), 'usd');
    assert.equal(currencyOf({ currency: undefined, ambient: undefined }), 'usd');
  });

  it('An overview without figures is not taken for one without history', () => {
    const [none, unknown] = [{ usd: 0, native: 0 }, {}].map((sum) => Object.fromEntries(PERIODS.map((period) => [period, sum])));
    const history = (closed: number | undefined, sums: typeof none) =>
      hasNoHistory({ closedPositions: { ALL: closed }, totalPnl: sums, totalFee: sums } as Parameters<typeof hasNoHistory>[0]);
    assert.equal(history(0, none), true);
    assert.equal(history(0, unknown), true);
    assert.equal(history(undefined, unknown), false);
    assert.equal(history(4, unknown), false);
  });

  it('Daily earnings of another period are ignored', () => {
    const state = initialState({ period: '7D' }, 0);
    const message = { kind: 'earned', earned: { status: 'ready', data: [] } } as const;
    assert.deepEqual(received(state, { ...message, period: 'ALL' }), {});
    assert.deepEqual(received(state, { ...message, period: '7D' }), { earned: message.earned });
  });
});

describe('APR', () => {
  const DAY_MS = 86_400_000;

  it('An APR is shown only if it says something about a year, not what a few hours come to', () => {
    const over = (days: number) => ({ firstActivityMs: 0, lastActivityMs: days * DAY_MS });
    assert.ok([undefined, 0.125, 100, -100].every((apr) => isMeaningfulApr({ apr, ...over(30) })));
    assert.ok(isMeaningfulApr({ apr: 0.5 }), 'the days are not known');
    assert.ok(![18_000_000, -500].some((apr) => isMeaningfulApr({ apr, ...over(30) })));
    assert.equal(isMeaningfulApr({ apr: 99, ...over(2) }), false, 'of two days');
  });
});
