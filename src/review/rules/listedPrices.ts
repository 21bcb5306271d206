import * as l10n from '@vscode/l10n';
import { BASIS_POINTS } from '../../base/basisPoints';
import type { Address } from '../../base/solana/address';
import { SOL_DECIMALS, USDC_MINT, USDT_MINT, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import type { OperationContext, OperationRule } from '../context';
import type { KnownPool, PoolFact } from '../facts/facts';
import { priceOfPool } from '../facts/poolPrice';
import type { Notes } from '../notes';
import type { ListedPrice, PriceReference } from '../types';

/** A token whose price is known well enough to recognize a wrong one. */
interface KnownToken {
  readonly symbol: string;
  readonly decimals: number;
  /** Cents of a US dollar for one whole token, at least and at most. */
  readonly leastCents: bigint;
  readonly mostCents: bigint;
}

/**
 * In its worst hours (March 2023) USDC traded at 0.87 dollars, USDT in its own (October 2018) at about 0.85: below 0.8 a price is either
 * wrong or a reason to look. Since 2021 SOL has cost between 8 and 295 dollars: the bounds only catch a price in a wrong unit.
 */
const DOLLAR = { decimals: 6, leastCents: 80n, mostCents: 125n } as const;
const KNOWN: ReadonlyMap<Address, KnownToken> = new Map([
  [USDC_MINT, { symbol: 'USDC', ...DOLLAR }],
  [USDT_MINT, { symbol: 'USDT', ...DOLLAR }],
  [WRAPPED_SOL_MINT, { symbol: 'SOL', decimals: SOL_DECIMALS, leastCents: 400n, mostCents: 200_000n }],
]);
const CENTS = 100;

/** Lists are read at different moments, and price one token through different markets. Of other tokens small pools may be far off. */
const MOST_RATIO_OF_KNOWN = 1.25;
const MOST_RATIO = 2;

/** So far the price in a pool may be from the price that was shown, in percent, before it is a question; and a bin step on top. */
const POOL_TOLERANCE_PERCENT = 10n;

/**
 * SWP-9: whether the prices that swaps and limits are measured by can be right. They come from the same service as the transactions. A
 * well-known token at an impossible price, two records that contradict each other, and a pool whose price or tokens on the chain are
 * different are a question each.
 */
export const reviewListedPrices: OperationRule = (context, notes) => {
  const { references = [], listedPrices = [] } = context.intent;
  reviewKnown(listedPrices, notes);
  reviewRatios(references, notes);
  reviewAgreement(listedPrices, notes);
  reviewPool(references, context, notes);
};

/** Well-known tokens have a plausible price. */
function reviewKnown(prices: readonly ListedPrice[], notes: Notes): void {
  for (const { mint, usd } of firstOf(prices, ({ mint, usd }) => isImpossible(mint, usd))) {
    const symbol = KNOWN.get(mint)?.symbol ?? mint;
    notes.operation(
      'SWP-9',
      'confirm',
      l10n.t`The service lists ${symbol} at ${dollars(usd)} US dollars, which cannot be right. Amounts and limits that are computed from it are wrong. Do not sign unless you have checked the amounts yourself.`,
      { address: mint },
    );
  }
}

function isImpossible(mint: Address, usd: number): boolean {
  const known = KNOWN.get(mint);
  return known !== undefined && !(usd * CENTS >= Number(known.leastCents) && usd * CENTS <= Number(known.mostCents));
}

/** So do two of them in each other. */
function reviewRatios(references: readonly PriceReference[], notes: Notes): void {
  const wrong = references.filter((reference) => isImpossibleRatio(reference));
  for (const { inMint, outMint } of wrong.filter((one, place) => wrong.findIndex((other) => isSamePair(one, other)) === place)) {
    const [of, by] = [inMint, outMint].map((mint) => KNOWN.get(mint)?.symbol ?? mint);
    notes.operation(
      'SWP-9',
      'confirm',
      l10n.t`The price that you were shown for ${String(of)} in ${String(by)} cannot be right. Swaps are compared with it, and a loss would not be noticed. Do not sign unless you know the price.`,
      { address: inMint },
    );
  }
}

function isImpossibleRatio({ inMint, outMint, inAmountRaw, outAmountRaw }: PriceReference): boolean {
  const [sold, bought] = [KNOWN.get(inMint), KNOWN.get(outMint)];
  if (sold === undefined || bought === undefined || inMint === outMint || inAmountRaw <= 0n || outAmountRaw <= 0n) {
    return false;
  }
  // So many whole tokens of one are worth as much as so many of the other.
  const wholeSold = inAmountRaw * 10n ** BigInt(bought.decimals);
  const wholeBought = outAmountRaw * 10n ** BigInt(sold.decimals);
  if (sold.decimals === bought.decimals) {
    // Both are a dollar.
    return wholeBought * 100n < wholeSold * DOLLAR.leastCents || wholeBought * 100n > wholeSold * DOLLAR.mostCents;
  }
  return wholeBought * bought.mostCents < wholeSold * sold.leastCents || wholeBought * bought.leastCents > wholeSold * sold.mostCents;
}

function isSamePair(one: PriceReference, other: PriceReference): boolean {
  return (one.inMint === other.inMint && one.outMint === other.outMint) || (one.inMint === other.outMint && one.outMint === other.inMint);
}

/** The price of a token is about the same wherever the service lists it. */
function reviewAgreement(prices: readonly ListedPrice[], notes: Notes): void {
  for (const { mint, usd } of firstOf(
    prices.filter(({ isElsewhere }) => isElsewhere !== true),
    () => true,
  )) {
    const others = prices.filter((other) => other.mint === mint && other.isElsewhere === true);
    const most = KNOWN.has(mint) ? MOST_RATIO_OF_KNOWN : MOST_RATIO;
    const isApart = (other: number): boolean => !(usd <= other * most && other <= usd * most);
    // A wrong price that stands in every list must not outvote the pool itself.
    const byBin = others.find((other) => other.isByBin === true && isApart(other.usd));
    if (byBin !== undefined) {
      notes.operation(
        'SWP-9',
        'confirm',
        l10n.t`The service lists ${KNOWN.get(mint)?.symbol ?? mint} at ${dollars(usd)} US dollars, and by the active bin of its pool it costs ${dollars(byBin.usd)}. One of the prices is wrong, and the limits of this operation depend on it. Do not sign unless you have checked the price yourself.`,
        { address: mint },
      );
      continue;
    }
    const elsewhere = median(others.map((other) => other.usd));
    if (elsewhere !== undefined && isApart(elsewhere)) {
      notes.operation(
        'SWP-9',
        'confirm',
        l10n.t`The service lists ${KNOWN.get(mint)?.symbol ?? mint} at ${dollars(usd)} US dollars here and at ${dollars(elsewhere)} elsewhere. One of the prices is wrong, and the limits of this operation depend on it. Do not sign unless you have checked the price yourself.`,
        { address: mint },
      );
    }
  }
}

/** Six digits tell one price from another. */
function dollars(usd: number): string {
  return usd.toLocaleString('en-US', { maximumSignificantDigits: 6, useGrouping: false });
}

/** Each mint once: the first that the condition holds of. */
function firstOf(prices: readonly ListedPrice[], holds: (price: ListedPrice) => boolean): readonly ListedPrice[] {
  const found = prices.filter(holds);
  return found.filter(({ mint }, place) => found.findIndex((other) => other.mint === mint) === place);
}

function median(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)];
}

/** With an RPC: the pool has the tokens and the price on the chain that the service lists. */
function reviewPool(references: readonly PriceReference[], { intent, facts }: OperationContext, notes: Notes): void {
  const pool = facts.pools?.get(intent.pool);
  if (pool === undefined) {
    return;
  }
  if (pool.kind === 'none' || (intent.poolType !== undefined && pool.kind !== intent.poolType)) {
    notes.operation('SWP-9', 'confirm', noPoolWords(intent.pool, pool), { address: intent.pool });
    return;
  }
  const foreign = [intent.tokenX, intent.tokenY].find((mint) => mint !== undefined && mint !== pool.tokenX && mint !== pool.tokenY);
  if (foreign !== undefined) {
    notes.operation(
      'SWP-6',
      'confirm',
      l10n.t`The service lists ${foreign} as a token of the pool; on the chain the pool's tokens are ${pool.tokenX} and ${pool.tokenY}.`,
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
      l10n.t`The price that you were shown and the price of the pool on the chain are more than ${String(POOL_TOLERANCE_PERCENT)} % apart. One of them is wrong or has been moved. Wait, refresh, and compare the price before you sign.`,
      { address: apart.inMint },
    );
  }
}

function noPoolWords(address: Address, pool: PoolFact): string {
  const rest = l10n.t(
    'Your RPC may be of another network or far behind; or the service lists a pool that is not there. Nothing on the chain confirms the prices. Do not sign unless you know why.',
  );
  if (pool.kind !== 'none') {
    return l10n.t`By your RPC the pool ${address} is one of ${POOL_WORDS[pool.kind]}, and the service lists it as another kind. ${rest}`;
  }
  const what =
    pool.program === undefined
      ? l10n.t`has no account at the address of the pool, ${address}`
      : l10n.t`says that ${address}, which the service lists as the pool, is an account of the program ${pool.program} and not a pool`;
  return l10n.t`Your RPC ${what}. ${rest}`;
}

const POOL_WORDS: Readonly<Record<KnownPool['kind'], string>> = { dlmm: 'Meteora DLMM', dammV2: 'Meteora DAMM v2' };

function isApart(one: PriceReference, other: PriceReference, stepBps: bigint): boolean {
  if (one.inAmountRaw <= 0n || one.outAmountRaw <= 0n) {
    return false;
  }
  const isSameWay = one.inMint === other.inMint;
  const a = one.outAmountRaw * (isSameWay ? other.inAmountRaw : other.outAmountRaw);
  const b = one.inAmountRaw * (isSameWay ? other.outAmountRaw : other.inAmountRaw);
  const most = (100n + POOL_TOLERANCE_PERCENT) * (BASIS_POINTS + stepBps);
  const all = 100n * BASIS_POINTS;
  return a * all > b * most || b * all > a * most;
}
