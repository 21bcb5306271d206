import * as l10n from '@vscode/l10n';
import { WHOLE_BPS } from '../../base/basisPoints';
import { sol, usd, usdWhole } from '../../base/format/money';
import { isKnown } from '../../base/format/numbers';
import { percent } from '../../base/format/percent';
import { LAMPORTS_PER_SOL, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { spentLamports } from '../../review/spends';
import type { Review } from '../../review/types';
import type { OpenPosition } from '../../service/positions';
import { swapCostLamports } from '../../transactions/inspect/swapCost';
import { worthSol } from '../../transactions/rebalance/market';

// The question before the first half of a rebalance is the only one, so its costs are those of both halves: what the networks and the
// validators get, rent that does not come back, and what the swaps lose by fees and slippage. The second half is not built yet. It is
// expected to pay the network as much as the first, and to lose as large a part of what it swaps.

/** What is known of the pool besides the position. */
export interface SwapExpectations {
  /** The pool's fee in percent; `undefined`: not listed. */
  readonly feePercent: number | undefined;
  /** The tolerance, which bounds what the swaps lose where nothing else is known. */
  readonly slippageBps: number;
}

/** US dollars from which the cents of an estimate say nothing. */
const WHOLE_FROM_USD = 5;

/** "about $6 (0.39%)": what a rebalance is expected to cost in all, with its part of the position's worth. */
export function rebalanceCostText(review: Review, position: OpenPosition, expected: SwapExpectations): string {
  const worth = worthSol(position);
  const { lamports, isBound } = rebalanceCost(review, position, worth, expected);
  const inSol = Number(lamports) / Number(LAMPORTS_PER_SOL);
  const solUsd = review.intent.listedPrices?.find(({ mint, isElsewhere }) => mint === WRAPPED_SOL_MINT && isElsewhere !== true)?.usd;
  const amount = solUsd === undefined ? sol(inSol) : dollars(inSol * solUsd);
  const cost = worth === undefined || !(worth > 0) ? amount : l10n.t`${amount} (${percent((100 * inSol) / worth)})`;
  return isBound ? l10n.t`up to about ${cost}` : l10n.t`about ${cost}`;
}

function dollars(value: number): string {
  return value >= WHOLE_FROM_USD ? usdWhole(value) : usd(value);
}

interface RebalanceCost {
  readonly lamports: bigint;
  /** The swaps count with the most that the tolerance lets them lose. */
  readonly isBound: boolean;
}

function rebalanceCost(
  review: Review,
  position: OpenPosition,
  worth: number | undefined,
  { feePercent, slippageBps }: SwapExpectations,
): RebalanceCost {
  const own = spentLamports(review.spends);
  // Rent that the first half pays for good is its own: the new range mostly has all it needs.
  const again = own - review.spends.spentRentLamports;
  const swappedOut = soldLamports(position, worth);
  const lostOut = swapCostLamports(review);
  // Nothing lost is no measure: nothing was swapped, or the quote is better than the shown price by chance.
  const measured = lostOut === undefined || lostOut <= 0n || swappedOut <= 0 ? undefined : Number(lostOut) / swappedOut;
  const byFee = isKnown(feePercent) && feePercent >= 0 ? feePercent / 100 : undefined;
  // Nor does a small swap say all of a large one: the pool's fee is due in any case.
  const rate = measured === undefined && byFee === undefined ? slippageBps / WHOLE_BPS : Math.max(measured ?? 0, byFee ?? 0);
  const swaps = (swappedOut + boughtLamports(position, worth)) * rate;
  return {
    lamports: own + again + BigInt(Math.round(Number.isFinite(swaps) ? swaps : 0)),
    isBound: measured === undefined && byFee === undefined,
  };
}

/** What the zap-out swaps to SOL, by the shown figures, in lamports: all of it that is not SOL. */
function soldLamports(position: OpenPosition, worth = 0): number {
  const { token0, token1, amount0 = 0, amount1 = 0, uncollectedFee0 = 0, uncollectedFee1 = 0 } = position;
  const held =
    (token0.address === WRAPPED_SOL_MINT ? amount0 + uncollectedFee0 : 0) +
    (token1.address === WRAPPED_SOL_MINT ? amount1 + uncollectedFee1 : 0);
  return Math.max(worth - held, 0) * Number(LAMPORTS_PER_SOL);
}

/** What the zap-in swaps, in lamports: half into the other token around the price, or all where neither token is SOL. */
function boughtLamports({ token0, token1 }: OpenPosition, worth = 0): number {
  const hasSol = token0.address === WRAPPED_SOL_MINT || token1.address === WRAPPED_SOL_MINT;
  return worth * (hasSol ? 0.5 : 1) * Number(LAMPORTS_PER_SOL);
}
