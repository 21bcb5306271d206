import { type BinRange, isBinStep, maxBinIdOf, priceOfBin } from '../dlmm/bins';
import type { Strategy } from '../dlmm/strategy';
import { DAY_MS, HOUR_MS } from '../time';
import {
  type BinnedOutlook,
  binnedOutlook,
  type FeesBand,
  type Outlook,
  type OutlookBin,
  plannedBins,
  type ProductOutlook,
  productOutlook,
  type Sigma,
} from './outlook';
import { compareWidths, type Widths } from './widths';

// From a pool as services report it, in whole tokens and US dollars, to an outlook.

interface ReportedToken {
  readonly address?: string | undefined;
  readonly decimals?: number | undefined;
  readonly priceUsd?: number | undefined;
}

/** A pool as a service reports it: whole tokens, US dollars. */
export interface ReportedPool {
  readonly poolType: 'dlmm' | 'dammV2' | 'other';
  readonly x: ReportedToken;
  readonly y: ReportedToken;
  /** Whole tokens Y for one whole X. */
  readonly price?: number | undefined;
  readonly binStepBps?: number | undefined;
  readonly activeBinId?: number | undefined;
  readonly bins: readonly OutlookBin[];
  readonly amountX?: number | undefined;
  readonly amountY?: number | undefined;
  readonly tvlUsd?: number | undefined;
  readonly fees: { readonly fees24hUsd?: number | undefined; readonly protocolPercent?: number | undefined };
  /** Of hours, ascending by time. */
  readonly feeStats: readonly { readonly atMs: number; readonly feeUsd?: number | undefined }[];
}

/** What a unit is worth; `undefined`: not known. */
export interface WorthOfY {
  readonly usd: number | undefined;
  readonly native: number | undefined;
}

/** What the future of a position depends on besides the pool. */
export interface Expectation {
  readonly sigma: Sigma | undefined;
  readonly horizonS: number;
  /** US dollars per SOL. */
  readonly solUsd: number | undefined;
  /** The mint of wrapped SOL. */
  readonly solMint: string;
  /** What entering costs and is not refunded; `undefined`: not known. */
  readonly costsSol?: number | undefined;
  /** As in the outlook. */
  readonly feesBand?: FeesBand | undefined;
}

/** A deposit that is planned. */
export interface OutlookPlan {
  /** `undefined`: all prices, in a pool without bins. */
  readonly range: BinRange | undefined;
  readonly strategy: Strategy;
  /** The share of the value in token X, 0 to 1. */
  readonly percentX: number;
  readonly amountSol: number;
}

/** A position that exists: what each of its bins holds, in whole tokens. */
export interface HeldPosition {
  readonly bins: readonly OutlookBin[];
  readonly range: BinRange;
  readonly activeBinId: number;
  /** `undefined`: not reported. */
  readonly valueUsd: number | undefined;
}

/** A position whose outlook can be computed, and what the unit of its values is worth. */
export interface AskedOutlook {
  readonly input: BinnedOutlook | ProductOutlook;
  readonly unit: WorthOfY;
}

/** Why nothing can be computed: the service does not report it, or the value of the position is not that of what its bins hold. */
export type NotReported = 'bins' | 'prices' | 'liquidity' | 'contradiction';

const WEEK_MS = 7 * DAY_MS;
/** The position and the pool are read at different moments: their prices differ a little. */
const MOST_APART = 1.25;

/** The outlook of what was asked. */
export function outlookOf({ input }: AskedOutlook): Outlook {
  return 'own' in input ? binnedOutlook(input) : productOutlook(input);
}

/** What a position is asked about that is to be opened with SOL. */
export function planToAsk(pool: ReportedPool, plan: OutlookPlan, expectation: Expectation): AskedOutlook | NotReported {
  const { range, strategy, percentX, amountSol } = plan;
  const worth = worthOfY(pool, expectation);
  const depositY = worth.native === undefined ? undefined : positive(amountSol / worth.native);
  if (depositY === undefined) {
    return 'prices';
  }
  if (pool.poolType === 'dammV2') {
    return product(pool, { depositY, otherwiseY: 0 }, worth, expectation);
  }
  const { activeBinId } = pool;
  const scale = scaleOf(pool);
  if (
    scale === undefined ||
    range === undefined ||
    activeBinId === undefined ||
    !areBins([activeBinId, range.fromBinId, range.toBinId], scale)
  ) {
    return 'bins';
  }
  const amounts = amountsOf(depositY * scale.rawY, percentX, activeBinId, scale.binStepBps);
  const own = plannedBins({ ...range, activeBinId, binStepBps: scale.binStepBps, strategy, ...amounts });
  return binned(pool, { own, range, activeBinId, others: rawBins(pool.bins, scale) }, scale, worth, expectation);
}

/** What a position is asked about that is open in a pool with bins. */
export function positionToAsk(pool: ReportedPool, held: HeldPosition, expectation: Expectation): AskedOutlook | NotReported {
  const { range, activeBinId } = held;
  const scale = scaleOf(pool);
  if (scale === undefined || !areBins([activeBinId, range.fromBinId, range.toBinId], scale)) {
    return 'bins';
  }
  const own = rawBins(held.bins, scale);
  const mine = new Map(own.map((bin) => [bin.binId, bin]));
  // Liquidity counts, not which of the tokens it is in: the pool may have been read at another price.
  const others = rawBins(pool.bins, scale).map(({ binId, x, y }) => {
    const price = priceOfBin(binId, scale.binStepBps);
    const { x: ownX = 0, y: ownY = 0 } = mine.get(binId) ?? {};
    return { binId, x: 0, y: Math.max((x - ownX) * price + y - ownY, 0) };
  });
  const asked = binned(pool, { own, range, activeBinId, others }, scale, worthOfY(pool, expectation), expectation);
  return contradicts(asked, own, held, scale) ? 'contradiction' : asked;
}

/** Whether decimals, prices or amounts are wrong: then what is in the bins is not worth what the service says. */
function contradicts({ unit }: AskedOutlook, own: readonly OutlookBin[], { activeBinId, valueUsd }: HeldPosition, scale: Scale): boolean {
  const price = priceOfBin(activeBinId, scale.binStepBps);
  const usd = sum(own.map(({ x, y }) => x * price + y)) * (unit.usd ?? NaN);
  return valueUsd !== undefined && (usd > MOST_APART * valueUsd || usd < valueUsd / MOST_APART);
}

/** What a position is asked about that is open in a pool without bins. */
export function shareToAsk(pool: ReportedPool, valueUsd: number, expectation: Expectation): AskedOutlook | NotReported {
  const worth = worthOfY(pool, expectation);
  const depositY = worth.usd === undefined ? undefined : positive(valueUsd / worth.usd);
  return depositY === undefined ? 'prices' : product(pool, { depositY, otherwiseY: depositY }, worth, expectation);
}

/** Other widths of a position around the price, in one shape. `undefined`: the pool has no bins. */
export function widthsOf({ input }: AskedOutlook, depositY: number, strategy: Strategy, percentX: number): Widths | undefined {
  return 'own' in input
    ? compareWidths({ ...input, ...amountsOf(depositY, percentX, input.activeBinId, input.binStepBps), strategies: [strategy] })
    : undefined;
}

/**
 * What all providers of a pool earn a day, after the protocol's share, if that is reported: as volatility, the mean of the last day's fees and of
 * the last week's.
 */
export function feesPerDayUsd({ fees, feeStats }: Pick<ReportedPool, 'fees' | 'feeStats'>): number | undefined {
  const { fees24hUsd, protocolPercent = 0 } = fees;
  const end = (feeStats.at(-1)?.atMs ?? 0) + HOUR_MS;
  const ofWeek = feeStats.filter(({ atMs, feeUsd }) => atMs >= end - WEEK_MS && amount(feeUsd) !== undefined);
  const coveredMs = end - (ofWeek[0]?.atMs ?? end);
  const weekPerDay = coveredMs < DAY_MS ? undefined : (sum(ofWeek.map(({ feeUsd = 0 }) => feeUsd)) * DAY_MS) / coveredMs;
  const day = amount(fees24hUsd) ?? weekPerDay;
  const perDay = day === undefined ? undefined : (day + (weekPerDay ?? day)) / 2;
  return perDay === undefined ? undefined : amount(perDay * (1 - protocolPercent / 100));
}

/** What one whole token Y is worth, by the price of SOL where one of the tokens is SOL. */
function worthOfY(pool: ReportedPool, { solUsd, solMint }: Expectation): WorthOfY {
  const { x, y, activeBinId } = pool;
  const scale = scaleOf(pool);
  // The bins' own price, to which their liquidity belongs.
  const price =
    scale !== undefined && activeBinId !== undefined && areBins([activeBinId], scale)
      ? positive((priceOfBin(activeBinId, scale.binStepBps) * scale.rawX) / scale.rawY)
      : positive(pool.price);
  const usdPerSol = positive([x, y].find(({ address }) => address === solMint)?.priceUsd) ?? positive(solUsd);
  const native =
    y.address === solMint
      ? 1
      : x.address === solMint && price !== undefined
        ? positive(1 / price)
        : (positive(y.priceUsd) ?? NaN) / (usdPerSol ?? NaN);
  const known = positive(native);
  return { native: known, usd: positive(y.priceUsd) ?? (known === undefined || usdPerSol === undefined ? undefined : known * usdPerSol) };
}

function product(
  pool: ReportedPool,
  { depositY, otherwiseY }: { readonly depositY: number; /** What of the pool is the position's own. */ readonly otherwiseY: number },
  worth: WorthOfY,
  expectation: Expectation,
): AskedOutlook | NotReported {
  const { amountX, amountY, price, tvlUsd } = pool;
  const poolY = amount((amountX ?? NaN) * (price ?? NaN) + (amountY ?? NaN)) ?? amount((tvlUsd ?? NaN) / (worth.usd ?? NaN));
  return poolY === undefined
    ? 'liquidity'
    : { input: { depositY, othersY: Math.max(poolY - otherwiseY, 0), ...conditions(pool, 1, worth, expectation) }, unit: worth };
}

function binned(
  pool: ReportedPool,
  position: Pick<BinnedOutlook, 'own' | 'range' | 'activeBinId' | 'others'>,
  { binStepBps, rawY }: Scale,
  worth: WorthOfY,
  expectation: Expectation,
): AskedOutlook {
  return {
    input: { binStepBps, ...position, ...conditions(pool, rawY, worth, expectation) },
    unit: {
      usd: worth.usd === undefined ? undefined : worth.usd / rawY,
      native: worth.native === undefined ? undefined : worth.native / rawY,
    },
  };
}

/** @param units of the outlook for one whole token Y */
function conditions(
  pool: ReportedPool,
  units: number,
  worth: WorthOfY,
  { sigma, horizonS, costsSol, feesBand }: Expectation,
): Pick<ProductOutlook, 'sigma' | 'horizonS' | 'lpFeesPerDayY' | 'costsY' | 'feesBand'> {
  const inUnits = (value: number | undefined, each: number | undefined): number | undefined =>
    value === undefined || each === undefined ? undefined : (value / each) * units;
  return { sigma, horizonS, lpFeesPerDayY: inUnits(feesPerDayUsd(pool), worth.usd), costsY: inUnits(costsSol, worth.native), feesBand };
}

/** From whole tokens to raw units. */
interface Scale {
  readonly binStepBps: number;
  readonly rawX: number;
  readonly rawY: number;
}

function scaleOf({ binStepBps, x, y }: ReportedPool): Scale | undefined {
  return binStepBps !== undefined && isBinStep(binStepBps) && areDecimals(x.decimals) && areDecimals(y.decimals)
    ? { binStepBps, rawX: 10 ** x.decimals, rawY: 10 ** y.decimals }
    : undefined;
}

/** Bins that the program has: others are not counted. */
function rawBins(bins: readonly OutlookBin[], scale: Scale): readonly OutlookBin[] {
  const most = maxBinIdOf(scale.binStepBps);
  return bins
    .filter(({ binId, x, y }) => Math.abs(binId) <= most && x >= 0 && y >= 0)
    .map(({ binId, x, y }) => ({ binId, x: x * scale.rawX, y: y * scale.rawY }));
}

function areBins(binIds: readonly number[], { binStepBps }: Scale): boolean {
  const most = maxBinIdOf(binStepBps);
  return binIds.every((binId) => Number.isInteger(binId) && Math.abs(binId) <= most);
}

/** Both amounts of a value in Y, raw units, at the price in the middle of the active bin. */
function amountsOf(
  valueY: number,
  percentX: number,
  activeBinId: number,
  binStepBps: number,
): { readonly amountX: bigint; readonly amountY: bigint } {
  const price = priceOfBin(activeBinId, binStepBps) * Math.sqrt(1 + binStepBps / 10_000);
  return { amountX: whole((valueY * percentX) / price), amountY: whole(valueY * (1 - percentX)) };
}

function whole(value: number): bigint {
  return Number.isFinite(value) && value > 0 ? BigInt(Math.floor(value)) : 0n;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function areDecimals(value: number | undefined): value is number {
  return value !== undefined && Number.isInteger(value) && value >= 0 && value <= 255;
}

function amount(value: number | undefined): number | undefined {
  return value !== undefined && Number.isFinite(value) && value >= 0 ? value : undefined;
}

function positive(value: number | undefined): number | undefined {
  return value !== undefined && Number.isFinite(value) && value > 0 ? value : undefined;
}
