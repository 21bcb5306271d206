import { rangeEdges } from '../../src/base/dlmm/bins';
import type { PositionView } from '../../src/protocol/position';

/** Where the price is relative to a range. */
export type Side = 'inside' | 'below' | 'above';

/** A range and the price as shares of a bar's length, 0 to 1 from the left. */
export interface RangeGauge {
  readonly side: Side;
  readonly lower: number;
  readonly upper: number;
  readonly price: number;
  /** The price is further out than the bar can show: it is drawn at the end, behind a break. */
  readonly isBroken: boolean;
}

/** How far the price has to move to reach a bound: in percent (negative is downwards) and, if known, in bins. */
export interface EdgeDistance {
  readonly percent: number;
  readonly bins: number | undefined;
}

export interface EdgeDistances {
  readonly lower: EdgeDistance;
  readonly upper: EdgeDistance;
}

type RangeFigures = Pick<PositionView, 'lowerBinId' | 'upperBinId' | 'activeBinId' | 'binStepBps' | 'priceRangeUsd'>;

/** Share of the bar that is left free at each end. */
const MARGIN = 0.1;
/** Greatest distance drawn between the range and a price outside of it, in lengths of the range. */
const FARTHEST = 0.35;

/** Places range and price in a bar; `undefined` if the service does not report them. The range takes at least half of the bar. */
export function rangeGauge(position: RangeFigures): RangeGauge | undefined {
  const place = placeInRange(position);
  if (place === undefined) {
    return undefined;
  }
  const out = place < 0 ? -place : Math.max(place - 1, 0);
  const gap = Math.min(out, FARTHEST);
  const length = (1 - 2 * MARGIN) / (1 + gap);
  const lower = place < 0 ? 1 - MARGIN - length : MARGIN;
  const shown = place < 0 ? -gap : Math.min(place, 1 + gap);
  return {
    side: place < 0 ? 'below' : place > 1 ? 'above' : 'inside',
    lower,
    upper: lower + length,
    price: lower + shown * length,
    isBroken: out > FARTHEST,
  };
}

/** Distance from the price to both bounds, from the bins or else from the prices. `undefined` if neither is known. */
export function edgeDistances(position: RangeFigures): EdgeDistances | undefined {
  const bins = binsOf(position);
  if (bins !== undefined && isStep(position.binStepBps)) {
    const { lowerPercent, upperPercent } = rangeEdges({ fromBinId: bins.lower, toBinId: bins.upper }, bins.active, position.binStepBps);
    return {
      lower: { percent: lowerPercent, bins: bins.lower - bins.active },
      upper: { percent: upperPercent, bins: bins.upper - bins.active },
    };
  }
  const prices = pricesOf(position);
  if (prices === undefined) {
    return undefined;
  }
  const percentTo = (edge: number) => 100 * (edge / prices.current - 1);
  return { lower: { percent: percentTo(prices.lower), bins: undefined }, upper: { percent: percentTo(prices.upper), bins: undefined } };
}

/** The price's place: 0 at the lower bound, 1 at the upper one. Logarithmic in the price, like bins. */
function placeInRange(position: RangeFigures): number | undefined {
  const bins = binsOf(position);
  if (bins !== undefined) {
    // All bins are equally wide; the price is somewhere inside the active one, so its middle is used.
    return (bins.active + 0.5 - bins.lower) / (bins.upper + 1 - bins.lower);
  }
  const prices = pricesOf(position);
  return prices === undefined ? undefined : Math.log(prices.current / prices.lower) / Math.log(prices.upper / prices.lower);
}

function binsOf({
  lowerBinId: lower,
  upperBinId: upper,
  activeBinId: active,
}: RangeFigures): { readonly lower: number; readonly upper: number; readonly active: number } | undefined {
  return lower === undefined || upper === undefined || active === undefined || lower > upper ? undefined : { lower, upper, active };
}

function pricesOf({
  priceRangeUsd: prices,
}: RangeFigures): { readonly lower: number; readonly upper: number; readonly current: number } | undefined {
  return prices !== undefined && prices.lower > 0 && prices.upper > prices.lower && prices.current > 0 ? prices : undefined;
}

function isStep(binStepBps: number | undefined): binStepBps is number {
  return binStepBps !== undefined && Number.isInteger(binStepBps) && binStepBps >= 1 && binStepBps <= 400;
}
