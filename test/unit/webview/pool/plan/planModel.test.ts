import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { plan as planSchema, poolSaved } from '../../../../../src/protocol/pool';
import {
  afterBlur,
  savedDraft,
  slippageAfterBlur,
  startedDraft,
  withTypedText,
  withRange,
  withShare,
} from '../../../../../webview/pool/plan/draft';
import { rangeText } from '../../../../../webview/pool/plan/parseInput';
import { estimatePlan } from '../../../../../webview/pool/plan/planModel';
import type { FieldName, PlanDraft } from '../../../../../webview/pool/plan/types';
import { ACTIVE, AMBIENT, planState, poolView } from './samples';

const estimated = (draft: PlanDraft) => estimatePlan(planState(draft));
const rangeOf = (draft: PlanDraft) => estimated(draft).bins?.range;
const WHOLE: PlanDraft = { fromBinId: -360, toBinId: -340, strategy: 'Curve', amountText: '0.5', slippageText: '3' };

function typing(draft: PlanDraft, field: FieldName, text: string): PlanDraft {
  return withTypedText(draft, field, text, estimated);
}

describe('A plan', () => {
  it('A complete plan is submitted exactly as the user chose it', () => {
    const { plan, disabledReason, errors } = estimated(WHOLE);
    assert.deepEqual(
      [plan, disabledReason, errors],
      [
        {
          range: { fromBinId: -360, toBinId: -340 },
          activeBinId: ACTIVE,
          strategy: 'Curve',
          amountLamports: '500000000',
          percentX: 0.5,
          slippageBps: 300,
        },
        undefined,
        {},
      ],
    );
    assert.deepEqual(planSchema.parse(plan), plan);
  });

  it('A new plan has a range around the active bin and the default slippage, and asks for the amount', () => {
    const { plan, disabledReason, slippageBps, errors } = estimated({});
    assert.deepEqual(rangeOf({}), { fromBinId: -384, toBinId: -316 });
    assert.deepEqual([plan, slippageBps, errors], [undefined, 100, {}]);
    assert.match(disabledReason ?? '', /amount of SOL/);
  });

  it('A range can be typed as a whole, in percent, prices or bins, and becomes the percentages to its bins when the field is left', () => {
    for (const [text, from, to] of [
      ['-5% +5%', -356, -345],
      ['-400 to -300', -400, -300],
      ['10', -360, -340],
    ] as const) {
      const typed = typing(WHOLE, 'range', text);
      assert.deepEqual(estimated(typed).plan?.range, { fromBinId: from, toBinId: to }, text);
      const left = afterBlur(typed, 'range', estimated);
      assert.equal(left.texts?.range, undefined);
      assert.deepEqual([left.fromBinId, left.toBinId], [from, to]);
      // What the field then shows is read as the same bins.
      const shown = rangeText({ fromBinId: from, toBinId: to }, poolView(), false, 'en-US');
      assert.match(shown, /^[+-]?\d+(\.\d{1,2})?% [+-]?\d+(\.\d{1,2})?%$/);
      assert.deepEqual(rangeOf(typing({}, 'range', shown)), { fromBinId: from, toBinId: to });
    }
    const wrong = afterBlur(typing(WHOLE, 'range', '-300 to -400'), 'range', estimated);
    assert.match(estimated(wrong).errors.range ?? '', /The lower bin comes first/);
    assert.equal(estimated(wrong).plan, undefined);
    assert.deepEqual(rangeOf(wrong), { fromBinId: -360, toBinId: -340 });
    // The last typed field counts.
    assert.deepEqual(rangeOf(typing(typing(WHOLE, 'range', '-5% +5%'), 'fromBin', '-352')), { fromBinId: -352, toBinId: -345 });
    assert.equal(typing(typing(WHOLE, 'fromBin', 'x'), 'range', '10').texts?.fromBin, undefined);
  });

  it('A range in prices is read in the direction that is shown', () => {
    const typed = (text: string, isPriceSwapped: boolean) =>
      estimatePlan(planState({ ...WHOLE, texts: { range: text } }, { isPriceSwapped })).bins?.range;
    const price = 0.0001 * 1.01 ** -360;
    const upper = 0.0001 * 1.01 ** -340;
    assert.deepEqual(typed(`${price.toPrecision(8)} to ${upper.toPrecision(8)}`, false), { fromBinId: -360, toBinId: -340 });
    assert.deepEqual(typed(`${(1 / upper).toPrecision(8)} to ${(1 / price).toPrecision(8)}`, true), { fromBinId: -360, toBinId: -340 });
  });

  it('A plan cannot be submitted while something is missing or invalid', () => {
    const cases: readonly (readonly [RegExp, ReturnType<typeof estimatePlan>])[] = [
      [/Fix the highlighted field/, estimated({ ...WHOLE, amountText: '9.900000001' })],
      [/Fix the highlighted field/, estimated({ ...WHOLE, amountText: 'much' })],
      [/Fix the highlighted field/, estimated({ ...WHOLE, slippageText: '101' })],
      [/Fix the highlighted field/, estimated(typing(WHOLE, 'fromBin', 'x'))],
      [/watch-only/, estimatePlan(planState(WHOLE, { ambient: { ...AMBIENT, canSign: false } }))],
      [/No wallet/, estimatePlan(planState(WHOLE, { ambient: { ...AMBIENT, canSign: false, owner: undefined } }))],
      [/Loading the wallet balance/, estimatePlan(planState(WHOLE, { figures: { status: 'loading' } }))],
      [/could not be loaded/, estimatePlan(planState(WHOLE, { figures: { status: 'failed' } }))],
      [/active bin/, estimatePlan(planState(WHOLE, { pool: poolView({ activeBinId: undefined }) }))],
      [/supports only Meteora DLMM and DAMM v2 pools/, estimatePlan(planState(WHOLE, { pool: poolView({ poolType: 'other' }) }))],
    ];
    for (const [words, { disabledReason, plan }] of cases) {
      assert.match(disabledReason ?? '', words);
      assert.equal(plan, undefined);
    }
  });

  it('The distances of the bounds are those of the price that is displayed', () => {
    const edges = (isPriceSwapped: boolean) => estimatePlan(planState(WHOLE, { isPriceSwapped })).bins?.edges;
    const [plain, swapped] = [edges(false), edges(true)];
    // Ten bins of 1% on either side.
    assert.deepEqual([plain?.fromPercent.toFixed(2), plain?.toPercent.toFixed(2)], ['-9.47', '10.46']);
    assert.deepEqual([swapped?.fromPercent.toFixed(2), swapped?.toPercent.toFixed(2)], ['10.46', '-9.47']);
  });

  it('A plan has no range in a pool without bins', () => {
    const { plan, bins } = estimatePlan(planState(WHOLE, { pool: poolView({ poolType: 'dammV2', activeBinId: undefined }) }));
    assert.deepEqual([bins, plan], [undefined, { strategy: 'Spot', amountLamports: '500000000', percentX: 0.5, slippageBps: 300 }]);
  });

  it('A plan shows no prices without decimals, and no shape without a valid bin step', () => {
    const { x, y } = poolView();
    assert.equal(estimatePlan(planState({}, { pool: poolView({ x: { ...x, decimals: undefined }, y }) })).bins?.scale, undefined);
    for (const binStepBps of [undefined, 0, 0.5, 401, NaN, -1]) {
      const { bins } = estimatePlan(planState({}, { pool: poolView({ binStepBps }) }));
      assert.deepEqual([bins?.binStepBps, bins?.edges], [undefined, undefined]);
    }
    assert.equal(estimatePlan(planState({}, { pool: poolView({ activeBinId: 1_000_000 }) })).bins, undefined);
  });

  it('The split follows the bins until the user chooses one, and a one-sided range has no choice', () => {
    const lopsided = withRange(WHOLE, { fromBinId: -370, toBinId: -340 });
    assert.deepEqual([estimated(lopsided).percentX, estimated(lopsided).isSplitByBins], [0.3387, true]);
    assert.deepEqual([estimated(withShare(lopsided, 0.4)).percentX, estimated(withShare(lopsided, 0.4)).isSplitByBins], [0.4, false]);
    assert.equal(estimated(withShare(withShare(lopsided, 0.4), undefined)).percentX, 0.3387);
    assert.equal(estimated(withShare(withRange(WHOLE, { fromBinId: -340, toBinId: -330 }), 0.4)).percentX, 1);
    assert.equal(estimated(withShare(withRange(WHOLE, { fromBinId: -370, toBinId: -360 }), 0.4)).percentX, 0);
    const typedShare = typing(lopsided, 'percentX', '12.5');
    assert.deepEqual([typedShare.percentX, typedShare.texts?.percentX], [0.125, '12.5']);
    assert.equal(estimated(typing(typedShare, 'percentX', '1000')).errors.percentX !== undefined, true);
  });

  it('Leaving the slippage field rewrites its value in percent', () => {
    assert.equal(slippageAfterBlur({ ...WHOLE, slippageText: '120 bps' }, 'en-US').slippageText, '1.2');
    assert.equal(slippageAfterBlur({ ...WHOLE, slippageText: 'x' }, 'en-US').slippageText, 'x');
    assert.equal(slippageAfterBlur({}, 'en-US').slippageText, undefined);
  });

  it('The estimate includes a swap transaction only if a token has to be bought', () => {
    assert.equal(estimated(WHOLE).cost?.transactions, 3);
    assert.equal(estimated(withRange(WHOLE, { fromBinId: -370, toBinId: -360 })).cost?.transactions, 2);
  });
});

describe('Typing a range', () => {
  it('A typed bin applies at once, and leaving the field rewrites it in normal form', () => {
    const draft = typing(WHOLE, 'fromBin', ' -380');
    assert.deepEqual([draft.fromBinId, draft.toBinId, draft.texts?.fromBin], [-380, -340, ' -380']);
    assert.equal(afterBlur(draft, 'fromBin', estimated).texts, undefined);
  });

  it('A typed price snaps to a bin, and replaces the typed text of that bin', () => {
    const draft = typing(typing(WHOLE, 'toBin', '-330'), 'toPrice', '0.000005');
    assert.deepEqual(Object.keys(draft.texts ?? {}), ['toPrice']);
    assert.equal(draft.toBinId, rangeOf(draft)?.toBinId);
    assert.ok((draft.toBinId ?? 0) > -400);
  });

  it('The last valid range stays until both typed ends are valid together', () => {
    const wrong = typing(WHOLE, 'fromBin', '-100');
    assert.match(estimated(wrong).errors.fromBin ?? '', /The lower bin comes first/);
    assert.deepEqual([wrong.fromBinId, rangeOf(wrong)], [-360, { fromBinId: -360, toBinId: -340 }]);
    assert.equal(afterBlur(wrong, 'fromBin', estimated), wrong);
    const right = typing(wrong, 'toBin', '-50');
    assert.deepEqual([right.fromBinId, right.toBinId, estimated(right).errors], [-100, -50, {}]);
    const wide = typing(WHOLE, 'toBin', '1040');
    assert.match(estimated(wide).errors.toBin ?? '', /a position holds at most 1400/);
    assert.deepEqual(rangeOf(withRange(wide, { fromBinId: 1, toBinId: 2 })), { fromBinId: 1, toBinId: 2 });
  });

  it('Any typed text leads to a possible range, and only valid plans can be submitted', () => {
    const fields = fc.constantFrom<FieldName>('fromBin', 'toBin', 'fromPrice', 'toPrice', 'percentX');
    const texts = fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.integer({ min: -10_000, max: 10_000 }).map(String),
      fc.double({ noNaN: true, min: 1e-9, max: 1e9 }).map(String),
    );
    const drafts = fc.record({
      fromBinId: fc.option(fc.integer(), { nil: undefined }),
      toBinId: fc.option(fc.integer(), { nil: undefined }),
      strategy: fc.option(fc.string(), { nil: undefined }),
      amountText: texts,
      percentX: fc.option(fc.double(), { nil: undefined }),
      slippageText: texts,
    });
    fc.assert(
      fc.property(drafts, fc.array(fc.tuple(fields, texts), { maxLength: 8 }), (begun, typings) => {
        const draft = typings.reduce<PlanDraft>((now, [field, text]) => typing(now, field, text), begun);
        const { plan, bins, percentX, disabledReason, errors } = estimated(draft);
        assert.ok(bins !== undefined && bins.range.fromBinId <= bins.range.toBinId && bins.range.toBinId - bins.range.fromBinId < 1400);
        assert.ok(percentX >= 0 && percentX <= 1);
        assert.equal(plan === undefined, disabledReason !== undefined);
        assert.ok(plan === undefined || Object.keys(errors).length === 0);
        assert.ok(plan === undefined || planSchema.safeParse(plan).success);
      }),
    );
  });

  it('Without an amount a plan can only deposit tokens of the wallet, and with a wrong field not even that', () => {
    const { plan, tokensPlan } = estimated({ ...WHOLE, amountText: '' });
    assert.equal(plan, undefined);
    assert.ok(tokensPlan !== undefined && planSchema.safeParse(tokensPlan).success);
    const whole = estimated(WHOLE).plan;
    assert.deepEqual({ ...tokensPlan, amountLamports: whole?.amountLamports }, whole);
    assert.equal(estimated({ ...WHOLE, slippageText: 'much' }).tokensPlan, undefined);
    assert.equal(estimated(typing(WHOLE, 'range', '-300 to -400')).tokensPlan, undefined);
  });

  it('A draft is saved without incomplete text in its fields', () => {
    const saved = savedDraft(typing({ ...WHOLE, percentX: 0.4 }, 'fromBin', '-1x'));
    assert.deepEqual(poolSaved.parse(JSON.parse(JSON.stringify({ pool: 'p', plan: saved }))).plan, { ...WHOLE, percentX: 0.4 });
  });

  it('A draft starts with the requested range, else the existing draft, else the active bin', () => {
    const at = { activeBinId: ACTIVE, binStepBps: 100 };
    assert.deepEqual(startedDraft(WHOLE, at, { fromBinId: 1, toBinId: 2 }).fromBinId, 1);
    assert.equal(startedDraft(WHOLE, at, undefined), WHOLE);
    assert.deepEqual([startedDraft({}, at, undefined).fromBinId, startedDraft({}, at, undefined).toBinId], [-384, -316]);
    assert.deepEqual(startedDraft({}, { activeBinId: undefined, binStepBps: undefined }, undefined), {});
  });
});
