import * as l10n from '@vscode/l10n';
import { type BinRange, isBinStep, shareOfXBins, sidesOf } from '../../../src/base/dlmm/bins';
import { entryCost, type EntryCost } from '../../../src/base/dlmm/entryCost';
import { STRATEGIES, type Strategy } from '../../../src/base/dlmm/strategy';
import type { Plan, PlanFigures, PoolView, TokenView } from '../../../src/protocol/pool';
import type { Ambient, Part } from '../../../src/protocol/schemas';
import { SOL_MINT } from '../../shared/solMint';
import { walletOf, type WalletSol } from './cost';
import {
  changePercent,
  mostBinOf,
  type ParsedInput,
  type PriceScale,
  problemOfRange,
  readAmount,
  readBin,
  readPrice,
  readRange,
  readShare,
  readSlippage,
} from './parseInput';
import { firstRange } from './range';
import type { FieldName, PlanDraft, PlanState } from './types';

/** A draft as far as it is valid, with everything derived from it. */
export interface PlanEstimate {
  /** `undefined`: the pool has no bins, or its active bin is not reported. */
  readonly bins: BinPlanEstimate | undefined;
  /** Share of the SOL for token X, 0 to 1. */
  readonly percentX: number;
  /** The user has not chosen a share: it follows the number of bins. */
  readonly isSplitByBins: boolean;
  readonly amountLamports: bigint | undefined;
  readonly slippageBps: number | undefined;
  readonly slippageNote: string | undefined;
  /** The wallet's SOL; `undefined`: not loaded yet. */
  readonly wallet: WalletSol | undefined;
  readonly cost: EntryCost | undefined;
  /** Errors by field. An empty field has no error. */
  readonly errors: Readonly<Partial<Record<FieldName | 'amount' | 'slippage', string>>>;
  /** Why the plan cannot be continued; `undefined`: it can. */
  readonly disabledReason: string | undefined;
  /** The plan to hand over; `undefined` while it cannot be continued. */
  readonly plan: Plan | undefined;
  /** The same without the amount of SOL: tokens of the wallet are deposited. */
  readonly tokensPlan: Plan | undefined;
}

/** The part of a plan that depends on bins. */
export interface BinPlanEstimate {
  readonly range: BinRange;
  readonly activeBinId: number;
  readonly binStepBps: number | undefined;
  /** `undefined`: prices cannot be computed. */
  readonly scale: PriceScale | undefined;
  /** The changes of the displayed price to the bounds. */
  readonly edges: { readonly fromPercent: number; readonly toPercent: number } | undefined;
  readonly sides: 'both' | 'onlyX' | 'onlyY';
  readonly strategy: Strategy;
}

const PLACES_OF_SHARE = 10_000;

/** Parses a draft and derives costs, errors and the plan from it. */
export function estimatePlan(
  state: Pick<PlanState, 'ambient' | 'pool' | 'figures' | 'draft'> & Partial<Pick<PlanState, 'isPriceSwapped'>>,
): PlanEstimate {
  const { pool, draft, figures, ambient } = state;
  const locale = ambient?.locale ?? 'en-US';
  const known = figures.data;
  const read = readBins(pool, draft, state.isPriceSwapped === true, locale);
  const split = readSplit(draft, read.bins, locale);
  const cost = known === undefined ? undefined : entryCost(read.bins?.range, swapsOf(pool, split.percentX), known);
  const wallet = known === undefined || cost === undefined ? undefined : walletOf(known, cost);
  const amount = readAmountOf(draft, wallet, locale);
  const slippage = readSlippageOf(draft, known, locale);
  const errors = { ...read.errors, ...split.errors, ...errorOf('amount', amount), ...errorOf('slippage', slippage) };
  const amountLamports = amount?.ok === true ? amount.value : undefined;
  const slippageBps = slippage?.ok === true ? slippage.value : undefined;
  const readiness = { pool, ambient, figures, hasBins: read.bins !== undefined, errors, slippageBps };
  const disabledReason = disabledReasonOf({ ...readiness, amountLamports });
  const tokensPlan: Plan | undefined =
    slippageBps === undefined || disabledReasonOf({ ...readiness, amountLamports: 0n }) !== undefined
      ? undefined
      : {
          ...(read.bins === undefined ? {} : { range: read.bins.range, activeBinId: read.bins.activeBinId }),
          strategy: read.bins?.strategy ?? 'Spot',
          percentX: split.percentX,
          slippageBps,
        };
  return {
    bins: read.bins,
    percentX: split.percentX,
    isSplitByBins: split.isByBins,
    amountLamports,
    slippageBps,
    slippageNote: slippage?.ok === true ? slippage.note : undefined,
    wallet,
    cost,
    errors,
    disabledReason,
    tokensPlan,
    plan:
      tokensPlan === undefined || amountLamports === undefined ? undefined : { ...tokensPlan, amountLamports: amountLamports.toString() },
  };
}

/** Estimates other drafts in the same state. */
export function estimateOf(state: PlanState): (draft: PlanDraft) => PlanEstimate {
  return (draft) => estimatePlan({ ...state, draft });
}

/** The number of tokens that have to be bought with SOL at this split. */
function swapsOf({ x, y }: PoolView, percentX: number): number {
  const isBought = ({ address }: TokenView, share: number): boolean => share > 0 && address !== SOL_MINT;
  return [isBought(x, percentX), isBought(y, 1 - percentX)].filter((is) => is).length;
}

function edgesShown(
  { fromBinId, toBinId }: BinRange,
  activeBinId: number,
  binStepBps: number,
  isSwapped: boolean,
): BinPlanEstimate['edges'] {
  const change = (bin: number): number => changePercent(bin, activeBinId, binStepBps, isSwapped);
  return { fromPercent: change(fromBinId), toPercent: change(toBinId) };
}

interface BinsRead {
  readonly bins: BinPlanEstimate | undefined;
  readonly errors: Readonly<Partial<Record<FieldName, string>>>;
}

function readBins(pool: PoolView, draft: PlanDraft, isSwapped: boolean, locale: string): BinsRead {
  const { activeBinId } = pool;
  const scale = scaleOf(pool, isSwapped);
  const binStepBps = stepOf(pool);
  if (pool.poolType !== 'dlmm' || activeBinId === undefined || Math.abs(activeBinId) > mostBinOf(binStepBps)) {
    return { bins: undefined, errors: {} };
  }
  const settled = settledRange(draft, activeBinId, binStepBps);
  const whole = (range: BinRange): BinPlanEstimate => ({
    range,
    activeBinId,
    binStepBps,
    scale,
    edges: binStepBps === undefined ? undefined : edgesShown(range, activeBinId, binStepBps, isSwapped),
    sides: sidesOf(range, activeBinId),
    strategy: strategyOf(draft),
  });
  if (draft.texts?.range !== undefined) {
    const reading = readRange(draft.texts.range, pool, isSwapped, locale);
    const problem = reading.ok ? problemOfRange(reading.value, binStepBps) : reading.message;
    return reading.ok && problem === undefined
      ? { bins: whole(reading.value), errors: {} }
      : { bins: whole(settled), errors: { range: problem } };
  }
  const from = readEnd('from', settled.fromBinId, draft, scale, locale);
  const to = readEnd('to', settled.toBinId, draft, scale, locale);
  const typed = from.reading.ok && to.reading.ok ? { fromBinId: from.reading.value, toBinId: to.reading.value } : undefined;
  const problem = typed === undefined ? undefined : problemOfRange(typed, binStepBps);
  const range = typed !== undefined && problem === undefined ? typed : settled;
  const errors = {
    ...(from.reading.ok ? {} : { [from.field]: from.reading.message }),
    ...(to.reading.ok ? {} : { [to.field]: to.reading.message }),
    // Shown at the field being edited: the other one was valid before.
    ...(problem === undefined ? {} : { [to.isTyped ? to.field : from.field]: problem }),
  };
  return { bins: whole(range), errors };
}

/** The price scale of a pool's bins; `undefined` if a required figure is missing or invalid. */
function scaleOf(pool: Pick<PoolView, 'binStepBps' | 'x' | 'y'>, isSwapped: boolean): PriceScale | undefined {
  const { x, y } = pool;
  const binStepBps = stepOf(pool);
  const isCount = (value: number | undefined): value is number =>
    value !== undefined && Number.isInteger(value) && value >= 0 && value <= 255;
  return binStepBps !== undefined && isCount(x.decimals) && isCount(y.decimals)
    ? { binStepBps, decimalsX: x.decimals, decimalsY: y.decimals, isSwapped }
    : undefined;
}

/** The bin step, if the program allows it. */
function stepOf({ binStepBps }: Pick<PoolView, 'binStepBps'>): number | undefined {
  return binStepBps !== undefined && isBinStep(binStepBps) ? binStepBps : undefined;
}

/** The last chosen range, or the default one if there is none or it is invalid. */
function settledRange({ fromBinId, toBinId }: PlanDraft, activeBinId: number, binStepBps: number | undefined): BinRange {
  const chosen = fromBinId === undefined || toBinId === undefined ? undefined : { fromBinId, toBinId };
  return chosen === undefined || problemOfRange(chosen, binStepBps) !== undefined ? firstRange(activeBinId, binStepBps) : chosen;
}

interface EndRead {
  readonly field: FieldName;
  readonly isTyped: boolean;
  readonly reading: ParsedInput<number>;
}

function readEnd(end: 'from' | 'to', settled: number, { texts }: PlanDraft, scale: PriceScale | undefined, locale: string): EndRead {
  const [bin, price] = end === 'from' ? (['fromBin', 'fromPrice'] as const) : (['toBin', 'toPrice'] as const);
  const [binText, priceText] = [texts?.[bin], texts?.[price]];
  if (priceText !== undefined && scale !== undefined) {
    return { field: price, isTyped: true, reading: readPrice(priceText, end, scale, locale) };
  }
  return binText === undefined
    ? { field: bin, isTyped: false, reading: { ok: true, value: settled } }
    : { field: bin, isTyped: true, reading: readBin(binText) };
}

interface SplitRead {
  readonly percentX: number;
  readonly isByBins: boolean;
  readonly errors: Readonly<Partial<Record<FieldName, string>>>;
}

function readSplit({ percentX, texts }: PlanDraft, bins: BinPlanEstimate | undefined, locale: string): SplitRead {
  if (bins === undefined) {
    // A full-range position of a pool without bins holds both tokens at equal value.
    return { percentX: 0.5, isByBins: true, errors: {} };
  }
  const byBins = Math.round(shareOfXBins(bins.range, bins.activeBinId) * PLACES_OF_SHARE) / PLACES_OF_SHARE;
  if (bins.sides !== 'both') {
    return { percentX: byBins, isByBins: true, errors: {} };
  }
  const text = texts?.percentX;
  const reading = text === undefined ? undefined : readShare(text, locale);
  const chosen = reading?.ok === true ? reading.value : percentX;
  const isShare = chosen !== undefined && chosen >= 0 && chosen <= 1;
  return { percentX: isShare ? chosen : byBins, isByBins: !isShare, errors: reading?.ok === false ? { percentX: reading.message } : {} };
}

function readAmountOf({ amountText = '' }: PlanDraft, wallet: WalletSol | undefined, locale: string): ParsedInput<bigint> | undefined {
  if (amountText.trim() === '') {
    return undefined;
  }
  const reading = readAmount(amountText, locale);
  const problem = reading.ok && wallet !== undefined && reading.value > wallet.availableLamports ? wallet.tooMuch(locale) : undefined;
  return problem === undefined ? reading : { ok: false, message: problem };
}

function readSlippageOf({ slippageText }: PlanDraft, figures: PlanFigures | undefined, locale: string): ParsedInput<number> | undefined {
  if (slippageText !== undefined) {
    return readSlippage(slippageText, locale);
  }
  return figures === undefined ? undefined : readSlippage(`${figures.defaultSlippageBps} bps`, locale);
}

function strategyOf({ strategy }: PlanDraft): Strategy {
  return STRATEGIES.find((one) => one === strategy) ?? 'Spot';
}

function errorOf(field: 'amount' | 'slippage', reading: ParsedInput<unknown> | undefined): Partial<Record<typeof field, string>> {
  return reading?.ok === false ? { [field]: reading.message } : {};
}

/** Conditions for continuing with a plan. */
interface Readiness {
  readonly pool: PoolView;
  readonly ambient: Ambient | undefined;
  readonly figures: Part<PlanFigures>;
  readonly hasBins: boolean;
  readonly errors: Readonly<Record<string, string | undefined>>;
  readonly amountLamports: bigint | undefined;
  readonly slippageBps: number | undefined;
}

/** Why a plan cannot be continued yet; `undefined`: it can. */
function disabledReasonOf({ pool, ambient, figures, hasBins, errors, amountLamports, slippageBps }: Readiness): string | undefined {
  if (pool.poolType === 'other') {
    return l10n.t('Binsight supports only Meteora DLMM and DAMM v2 pools: it signs nothing that it cannot check.');
  }
  if (pool.poolType === 'dlmm' && !hasBins) {
    return l10n.t('The service did not report the active bin of the pool.');
  }
  if (ambient?.canSign !== true) {
    return ambient?.owner === undefined
      ? l10n.t('No wallet selected. Import a wallet key or watch an address.')
      : l10n.t('This is a watch-only wallet. Import its key to sign.');
  }
  if (Object.values(errors).some((error) => error !== undefined)) {
    return l10n.t('Fix the highlighted field.');
  }
  if (figures.data === undefined) {
    return figures.status === 'failed' ? l10n.t('The wallet balance could not be loaded.') : l10n.t('Loading the wallet balance…');
  }
  if (amountLamports === undefined) {
    return l10n.t('Enter the amount of SOL.');
  }
  return slippageBps === undefined ? l10n.t('Enter the maximum slippage.') : undefined;
}
