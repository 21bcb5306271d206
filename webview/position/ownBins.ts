import * as l10n from '@vscode/l10n';
import { svg, type TemplateResult } from 'lit-html';
import { checkBin, isBinStep, MAX_BINS_PER_POSITION } from '../../src/base/dlmm/bins';
import { spreadOverBins, STRATEGIES } from '../../src/base/dlmm/strategy';
import type { PositionEvent, PositionView } from '../../src/protocol/position';
import type { Figures } from '../shared/figures';
import { kindOfEvent } from '../../src/base/insight/positionEvents';

/** A bin of a position with its estimated contents. */
export interface OwnBin {
  readonly binId: number;
  /** Whole tokens. */
  readonly x: number;
  readonly y: number;
  /** Value of both, US dollars. */
  readonly usd: number;
}

type BinFigures = Pick<PositionView, 'strategy' | 'lowerBinId' | 'upperBinId' | 'activeBinId' | 'binStepBps' | 'x' | 'y'>;

/** Raw units spread over each side to find its profile: large enough for rounding to be invisible at any price. */
const AMOUNT = 10n ** 60n;

/**
 * Estimates what each bin of a position holds: the service reports only how much there is of each token. Token X is in the bins above the active
 * one, token Y in the others, in the proportions in which the strategy spread the deposit.
 * @param center the active bin at the deposit, around which Curve and BidAsk are shaped; `undefined`: not known, the current one is used
 * @returns `undefined` if a figure is missing that this needs, or if the amounts contradict the price; ascending
 */
export function ownBins(position: BinFigures, center: number | undefined): readonly OwnBin[] | undefined {
  const { lowerBinId: from, upperBinId: to, activeBinId: active, binStepBps: step, x, y } = position;
  const strategy = STRATEGIES.find((one) => one === position.strategy);
  if (strategy === undefined || from === undefined || to === undefined || active === undefined || step === undefined || !isBinStep(step)) {
    return undefined;
  }
  const [amountX, amountY, priceX, priceY] = [x.amount, y.amount, x.priceUsd, y.priceUsd];
  if (!isAmount(amountX) || !isAmount(amountY) || !isAmount(priceX) || !isAmount(priceY)) {
    return undefined;
  }
  if (from > to || to - from >= MAX_BINS_PER_POSITION || ![from, to, active].every((bin) => isBin(bin, step))) {
    return undefined;
  }
  if (contradicts({ from, to, active }, amountX * priceX, amountY * priceY)) {
    return undefined;
  }
  const middle = center !== undefined && isBin(center, step) ? center : active;
  const profile = profileOf(from, to, middle, step, strategy);
  // A rest of the other token is in the bin that is nearest to the price.
  const [lastY, firstX] = [Math.max(active, from), Math.min(active + 1, to)];
  const bins = profile.map(({ binId, liquidity }) => ({
    binId,
    weightX: binId >= firstX ? liquidity / relativePrice(binId - from, step) : 0,
    weightY: binId <= lastY ? liquidity : 0,
  }));
  const sum = (weight: 'weightX' | 'weightY'): number => bins.reduce((total, bin) => total + bin[weight], 0);
  const [totalX, totalY] = [sum('weightX'), sum('weightY')];
  return bins.map(({ binId, weightX, weightY }) => {
    const inX = totalX > 0 ? (amountX * weightX) / totalX : 0;
    const inY = totalY > 0 ? (amountY * weightY) / totalY : 0;
    return { binId, x: inX, y: inY, usd: inX * priceX + inY * priceY };
  });
}

/** Share of the value that rounding and reads at different moments leave in the token that the range can't hold. */
const MOST_REST = 0.05;

/** Whether the amounts don't fit the price: above the range it holds only Y, below it only X. They were read at different moments. */
function contradicts(range: { readonly from: number; readonly to: number; readonly active: number }, usdX: number, usdY: number): boolean {
  const rest = range.active > range.to ? usdX : range.active < range.from ? usdY : 0;
  return rest > MOST_REST * (usdX + usdY);
}

/** The liquidity of each bin at the deposit, each side relative to its fullest bin. */
function profileOf(
  fromBinId: number,
  toBinId: number,
  activeBinId: number,
  binStepBps: number,
  strategy: (typeof STRATEGIES)[number],
): readonly { readonly binId: number; readonly liquidity: number }[] {
  const spread = spreadOverBins({ fromBinId, toBinId, activeBinId, binStepBps, strategy, amountX: AMOUNT, amountY: AMOUNT });
  const bins = spread.map(({ binId, amountX, amountY }) => ({
    binId,
    isX: amountX > 0n,
    // Relative to the first bin's price: only ratios matter, and prices of raw units can be tiny.
    liquidity: amountX > 0n ? Number(amountX) * relativePrice(binId - fromBinId, binStepBps) : Number(amountY),
  }));
  const most = (isX: boolean): number => bins.reduce((top, bin) => (bin.isX === isX ? Math.max(top, bin.liquidity) : top), 0);
  const [mostX, mostY] = [most(true), most(false)];
  return bins.map(({ binId, isX, liquidity }) => ({ binId, liquidity: liquidity / (isX ? mostX : mostY) }));
}

/** The price of a bin relative to the one that is `offset` bins below it: no bin id, so the bounds of bin ids don't apply. */
function relativePrice(offset: number, binStepBps: number): number {
  return Math.exp(offset * Math.log1p(binStepBps / 10_000));
}

/** Whether an event put tokens in. */
function isDeposit(event: PositionEvent): boolean {
  const kind = kindOfEvent(event);
  const hasAmount = [event.amount0Raw, event.amount1Raw].some((raw) => raw !== undefined && BigInt(raw) > 0n);
  return kind === 'deposit' || (kind === 'open' && hasAmount);
}

/** The active bin at the first deposit, from its prices; `undefined` if they are not known. */
export function depositBin(events: readonly PositionEvent[] | undefined, binStepBps: number | undefined): number | undefined {
  const first = events?.findLast(isDeposit);
  if (first === undefined || binStepBps === undefined || !isBinStep(binStepBps)) {
    return undefined;
  }
  const { price0Usd, price1Usd, decimals0, decimals1 } = first;
  if (
    !isAmount(price0Usd) ||
    !isAmount(price1Usd) ||
    price0Usd === 0 ||
    price1Usd === 0 ||
    decimals0 === undefined ||
    decimals1 === undefined
  ) {
    return undefined;
  }
  const rawPrice = (price0Usd / price1Usd) * 10 ** (decimals1 - decimals0);
  const bin = Math.round(Math.log(rawPrice) / Math.log1p(binStepBps / 10_000));
  return Number.isFinite(bin) ? bin + 0 : undefined;
}

function isBin(binId: number, binStepBps: number): boolean {
  try {
    checkBin(binId, binStepBps);
    return true;
  } catch {
    return false;
  }
}

function isAmount(value: number | undefined): value is number {
  return value !== undefined && Number.isFinite(value) && value >= 0;
}

/** More bars than this are thinner than a pixel in a narrow panel. */
const MOST_BARS = 120;
const GAP = 0.12;

/** Where the bars are: shares of the width, and pixels. */
export interface BarsPlace {
  readonly lower: number;
  readonly upper: number;
  readonly top: number;
  readonly bottom: number;
}

/** The bars of a position's bins; bins that share a bar are as high as the fullest of them. Token X is hatched, like in the holdings. */
export function binBars(
  bins: readonly OwnBin[],
  symbols: { readonly x: string; readonly y: string },
  { lower, upper, top, bottom }: BarsPlace,
  { text }: Pick<Figures, 'text'>,
): readonly TemplateResult<2>[] {
  const most = bins.reduce((highest, { usd }) => Math.max(highest, usd), 0);
  const together = Math.ceil(bins.length / MOST_BARS);
  const width = (upper - lower) / bins.length;
  const at = (share: number): string => `${(100 * share).toFixed(3)}%`;
  const groups = Array.from({ length: Math.ceil(bins.length / together) }, (_, index) =>
    bins.slice(index * together, (index + 1) * together),
  );
  return groups.flatMap((group, index) => {
    const fullest = group.reduce<OwnBin | undefined>((best, bin) => (best === undefined || bin.usd > best.usd ? bin : best), undefined);
    if (fullest === undefined || fullest.usd <= 0 || most <= 0) {
      return [];
    }
    const height = Math.max(((bottom - top) * fullest.usd) / most, 1.5);
    const x = at(lower + index * together * width + (width * GAP) / 2);
    const wide = at(group.length * width - width * GAP);
    const amounts = [
      fullest.x > 0 ? `${text.tokens(fullest.x)} ${symbols.x}` : undefined,
      fullest.y > 0 ? `${text.tokens(fullest.y)} ${symbols.y}` : undefined,
    ].filter((part) => part !== undefined);
    const rect = (fill: string) => svg`<rect x=${x} width=${wide} y=${bottom - height} height=${height} class=${fill}></rect>`;
    return [
      svg`<g><title>${`${l10n.t`bin ${text.bin(fullest.binId)}`}: ≈ ${amounts.join(', ')} (${text.usd(fullest.usd)})`}</title>${rect(fullest.x > 0 ? 'share-x' : 'share-y')}${fullest.x > 0 ? rect('bar-hatch') : ''}</g>`,
    ];
  });
}
