import { WHOLE_BPS } from '../../base/basisPoints';
import { changesSince, type TermChange } from '../../review/approval/compareTerms';
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
  const bounds = open.map((change) => boundFor(change, approved, later));
  const least = bounds.reduce(
    (lower, bound) => (lower === undefined || bound === undefined ? undefined : Math.min(lower, bound)),
    WHOLE_BPS,
  );
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
    case 'deposited':
      return followsQuote(before, fresh, quoteOf(approved, of), quoteOf(later, of));
    case 'liquidity':
      return followsQuote(before, fresh, quoteOf(approved), quoteOf(later));
    case 'swapped':
    case 'ownTokens':
      return isSoldShare(later.review) && guaranteedBy(later.review) * before >= guaranteedBy(approved.review) * fresh;
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

/**
 * Whether more is sold only because more of that token is withdrawn: trades in the active bin exchange one token of a position for the other. A
 * simulation of the whole zap-out shows that nothing is sold that was in the wallet before (SIM-2).
 */
function isSoldShare({ input: { intent, transactions }, checked: { simulation } }: Review): boolean {
  return intent.kind === 'zapOut' && simulation?.transactions === transactions.length;
}

/** What the swaps are quoted at, by what they guarantee. */
function quoteOf({ review, slippageBps }: Reviewed, mint?: string): bigint {
  return slippageBps >= WHOLE_BPS ? 0n : (guaranteedBy(review, mint) * WHOLE) / BigInt(WHOLE_BPS - slippageBps);
}

/** What the swaps guarantee in a token; without one: in the only one that is bought. 0: nothing, or several tokens are bought. */
function guaranteedBy({ terms }: Review, mint?: string): bigint {
  const [term, ...others] = terms.filter(({ topic, of }) => topic === 'guaranteedBySwaps' && (mint === undefined || of === mint));
  return term === undefined || others.length > 0 ? 0n : term.amount;
}

/** A quarter of the tolerance stays free: the next build has another price again. */
const ROOM = 4;

function withRoom(slippageBps: number): number {
  return slippageBps - Math.ceil(slippageBps / ROOM);
}

/** The most tolerance with which a build at this price is no worse in this respect; negative or `undefined`: none. */
function boundFor({ topic, of, approved: before, fresh }: TermChange, approved: Reviewed, later: Reviewed): number | undefined {
  const { slippageBps } = later;
  const { kind } = approved.review.input.intent;
  switch (topic) {
    case 'guaranteedBySwaps':
    case 'guaranteedByWithdrawal':
    case 'received':
      return boundOfGuarantee(before, fresh, slippageBps);
    case 'swapped':
      return isSoldShare(later.review) && isWithin(before, fresh, approved)
        ? boundOfGuarantee(guaranteedBy(approved.review) * fresh, guaranteedBy(later.review) * before, slippageBps)
        : undefined;
    case 'ownTokens':
      if (kind === 'zapOut') {
        // The same as `swapped`, of a token that nothing buys.
        return WHOLE_BPS;
      }
      // What is deposited beyond the guarantee: price × tolerance.
      return before <= 0n ? undefined : Number((before * BigInt(slippageBps)) / fresh);
    case 'swapSlippage':
      return Number(before);
    case 'lowestActiveBin':
    case 'highestActiveBin':
      return boundOfBins(binsOf(approved.review, of), binsOf(later.review, of), slippageBps);
    default:
      return undefined;
  }
}

/** What is guaranteed now, price × (1 − tolerance), must become as much as this. */
function boundOfGuarantee(least: bigint, guaranteed: bigint, slippageBps: number): number | undefined {
  return guaranteed <= 0n ? undefined : WHOLE_BPS - Number(dividedUp(least * BigInt(WHOLE_BPS - slippageBps), guaranteed));
}

/** The bins that may be active when a deposit lands, both included. */
interface ActiveBins {
  readonly lowest: number;
  readonly highest: number;
}

/** Around another active bin, fewer bins lie within the approved ones. */
function boundOfBins(before: ActiveBins | undefined, now: ActiveBins | undefined, slippageBps: number): number | undefined {
  if (before === undefined || now === undefined || now.highest === now.lowest) {
    return undefined;
  }
  const [active, width] = [(now.lowest + now.highest) / 2, (now.highest - now.lowest) / 2];
  return Math.floor((slippageBps * Math.min(active - before.lowest, before.highest - active)) / width);
}

function binsOf({ terms }: Review, deposit: string): ActiveBins | undefined {
  const [lowest, highest] = (['lowestActiveBin', 'highestActiveBin'] as const).map(
    (topic) => terms.find((term) => term.topic === topic && term.of === deposit)?.amount,
  );
  return lowest === undefined || highest === undefined ? undefined : { lowest: Number(lowest), highest: Number(highest) };
}

function dividedUp(amount: bigint, by: bigint): bigint {
  return (amount + by - 1n) / by;
}
