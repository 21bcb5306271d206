import * as l10n from '@vscode/l10n';
import { WHOLE_BPS } from '../../base/basisPoints';
import { isBinStep, MAX_BINS_PER_POSITION, maxBinIdOf, priceOfBin } from '../../base/dlmm/bins';
import { spreadOverBins } from '../../base/dlmm/strategy';
import type { Address } from '../../base/solana/address';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { type DepositIntent, deposits, poolFactOf, poolFieldsOf } from '../intents';
import type { TransactionContext } from '../context';
import { addressIn, type DecodedCall, integerAt, type ReadTransaction } from '../decode/instructions';
import type { SqrtPriceRange } from '../facts/facts';
import type { PlaceNotes } from '../notes';
import type { PolicySettings } from '../policy';
import type { DepositPrices, Intent, ReviewInput } from '../types';
import { depositBins } from './dlmmRange';
import { exactBins, type LandingBins, type LandingSqrtPrices, landingPrices, mostBins, rangeOfPool } from './landingPrices';
import { againstText, priceOfPool } from './swapPrice';
import { acceptWords, boundsText, rawAmountText } from './words';

/**
 * DLMM-7 and DAMM-7: a deposit has a price, as a swap has. The service lands what was signed, so it can trade right before and after it, and
 * the deposit then buys or sells at the price in between. Every price at which it can land must be near every price that is known: the one
 * that the user was shown, and the one of the pool on the chain.
 *
 * Each known price is compared by itself and with its own bin step, so that an RPC can only add a comparison.
 */
export function reviewDepositPrice(reading: DecodedCall, context: TransactionContext, notes: PlaceNotes): void {
  const { intent } = context;
  const landing = landingPrices(reading, intent);
  if (!deposits(intent) || landing === undefined) {
    return;
  }
  if (landing.kind === 'bins') {
    reviewBins(reading, landing, intent, context, notes);
  } else {
    reviewSqrtPrices(reading, landing, intent, context, notes);
  }
}

/** Where a known price is from. */
type Source = 'shown' | 'chain';

/** A comparison with one known price that is not as it should be. */
interface Deviation {
  readonly from: Source;
  readonly isFar: boolean;
  /** "63% below and 170% above"; `undefined`: the steps between bins are not known. */
  readonly ends: string | undefined;
  readonly loss: Loss | undefined;
}

/** The most that a deposit can lose, by a known price. */
interface Loss {
  /** Raw units of Y. */
  readonly ofY: number;
  /** Of what goes in, 0 to 1. */
  readonly share: number;
  /** Y for one X, raw units. */
  readonly price: number;
}

/** An active bin that is known. */
interface KnownBin {
  readonly from: Source;
  readonly binId: number | undefined;
  readonly binStepBps: number | undefined;
}

function knownBins(reading: DecodedCall, intent: DepositIntent, { facts }: TransactionContext): readonly KnownBin[] {
  const pool = facts.pools?.get(intent.pool);
  const binStepBps = intent.binStepBps !== undefined && isBinStep(intent.binStepBps) ? intent.binStepBps : undefined;
  const [price] = shownPrices(pairOf(reading, intent), intent);
  const binId = intent.activeBinId ?? (price === undefined || binStepBps === undefined ? undefined : binOfPrice(price, binStepBps));
  return [
    { from: 'shown', binId, binStepBps },
    ...(pool?.kind === 'dlmm' && isBinStep(pool.binStepBps)
      ? [{ from: 'chain', binId: pool.activeBinId, binStepBps: pool.binStepBps } as const]
      : []),
  ];
}

/** The bin of a price in raw units. */
function binOfPrice(price: number, binStepBps: number): number {
  return Math.round(Math.log(price) / Math.log1p(binStepBps / WHOLE_BPS));
}

/** The pool's two tokens: as the instruction names them, which the program checks, or else as listed. */
interface Pair {
  readonly x: Address | undefined;
  readonly y: Address | undefined;
}

function pairOf(reading: DecodedCall, intent: Intent): Pair {
  const { tokenX, tokenY } = poolFieldsOf(intent);
  return {
    x: addressIn(reading, 'token_x_mint') ?? addressIn(reading, 'token_a_mint') ?? tokenX,
    y: addressIn(reading, 'token_y_mint') ?? addressIn(reading, 'token_b_mint') ?? tokenY,
  };
}

/** The prices of the pair that the user was shown: raw Y for one raw X. */
function shownPrices({ x, y }: Pair, { references = [] }: Intent): readonly number[] {
  return references.flatMap(({ inMint, outMint, inAmountRaw, outAmountRaw }) => {
    const isPair = inMint === x ? outMint === y : inMint === y && outMint === x;
    const ratio = Number(outAmountRaw) / Number(inAmountRaw);
    const price = inMint === x ? ratio : 1 / ratio;
    return isPair && x !== y && price > 0 && Number.isFinite(price) ? [price] : [];
  });
}

function reviewBins(
  reading: DecodedCall,
  landing: LandingBins,
  intent: DepositIntent,
  context: TransactionContext,
  notes: PlaceNotes,
): void {
  const { lowest, highest } = landing;
  const known = knownBins(reading, intent, context);
  if (lowest === undefined && highest === undefined) {
    notes.confirm(
      'DLMM-7',
      `${l10n.t('The deposit lands at any price, so a trade right before it could take a part of it.')} ${acceptWords()}`,
    );
    return;
  }
  const deviations = known.flatMap((bin) => deviationOfBins(reading, landing, bin, intent, context.policy) ?? []);
  note('DLMM-7', deviations, landing, pairOf(reading, intent), notes);
}

function deviationOfBins(
  reading: DecodedCall,
  { lowest, highest }: LandingBins,
  { from, binId, binStepBps }: KnownBin,
  intent: DepositIntent,
  policy: PolicySettings,
): Deviation | undefined {
  const most = mostBins(intent, policy, binStepBps);
  const halfWidth = lowest === undefined || highest === undefined ? undefined : (highest - lowest) / 2;
  // One bin of `most` is for a move of the market, so it is not part of what a deposit may state.
  const isTooWide = halfWidth !== undefined && (binStepBps === undefined || binId === undefined) && halfWidth > most - 1;
  if (binId === undefined) {
    // Without a price, a deposit that is bounded on one side only is not bounded at all.
    return halfWidth === undefined || isTooWide ? { from, isFar: false, ends: undefined, loss: undefined } : undefined;
  }
  // Exact amounts are the same wherever the price is beyond their bins: only the bound itself may be far from the known bin.
  const below = lowest === undefined ? binId - (highest ?? binId) : highest === undefined ? 0 : binId - lowest;
  const above = highest === undefined ? (lowest ?? binId) - binId : lowest === undefined ? 0 : highest - binId;
  if (below <= most && above <= most && !isTooWide) {
    return undefined;
  }
  if (binStepBps === undefined) {
    return { from, isFar: false, ends: undefined, loss: undefined };
  }
  const ratioOf = (bins: number): number => Math.exp(bins * Math.log1p(binStepBps / WHOLE_BPS));
  const [least, greatest] = [ratioOf(-below), ratioOf(above)];
  return {
    from,
    isFar: isFarApart(least, greatest, policy),
    ends:
      highest === undefined
        ? endsText(greatest, undefined)
        : endsText(lowest === undefined ? undefined : least, lowest === undefined ? least : greatest),
    loss: lossOfBins(reading, { below, above }, { binId, binStepBps }, intent),
  };
}

/** Whether one of the ends, as a ratio to a known price, is so far away that the deposit is blocked. */
function isFarApart(lowest: number, highest: number, { priceBlockBps }: PolicySettings): boolean {
  return lowest * WHOLE_BPS < priceBlockBps || highest * priceBlockBps > WHOLE_BPS;
}

/**
 * An upper bound by the shape and the bins of the deposit: Y in bins above the known price buys too dear, X in bins below it sells too cheap.
 * Where the shape is not a strategy's, all of a token counts as in the worst bin.
 */
function lossOfBins(
  reading: DecodedCall,
  { below, above }: { readonly below: number; readonly above: number },
  { binId, binStepBps }: { readonly binId: number; readonly binStepBps: number },
  intent: DepositIntent,
): Loss | undefined {
  const bins = depositBins(reading);
  const [fromBinId, toBinId] = [Math.min(...bins), Math.max(...bins)];
  const { amountX, amountY } = depositedAmounts(reading, intent);
  try {
    const price = priceOfBin(binId, binStepBps);
    const [lowest, highest] = [Math.max(binId - below, fromBinId), Math.min(binId + above, toBinId)];
    const total = Number(amountX) * price + Number(amountY);
    if (bins.length === 0 || total === 0) {
      return undefined;
    }
    const isShaped =
      toBinId - fromBinId < MAX_BINS_PER_POSITION &&
      integerAt(reading.args, 'liquidity_parameter', 'strategy_parameters', 'min_bin_id') !== undefined;
    const at = (activeBinId: number): number => {
      const spread = isShaped
        ? spreadOverBins({ fromBinId, toBinId, binStepBps, strategy: intent.strategy ?? 'Spot', activeBinId, amountX, amountY })
        : [
            { binId: lowest, amountX, amountY: 0n },
            { binId: highest, amountX: 0n, amountY },
          ];
      return spread.reduce((lost, bin) => {
        const own = priceOfBin(bin.binId, binStepBps);
        return lost + Math.max(0, Number(bin.amountY) * (1 - price / own)) + Math.max(0, Number(bin.amountX) * (price - own));
      }, 0);
    };
    const ofY = Math.max(lowest < binId ? at(lowest) : 0, highest > binId ? at(highest) : 0);
    return { ofY, share: ofY / total, price };
  } catch (error) {
    if (error instanceof RangeError) {
      return undefined;
    }
    throw error;
  }
}

/** The most that a DLMM deposit takes of both tokens, raw units. */
export function depositedAmounts(reading: DecodedCall, intent: Intent): { readonly amountX: bigint; readonly amountY: bigint } {
  const amount = (...path: readonly string[]): bigint => integerAt(reading.args, ...path) ?? 0n;
  const exact = exactBins(reading, intent);
  if (exact !== undefined) {
    const multiplier = amount('liquidity_parameter', 'decompress_multiplier') + amount('parameter', 'decompress_multiplier');
    const sum = exact.bins.reduce((total, { amountRaw }) => total + amountRaw, 0n) * multiplier;
    return exact.token === 'x' ? { amountX: sum, amountY: 0n } : { amountX: 0n, amountY: sum };
  }
  const oneSide = amount('liquidity_parameter', 'amount');
  const isX = addressIn(reading, 'token_mint') === poolFieldsOf(intent).tokenX;
  return {
    amountX: amount('liquidity_parameter', 'amount_x') + amount('params', 'max_deposit_x_amount') + (isX ? oneSide : 0n),
    amountY: amount('liquidity_parameter', 'amount_y') + amount('params', 'max_deposit_y_amount') + (isX ? 0n : oneSide),
  };
}

const Q64 = 2 ** 64;

/** A price of a pool without bins, raw Y for one raw X; `undefined`: the user was shown none. */
interface KnownPrice {
  readonly from: Source;
  readonly price: number | undefined;
}

function reviewSqrtPrices(
  reading: DecodedCall,
  landing: LandingSqrtPrices,
  intent: DepositIntent,
  context: TransactionContext,
  notes: PlaceNotes,
): void {
  if (integerAt(reading.args, 'params', 'liquidity_delta') === 0n) {
    notes.block('DAMM-7', l10n.t('The deposit adds no liquidity to the pool.'));
    return;
  }
  const pool = context.facts.pools?.get(intent.pool);
  const range = rangeOfPool(pool);
  const exact = range && landingPrices(reading, intent, range);
  // A range of its own makes the prices wider. Both are compared, so that an RPC can only make the review stricter.
  const all = [landing, ...(exact?.kind === 'sqrtPrices' ? [exact] : [])];
  const onChain = pool?.kind === 'dammV2' ? priceOfPool(pool) : undefined;
  const chainPrice = onChain && Number(onChain.outAmountRaw) / Number(onChain.inAmountRaw);
  const shown = shownPrices(pairOf(reading, intent), intent);
  const known: readonly KnownPrice[] = [
    ...(shown.length === 0 ? [undefined] : shown).map((price) => ({ from: 'shown', price }) as const),
    ...(chainPrice === undefined ? [] : [{ from: 'chain', price: chainPrice } as const]),
  ];
  const deviations = all.flatMap((prices) =>
    known.flatMap(({ from, price }) => deviationOfSqrtPrices(reading, prices, { from, price }, range, intent, context.policy) ?? []),
  );
  note('DAMM-7', deviations, undefined, pairOf(reading, intent), notes);
}

function deviationOfSqrtPrices(
  reading: DecodedCall,
  { lowestQ64, highestQ64 }: LandingSqrtPrices,
  { from, price }: KnownPrice,
  range: SqrtPriceRange | undefined,
  intent: DepositIntent,
  policy: PolicySettings,
): Deviation | undefined {
  const [lowest, highest] = [lowestQ64, highestQ64].map((root) => (Number(root) / Q64) ** 2);
  const tolerance = (intent.slippageBps + policy.priceToleranceBps) / WHOLE_BPS;
  if (lowest === undefined || highest === undefined) {
    return undefined;
  }
  if (price === undefined) {
    return highest > lowest * (1 + tolerance) ** 2 ? { from, isFar: false, ends: undefined, loss: undefined } : undefined;
  }
  const [below, above] = [lowest / price, highest / price];
  if (below >= 1 - tolerance && above <= 1 + tolerance) {
    return undefined;
  }
  const loss = lossOfLiquidity(reading, [lowestQ64, highestQ64], price, range);
  const isNear = below >= 1 - tolerance - LISTED_APART && above <= 1 + tolerance + LISTED_APART;
  return isNear && loss !== undefined && loss.share <= NEGLIGIBLE_LOSS
    ? undefined
    : { from, isFar: isFarApart(below, above, policy), ends: endsText(below, above), loss };
}

/**
 * A pool without bins is listed by prices of the market, and its own may differ as much (as in listedPrices.ts). Liquidity over a wide range
 * loses little by that: a price that is 10% off costs about 0.1%.
 */
const LISTED_APART = 0.1;
const NEGLIGIBLE_LOSS = 0.0025;

/** Liquidity L that is bought at the square root s of the price is worth L (s - s0)²/s of Y less than was paid, where s0 is that of the known price. */
function lossOfLiquidity(
  { args }: DecodedCall,
  ends: readonly bigint[],
  price: number,
  range: SqrtPriceRange | undefined,
): Loss | undefined {
  const liquidity = Number(integerAt(args, 'params', 'liquidity_delta') ?? 0n) / Q64;
  if (liquidity === 0) {
    return undefined;
  }
  const known = Math.sqrt(price);
  const [least, most] = [Number(range?.minQ64 ?? 0n) / Q64, range === undefined ? Infinity : Number(range.maxQ64) / Q64];
  const losses = ends.map((end): Loss => {
    const root = Number(end) / Q64;
    const ofY = (liquidity * (root - known) ** 2) / root;
    const paid = liquidity * (1 / root - 1 / most) * price + liquidity * (root - least);
    return { ofY, share: paid > 0 ? Math.min(1, ofY / paid) : 0, price };
  });
  return losses.reduce((worst, next) => (next.ofY > worst.ofY ? next : worst));
}

/** Writes one finding about the worst comparison. */
function note(rule: string, deviations: readonly Deviation[], bins: LandingBins | undefined, pair: Pair, notes: PlaceNotes): void {
  const [worst] = [...deviations].sort(
    (one, other) => Number(other.isFar) - Number(one.isFar) || (other.loss?.ofY ?? 0) - (one.loss?.ofY ?? 0),
  );
  if (worst === undefined) {
    return;
  }
  const words = [...deviationText(worst, bins), ...lossText(worst.loss, pair)].join(' ');
  if (worst.isFar) {
    notes.block(rule, words);
  } else {
    notes.confirm(rule, `${words} ${acceptWords()}`);
  }
}

function deviationText({ from, ends }: Deviation, bins: LandingBins | undefined): readonly string[] {
  if (ends !== undefined) {
    const which = bins === undefined ? '' : ` (${binsText(bins)})`;
    return [landsWords(`${againstText(ends, from)}${which}`), l10n.t('Your slippage tolerance covers less.')];
  }
  return [
    bins === undefined ? l10n.t('The deposit lands at very different prices.') : landsWords(binsText(bins)),
    l10n.t('Binsight cannot compare them with the price that you were shown.'),
  ];
}

const landsWords = (prices: string): string => l10n.t`The deposit lands only at these prices: ${prices}.`;

/** "−63% to +170%", for ratios to a known price. */
function endsText(lowest: number | undefined, highest: number | undefined): string {
  const end = (ratio: number): string => {
    const percent = Math.abs(ratio - 1) * 100;
    const digits = percent.toLocaleString('en-US', { maximumSignificantDigits: 3, useGrouping: false });
    return `${ratio < 1 ? '−' : '+'}${digits}%`;
  };
  return boundsText(lowest === undefined ? undefined : end(lowest), highest === undefined ? undefined : end(highest));
}

const binsText = ({ lowest, highest }: LandingBins): string => l10n.t`active bin ${boundsText(lowest, highest)}`;

function lossText(loss: Loss | undefined, { x, y }: Pair): readonly string[] {
  if (loss === undefined || !(loss.share > 0)) {
    return [];
  }
  const percent = (loss.share * 100).toLocaleString('en-US', { maximumSignificantDigits: 2, useGrouping: false });
  const lamports = y === WRAPPED_SOL_MINT ? loss.ofY : x === WRAPPED_SOL_MINT ? loss.ofY / loss.price : undefined;
  const sol =
    lamports === undefined || !Number.isFinite(lamports) ? '' : ` (${rawAmountText(WRAPPED_SOL_MINT, BigInt(Math.ceil(lamports)))})`;
  return [l10n.t`At worst, ${percent}% of the deposit is lost${sol}.`];
}

/** Returns the prices at which the deposits of an operation can land: from the lowest to the highest of all. */
export function depositPricesOf(transactions: readonly ReadTransaction[], { intent, facts }: ReviewInput): DepositPrices | undefined {
  const range = rangeOfPool(poolFactOf(intent, facts));
  const landings = transactions
    .flatMap(({ readings }) => readings)
    .flatMap((reading) => {
      const landing = landingPrices(reading, intent, range);
      return landing === undefined ? [] : [{ reading, landing }];
    });
  const [first] = landings;
  if (!deposits(intent) || first === undefined) {
    return undefined;
  }
  const { x: tokenX, y: tokenY } = pairOf(first.reading, intent);
  const bins = landings.flatMap(({ landing }) => (landing.kind === 'bins' ? [landing] : []));
  if (bins.length > 0) {
    const lowestBinId = outermost(
      bins.map(({ lowest }) => lowest),
      Math.min,
    );
    const highestBinId = outermost(
      bins.map(({ highest }) => highest),
      Math.max,
    );
    const [lowestPrice, highestPrice] = [lowestBinId, highestBinId].map((binId) => priceOf(binId, intent.binStepBps));
    return { lowestBinId, highestBinId, lowestPrice, highestPrice, tokenX, tokenY };
  }
  const roots = landings.flatMap(({ landing }) => (landing.kind === 'sqrtPrices' ? [landing] : []));
  const lowestPrice = Math.min(...roots.map(({ lowestQ64 }) => (Number(lowestQ64) / Q64) ** 2));
  const highestPrice = Math.max(...roots.map(({ highestQ64 }) => (Number(highestQ64) / Q64) ** 2));
  // A pool with a range of its own, which is not known here.
  return lowestPrice > highestPrice ? { tokenX, tokenY } : { lowestPrice, highestPrice, tokenX, tokenY };
}

function outermost(ends: readonly (number | undefined)[], of: (...ends: readonly number[]) => number): number | undefined {
  const known = ends.filter((end) => end !== undefined);
  return known.length < ends.length ? undefined : of(...known);
}

/** The price of a bin, raw units; `undefined` if the program has no such bin, or the step between bins is not known. */
function priceOf(binId: number | undefined, binStepBps: number | undefined): number | undefined {
  if (binId === undefined || binStepBps === undefined || !isBinStep(binStepBps) || Math.abs(binId) > maxBinIdOf(binStepBps)) {
    return undefined;
  }
  return priceOfBin(binId, binStepBps);
}
