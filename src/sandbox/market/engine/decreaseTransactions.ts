import type { BinRange } from '../../../base/dlmm/bins';
import type { Address } from '../../../base/solana/address';
import type { BinDecreasePlan, DecreasePlan, DecreaseTransactions, ProductDecreasePlan } from '../../build/types';
import { withoutTip } from '../../build/walletInstructions';
import { EngineError, type DecreaseParameters } from '../../../server/engine';
import type { WireDecrease } from '../../../server/wire/transactions';
import type { Pool, Position } from '../types';
import type { Promised } from './pendingBuilds';
import { amountSlippageBps, binsOfSlippage, buildTerms, poolAccounts, sideCosts, swapPlans } from './terms';
import { encoded, planned, requireLamports, tokensOf, type BuildContext } from './buildContext';
import { partOf, zapOutPlan, type ZapOut } from './zapOutPlan';

/** A withdrawal as it is planned, before its transactions are built. */
export interface DecreaseDraft {
  readonly owner: Address;
  readonly pool: Pool;
  readonly position: Readonly<Position>;
  readonly zap: ZapOut;
  readonly plan: DecreasePlan;
  readonly promised: Promised;
  readonly lastValidBlockHeight: number;
}

/**
 * Plans a withdrawal from an open position.
 * @throws EngineError if the position is not the owner's, or the parameters make no sense.
 */
export function draftDecrease(
  context: BuildContext,
  pool: Pool,
  position: Readonly<Position>,
  parameters: DecreaseParameters,
): DecreaseDraft {
  const { chain, issued, lookupTable } = context;
  const { owner, bps, slippageBps, output } = parameters;
  if (position.owner !== owner) {
    throw new EngineError('invalid', `owner does not own the position: it belongs to ${position.owner}`);
  }
  const zap = zapOutPlan(context, pool, position, partOf(position, bps, rangeOf(position, parameters)), output);
  const { blockhash, lastValidBlockHeight } = chain.latestBlockhash();
  const plan: DecreasePlan = {
    ...buildTerms(owner, blockhash, issued.nextNumber),
    lookupTable,
    pool: poolAccounts(pool),
    position: position.address,
    shareBps: bps,
    swaps: swapPlans(zap.swaps, slippageBps),
    ...partPlan(position, zap, slippageBps),
  };
  const promised = { position: position.address, strategy: null, price: pricePromise(pool, slippageBps) };
  return { owner, pool, position, zap, plan, promised, lastValidBlockHeight };
}

/**
 * Builds the transactions of a withdrawal, with a tip and without one. The next commit stores them.
 * @throws EngineError if they cannot be built, or the owner cannot pay for them.
 */
export function issueDecrease(
  context: BuildContext,
  { owner, pool, zap, plan, promised, lastValidBlockHeight }: DecreaseDraft,
  build: (plan: DecreasePlan) => DecreaseTransactions,
): WireDecrease {
  const { market, chain, issued } = context;
  const withJito = planned(() => build(plan));
  const plain = planned(() => build(withoutTip(plan)));
  const all = [...withJito.closeTransactions, ...withJito.swapTransactions];
  requireLamports(context, owner, sideCosts(chain, owner, tokensOf(pool, zap.swaps), all.length));
  issued.add(
    { kind: 'decrease', owner, promised },
    { withJito: all, plain: [...plain.closeTransactions, ...plain.swapTransactions] },
    market.now,
  );
  return {
    lastValidBlockHeight,
    lastValidBlock: lastValidBlockHeight,
    closeTxs: encoded(plain.closeTransactions),
    swapTxs: encoded(plain.swapTransactions),
    closeTxsWithJito: encoded(withJito.closeTransactions),
    swapTxsWithJito: encoded(withJito.swapTransactions),
  };
}

/** The part of the range that is asked for; `undefined`: all of it, or there is none. */
function rangeOf({ lowerBinId, upperBinId }: Readonly<Position>, { fromBinId, toBinId }: DecreaseParameters): BinRange | undefined {
  if (lowerBinId === null || upperBinId === null) {
    return undefined;
  }
  const range = { fromBinId: Math.max(fromBinId ?? lowerBinId, lowerBinId), toBinId: Math.min(toBinId ?? upperBinId, upperBinId) };
  if (range.fromBinId > range.toBinId) {
    throw new EngineError('invalid', `fromBinId and toBinId name none of the position's bins, ${lowerBinId} to ${upperBinId}`);
  }
  return range;
}

type PartPlan =
  | Pick<BinDecreasePlan, 'type' | 'fromBinId' | 'toBinId'>
  | Pick<ProductDecreasePlan, 'type' | 'nftMint' | 'liquidity' | 'amountX' | 'amountY' | 'slippageBps'>;

function partPlan({ nftMint }: Readonly<Position>, { part, liquidity }: ZapOut, slippageBps: number): PartPlan {
  if (part.type === 'bins') {
    return { type: part.type, ...part.range };
  }
  if (nftMint === null) {
    throw new RangeError('The position has no NFT');
  }
  return {
    type: part.type,
    nftMint,
    liquidity: part.liquidity,
    amountX: liquidity.x,
    amountY: liquidity.y,
    slippageBps: amountSlippageBps(slippageBps),
  };
}

/** The program itself bounds what comes out of a constant-product pool, but not what comes out of bins. */
function pricePromise(pool: Pool, slippageBps: number): Promised['price'] {
  return pool.type === 'product'
    ? null
    : { activeBinId: pool.activeBinId, binsOfSlippage: binsOfSlippage(slippageBps, pool.spec.binStepBps) };
}
