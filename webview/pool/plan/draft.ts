import type { BinRange } from '../../../src/base/dlmm/bins';
import type { Plan, PoolSaved, PoolView } from '../../../src/protocol/pool';
import type { PlanEstimate } from './planModel';
import { firstRange } from './range';
import { amountText, readSlippage, slippageText } from './parseInput';
import type { FieldName, PlanDraft } from './types';

/** The draft to plan with: with the given range, the draft's own, or one around the active bin. */
export function startedDraft(
  draft: PlanDraft,
  { activeBinId, binStepBps }: Pick<PoolView, 'activeBinId' | 'binStepBps'>,
  range: BinRange | undefined,
): PlanDraft {
  if (range !== undefined) {
    return withRange(draft, range);
  }
  return activeBinId === undefined || (draft.fromBinId !== undefined && draft.toBinId !== undefined)
    ? draft
    : withRange(draft, firstRange(activeBinId, binStepBps));
}

/** The draft of a plan that is to be changed. */
export function draftOf({ range, strategy, amountLamports, percentX, slippageBps }: Plan, locale: string): PlanDraft {
  return {
    ...range,
    strategy,
    percentX,
    amountText: amountLamports === undefined ? '' : amountText(BigInt(amountLamports), locale),
    slippageText: slippageText(slippageBps, locale),
  };
}

/** Sets the range and discards typed text about the last one. */
export function withRange({ texts, ...draft }: PlanDraft, { fromBinId, toBinId }: BinRange): PlanDraft {
  return { ...draft, fromBinId, toBinId, texts: onlyShare(texts) };
}

/** Sets token X's share, 0 to 1; `undefined`: by the number of bins. */
export function withShare(draft: PlanDraft, percentX: number | undefined): PlanDraft {
  return { ...draft, percentX, texts: without(draft.texts, ['percentX']) };
}

/** Applies text typed into a field. Valid text takes effect at once; the text itself is kept until the field is left. */
export function withTypedText(draft: PlanDraft, field: FieldName, text: string, estimate: (draft: PlanDraft) => PlanEstimate): PlanDraft {
  const texts = { ...without(draft.texts, OTHERS[field]), [field]: text };
  const next = { ...draft, texts };
  const { bins, errors, percentX, isSplitByBins } = estimate(next);
  const isRangeRight = RANGE_FIELDS.every((name) => errors[name] === undefined);
  return {
    ...next,
    ...(bins === undefined || !isRangeRight || field === 'percentX' ? {} : bins.range),
    ...(field !== 'percentX' || errors.percentX !== undefined || isSplitByBins ? {} : { percentX }),
  };
}

/** Called when a field loses focus: valid text is replaced by the usual format, invalid text stays visible. */
export function afterBlur(draft: PlanDraft, field: FieldName, estimate: (draft: PlanDraft) => PlanEstimate): PlanDraft {
  if (draft.texts?.[field] === undefined) {
    return draft;
  }
  const { errors } = estimate(draft);
  const isRight = field === 'percentX' ? errors.percentX === undefined : RANGE_FIELDS.every((name) => errors[name] === undefined);
  return isRight ? { ...draft, texts: field === 'percentX' ? without(draft.texts, ['percentX']) : onlyShare(draft.texts) } : draft;
}

/** Called when the slippage field loses focus: typed basis points are converted to percent. */
export function slippageAfterBlur(draft: PlanDraft, locale: string): PlanDraft {
  const reading = draft.slippageText === undefined ? undefined : readSlippage(draft.slippageText, locale);
  return reading?.ok === true ? { ...draft, slippageText: slippageText(reading.value, locale) } : draft;
}

/** The part of a draft that is saved: without text being typed. */
export function savedDraft({
  fromBinId,
  toBinId,
  strategy,
  amountText,
  percentX,
  slippageText,
}: PlanDraft): NonNullable<PoolSaved['plan']> {
  return { fromBinId, toBinId, strategy, amountText, percentX, slippageText };
}

const RANGE_FIELDS: readonly FieldName[] = ['range', 'fromBin', 'toBin', 'fromPrice', 'toPrice'];

/** The fields for the same value in another unit: only one of them is read. */
const OTHERS: Readonly<Record<FieldName, readonly FieldName[]>> = {
  range: ['fromBin', 'fromPrice', 'toBin', 'toPrice'],
  fromBin: ['range', 'fromPrice'],
  fromPrice: ['range', 'fromBin'],
  toBin: ['range', 'toPrice'],
  toPrice: ['range', 'toBin'],
  percentX: [],
};

type Texts = PlanDraft['texts'];

function onlyShare(texts: Texts): Texts {
  return texts?.percentX === undefined ? undefined : { percentX: texts.percentX };
}

function without(texts: Texts, fields: readonly FieldName[]): Texts {
  return Object.fromEntries(Object.entries(texts ?? {}).filter(([name]) => !fields.includes(name as FieldName)));
}
