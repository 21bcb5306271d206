import { WHOLE_BPS } from '../../base/basisPoints';
import { changesSince, type TermChange } from '../../review/approval/compareTerms';
import { compoundedFees, deposits, withdraws } from '../../review/intents';
import { SLIPPAGE_SCALE, type TermTopic } from '../../review/terms';
import type { Review } from '../../review/types';
import type { Quote } from './quote';

/** How a later build compares with what was approved. */
export interface Coverage {
  /** In which respects the approval does not cover it; empty: it is covered. */
  readonly changes: readonly TermChange[];
  /** The slippage tolerance with which a build at the same price would be covered; `undefined`: none, the user has to decide. */
  readonly slippageBps: number | undefined;
}

/** A build and its review, with the tolerance that it was built with. */
type Reviewed = Pick<Quote, 'review' | 'slippageBps'>;

/**
 * Compares a later build with what was approved. The market moves between two builds, so the same tolerance around another price guarantees
 * less. Nothing that was guaranteed may become less: as long as the new price is within the approved tolerance, a tighter one around it
 * guarantees as much. Only where the price has moved further does the user have to decide.
 */
export function coverageOf(approved: Reviewed, later: Reviewed): Coverage {
  const changes = changesSince(approved.review, later.review);
  const open = changes.filter((change) => !followsMarket(change, approved, later));
  if (open.length === 0) {
    return { changes: [], slippageBps: undefined };
  }
  const least = leastOf(open.map((change) => boundFor(change, approved, later)));
  const tighter = least === undefined ? undefined : Math.min(withRoom(least), later.slippageBps - 1);
  return { changes, slippageBps: tighter === undefined || tighter < 0 ? undefined : tighter };
}

/** So many builds with a tighter tolerance follow one that is not covered. */
const MOST_TIGHTER = 2;

/**
 * Builds a quote that the approval covers, as far as a tighter tolerance makes that possible.
 * @param last the last quote: the first build has the tolerance that would have covered it
 */
export async function coveredQuote(
  approved: Reviewed,
  last: Reviewed,
  build: (slippageBps: number) => Promise<Quote>,
): Promise<{ readonly quote: Quote; readonly changes: readonly TermChange[] }> {
  let slippageBps = nextSlippageBps(approved, last);
  for (let tighter = 0; ; tighter += 1) {
    const quote = await build(slippageBps);
    const coverage = coverageOf(approved, quote);
    if (coverage.slippageBps === undefined || tighter === MOST_TIGHTER) {
      return { quote, changes: coverage.changes };
    }
    slippageBps = coverage.slippageBps;
  }
}

/** The tolerance for the build after this one. */
export function nextSlippageBps(approved: Reviewed, last: Reviewed): number {
  return coverageOf(approved, last).slippageBps ?? last.slippageBps;
}

/**
 * Whether an amount that nothing guarantees differs only because the price has moved within the approved tolerance. What is guaranteed has terms
 * of its own, which admit no less. The comparison is with what was approved, so it never adds up.
 */
function followsMarket({ topic, of, approved: before, fresh }: TermChange, approved: Reviewed, later: Reviewed): boolean {
  if (!isWithin(before, fresh, approved)) {
    return false;
  }
  switch (topic) {
    case 'simulated':
      return true;
    case 'spent':
      // Fees grow, and nothing but fees is deposited (ADD-1).
      return compoundedFees(later.review.input.intent) !== undefined;
    case 'deposited':
      return (
        compoundedFees(later.review.input.intent) !== undefined || followsQuote(before, fresh, quoteOf(approved, of), quoteOf(later, of))
      );
    case 'liquidity':
      return followsQuote(before, fresh, quoteOf(approved), quoteOf(later));
    case 'swapped':
      return isSoldShare(later.review) && isAtPrice(of, approved.review, later.review);
    case 'ownTokens':
      // What a swap sells, if its withdrawal is in another transaction.
      return isSoldShare(later.review) && swapsOf(later.review, of).every((swap) => isAtPrice(swap, approved.review, later.review));
    default:
      return false;
  }
}

const WHOLE = BigInt(WHOLE_BPS);

/** Whether an amount differs from the approved one by no more than the user's tolerance. */
function isWithin(before: bigint, fresh: bigint, { review }: Reviewed): boolean {
  const tolerance = BigInt(review.input.intent.slippageBps);
  return fresh * WHOLE >= before * (WHOLE - tolerance) && fresh * WHOLE <= before * (WHOLE + tolerance);
}

/** Of what swaps pay out, quoted amounts and tolerances are rounded: one basis point. */
const ROUNDING_BPS = 1n;

/** Whether an amount has become less by no more than the quote of the swaps. */
function followsQuote(before: bigint, fresh: bigint, quotedBefore: bigint, quoted: bigint): boolean {
  return quotedBefore > 0n && fresh * quotedBefore * WHOLE >= before * quoted * (WHOLE - ROUNDING_BPS);
}

/** What the swaps into a token are quoted at, by what they guarantee; without a token: those of the only swap. 0: not known. */
function quoteOf({ review, slippageBps }: Reviewed, bought?: string): bigint {
  const swaps = review.terms.filter(
    ({ topic, of }) => topic === 'guaranteedBySwaps' && (bought === undefined || mintsOf(of).bought === bought),
  );
  const [swap, ...others] = swaps;
  return swap === undefined || others.length > 0 || slippageBps >= WHOLE_BPS ? 0n : (swap.amount * WHOLE) / BigInt(WHOLE_BPS - slippageBps);
}

/**
 * Whether more is sold only because more of that token is withdrawn: trades in the active bin exchange one token of a position for the other. A
 * simulation of the whole zap-out shows that nothing is sold that was in the wallet before (SIM-2).
 */
function isSoldShare({ input: { intent, transactions }, checked: { simulation } }: Review): boolean {
  return withdraws(intent) && simulation?.transactions === transactions.length;
}

/** Whether a swap guarantees at least the approved price for each token that it sells. */
function isAtPrice(swap: string, approved: Review, later: Review): boolean {
  return (
    amountOf(later, 'guaranteedBySwaps', swap) * amountOf(approved, 'swapped', swap) >=
    amountOf(approved, 'guaranteedBySwaps', swap) * amountOf(later, 'swapped', swap)
  );
}

/** The swaps that sell a token, as `of` of their terms. */
function swapsOf({ terms }: Review, sold: string): readonly string[] {
  return terms.filter(({ topic, of }) => topic === 'swapped' && mintsOf(of).sold === sold).map(({ of }) => of);
}

function mintsOf(swap: string): { readonly sold: string | undefined; readonly bought: string | undefined } {
  const [sold, bought] = swap.split(' ');
  return { sold, bought };
}

/** A missing term counts as 0. */
function amountOf({ terms }: Review, topic: TermTopic, of: string): bigint {
  return terms.find((term) => term.topic === topic && term.of === of)?.amount ?? 0n;
}

/** A quarter of the tolerance stays free: the next build has another price again. */
const ROOM = 4;

function withRoom(slippageBps: number): number {
  return slippageBps - Math.ceil(slippageBps / ROOM);
}

/** The most tolerance with which a build at this price is no worse in this respect; negative or `undefined`: none. */
function boundFor({ topic, of, approved: before, fresh }: TermChange, approved: Reviewed, later: Reviewed): number | undefined {
  const { slippageBps } = later;
  switch (topic) {
    case 'guaranteedBySwaps':
    case 'guaranteedByWithdrawal':
    case 'received':
      return boundOfGuarantee(before, fresh, slippageBps);
    case 'swapped':
    case 'ownTokens':
      return isSoldShare(later.review) && isWithin(before, fresh, approved)
        ? boundOfSales(topic === 'swapped' ? [of] : swapsOf(later.review, of), approved.review, later)
        : boundOfDeposit(topic, before, fresh, later);
    case 'swapSlippage':
      return Number(before / SLIPPAGE_SCALE);
    case 'lowestActiveBin':
    case 'highestActiveBin':
      return boundOfInterval(['lowestActiveBin', 'highestActiveBin'], of, approved.review, later);
    case 'lowestPrice':
    case 'highestPrice':
      return boundOfInterval(['lowestPrice', 'highestPrice'], of, approved.review, later);
    default:
      return undefined;
  }
}

/** What is guaranteed now, price × (1 − tolerance), must become as much as this. */
function boundOfGuarantee(least: bigint, guaranteed: bigint, slippageBps: number): number | undefined {
  return guaranteed <= 0n ? undefined : WHOLE_BPS - Number(dividedUp(least * BigInt(WHOLE_BPS - slippageBps), guaranteed));
}

/** The approved price for each token that is sold must be guaranteed. */
function boundOfSales(swaps: readonly string[], approved: Review, { review, slippageBps }: Reviewed): number | undefined {
  const bounds = swaps.map((swap) =>
    boundOfGuarantee(
      amountOf(approved, 'guaranteedBySwaps', swap) * amountOf(review, 'swapped', swap),
      amountOf(review, 'guaranteedBySwaps', swap) * amountOf(approved, 'swapped', swap),
      slippageBps,
    ),
  );
  return leastOf(bounds);
}

/** What a deposit takes beyond what a swap in the same transaction guarantees is price × tolerance. */
function boundOfDeposit(
  topic: 'swapped' | 'ownTokens',
  before: bigint,
  fresh: bigint,
  { review, slippageBps }: Reviewed,
): number | undefined {
  return topic === 'ownTokens' && deposits(review.input.intent) && before > 0n ? Number((before * BigInt(slippageBps)) / fresh) : undefined;
}

/** Around another price, a narrower interval lies within the approved one. */
function boundOfInterval(
  [low, high]: readonly [TermTopic, TermTopic],
  deposit: string,
  approved: Review,
  { review, slippageBps }: Reviewed,
): number | undefined {
  const [lowBefore, highBefore, lowNow, highNow] = [approved, review].flatMap((of) =>
    [low, high].map((topic) => Number(amountOf(of, topic, deposit))),
  );
  if (lowBefore === undefined || highBefore === undefined || lowNow === undefined || highNow === undefined || lowNow === highNow) {
    return undefined;
  }
  const [middle, halfWidth] = [(lowNow + highNow) / 2, (highNow - lowNow) / 2];
  return Math.floor((slippageBps * Math.min(middle - lowBefore, highBefore - middle)) / halfWidth);
}

/** `undefined` if one is. */
function leastOf(bounds: readonly (number | undefined)[]): number | undefined {
  return bounds.reduce((least, bound) => (least === undefined || bound === undefined ? undefined : Math.min(least, bound)), WHOLE_BPS);
}

function dividedUp(amount: bigint, by: bigint): bigint {
  return (amount + by - 1n) / by;
}
