import * as l10n from '@vscode/l10n';
import { BASIS_POINTS } from '../../base/basisPoints';
import type { Address } from '../../base/solana/address';
import { SOL_DECIMALS, USDC_MINT, USDT_MINT, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { deposits, poolFactOf, poolFieldsOf } from '../intents';
import type { OperationContext, OperationRule } from '../context';
import type { KnownPool, PoolFact } from '../facts/facts';
import { priceOfPool } from './swapPrice';
import type { Notes } from '../notes';
import type { ListedPrice, PriceReference } from '../types';
import { byRpcWords } from './words';

/** A token whose price is known well enough to recognize a wrong one. */
interface KnownToken {
  readonly symbol: string;
  readonly decimals: number;
  /** Bounds of the price of one whole token, US cents. */
  readonly leastCents: bigint;
  readonly mostCents: bigint;
}

/**
 * At their lowest USDC traded at 0.87 dollars (March 2023) and USDT at about 0.85 (October 2018): a price below 0.8 is either wrong or a
 * reason for a closer look. SOL has cost between 8 and 295 dollars since 2021: its bounds only catch a price in a wrong unit.
 */
const DOLLAR = { decimals: 6, leastCents: 80n, mostCents: 125n } as const;
const KNOWN: ReadonlyMap<Address, KnownToken> = new Map([
  [USDC_MINT, { symbol: 'USDC', ...DOLLAR }],
  [USDT_MINT, { symbol: 'USDT', ...DOLLAR }],
  [WRAPPED_SOL_MINT, { symbol: 'SOL', decimals: SOL_DECIMALS, leastCents: 400n, mostCents: 200_000n }],
]);
const CENTS = 100;

/** Largest plausible ratio of two listed prices: lists are read at different times and use different markets. Small pools may be far off. */
const MOST_RATIO_OF_KNOWN = 1.25;
const MOST_RATIO = 2;

/** Largest difference between the pool's price and the shown one, percent; one bin step is added to it. */
const POOL_TOLERANCE_PERCENT = 10n;

/**
 * SWP-9 for the prices that swaps and limits are compared with, which come from the same service as the transactions. A well-known token at
 * an impossible price, records that contradict each other, and a pool with another price or other tokens on the chain are questions.
 */
export const reviewListedPrices: OperationRule = (context, notes) => {
  const { references = [], listedPrices = [] } = context.intent;
  reviewKnown(listedPrices, notes);
  reviewRatios(references, notes);
  reviewAgreement(listedPrices, notes);
  reviewShownBin(references, context, notes);
  reviewPool(references, context, notes);
};

/** Well-known tokens have a plausible price. */
function reviewKnown(prices: readonly ListedPrice[], notes: Notes): void {
  for (const { mint, usd } of firstOf(prices, ({ mint, usd }) => isImpossible(mint, usd))) {
    const symbol = KNOWN.get(mint)?.symbol ?? mint;
    notes.operation(
      'SWP-9',
      'confirm',
      `${l10n.t`The service lists ${symbol} at ${dollars(usd)}, which cannot be right.`} ${checkPriceWords()}`,
      { address: mint },
    );
  }
}

function isImpossible(mint: Address, usd: number): boolean {
  const known = KNOWN.get(mint);
  return known !== undefined && !(usd * CENTS >= Number(known.leastCents) && usd * CENTS <= Number(known.mostCents));
}

/** Two well-known tokens have a plausible price in each other. */
function reviewRatios(references: readonly PriceReference[], notes: Notes): void {
  const wrong = references.filter((reference) => isImpossibleRatio(reference));
  for (const { inMint, outMint } of wrong.filter((one, place) => wrong.findIndex((other) => isSamePair(one, other)) === place)) {
    const [of, by] = [inMint, outMint].map((mint) => KNOWN.get(mint)?.symbol ?? mint);
    notes.operation(
      'SWP-9',
      'confirm',
      `${l10n.t`The price that you were shown for ${String(of)} in ${String(by)} cannot be right.`} ${checkPriceWords()}`,
      { address: inMint },
    );
  }
}

function isImpossibleRatio({ inMint, outMint, inAmountRaw, outAmountRaw }: PriceReference): boolean {
  const [sold, bought] = [KNOWN.get(inMint), KNOWN.get(outMint)];
  if (sold === undefined || bought === undefined || inMint === outMint || inAmountRaw <= 0n || outAmountRaw <= 0n) {
    return false;
  }
  // Scaled to whole tokens, without division.
  const wholeSold = inAmountRaw * 10n ** BigInt(bought.decimals);
  const wholeBought = outAmountRaw * 10n ** BigInt(sold.decimals);
  if (sold.decimals === bought.decimals) {
    // Both are worth a dollar.
    return wholeBought * 100n < wholeSold * DOLLAR.leastCents || wholeBought * 100n > wholeSold * DOLLAR.mostCents;
  }
  return wholeBought * bought.mostCents < wholeSold * sold.leastCents || wholeBought * bought.leastCents > wholeSold * sold.mostCents;
}

function isSamePair(one: PriceReference, other: PriceReference): boolean {
  return (one.inMint === other.inMint && one.outMint === other.outMint) || (one.inMint === other.outMint && one.outMint === other.inMint);
}

/** The service lists about the same price for a token everywhere. */
function reviewAgreement(prices: readonly ListedPrice[], notes: Notes): void {
  for (const { mint, usd } of firstOf(
    prices.filter(({ isElsewhere }) => isElsewhere !== true),
    () => true,
  )) {
    const others = prices.filter((other) => other.mint === mint && other.isElsewhere === true);
    const most = KNOWN.has(mint) ? MOST_RATIO_OF_KNOWN : MOST_RATIO;
    const isApart = (other: number): boolean => !(usd <= other * most && other <= usd * most);
    // A wrong price in every list must not outvote the pool itself.
    const byBin = others.find((other) => other.isByBin === true && isApart(other.usd));
    if (byBin !== undefined) {
      notes.operation(
        'SWP-9',
        'confirm',
        `${l10n.t`The service lists ${KNOWN.get(mint)?.symbol ?? mint} at ${dollars(usd)}, but the active bin of its pool gives ${dollars(byBin.usd)}.`} ${checkPriceWords()}`,
        { address: mint },
      );
      continue;
    }
    const elsewhere = median(others.map((other) => other.usd));
    if (elsewhere !== undefined && isApart(elsewhere)) {
      notes.operation(
        'SWP-9',
        'confirm',
        `${l10n.t`The service lists ${KNOWN.get(mint)?.symbol ?? mint} at ${dollars(usd)} here and at ${dollars(elsewhere)} elsewhere.`} ${checkPriceWords()}`,
        { address: mint },
      );
    }
  }
}

/** Formats US dollars with six significant digits, enough to tell two prices apart. */
function dollars(usd: number): string {
  return `$${usd.toLocaleString('en-US', { maximumSignificantDigits: 6, useGrouping: false })}`;
}

const checkPriceWords = (): string => l10n.t('Limits depend on it: do not sign unless you have checked the price yourself.');

/** The first price of each mint that meets the condition. */
function firstOf(prices: readonly ListedPrice[], holds: (price: ListedPrice) => boolean): readonly ListedPrice[] {
  const found = prices.filter(holds);
  return found.filter(({ mint }, place) => found.findIndex((other) => other.mint === mint) === place);
}

function median(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)];
}

/** A deposit is compared with the active bin that the user was shown, so its price is that of the other records. */
function reviewShownBin(references: readonly PriceReference[], { intent }: OperationContext, notes: Notes): void {
  const { tokenX, tokenY } = poolFieldsOf(intent);
  const { activeBinId, binStepBps } = deposits(intent) ? intent : {};
  if (tokenX === undefined || tokenY === undefined || activeBinId === undefined || binStepBps === undefined) {
    return;
  }
  const price = priceOfPool({ kind: 'dlmm', tokenX, tokenY, activeBinId, binStepBps });
  const most = BigInt(Math.round((MOST_RATIO - 1) * 100));
  const apart =
    price && references.find((reference) => isSamePair(reference, price) && isApart(reference, price, BigInt(binStepBps), most));
  if (apart !== undefined) {
    notes.operation(
      'SWP-9',
      'confirm',
      `${l10n.t('The price and the active bin that you were shown contradict each other.')} ${checkPriceWords()}`,
      { address: apart.inMint },
    );
  }
}

/** With an RPC: on the chain, the pool has the tokens and the price that the service lists. */
function reviewPool(references: readonly PriceReference[], { intent, facts }: OperationContext, notes: Notes): void {
  const pool = poolFactOf(intent, facts);
  const { pool: address, poolType, tokenX, tokenY } = poolFieldsOf(intent);
  if (pool === undefined || address === undefined) {
    return;
  }
  if (pool.kind === 'none' || (poolType !== undefined && pool.kind !== poolType)) {
    notes.operation('SWP-9', 'confirm', noPoolText(address, pool), { address });
    return;
  }
  const foreign = [tokenX, tokenY].find((mint) => mint !== undefined && mint !== pool.tokenX && mint !== pool.tokenY);
  if (foreign !== undefined) {
    notes.operation(
      'SWP-6',
      'confirm',
      l10n.t`The service lists ${foreign} as a token of the pool, but on the chain they are ${pool.tokenX} and ${pool.tokenY}.`,
      { address: foreign },
    );
  }
  const price = priceOfPool(pool);
  const stepBps = pool.kind === 'dlmm' ? BigInt(pool.binStepBps) : 0n;
  const apart = price && references.find((reference) => isSamePair(reference, price) && isApart(reference, price, stepBps));
  if (apart !== undefined) {
    notes.operation(
      'SWP-9',
      'confirm',
      `${l10n.t`The price that you were shown differs from the pool's price on the chain by more than ${String(POOL_TOLERANCE_PERCENT)}%.`} ${checkPriceWords()}`,
      { address: apart.inMint },
    );
  }
}

function noPoolText(address: Address, pool: PoolFact): string {
  const program = pool.kind === 'none' ? pool.program : POOL_NAMES[pool.kind];
  const words = program === undefined ? l10n.t`There is no pool ${address}.` : l10n.t`${address} is an account of the program ${program}.`;
  const advice = l10n.t('The RPC may lag or use another network, or the service is wrong: do not sign unless you know why.');
  return `${byRpcWords(words)} ${advice}`;
}

const POOL_NAMES: Readonly<Record<KnownPool['kind'], string>> = { dlmm: 'Meteora DLMM', dammV2: 'Meteora DAMM v2' };

function isApart(one: PriceReference, other: PriceReference, stepBps: bigint, mostPercent = POOL_TOLERANCE_PERCENT): boolean {
  if (one.inAmountRaw <= 0n || one.outAmountRaw <= 0n) {
    return false;
  }
  const isSameWay = one.inMint === other.inMint;
  const a = one.outAmountRaw * (isSameWay ? other.inAmountRaw : other.outAmountRaw);
  const b = one.inAmountRaw * (isSameWay ? other.outAmountRaw : other.inAmountRaw);
  const most = (100n + mostPercent) * (BASIS_POINTS + stepBps);
  const all = 100n * BASIS_POINTS;
  return a * all > b * most || b * all > a * most;
}
