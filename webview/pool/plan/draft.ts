import type { BinRange } from '../../../src/base/dlmm/bins';
import type { PoolSaved, PoolView } from '../../../src/protocol/pool';
import type { PlanEstimate } from './planModel';
import { firstRange } from './range';
import { readSlippage, slippageText } from './parseInput';
import type { FieldName, PlanDraft } from './types';

/** A draft to go on planning with: with this range, or the one that it has, or one around the active bin. */
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

/** With another range; what was typed about the last one does not hold. */
export function withRange({ texts, ...draft }: PlanDraft, { fromBinId, toBinId }: BinRange): PlanDraft {
  return { ...draft, fromBinId, toBinId, texts: onlyShare(texts) };
}

/** With another split; `undefined`: as the bins lie. */
export function withShare(draft: PlanDraft, percentX: number | undefined): PlanDraft {
  return { ...draft, percentX, texts: without(draft.texts, ['percentX']) };
}

/** Something was typed into a field. What can be read of it holds at once; the text stays until the field is left. */
export function typed(draft: PlanDraft, field: FieldName, text: string, reckoned: (draft: PlanDraft) => PlanEstimate): PlanDraft {
  const texts = { ...without(draft.texts, [OTHER[field]]), [field]: text };
  const next = { ...draft, texts };
  const { bins, errors, percentX, isSplitByBins } = reckoned(next);
  const isRangeRight = RANGE_FIELDS.every((name) => errors[name] === undefined);
  return {
    ...next,
    ...(bins === undefined || !isRangeRight || field === 'percentX' ? {} : bins.range),
    ...(field !== 'percentX' || errors.percentX !== undefined || isSplitByBins ? {} : { percentX }),
  };
}

/** A field is left: what could be read is written the usual way from now on; what could not stays to be seen. */
export function left(draft: PlanDraft, field: FieldName, reckoned: (draft: PlanDraft) => PlanEstimate): PlanDraft {
  if (draft.texts?.[field] === undefined) {
    return draft;
  }
  const { errors } = reckoned(draft);
  const isRight = field === 'percentX' ? errors.percentX === undefined : RANGE_FIELDS.every((name) => errors[name] === undefined);
  return isRight ? { ...draft, texts: field === 'percentX' ? without(draft.texts, ['percentX']) : onlyShare(draft.texts) } : draft;
}

/** The field of the slippage is left: basis points that were typed are written in percent, like all. */
export function slippageLeft(draft: PlanDraft, locale: string): PlanDraft {
  const reading = draft.slippageText === undefined ? undefined : readSlippage(draft.slippageText, locale);
  return reading?.ok === true ? { ...draft, slippageText: slippageText(reading.value) } : draft;
}

/** What the panel remembers of a draft: without what is being typed. */
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

const RANGE_FIELDS: readonly FieldName[] = ['fromBin', 'toBin', 'fromPrice', 'toPrice'];

/** The field that says the same in another way: only one of both is read. */
const OTHER: Readonly<Record<FieldName, FieldName | undefined>> = {
  fromBin: 'fromPrice',
  fromPrice: 'fromBin',
  toBin: 'toPrice',
  toPrice: 'toBin',
  percentX: undefined,
};

type Texts = PlanDraft['texts'];

function onlyShare(texts: Texts): Texts {
  return texts?.percentX === undefined ? undefined : { percentX: texts.percentX };
}

function without(texts: Texts, fields: readonly (FieldName | undefined)[]): Texts {
  return Object.fromEntries(Object.entries(texts ?? {}).filter(([name]) => !fields.includes(name as FieldName)));
}
