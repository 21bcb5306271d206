import assert from 'node:assert/strict';
import type { CounterRecord } from '../../../../../src/base/insight/replay';
import type { VolatilityView } from '../../../../../src/protocol/outlook';
import type { PoolView } from '../../../../../src/protocol/pool';
import { estimatePlan } from '../../../../../webview/pool/plan/planModel';
import { planOutlook } from '../../../../../webview/pool/plan/planOutlook';
import type { PlanActions, PlanDraft, PlanState } from '../../../../../webview/pool/plan/types';
import { figuresOf } from '../../../../../webview/shared/figures';
import { textOfTemplate } from '../../shared/templateText';
import { ACTIVE, planState, poolView, VOLATILITY } from './samples';

const { x, y, fees } = poolView();
const BIN_PRICE = 1.01 ** ACTIVE * 10 ** (5 - 9);

/** $100 in each of the 201 bins around the price, and $50 of fees a day. SOL is worth $100. */
function pool(more: Partial<PoolView> = {}): PoolView {
  return poolView({
    x: { ...x, priceUsd: BIN_PRICE * 100 },
    y: { ...y, priceUsd: 100 },
    price: BIN_PRICE,
    bins: Array.from({ length: 201 }, (_, place) => ({ binId: ACTIVE - 100 + place, x: 0, y: 1 })),
    fees: { ...fees, fees24hUsd: 50, protocolPercent: 5 },
    ...more,
  });
}

/** 1 SOL, so $100, over 11 bins. */
const DRAFT: PlanDraft = { fromBinId: ACTIVE - 5, toBinId: ACTIVE + 5, strategy: 'Spot', amountText: '1' };
const DAMM: Partial<PoolView> = { poolType: 'dammV2', bins: [], activeBinId: undefined, binStepBps: undefined, tvlUsd: 900 };

const nothing = (): void => undefined;
const ACTIONS: PlanActions = {
  change: nothing,
  show: nothing,
  chooseHorizon: nothing,
  retry: nothing,
  retryVolatility: nothing,
  goOn: nothing,
  addTo: nothing,
  leave: nothing,
  announce: nothing,
};

/** What the outlook says. */
function said(draft: PlanDraft = DRAFT, more: Partial<PoolView> = {}, part: Partial<PlanState> = {}): string {
  const state = planState(draft, { pool: pool(more), ...part });
  return textOfTemplate(planOutlook(state, estimatePlan(state), ACTIONS, figuresOf('en-US')));
}

const Q64 = 1n << 64n;

/** In each of the bins around the price was 1 SOL of others, and the active one earned a hundredth of it. @param hours when it was read */
function record(bins = 10, hours = [...Array(25).keys()]): CounterRecord {
  const supplies = 2n * 10n ** 9n * Q64;
  const intervals = [{ supplies, x: 0n, y: Q64 / 100n }];
  const binIds = Array.from({ length: 2 * bins + 1 }, (_, place) => ACTIVE - bins + place);
  return {
    readings: hours.map((hour) => ({ timeS: 3_600 * hour, activeBinId: ACTIVE })),
    bins: binIds.map((binId) => ({ binId, intervals: binId === ACTIVE ? intervals : [] })),
  };
}

const volatility = (data: VolatilityView): Partial<PlanState> => ({ volatility: { status: 'ready', data } });

describe('The outlook of a plan', () => {
  it('says what the plan would have earned in the last day by the counters of its bins, and follows the range', () => {
    // A plan has a twelfth of 1 SOL in the active bin, so a thirteenth of all: of a hundredth of the 1 SOL.
    const expected = /Would have earned \$0\.08\d* 0 BONK \+ 0\.000769\d* SOL · in range 100% of the last 24h/;
    assert.match(said(DRAFT, {}, { counterRecord: record() }), expected);
    assert.match(
      said({ ...DRAFT, fromBinId: ACTIVE + 1 }, {}, { counterRecord: record() }),
      /Would have earned .* in range 0% of the last 24h/,
    );
    assert.match(said(DRAFT, {}, { counterRecord: record(), volatility: { status: 'ready' } }), expected);
  });

  it('says how much of the last day was recorded, and why it is not known what the plan would have earned', () => {
    assert.match(said(DRAFT, {}, { counterRecord: record(10, [0, 1, 5]) }), /in range 100% of the last 5h · gaps above 2 hours: 1/);
    const why = (counterRecord: PlanState['counterRecord']) => said(DRAFT, {}, { counterRecord });
    assert.match(why(record(4)), /Would have earned – not known Unknown: some bins of the range were not recorded/);
    assert.match(why({ readings: [{ timeS: 1, activeBinId: ACTIVE }], bins: [] }), /The fees of this pool are recorded from now on\./);
    assert.match(why('failed'), /Would have earned – not known Could not be loaded\./);
    for (const words of [
      why(undefined),
      said({ ...DRAFT, amountText: '' }, {}, { counterRecord: record() }),
      said(DRAFT, DAMM, { counterRecord: record() }),
    ]) {
      assert.doesNotMatch(words, /Would have earned/);
    }
  });

  it('says how long the plan is in range, what it earns and loses, what is left, and at which volatility it is worth it', () => {
    const words = said();
    assert.match(words, /In range ≈ \d+% \d+% to \d+%/);
    assert.match(words, /Leaves the range after ≈ \S+ .* [<\d.]+% never within 24h/);
    assert.match(words, /Fees ≈ \$[\d.]+ \$[\d.]+ to \$[\d.]+ · [\d.]+% of the liquidity on the price's way × \$47\.50 a day/);
    assert.match(words, /Loss to price moves ≈ −\$[\d.]+ −\$[\d.]+ to −\$[\d.]+ Left/);
    assert.match(words, /Left [+−≈]/);
    assert.match(words, /Worth it below a daily volatility of [\d.]+% expected 4% \(3% to 6%\)/);
    assert.match(words, /Volatility from 336 candles\./);
  });

  it('says in one sentence how good the estimates of own ended positions were, and takes its band of the fees from them', () => {
    const ownForecasts = { count: 12, inside: 7, median: 0.8, band: { low: 0.5, high: 1.3 } };
    const words = said(DRAFT, {}, { ownForecasts });
    assert.match(words, /Your last 12 positions typically earned 80% of their estimated fees, half of them 50% to 130%: the band above\./);
    const fees = /Fees ≈ \$([\d.]+) \$([\d.]+) to \$([\d.]+)/;
    const [value = NaN, low = NaN, high = NaN] = fees.exec(words)?.slice(1).map(Number) ?? [];
    assert.ok(Math.abs(low / value - 0.5) < 0.03 && Math.abs(high / value - 1.3) < 0.03, `${value}: ${low} to ${high}`);
    const [unchanged, ...assumed] = fees.exec(said())?.slice(1).map(Number) ?? [];
    assert.equal(unchanged, value);
    assert.notDeepEqual(assumed, [low, high]);
  });

  it('calls what is left a gain or a loss only if it is one at both ends of the band that own ended positions left', () => {
    const left = (low: number, high: number): string =>
      said(DRAFT, {}, { ownForecasts: { count: 12, inside: 7, median: 0.8, band: { low, high } } });
    assert.doesNotMatch(said(), /about nothing/);
    assert.doesNotMatch(left(0.99, 1.01), /about nothing/);
    assert.match(left(0, 1_000), /about nothing: within the error/);
  });

  it('says nothing of own ended positions where they are too few, without an amount, or where fees are not known', () => {
    const ownForecasts = { count: 8, inside: 8, median: 1, band: { low: 1, high: 1 } };
    const shown: readonly string[] = [
      said(),
      said({ ...DRAFT, amountText: '' }, {}, { ownForecasts }),
      said(DRAFT, { fees: { ...fees, fees24hUsd: undefined } }, { ownForecasts }),
    ];
    shown.forEach((words) => assert.doesNotMatch(words, /Your last|own estimate/));
  });

  it('looks ahead for a day or a week', () => {
    assert.match(said(DRAFT, {}, { horizon: '7d' }), /never within 7d/);
  });

  it('is known for a plan of one token beside the price, and says that it is outside now', () => {
    const words = said({ ...DRAFT, fromBinId: ACTIVE + 1, toBinId: ACTIVE + 11 });
    assert.match(words, /In range ≈ \d+% .* Range out of range Fees ≈ \$/);
  });

  it('is known for a pool without bins, which is always in range', () => {
    const words = said({ amountText: '1' }, DAMM);
    assert.match(words, /In range 100% Fees ≈ \$[\d.]+ .* 10% of the liquidity .* Left/);
    assert.doesNotMatch(words, /Leaves the range|Other widths/);
  });

  it('covers the costs by what is left, not by the fees: never where nothing is left', () => {
    const calm = said(DRAFT, { fees: { ...fees, fees24hUsd: 5_000 } });
    assert.match(calm, /Costs covered after \S+ .*SOL that is not refunded/);
    const wild = said(DRAFT, {}, volatility({ ...VOLATILITY, sigmaPerDay: 0.5, low: 0.4, high: 0.6 } as VolatilityView));
    assert.match(wild, /Costs covered after never/);
  });

  it('names what is left as nothing where it is within the error of the fees', () => {
    const break_ = /Worth it below a daily volatility of ([\d.]+)%/.exec(said());
    const sigmaPerDay = Number(break_?.[1]) / 100;
    assert.match(
      said(DRAFT, {}, volatility({ ...VOLATILITY, sigmaPerDay, low: sigmaPerDay, high: sigmaPerDay } as VolatilityView)),
      /about nothing: within the error/,
    );
  });

  it('says from 5% of the liquidity on that the deposit changes the pool', () => {
    assert.match(said(), /Your deposit changes the pool: fees and loss may differ by ±[\d.]+% more\./);
    assert.doesNotMatch(said({ ...DRAFT, amountText: '0.1' }), /changes the pool/);
  });

  it('has no figures of money without an amount, and asks for it', () => {
    const words = said({ ...DRAFT, amountText: '' });
    assert.match(words, /In range ≈ \d+% .* Fees – not known Enter the amount of SOL\. Worth it below/);
    assert.doesNotMatch(words, /Left|Costs covered/);
  });

  it('without fees or liquidity shows time in range and loss, and says what is missing', () => {
    assert.match(said(DRAFT, { fees }), /Fees – not known Unknown: the service does not report enough\. Loss to price moves ≈ −\$/);
    assert.match(said(DRAFT, { bins: [] }), /Fees – not known Unknown: the service does not report enough\./);
  });

  it('without volatility, bins or prices says why nothing is known', () => {
    const states: readonly (readonly [Partial<PlanState>, RegExp])[] = [
      [{ volatility: { status: 'loading' } }, /Loading…/],
      [{ volatility: { status: 'ready' } }, /Not reported by the service\./],
      [{ volatility: { status: 'failed', words: 'No answer.' } }, /Could not be loaded\. No answer\. Try Again/],
      [volatility({ known: false, why: 'noCandles' }), /Unknown: too few prices yet\. Binsight records them/],
      [volatility({ known: false, why: 'tooFewCandles' }), /Unknown: too few prices yet\./],
      [volatility({ known: false, why: 'noMovement' }), /the price has not moved/],
      [volatility({ known: false, why: 'contradicting' }), /contradict each other/],
      [volatility({ ...VOLATILITY, isRough: true } as VolatilityView), /It is rough: the pool has few prices\./],
    ];
    for (const [part, expected] of states) {
      assert.match(said(DRAFT, {}, part), expected);
    }
    assert.match(said(DRAFT, { binStepBps: undefined }), /Unknown: the service does not report enough/);
    assert.match(
      said({ ...DRAFT, fromBinId: ACTIVE - 60, toBinId: ACTIVE + 60, amountText: '0.000000001' }),
      /Unknown: the amount is too small/,
    );
  });

  it('has five other widths of its shape, and recommends none that is not clearly ahead', () => {
    const words = said();
    assert.equal(words.match(/±\d+(?= )/g)?.length, 5, words);
    assert.match(words, /ahead|No width is clearly better\./);
  });
});
