import * as l10n from '@vscode/l10n';
import {
  type BinRange,
  checkBin,
  MAX_BINS_PER_POSITION,
  rangeAround,
  rangeEdges,
  shareOfXBins,
  sidesOf,
  uiPriceOfBin,
  widthOf,
} from '../../base/dlmm/bins';
import { type RangeReading, readRangeText } from '../../base/dlmm/rangeText';
import { price } from '../../base/format/amounts';
import { binId, binRange } from '../../base/format/identifiers';
import { displayLocale } from '../../base/format/locale';
import { percent, signedPercent } from '../../base/format/percent';
import { messageOf } from '../../base/format/typedNumbers';
import type { Address } from '../../base/solana/address';
import { tickerText } from '../../base/solana/tickers';
import { tokenOf, type TokenNames } from '../../review/describe/tokenNames';
import type { PoolInfo } from '../../service/poolInfo';
import type { OpenPosition } from '../../service/positions';
import { answered, type PickItem, type Prompts, type Reading } from '../shell/prompts/prompts';
import type { Step } from '../shell/prompts/steps';
import type { ShownProgress } from '../shell/requestWait';
import { UserError } from '../shell/errors';
import { tokenNames } from './operationDependencies';
import { readPercent } from './slippage';
import { asChosen, hasBins, titleOf, type ZapInDraft, type ZapInTarget } from './zapInDraft';

/** Offered half widths, in bins on either side of the active one. */
const HALF_WIDTHS: readonly number[] = [10, 34, 50];

/** What prices of bins follow from. */
export type PricedPool = Pick<ZapInTarget, 'binStepBps' | 'decimalsX' | 'decimalsY' | 'symbolX' | 'symbolY'>;

/** The same of a listed position. */
export function pricedPoolOf({ binStepBps, token0, token1 }: Pick<OpenPosition, 'binStepBps' | 'token0' | 'token1'>): PricedPool {
  return pricedPoolOfMints([token0.address, token1.address], binStepBps, tokenNames([token0, token1]));
}

/** The same of two tokens by their mints; without prices if one has no name. */
export function pricedPoolOfMints(
  [mintX, mintY]: readonly (Address | undefined)[],
  binStepBps: number | undefined,
  names: TokenNames,
): PricedPool {
  const [x, y] = [tokenOf(mintX, names), tokenOf(mintY, names)];
  return {
    binStepBps,
    decimalsX: x?.decimals,
    decimalsY: y?.decimals,
    symbolX: x === undefined ? '' : tickerText(x.symbol, mintX),
    symbolY: y === undefined ? '' : tickerText(y.symbol, mintY),
  };
}

/** "0.0212 to 0.0281 SOL per BONK (−3.34% to +3.46%)"; only the percentages where decimals are unknown. */
function rangePrices(range: BinRange, target: PricedPool, activeBinId: number): string {
  const { binStepBps } = target;
  if (binStepBps === undefined) {
    return '';
  }
  const percents = percentsOf(range, activeBinId, binStepBps);
  const prices = pricesOf(range, target);
  return prices === undefined ? percents : `${prices} (${percents})`;
}

/** "0.0212 to 0.0281 SOL per BONK"; `undefined` if bin step or decimals are unknown. */
export function pricesOf(
  { fromBinId, toBinId }: BinRange,
  { binStepBps, decimalsX, decimalsY, symbolX, symbolY }: PricedPool,
): string | undefined {
  if (binStepBps === undefined || decimalsX === undefined || decimalsY === undefined) {
    return undefined;
  }
  const at = (binId: number) => price(uiPriceOfBin(binId, binStepBps, decimalsX, decimalsY));
  return l10n.t`${at(fromBinId)} to ${at(toBinId)} ${symbolY} per ${symbolX}`;
}

/**
 * Parses a typed range: "34" or "±34" around the active bin, "-420..-350" from bin to bin, "-5% +5%", or "0.004 to 0.005" in token Y per token X.
 */
export function readRange(text: string, target: ZapInTarget, activeBinId: number): Reading<BinRange> {
  const { binStepBps, decimalsX, decimalsY } = target;
  const reading = readRangeText(text, { activeBinId, binStepBps, decimalsX, decimalsY, isSwapped: false, locale: displayLocale() });
  if (!reading.ok) {
    return { ok: false, message: reading.problem === 'ambiguous' ? reading.message : rangeMessage(reading.problem, activeBinId) };
  }
  const problem = problemOfRange(reading.range, target);
  return problem === undefined
    ? { ok: true, value: reading.range, note: describeRange(reading.range, target, activeBinId) }
    : { ok: false, message: problem };
}

function rangeMessage(problem: Exclude<Extract<RangeReading, { ok: false }>['problem'], 'ambiguous'>, activeBinId: number): string {
  switch (problem) {
    case 'unreadable':
      return l10n.t`Enter the bins on either side of the active bin (34), the first and last bin (${activeBinId - 20}..${activeBinId + 20}), percentages (-5% +5%) or prices (0.004 to 0.005).`;
    case 'noPrices':
      return l10n.t('The service does not report what prices and percentages need. Enter bins.');
    case 'outside':
      return l10n.t('No bin of this pool has this price.');
  }
}

/** Why no position can have this range; `undefined` if one can. */
export function problemOfRange(range: BinRange, { binStepBps }: Pick<ZapInTarget, 'binStepBps'>): string | undefined {
  if (range.fromBinId > range.toBinId) {
    return l10n.t`The lower bin comes first: ${range.toBinId} to ${range.fromBinId}.`;
  }
  if (widthOf(range) > MAX_BINS_PER_POSITION) {
    return l10n.t`A position has at most ${MAX_BINS_PER_POSITION} bins; this range has ${widthOf(range)}.`;
  }
  return binStepBps === undefined ? undefined : binOutside(range, binStepBps);
}

/**
 * Where a range lies: "0.0212 to 0.0281 SOL per BONK (−3.34% to +3.46%)"; without prices "−3.34% to +3.46%", and without a bin step
 * "−386 to −376 (11 bins)".
 */
export function rangePlace(range: BinRange, target: PricedPool, activeBinId: number): string {
  const prices = rangePrices(range, target, activeBinId);
  return prices === '' ? binRange(range.fromBinId, range.toBinId) : prices;
}

/** What it means for a new position that the price is outside its range; `undefined` if it is within. */
export function outsideText(range: BinRange, target: ZapInTarget, activeBinId: number): string | undefined {
  return sidesOf(range, activeBinId) === 'both' ? undefined : sidesText(range, target, activeBinId);
}

/** "0.0212 to 0.0281 SOL per BONK (−3.34% to +3.46%): −386 to −376 (11 bins). In range." */
function describeRange(range: BinRange, target: ZapInTarget, activeBinId: number): string {
  const prices = rangePrices(range, target, activeBinId);
  return `${prices === '' ? '' : `${prices}: `}${binRange(range.fromBinId, range.toBinId)}. ${sidesText(range, target, activeBinId)}`;
}

function percentsOf(range: BinRange, activeBinId: number, binStepBps: number): string {
  const { lowerPercent, upperPercent } = rangeEdges(range, activeBinId, binStepBps);
  return l10n.t`${signedPercent(lowerPercent)} to ${signedPercent(upperPercent)}`;
}

/** Where the price is relative to a range, and what that means: "In range." */
function sidesText(range: BinRange, { symbolX, symbolY }: Pick<ZapInTarget, 'symbolX' | 'symbolY'>, activeBinId: number): string {
  switch (sidesOf(range, activeBinId)) {
    case 'both':
      return l10n.t('In range.');
    case 'onlyX':
      return l10n.t`Above the price: holds only ${symbolX} and earns no fees until the price rises into the range.`;
    case 'onlyY':
      return l10n.t`Below the price: holds only ${symbolY} and earns no fees until the price falls into the range.`;
  }
}

function binOutside(range: BinRange, binStepBps: number): string | undefined {
  try {
    checkBin(range.fromBinId, binStepBps);
    checkBin(range.toBinId, binStepBps);
    return undefined;
  } catch (error) {
    if (error instanceof RangeError) {
      return `${error.message}.`;
    }
    throw error;
  }
}

export interface RangeDependencies {
  readonly prompts: Prompts;
  /** Read when the range is asked for, because the active bin moves. */
  readonly readPoolInfo: (pool: Address, signal: AbortSignal, progress: ShownProgress) => Promise<PoolInfo>;
}

/**
 * The steps that ask for the range, and for the split between the tokens where the range leaves it open.
 * @throws (while they ask) UserError if there is no active bin, ServiceError if the pool cannot be read
 */
export function rangeSteps(dependencies: RangeDependencies): readonly Step<ZapInDraft>[] {
  const { prompts } = dependencies;
  return [rangeStep(dependencies), ownRangeStep(prompts), splitStep(prompts), ownSplitStep(prompts)];
}

const HALF = 0.5;

/** Share of token X, 0 to 1: the answer where the range leaves the split open, and the share of its bins otherwise. */
export function splitOf({ percentX, isPlanned }: ZapInDraft, range: BinRange, activeBinId: number): number {
  return asksForSplit(range, activeBinId, isPlanned) && typeof percentX === 'number' ? percentX : shareOfXBins(range, activeBinId);
}

/** An asymmetric range leaves the split between the tokens open; in a plan every range around the price does. */
function asksForSplit(range: BinRange, activeBinId: number, isPlanned = false): boolean {
  return sidesOf(range, activeBinId) === 'both' && (isPlanned || isAsymmetric(range, activeBinId));
}

function isAsymmetric(range: BinRange, activeBinId: number): boolean {
  return range.toBinId - activeBinId !== activeBinId - range.fromBinId;
}

function isSplitOpen(draft: ZapInDraft): boolean {
  const { range, activeBin, amount, isPlanned } = draft;
  return (
    amount !== 'tokens' &&
    hasBins(draft) &&
    typeof range === 'object' &&
    activeBin !== undefined &&
    asksForSplit(range, activeBin.binId, isPlanned)
  );
}

function rangeStep({ prompts, readPoolInfo }: RangeDependencies): Step<ZapInDraft> {
  return {
    applies: hasBins,
    ask: async (draft, place) => {
      const { target } = draft;
      if (target === undefined) {
        throw new Error('The range is asked for before the pool is known');
      }
      // Read whenever this step is shown: the offered ranges lie around the current price.
      const title = l10n.t`Loading the active bin of ${target.pairName}`;
      const info = await prompts.progress({ title, cancellable: true, onlyIfSlow: true }, (show, signal) =>
        readPoolInfo(target.pool, signal, { title, show }),
      );
      if (info.activeBin === undefined) {
        throw new UserError(l10n.t('The service does not report the active bin of this pool. Without it, no range can be chosen.'));
      }
      const { activeBin } = info;
      const activeBinId = activeBin.binId;
      const answer = await prompts.pick<BinRange | 'own'>({
        title: titleOf(draft),
        place,
        placeholder: l10n.t`Range (active bin: ${binId(activeBinId)})`,
        items: [
          ...chosenItem(draft, target, activeBinId),
          ...HALF_WIDTHS.map((halfWidth) => rangeItem(halfWidth, target, activeBinId)),
          { label: l10n.t('Other range…'), icon: 'edit', value: 'own' },
        ],
        isCurrent: (value) => typeof value === 'object' && typeof draft.range === 'object' && isSameRange(value, draft.range),
      });
      return answer.kind === 'value' ? answered({ ...draft, activeBin, range: answer.value }) : answer;
    },
  };
}

/** A range typed or planned before that is none of the offered ones. */
function chosenItem({ range }: ZapInDraft, target: ZapInTarget, activeBinId: number): readonly PickItem<BinRange>[] {
  if (
    typeof range !== 'object' ||
    HALF_WIDTHS.some((halfWidth) => isSameRange(rangeAround(activeBinId, halfWidth), range)) ||
    problemOfRange(range, target) !== undefined
  ) {
    return [];
  }
  return [
    {
      label: rangePlace(range, target, activeBinId),
      description: asChosen(),
      detail: binRange(range.fromBinId, range.toBinId),
      value: range,
    },
  ];
}

function isSameRange(one: BinRange, other: BinRange): boolean {
  return one.fromBinId === other.fromBinId && one.toBinId === other.toBinId;
}

function rangeItem(halfWidth: number, target: ZapInTarget, activeBinId: number): PickItem<BinRange> {
  const range = rangeAround(activeBinId, halfWidth);
  return {
    label: l10n.t`±${halfWidth} bins`,
    description: rangePlace(range, target, activeBinId),
    detail: binRange(range.fromBinId, range.toBinId),
    value: range,
  };
}

function ownRangeStep(prompts: Prompts): Step<ZapInDraft> {
  return {
    applies: (draft) => hasBins(draft) && draft.range === 'own',
    ask: async (draft, place) => {
      const { target, activeBin } = draft;
      if (target === undefined || activeBin === undefined) {
        throw new Error('The range is asked for before the active bin is known');
      }
      const activeBinId = activeBin.binId;
      const answer = await prompts.input({
        title: titleOf(draft),
        place,
        prompt: l10n.t`Bins around the active bin ${binId(activeBinId)}, first and last bin, percentages, or prices in ${target.symbolY} per ${target.symbolX}`,
        placeholder: l10n.t`34, ${activeBinId - 20}..${activeBinId + 20}, -5% +5%, or 0.004 to 0.005`,
        read: (text) => readRange(text, target, activeBinId),
      });
      return answer.kind === 'value' ? answered({ ...draft, range: answer.value }) : answer;
    },
  };
}

function splitStep(prompts: Prompts): Step<ZapInDraft> {
  return {
    applies: isSplitOpen,
    ask: async (draft, place) => {
      const { target, range, activeBin, percentX: chosen } = draft;
      if (target === undefined || typeof range !== 'object' || activeBin === undefined) {
        throw new Error('The split is asked for before the range is known');
      }
      const byBins = Math.round(shareOfXBins(range, activeBin.binId) * 10_000) / 10_000;
      const splitText = (share: number) => `${percent(100 * share)} ${target.symbolX}, ${percent(100 * (1 - share))} ${target.symbolY}`;
      const answer = await prompts.pick<number | 'own'>({
        title: titleOf(draft),
        place,
        placeholder: isAsymmetric(range, activeBin.binId)
          ? l10n.t('Split of the SOL between the tokens (the range is asymmetric)')
          : l10n.t('Split of the SOL between the tokens'),
        items: [
          ...(typeof chosen !== 'number' || chosen === byBins || chosen === HALF
            ? []
            : [{ label: splitText(chosen), description: asChosen(), value: chosen }]),
          { label: l10n.t('Match the Range'), description: splitText(byBins), value: byBins },
          { label: l10n.t('50:50'), description: splitText(HALF), value: HALF },
          { label: l10n.t('Other split…'), icon: 'edit', value: 'own' },
        ],
        isCurrent: (value) => value === draft.percentX,
      });
      return answer.kind === 'value' ? answered({ ...draft, percentX: answer.value }) : answer;
    },
  };
}

function ownSplitStep(prompts: Prompts): Step<ZapInDraft> {
  return {
    applies: (draft) => draft.percentX === 'own' && isSplitOpen(draft),
    ask: async (draft, place) => {
      const answer = await prompts.input({
        title: titleOf(draft),
        place,
        prompt: l10n.t`Percent for ${draft.target?.symbolX ?? l10n.t('the first token')}, with up to two decimals. The rest goes to ${draft.target?.symbolY ?? l10n.t('the second token')}.`,
        placeholder: '50',
        read: readSplit,
      });
      return answer.kind === 'value' ? answered({ ...draft, percentX: answer.value }) : answer;
    },
  };
}

/** Parses the share of token X typed in percent, as a fraction from 0 to 1. */
export function readSplit(text: string): Reading<number> {
  const share = readPercent(text);
  return !share.ok || share.value > 10_000
    ? { ok: false, message: messageOf(share) ?? l10n.t('Enter a percentage from 0 to 100 with up to two decimals, such as 40.') }
    : { ok: true, value: share.value / 10_000 };
}
