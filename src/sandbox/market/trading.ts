import { binArrayIndex, binArraysOf } from '../../dlmm/bins';
import { FEE_PRECISION } from '../../dlmm/fees';
import { moveOthers, othersIn, othersRange } from './background';
import { cursorAt, type Pool, type Volatility } from './pool';
import type { Random } from './random';
import { record } from './series';

/** Pool constants of the program's usual presets, seconds and basis points. */
const FILTER_SECONDS = 30;
const DECAY_SECONDS = 600;
const REDUCTION_BPS = 5_000;
const BASIS_POINTS = 10_000;
const Q64 = 2 ** 64;
const Q96 = 2 ** 96;
/** Arbitrage does not get finer than this part of a bin. */
const LEAST_BAND_BINS = 0.5;

/** The world outside the pool during one step. */
export interface Outside {
  /** Milliseconds since 1970, at the end of the step. */
  readonly now: number;
  readonly seconds: number;
  /** US dollars for one whole token. */
  readonly usdX: number;
  readonly usdY: number;
  /** 1 in usual times; more trade while prices are restless. */
  readonly activity: number;
  readonly random: Random;
}

/**
 * Lets people trade in a pool for one step. Chance trades go to and fro; arbitrage walks the active bin after the outside
 * price as far as it pays, that is to within the fee of it. Both pay fees to the liquidity that they used.
 */
export function trade(pool: Pool, outside: Outside): void {
  const { state, spec } = pool;
  const { random, seconds, usdX, usdY } = outside;
  const rawY = 10 ** pool.tokenY.spec.decimals;
  moveOthers(pool, seconds, random.normal());

  const usualUsd = (spec.tvlUsd * spec.turnoverPerDay * seconds * outside.activity) / 86_400;
  const trades = random.count(usualUsd / spec.tradeUsd);
  const chanceY = trades === 0 ? 0 : ((trades * spec.tradeUsd * Math.exp(random.normal() / (2 * Math.sqrt(trades)))) / usdY) * rawY;

  const sinceLast = Math.max(0, (outside.now - state.volatility.tradedAt) / 1_000);
  state.volatility = volatilityAfter(state.volatility, Math.min(sinceLast, trades > 0 ? seconds / trades : seconds), pool.activeBinId, spec.maxVolatility);
  const rate = Number(pool.feeRates().total) / Number(FEE_PRECISION);
  const balance = cursorAt((usdX / usdY) * 10 ** (pool.tokenY.spec.decimals - pool.tokenX.spec.decimals), spec.binStepBps);
  const band = Math.max(LEAST_BAND_BINS, rate / Math.log1p(spec.binStepBps / BASIS_POINTS));
  const depthY = depthAt(pool, pool.activeBinId, usdY);
  const nudge = depthY > 0 && trades > 0 ? Math.min(1, (0.3 * chanceY) / depthY / Math.sqrt(trades)) * random.normal() : 0;
  const from = state.cursor;
  const to = Math.min(Math.max(from + nudge, balance - band), balance + band);

  const walkedY = walk(pool, from, to, rate, usdY);
  spreadChanceTrades(pool, from, to, chanceY, rate, usdY);
  if (trades > 0 || Math.floor(from) !== Math.floor(to)) {
    state.volatility.tradedAt = outside.now;
  }
  // Other people make the bin arrays that they need.
  const index = binArrayIndex(pool.activeBinId);
  if (!state.binArrays.includes(index)) {
    addBinArrays(pool);
  }
  const volumeUsd = ((walkedY + chanceY) / rawY) * usdY;
  record(state.series, outside.now, { volumeUsd, feeUsd: volumeUsd * rate }, usdX);
}

/** Makes the bin arrays under everybody's liquidity exist. */
export function addBinArrays(pool: Pool): void {
  const { from, to } = othersRange(pool);
  pool.state.binArrays = [...new Set([...pool.state.binArrays, ...binArraysOf(from, to)])].sort((a, b) => a - b);
}

/** All liquidity in a bin: price × x + y in raw Y. */
export function depthAt(pool: Pool, binId: number, usdY: number): number {
  const tracked = pool.state.bins[binId];
  return othersIn(pool, binId, usdY) + (tracked === undefined ? 0 : Number(tracked.liquidity) / Q64);
}

/**
 * The volatility that fees depend on, at a trade after so many seconds without one (commons/src/extensions/lb_pair.rs):
 * within the filter period the reference stays, within the decay period half of the volatility does, later nothing.
 */
export function volatilityAfter(before: Volatility, elapsedSeconds: number, activeBinId: number, most: number): Volatility {
  const fresh = elapsedSeconds < FILTER_SECONDS;
  const kept = elapsedSeconds < DECAY_SECONDS ? Math.floor((before.accumulator * REDUCTION_BPS) / BASIS_POINTS) : 0;
  const reference = fresh ? before.reference : kept;
  const referenceBin = fresh ? before.referenceBin : activeBinId;
  const accumulator = Math.min(reference + Math.abs(referenceBin - activeBinId) * BASIS_POINTS, most);
  return { ...before, accumulator, reference, referenceBin };
}

/** Moves the cursor; what it passes changes from one token into the other. Gives the volume, raw Y. */
function walk(pool: Pool, from: number, to: number, rate: number, usdY: number): number {
  const low = Math.min(from, to);
  const high = Math.max(from, to);
  const earned = (rate / (1 - rate)) * liquidityProvidersPart(pool);
  let volume = 0;
  for (let binId = Math.floor(low); binId <= Math.floor(high); binId += 1) {
    const part = Math.min(high, binId + 1) - Math.max(low, binId);
    volume += part * depthAt(pool, binId, usdY);
    // Upwards, Y is paid in and with it the fee; downwards X.
    earn(pool, binId, to < from ? (part * earned) / pool.priceOf(binId) : 0, to < from ? 0 : part * earned);
  }
  pool.state.cursor = to;
  return volume;
}

/** Trades that cancel out pay half their fees in each token, to the bins through which the price went. */
function spreadChanceTrades(pool: Pool, from: number, to: number, volumeY: number, rate: number, usdY: number): void {
  const first = Math.floor(Math.min(from, to));
  const last = Math.floor(Math.max(from, to));
  const each = (volumeY * rate * liquidityProvidersPart(pool)) / (last - first + 1);
  for (let binId = first; binId <= last; binId += 1) {
    const depthY = depthAt(pool, binId, usdY);
    if (depthY > 0) {
      earn(pool, binId, each / depthY / 2 / pool.priceOf(binId), each / depthY / 2);
    }
  }
}

/** Credits fees, in raw units for one raw Y of liquidity; books are kept only where a tracked position has some. */
function earn(pool: Pool, binId: number, x: number, y: number): void {
  const bin = pool.state.bins[binId];
  if (bin !== undefined) {
    bin.feeX += BigInt(Math.floor(x * Q96));
    bin.feeY += BigInt(Math.floor(y * Q96));
  }
}

function liquidityProvidersPart(pool: Pool): number {
  return 1 - pool.spec.protocolShareBps / BASIS_POINTS;
}
