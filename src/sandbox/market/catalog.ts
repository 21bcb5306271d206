import { addressFromBytes, type Address } from '../../base/solana/address';
import { USDC_MINT, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { WHOLE_BPS } from '../../base/basisPoints';
import { seededBytes } from './random';

/** A token of the simulated market, with its initial figures. */
export interface TokenSpec {
  readonly key: string;
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
  /** Usual price, US dollars. */
  readonly priceUsd: number;
  /** Whole tokens in circulation, and in all. */
  readonly circulating: number;
  readonly supply: number;
  /** Share in SOL's movement: 1 follows SOL completely. */
  readonly beta: number;
  /** The token's own volatility: standard deviation of the yearly logarithmic return. */
  readonly volatility: number;
  /** Average number of jumps per day. */
  readonly jumpsPerDay: number;
  readonly holders: number;
  /** 0 to 100. */
  readonly organicScore: number;
  /** Percent. */
  readonly topHolderPercent: number;
  readonly mintOrFreeze: boolean;
}

/** Fields of both pool types. */
interface PoolSpecBase {
  readonly key: string;
  /** Keys of {@link TokenSpec}. */
  readonly tokenX: string;
  readonly tokenY: string;
  /** The protocol's share of the fees, basis points. */
  readonly protocolShareBps: number;
  /** Usual liquidity, US dollars. */
  readonly tvlUsd: number;
  /** Usual daily volume without arbitrage, as a multiple of `tvlUsd`. */
  readonly turnoverPerDay: number;
  readonly tradeUsd: number;
  /** Age at the start of the sandbox. */
  readonly ageHours: number;
}

/** A bin pool (DLMM). */
export interface BinPoolSpec extends PoolSpecBase {
  readonly type: 'bins';
  readonly binStepBps: number;
  /** Fee parameters as a pool's account has them (base/dlmm/fees.ts). */
  readonly baseFactor: number;
  readonly power: number;
  readonly variableFeeControl: number;
  readonly maxVolatility: number;
  /** Usual half width of simulated positions, bins. */
  readonly halfWidthBins: number;
}

/** A constant-product pool (DAMM v2). */
export interface ProductPoolSpec extends PoolSpecBase {
  readonly type: 'product';
  readonly baseFeeBps: number;
  /** Whether the fee rises with volatility, by at most a fifth of the base fee. */
  readonly dynamicFee: boolean;
}

/** A pool of the simulated market. */
export type PoolSpec = BinPoolSpec | ProductPoolSpec;

/** SOL, the currency of "native" values. */
export const SOL_KEY = 'SOL';
/** USDC, which counts as one US dollar. */
export const USDC_KEY = 'USDC';

const WIDELY_HELD = { holders: 3_100_000, organicScore: 99, topHolderPercent: 1.2, mintOrFreeze: false };

/** Fictitious tokens with names that resemble well-known ones. SOL and USDC have their real mints. */
export const TOKENS: readonly TokenSpec[] = [
  { key: SOL_KEY, symbol: 'SOL', name: 'Wrapped SOL', decimals: 9, priceUsd: 164, circulating: 541e6, supply: 604e6, beta: 1, volatility: 0.62, jumpsPerDay: 0.3, ...WIDELY_HELD },
  { key: USDC_KEY, symbol: 'USDC', name: 'USD Coin', decimals: 6, priceUsd: 1, circulating: 8.9e9, supply: 8.9e9, beta: 0, volatility: 0, jumpsPerDay: 0, ...WIDELY_HELD, mintOrFreeze: true },
  { key: 'PUSD', symbol: 'PUSD', name: 'Pretend Dollar', decimals: 6, priceUsd: 0.9996, circulating: 74e6, supply: 74e6, beta: 0, volatility: 0.012, jumpsPerDay: 0, holders: 41_200, organicScore: 88, topHolderPercent: 9.4, mintOrFreeze: true },
  { key: 'SANDSOL', symbol: 'sandSOL', name: 'Sandbox Staked SOL', decimals: 9, priceUsd: 189.2, circulating: 1.35e6, supply: 1.35e6, beta: 1, volatility: 0.01, jumpsPerDay: 0, holders: 58_900, organicScore: 95, topHolderPercent: 6.1, mintOrFreeze: true },
  { key: 'JUPP', symbol: 'JUPP', name: 'Juppiter', decimals: 6, priceUsd: 0.842, circulating: 1.41e9, supply: 7e9, beta: 1.15, volatility: 0.75, jumpsPerDay: 0.4, holders: 612_000, organicScore: 97, topHolderPercent: 3.9, mintOrFreeze: false },
  { key: 'BONQ', symbol: 'BONQ', name: 'Bonq the Dog', decimals: 5, priceUsd: 0.0000123, circulating: 79e12, supply: 93e12, beta: 1.3, volatility: 1.4, jumpsPerDay: 0.8, holders: 978_000, organicScore: 96, topHolderPercent: 5.2, mintOrFreeze: false },
  { key: 'WYFF', symbol: 'WYFF', name: 'dogwyffcap', decimals: 6, priceUsd: 1.94, circulating: 998e6, supply: 998e6, beta: 1.35, volatility: 1.5, jumpsPerDay: 0.9, holders: 244_000, organicScore: 93, topHolderPercent: 4.6, mintOrFreeze: false },
  { key: 'POPKAT', symbol: 'POPKAT', name: 'Popkat', decimals: 9, priceUsd: 0.413, circulating: 980e6, supply: 980e6, beta: 1.2, volatility: 1.7, jumpsPerDay: 1.1, holders: 131_000, organicScore: 90, topHolderPercent: 3.3, mintOrFreeze: false },
  { key: 'TRUMPET', symbol: 'TRUMPET', name: 'Official Trumpet', decimals: 6, priceUsd: 8.71, circulating: 200e6, supply: 1e9, beta: 0.8, volatility: 1.6, jumpsPerDay: 1.2, holders: 644_000, organicScore: 84, topHolderPercent: 41.8, mintOrFreeze: false },
  { key: 'PENGO', symbol: 'PENGO', name: 'Pudgy Pengo', decimals: 6, priceUsd: 0.0312, circulating: 62.9e9, supply: 88.9e9, beta: 1.25, volatility: 1.8, jumpsPerDay: 1.2, holders: 713_000, organicScore: 91, topHolderPercent: 7.7, mintOrFreeze: false },
  { key: 'MEWO', symbol: 'MEWO', name: 'cat in a boxes world', decimals: 5, priceUsd: 0.00462, circulating: 88.8e9, supply: 88.8e9, beta: 1.2, volatility: 2.1, jumpsPerDay: 1.5, holders: 182_000, organicScore: 79, topHolderPercent: 2.8, mintOrFreeze: false },
  { key: 'RAYO', symbol: 'RAYO', name: 'Rayodium', decimals: 6, priceUsd: 2.47, circulating: 268e6, supply: 555e6, beta: 1.1, volatility: 0.85, jumpsPerDay: 0.5, holders: 203_000, organicScore: 94, topHolderPercent: 8.8, mintOrFreeze: false },
  { key: 'PHARTO', symbol: 'PHARTO', name: 'Phartocoin', decimals: 6, priceUsd: 0.671, circulating: 999.9e6, supply: 999.9e6, beta: 1.4, volatility: 1.9, jumpsPerDay: 1.4, holders: 161_000, organicScore: 92, topHolderPercent: 3.7, mintOrFreeze: false },
  { key: 'CHONKY', symbol: 'CHONKY', name: 'Chonky Capybara', decimals: 6, priceUsd: 0.00183, circulating: 999.4e6, supply: 1e9, beta: 1.1, volatility: 3.4, jumpsPerDay: 4, holders: 9_640, organicScore: 61, topHolderPercent: 6.9, mintOrFreeze: false },
  { key: 'GIGALAMB', symbol: 'GIGALAMB', name: 'Giga Lamb', decimals: 6, priceUsd: 0.000214, circulating: 999.8e6, supply: 999.8e6, beta: 1, volatility: 5, jumpsPerDay: 3, holders: 1_870, organicScore: 38, topHolderPercent: 14.9, mintOrFreeze: false },
];

const ESTABLISHED = { type: 'bins', power: 0, variableFeeControl: 7_500, maxVolatility: 150_000, protocolShareBps: 500 } as const;
const PRODUCT = { type: 'product', protocolShareBps: 2_000 } as const;

/** Bin steps from 1 to 400 basis points, liquidity from a few thousand to eight million dollars, some pairs at several steps. */
const BIN_POOLS: readonly BinPoolSpec[] = [
  { key: 'SOL-USDC-4', tokenX: SOL_KEY, tokenY: USDC_KEY, binStepBps: 4, baseFactor: 10_000, ...ESTABLISHED, variableFeeControl: 40_000, maxVolatility: 350_000, tvlUsd: 8_240_000, turnoverPerDay: 2.1, tradeUsd: 2_300, halfWidthBins: 190, ageHours: 11_900 },
  { key: 'SOL-USDC-10', tokenX: SOL_KEY, tokenY: USDC_KEY, binStepBps: 10, baseFactor: 10_000, ...ESTABLISHED, variableFeeControl: 40_000, maxVolatility: 350_000, tvlUsd: 2_610_000, turnoverPerDay: 1.6, tradeUsd: 1_700, halfWidthBins: 85, ageHours: 10_400 },
  { key: 'SANDSOL-SOL-1', tokenX: 'SANDSOL', tokenY: SOL_KEY, binStepBps: 1, baseFactor: 10_000, ...ESTABLISHED, variableFeeControl: 2_000_000, maxVolatility: 100_000, tvlUsd: 3_120_000, turnoverPerDay: 0.35, tradeUsd: 5_200, halfWidthBins: 16, ageHours: 9_640 },
  { key: 'SANDSOL-SOL-5', tokenX: 'SANDSOL', tokenY: SOL_KEY, binStepBps: 5, baseFactor: 10_000, ...ESTABLISHED, variableFeeControl: 40_000, maxVolatility: 100_000, tvlUsd: 388_000, turnoverPerDay: 0.15, tradeUsd: 2_400, halfWidthBins: 9, ageHours: 4_020 },
  { key: 'PUSD-USDC-1', tokenX: 'PUSD', tokenY: USDC_KEY, binStepBps: 1, baseFactor: 10_000, ...ESTABLISHED, variableFeeControl: 2_000_000, maxVolatility: 100_000, tvlUsd: 2_050_000, turnoverPerDay: 0.6, tradeUsd: 7_900, halfWidthBins: 8, ageHours: 6_210 },
  { key: 'PUSD-USDC-2', tokenX: 'PUSD', tokenY: USDC_KEY, binStepBps: 2, baseFactor: 10_000, ...ESTABLISHED, variableFeeControl: 500_000, maxVolatility: 100_000, tvlUsd: 284_000, turnoverPerDay: 0.3, tradeUsd: 3_400, halfWidthBins: 6, ageHours: 2_070 },
  { key: 'JUPP-SOL-20', tokenX: 'JUPP', tokenY: SOL_KEY, binStepBps: 20, baseFactor: 10_000, ...ESTABLISHED, variableFeeControl: 20_000, maxVolatility: 350_000, tvlUsd: 1_870_000, turnoverPerDay: 0.9, tradeUsd: 840, halfWidthBins: 110, ageHours: 8_020 },
  { key: 'JUPP-SOL-16', tokenX: 'JUPP', tokenY: SOL_KEY, binStepBps: 16, baseFactor: 12_500, ...ESTABLISHED, variableFeeControl: 20_000, maxVolatility: 350_000, tvlUsd: 246_000, turnoverPerDay: 1.1, tradeUsd: 520, halfWidthBins: 120, ageHours: 3_690 },
  { key: 'JUPP-USDC-15', tokenX: 'JUPP', tokenY: USDC_KEY, binStepBps: 15, baseFactor: 10_000, ...ESTABLISHED, variableFeeControl: 20_000, maxVolatility: 350_000, tvlUsd: 713_000, turnoverPerDay: 0.8, tradeUsd: 760, halfWidthBins: 130, ageHours: 6_640 },
  { key: 'RAYO-SOL-20', tokenX: 'RAYO', tokenY: SOL_KEY, binStepBps: 20, baseFactor: 12_500, ...ESTABLISHED, variableFeeControl: 20_000, maxVolatility: 350_000, tvlUsd: 964_000, turnoverPerDay: 0.7, tradeUsd: 690, halfWidthBins: 105, ageHours: 7_150 },
  { key: 'BONQ-SOL-25', tokenX: 'BONQ', tokenY: SOL_KEY, binStepBps: 25, baseFactor: 10_000, ...ESTABLISHED, variableFeeControl: 15_000, maxVolatility: 300_000, tvlUsd: 642_000, turnoverPerDay: 1.3, tradeUsd: 410, halfWidthBins: 95, ageHours: 7_380 },
  { key: 'BONQ-SOL-100', tokenX: 'BONQ', tokenY: SOL_KEY, binStepBps: 100, baseFactor: 20_000, ...ESTABLISHED, tvlUsd: 58_900, turnoverPerDay: 0.4, tradeUsd: 150, halfWidthBins: 34, ageHours: 3_350 },
  { key: 'TRUMPET-USDC-50', tokenX: 'TRUMPET', tokenY: USDC_KEY, binStepBps: 50, baseFactor: 10_000, ...ESTABLISHED, variableFeeControl: 10_000, tvlUsd: 528_000, turnoverPerDay: 0.8, tradeUsd: 620, halfWidthBins: 60, ageHours: 4_430 },
  { key: 'PHARTO-SOL-80', tokenX: 'PHARTO', tokenY: SOL_KEY, binStepBps: 80, baseFactor: 10_000, ...ESTABLISHED, tvlUsd: 476_000, turnoverPerDay: 1.2, tradeUsd: 390, halfWidthBins: 44, ageHours: 3_980 },
  { key: 'WYFF-SOL-80', tokenX: 'WYFF', tokenY: SOL_KEY, binStepBps: 80, baseFactor: 8_000, ...ESTABLISHED, tvlUsd: 407_000, turnoverPerDay: 0.9, tradeUsd: 350, halfWidthBins: 42, ageHours: 6_930 },
  { key: 'WYFF-SOL-160', tokenX: 'WYFF', tokenY: SOL_KEY, binStepBps: 160, baseFactor: 10_000, ...ESTABLISHED, tvlUsd: 66_700, turnoverPerDay: 0.5, tradeUsd: 180, halfWidthBins: 26, ageHours: 2_210 },
  { key: 'POPKAT-SOL-100', tokenX: 'POPKAT', tokenY: SOL_KEY, binStepBps: 100, baseFactor: 10_000, ...ESTABLISHED, tvlUsd: 186_000, turnoverPerDay: 0.8, tradeUsd: 260, halfWidthBins: 36, ageHours: 5_110 },
  { key: 'PENGO-SOL-125', tokenX: 'PENGO', tokenY: SOL_KEY, binStepBps: 125, baseFactor: 8_000, ...ESTABLISHED, tvlUsd: 74_300, turnoverPerDay: 1.1, tradeUsd: 190, halfWidthBins: 30, ageHours: 2_760 },
  { key: 'PENGO-SOL-50', tokenX: 'PENGO', tokenY: SOL_KEY, binStepBps: 50, baseFactor: 12_500, ...ESTABLISHED, variableFeeControl: 10_000, tvlUsd: 231_000, turnoverPerDay: 1.3, tradeUsd: 280, halfWidthBins: 70, ageHours: 2_480 },
  { key: 'MEWO-SOL-200', tokenX: 'MEWO', tokenY: SOL_KEY, binStepBps: 200, baseFactor: 10_000, ...ESTABLISHED, tvlUsd: 21_400, turnoverPerDay: 0.9, tradeUsd: 120, halfWidthBins: 22, ageHours: 1_190 },
  { key: 'MEWO-SOL-400', tokenX: 'MEWO', tokenY: SOL_KEY, binStepBps: 400, baseFactor: 10_000, ...ESTABLISHED, tvlUsd: 9_800, turnoverPerDay: 0.5, tradeUsd: 90, halfWidthBins: 13, ageHours: 690 },
  { key: 'CHONKY-SOL-100', tokenX: 'CHONKY', tokenY: SOL_KEY, binStepBps: 100, baseFactor: 20_000, ...ESTABLISHED, tvlUsd: 47_500, turnoverPerDay: 2.6, tradeUsd: 110, halfWidthBins: 50, ageHours: 412 },
  { key: 'CHONKY-SOL-250', tokenX: 'CHONKY', tokenY: SOL_KEY, binStepBps: 250, baseFactor: 10_000, ...ESTABLISHED, tvlUsd: 12_300, turnoverPerDay: 1.9, tradeUsd: 80, halfWidthBins: 24, ageHours: 237 },
  { key: 'GIGALAMB-SOL-250', tokenX: 'GIGALAMB', tokenY: SOL_KEY, binStepBps: 250, baseFactor: 4_000, ...ESTABLISHED, variableFeeControl: 2_500, protocolShareBps: 2_000, tvlUsd: 3_900, turnoverPerDay: 4, tradeUsd: 60, halfWidthBins: 24, ageHours: 31 },
];

/** Full-range pools; the protocol keeps a fifth of the fees, as in DAMM v2. */
const PRODUCT_POOLS: readonly ProductPoolSpec[] = [
  { key: 'SOL-USDC-DAMM-4', tokenX: SOL_KEY, tokenY: USDC_KEY, baseFeeBps: 4, dynamicFee: true, ...PRODUCT, tvlUsd: 1_420_000, turnoverPerDay: 0.7, tradeUsd: 1_500, ageHours: 7_630 },
  { key: 'JUPP-SOL-DAMM-25', tokenX: 'JUPP', tokenY: SOL_KEY, baseFeeBps: 25, dynamicFee: true, ...PRODUCT, tvlUsd: 318_000, turnoverPerDay: 0.5, tradeUsd: 430, ageHours: 6_010 },
  { key: 'RAYO-USDC-DAMM-30', tokenX: 'RAYO', tokenY: USDC_KEY, baseFeeBps: 30, dynamicFee: false, ...PRODUCT, tvlUsd: 143_000, turnoverPerDay: 0.4, tradeUsd: 360, ageHours: 4_340 },
  { key: 'BONQ-SOL-DAMM-25', tokenX: 'BONQ', tokenY: SOL_KEY, baseFeeBps: 25, dynamicFee: true, ...PRODUCT, tvlUsd: 412_000, turnoverPerDay: 0.6, tradeUsd: 320, ageHours: 5_260 },
  { key: 'WYFF-SOL-DAMM-100', tokenX: 'WYFF', tokenY: SOL_KEY, baseFeeBps: 100, dynamicFee: true, ...PRODUCT, tvlUsd: 88_100, turnoverPerDay: 0.6, tradeUsd: 230, ageHours: 3_120 },
  { key: 'PHARTO-SOL-DAMM-100', tokenX: 'PHARTO', tokenY: SOL_KEY, baseFeeBps: 100, dynamicFee: true, ...PRODUCT, tvlUsd: 121_000, turnoverPerDay: 0.9, tradeUsd: 250, ageHours: 1_640 },
  { key: 'CHONKY-SOL-DAMM-200', tokenX: 'CHONKY', tokenY: SOL_KEY, baseFeeBps: 200, dynamicFee: true, ...PRODUCT, tvlUsd: 39_600, turnoverPerDay: 2.2, tradeUsd: 95, ageHours: 430 },
  { key: 'GIGALAMB-SOL-DAMM-400', tokenX: 'GIGALAMB', tokenY: SOL_KEY, baseFeeBps: 400, dynamicFee: false, ...PRODUCT, tvlUsd: 8_700, turnoverPerDay: 3.1, tradeUsd: 70, ageHours: 46 },
];

/** All pools. Every token has a bin pool with SOL or USDC for routes. */
export const POOLS: readonly PoolSpec[] = [...BIN_POOLS, ...PRODUCT_POOLS];

/** The base fee of a pool as a fraction: the lowest fee, and cheap to compute (base/dlmm/fees.ts). */
export function baseFeeOf(pool: PoolSpec): number {
  return pool.type === 'bins' ? (pool.baseFactor * pool.binStepBps * 10 ** pool.power) / 1e8 : pool.baseFeeBps / WHOLE_BPS;
}

/** The mint of a token: the real one of SOL and USDC, others derived from the seed. */
export function mintOf(seed: number, token: TokenSpec): Address {
  switch (token.key) {
    case SOL_KEY:
      return WRAPPED_SOL_MINT;
    case USDC_KEY:
      return USDC_MINT;
    default:
      return addressFromBytes(seededBytes(seed, `mint ${token.key}`));
  }
}

/** The address of a pool, derived from the seed. */
export function poolAddressOf(seed: number, pool: PoolSpec): Address {
  return addressFromBytes(seededBytes(seed, `pool ${pool.key}`));
}

/**
 * The token of a key.
 * @throws RangeError if the catalog has no such token
 */
export function tokenSpec(key: string): TokenSpec {
  const found = TOKENS.find((token) => token.key === key);
  if (found === undefined) {
    throw new RangeError(`No token ${key}`);
  }
  return found;
}
