import { BASIS_POINTS } from '../../base/basisPoints';
import { PROGRAMS } from '../../base/solana/programs';
import { addressIn, type DecodedCall, integerAt, isInstruction, numberAt, recordsAt } from '../decode/instructions';
import { REVIEW_PROGRAMS } from '../decode/programs';
import type { PoolFact, SqrtPriceRange } from '../facts/facts';
import type { PolicySettings } from '../policy';
import { poolFieldsOf } from '../intents';
import type { Intent } from '../types';
import { fillsPosition } from '../decode/meteora';

// At which prices a deposit can land. The service lands what was signed and may trade right before, so a deposit is worth what it is at the
// worst of these prices.

/** The active bins at which a deposit can land, both included. An end that is missing has no bound. */
export interface LandingBins {
  readonly kind: 'bins';
  readonly lowest: number | undefined;
  readonly highest: number | undefined;
}

/**
 * The square roots of the price (raw Y for one raw X) at which a deposit can land, Q64.64. If the lowest is above the highest, it cannot land
 * in a pool with that range of prices.
 */
export interface LandingSqrtPrices {
  readonly kind: 'sqrtPrices';
  readonly lowestQ64: bigint;
  readonly highestQ64: bigint;
}

export type LandingPrices = LandingBins | LandingSqrtPrices;

/** The widest range that the program allows (cp_amm `MIN_SQRT_PRICE`, `MAX_SQRT_PRICE`). */
const FULL_RANGE: SqrtPriceRange = { minQ64: 4_295_048_016n, maxQ64: 79_226_673_521_066_979_257_578_248_091n };

/** The range of the pool on the chain, if an RPC told one. */
export function rangeOfPool(pool: PoolFact | undefined): SqrtPriceRange | undefined {
  const range = pool?.kind === 'dammV2' ? pool.range : undefined;
  return range !== undefined && range.minQ64 < range.maxQ64 ? range : undefined;
}

/**
 * Returns the prices at which an instruction deposits; `undefined` if it deposits nothing, or only fails.
 * @param range of the pool's prices; the full one if it is not known
 */
export function landingPrices(reading: DecodedCall, intent: Intent, range: SqrtPriceRange = FULL_RANGE): LandingPrices | undefined {
  if (reading.args === undefined || !fillsPosition(reading)) {
    return undefined;
  }
  if (isInstruction(reading, PROGRAMS.dammV2, 'add_liquidity')) {
    return pricesOfLiquidity(reading, range);
  }
  if (isInstruction(reading, REVIEW_PROGRAMS.meteoraZap, 'zap_in_damm_v2')) {
    return pricesOfZap(reading);
  }
  return binsOfExactAmounts(reading, intent) ?? binsAroundActive(reading);
}

/** How far the bins may be from the known one on either side: the tolerance, moves of the market since, and one bin, as a bin is the unit. */
export function mostBins(
  { slippageBps }: Intent,
  { priceToleranceBps, unknownStepBins }: PolicySettings,
  binStepBps: number | undefined,
): number {
  return (binStepBps === undefined ? unknownStepBins : Math.ceil((slippageBps + priceToleranceBps) / binStepBps)) + 1;
}

/** Where the two numbers stand that bound the active bin: in a deposit, a rebalance, and Meteora Zap. */
const PARAMETERS = [['liquidity_parameter'], ['params'], []] as const;

function binsAroundActive({ args }: DecodedCall): LandingBins {
  for (const path of PARAMETERS) {
    const [activeBinId, slippage] = [numberAt(args, ...path, 'active_id'), numberAt(args, ...path, 'max_active_bin_slippage')];
    if (activeBinId !== undefined && slippage !== undefined) {
      return { kind: 'bins', lowest: activeBinId - Math.abs(slippage), highest: activeBinId + Math.abs(slippage) };
    }
  }
  return { kind: 'bins', lowest: undefined, highest: undefined };
}

/** An amount for each bin, of one token. */
export interface ExactBins {
  readonly token: 'x' | 'y';
  readonly bins: readonly { readonly binId: number; readonly amountRaw: bigint }[];
}

/** Reads a deposit of exact amounts of one token; `undefined` for any other, or if it is not known which of the pool's tokens it is. */
export function exactBins(reading: DecodedCall, intent: Intent): ExactBins | undefined {
  const { tokenX, tokenY } = poolFieldsOf(intent);
  const bins = [...recordsAt(reading.args, 'liquidity_parameter', 'bins'), ...recordsAt(reading.args, 'parameter', 'bins')].flatMap(
    (bin) => {
      const binId = numberAt(bin, 'bin_id');
      return binId === undefined ? [] : [{ binId, amountRaw: integerAt(bin, 'amount') ?? 0n }];
    },
  );
  const mint = addressIn(reading, 'token_mint');
  const isKnown = mint !== undefined && tokenX !== tokenY && (mint === tokenX || mint === tokenY);
  return bins.length > 0 && isKnown ? { token: mint === tokenY ? 'y' : 'x', bins } : undefined;
}

/**
 * The program refuses exact amounts in bins on the other token's side of the active bin (measured with lb_clmm 0.12): the price may be
 * anywhere beyond them, and they are the same there.
 */
function binsOfExactAmounts(reading: DecodedCall, intent: Intent): LandingBins | undefined {
  const exact = exactBins(reading, intent);
  if (exact === undefined) {
    return undefined;
  }
  const ids = exact.bins.map(({ binId }) => binId);
  return exact.token === 'y'
    ? { kind: 'bins', lowest: Math.max(...ids), highest: undefined }
    : { kind: 'bins', lowest: undefined, highest: Math.min(...ids) };
}

/**
 * `add_liquidity` fixes the liquidity L and the most that it may cost. At the square root s of the price it costs L (1/s - 1/max) of X and
 * L (s - min) of Y (cp_amm, `get_delta_amount_*`).
 */
function pricesOfLiquidity({ args }: DecodedCall, { minQ64, maxQ64 }: SqrtPriceRange): LandingSqrtPrices | undefined {
  const liquidity = integerAt(args, 'params', 'liquidity_delta');
  const mostX = integerAt(args, 'params', 'token_a_amount_threshold') ?? 0n;
  const mostY = integerAt(args, 'params', 'token_b_amount_threshold') ?? 0n;
  if (liquidity === undefined) {
    return undefined;
  }
  if (liquidity === 0n) {
    // It costs nothing at any price, so the thresholds bound none. The program refuses it, but the review does not rely on that.
    return { kind: 'sqrtPrices', lowestQ64: minQ64, highestQ64: maxQ64 };
  }
  const lowest = (liquidity * maxQ64) / (mostX * maxQ64 + liquidity);
  const highest = (mostY << 128n) / liquidity + minQ64;
  return { kind: 'sqrtPrices', lowestQ64: lowest < minQ64 ? minQ64 : lowest, highestQ64: highest > maxQ64 ? maxQ64 : highest };
}

/** Meteora Zap compares the square root of the price with the one before. */
function pricesOfZap({ args }: DecodedCall): LandingSqrtPrices {
  const before = integerAt(args, 'pre_sqrt_price') ?? 0n;
  const change = (before * (integerAt(args, 'max_sqrt_price_change_bps') ?? BASIS_POINTS)) / BASIS_POINTS;
  return { kind: 'sqrtPrices', lowestQ64: before > change ? before - change : 0n, highestQ64: before + change };
}
