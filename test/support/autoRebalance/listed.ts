import assert from 'node:assert/strict';
import type { LedgerMemory } from '../../../src/autoRebalance/scheduler';
import type { PoolFact } from '../../../src/review/facts/facts';
import type { OpenPosition } from '../../../src/service/positions';
import type { AutoRebalanceRules } from '../../../src/autoRebalance/types';
import { address } from '../../../src/base/solana/address';
import { WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import { addressOf, openPosition, OWNER } from '../portfolio/fixtures';

/** When the tests begin; milliseconds since 1970. */
export const START_MS = Date.UTC(2026, 10, 20);
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const POOL = addressOf(500);
const SOL_USD = 150;
const STEP = 1.01;

/** What a position is like; its figures follow from that, and hold together as those of a service do. */
export interface Life {
  readonly number?: number;
  readonly lower?: number;
  readonly upper?: number;
  readonly active?: number;
  readonly valueUsd?: number;
  readonly inputUsd?: number;
  readonly feeUsd?: number;
  readonly ageMs?: number;
  readonly nowMs?: number;
}

/** A position in a pool of some token against SOL. In range half of it is SOL; above its range all, below it nothing. */
export function listed({
  number = 0,
  lower = -386,
  upper = -376,
  active = -381,
  valueUsd = 100,
  inputUsd = 100,
  feeUsd = 2,
  ageMs = 5 * HOUR_MS,
  nowMs = START_MS,
}: Life = {}): OpenPosition {
  const priceOf = (binId: number) => STEP ** binId * SOL_USD;
  const price0Usd = priceOf(active);
  const share0 = active > upper ? 0 : active < lower ? 1 : 0.5;
  const gainUsd = valueUsd + feeUsd - inputUsd;
  return openPosition(number, {
    pool: POOL,
    owner: OWNER,
    token0: { address: addressOf(600), symbol: 'BONK', name: 'Bonk', decimals: 9 },
    token1: { address: address(WRAPPED_SOL_MINT), symbol: 'SOL', name: undefined, decimals: 9 },
    lowerBinId: lower,
    upperBinId: upper,
    activeBinId: active,
    inRange: lower <= active && active <= upper,
    binStepBps: 100,
    priceRangeUsd: { lower: priceOf(lower), upper: priceOf(upper), current: price0Usd },
    amount0: (share0 * valueUsd) / price0Usd,
    amount1: ((1 - share0) * valueUsd) / SOL_USD,
    price0Usd,
    price1Usd: SOL_USD,
    value: { usd: valueUsd, native: valueUsd / SOL_USD },
    input: { usd: inputUsd, native: inputUsd / SOL_USD },
    output: { usd: 0, native: 0 },
    collectedFee: { usd: 0, native: 0 },
    uncollectedFee: { usd: feeUsd, native: feeUsd / SOL_USD },
    uncollectedFee0: 0,
    uncollectedFee1: feeUsd / SOL_USD,
    pnl: { usd: gainUsd, native: gainUsd / SOL_USD },
    pnlPercent: { usd: (100 * gainUsd) / inputUsd, native: (100 * gainUsd) / inputUsd },
    ageHours: ageMs / HOUR_MS,
    createdAt: new Date(nowMs - ageMs),
  });
}

/** The same, its price so many bins above its range. */
export function above(life: Life = {}, bins = 5): OpenPosition {
  return listed({ ...life, active: (life.upper ?? -376) + bins });
}

/** A listed position at another price of SOL in US dollars, all figures consistent: the token is priced by SOL, and its price in SOL stays. */
export function atSolPrice(position: OpenPosition, factor: number): OpenPosition {
  const times = (figure: number | undefined) => (figure === undefined ? undefined : figure * factor);
  const usdTimes = (money: OpenPosition['value']) => ({ ...money, usd: times(money.usd) });
  const { priceRangeUsd: range } = position;
  return withGain({
    ...position,
    ...{ price0Usd: times(position.price0Usd), price1Usd: times(position.price1Usd) },
    ...{ value: usdTimes(position.value), uncollectedFee: usdTimes(position.uncollectedFee) },
    priceRangeUsd: range && { lower: range.lower * factor, upper: range.upper * factor, current: range.current * factor },
  });
}

/** A listed position whose PnL follows from its other figures. */
export function withGain(position: OpenPosition): OpenPosition {
  const gain = (currency: 'usd' | 'native') => {
    const { value, uncollectedFee, collectedFee, output, input } = position;
    return [value, uncollectedFee, collectedFee, output].reduce((sum, money) => sum + (money[currency] ?? 0), 0) - (input[currency] ?? 0);
  };
  const pnl = { usd: gain('usd'), native: gain('native') };
  const percentOf = (currency: 'usd' | 'native') => (100 * pnl[currency]) / (position.input[currency] ?? 0);
  return { ...position, pnl, pnlPercent: { usd: percentOf('usd'), native: percentOf('native') } };
}

/** The pool of a listed position by its account on the chain. */
export function poolOf(position: OpenPosition, activeBinId = position.activeBinId ?? 0): PoolFact {
  const { token0, token1, binStepBps = 0 } = position;
  assert.ok(token0.address !== undefined && token1.address !== undefined);
  return { kind: 'dlmm', tokenX: token0.address, tokenY: token1.address, activeBinId, binStepBps };
}

/** What the checks saw of deposits, kept in memory only. */
export function ledgersInMemory(): LedgerMemory {
  let kept: unknown;
  return {
    read: () => kept,
    write: (ledgers) => {
      kept = JSON.parse(JSON.stringify(ledgers));
      return Promise.resolve();
    },
  };
}

/** The rules as the settings have them, unless they are said to differ. */
export function rulesWith(part: Partial<AutoRebalanceRules> = {}): AutoRebalanceRules {
  return {
    mode: 'automatic',
    checkEveryMs: MINUTE_MS,
    outOfRangeChecks: 3,
    leastValueUsd: 25,
    cooldownMs: HOUR_MS,
    mostPerPositionAndDay: 3,
    mostPerDay: 10,
    mostClosingsPerDay: 3,
    mostCostPercentPerDay: 1,
    terms: { halfWidthBins: 34, strategy: undefined, slippageBps: 100, reserveLamports: 50_000_000n },
    stopLossPercent: undefined,
    takeProfitPercent: undefined,
    pnlIn: 'usd',
    poolsLeftAlone: [],
    ...part,
  };
}

/** Ways in which figures were seen to go wrong; each names the figures that it spoils. */
export const GLITCHES: Readonly<
  Record<string, { readonly spoils: 'range' | 'worth' | 'gain'; readonly of: (position: OpenPosition) => OpenPosition }>
> = {
  // All else holds together: nothing of it may be swapped by that price.
  'a price is not that of the pool': {
    spoils: 'range',
    of: (position) => ({ ...position, price0Usd: 5 * (position.price0Usd ?? 0), amount0: (position.amount0 ?? 0) / 5 }),
  },
  'the range contradicts the bins': { spoils: 'range', of: (position) => ({ ...position, inRange: position.inRange === false }) },
  'it is not said whether it is in range': { spoils: 'range', of: (position) => ({ ...position, inRange: undefined }) },
  'there is no active bin': { spoils: 'range', of: (position) => ({ ...position, activeBinId: undefined }) },
  'the bins are the wrong way round': {
    spoils: 'range',
    of: (position) => ({ ...position, lowerBinId: position.upperBinId, upperBinId: position.lowerBinId }),
  },
  'a bin is not a number': { spoils: 'range', of: (position) => ({ ...position, activeBinId: Number.NaN }) },
  'the prices contradict the bins': {
    spoils: 'range',
    of: (position) => ({
      ...position,
      priceRangeUsd: position.inRange === true ? { lower: 1, upper: 2, current: 3 } : { lower: 1, upper: 3, current: 2 },
    }),
  },
  'a token has no price': { spoils: 'worth', of: (position) => ({ ...position, price0Usd: undefined }) },
  'a price is 0': { spoils: 'worth', of: (position) => ({ ...position, price1Usd: 0 }) },
  'an amount is missing': { spoils: 'worth', of: (position) => ({ ...position, amount0: undefined }) },
  'the value is missing': { spoils: 'worth', of: (position) => ({ ...position, value: { usd: undefined, native: undefined } }) },
  'the value is nearly nothing': {
    spoils: 'worth',
    of: (position) => ({ ...position, value: { usd: (position.value.usd ?? 0) / 100, native: (position.value.native ?? 0) / 100 } }),
  },
  'the value is ten times too high': {
    spoils: 'worth',
    of: (position) => ({ ...position, value: { usd: 10 * (position.value.usd ?? 0), native: 10 * (position.value.native ?? 0) } }),
  },
  'SOL and dollars disagree': {
    spoils: 'worth',
    of: (position) => ({ ...position, value: { usd: position.value.usd, native: 2 * (position.value.native ?? 0) } }),
  },
  'the gain is missing': {
    spoils: 'gain',
    of: (position) => ({ ...position, pnl: { usd: undefined, native: undefined }, pnlPercent: { usd: undefined, native: undefined } }),
  },
  'the gain is -99 % for a minute': { spoils: 'gain', of: (position) => ({ ...position, pnlPercent: { usd: -99, native: -99 } }) },
  'the gain is -99 %, and says so twice': {
    spoils: 'gain',
    of: (position) => ({
      ...position,
      pnl: { usd: -0.99 * (position.input.usd ?? 0), native: -0.99 * (position.input.native ?? 0) },
      pnlPercent: { usd: -99, native: -99 },
    }),
  },
  'nothing was put in': { spoils: 'gain', of: (position) => ({ ...position, input: { usd: 0, native: 0 } }) },
  'the fees are not those of the amounts': { spoils: 'gain', of: (position) => ({ ...position, uncollectedFee: { usd: 500, native: 4 } }) },
  'percent and fraction are mixed up': {
    spoils: 'gain',
    of: (position) => ({
      ...position,
      pnlPercent: { usd: 100 * (position.pnlPercent.usd ?? 0) - 60, native: 100 * (position.pnlPercent.native ?? 0) - 60 },
    }),
  },
};
