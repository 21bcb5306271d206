import type { BinRange } from '../../../base/dlmm/bins';
import { buildDecrease } from '../../build/buildDecrease';
import type { BinDecreasePlan, DecreasePlan, ProductDecreasePlan } from '../../build/types';
import { withoutTip } from '../../build/walletInstructions';
import { EngineError, type DecreaseParameters } from '../../../server/engine';
import type { WireDecrease } from '../../../server/wire/transactions';
import type { Pool, Position } from '../types';
import { theftOf } from './attacks';
import { withBalanceSold, withWrappedSolSold } from './dustSales';
import type { Promised } from './pendingBuilds';
import { amountSlippageBps, binsOfSlippage, buildTerms, MOST_TRANSACTIONS, poolAccounts, sideCosts, swapPlans } from './terms';
import { encoded, planned, requireLamports, tokensOf, type BuildContext } from './buildContext';
import { partOf, zapOutPlan, type ZapOut } from './zapOutPlan';

/**
 * Builds the transactions of a withdrawal from an open position, with a tip and without one, and remembers them with the next commit.
 * @throws EngineError where the position is not the owner's, or what is asked makes no sense.
 */
export function decreaseTransactions(
  shop: BuildContext,
  pool: Pool,
  position: Readonly<Position>,
  parameters: DecreaseParameters,
): WireDecrease {
  const { market, chain, issued } = shop;
  const { owner, bps, slippageBps, output } = parameters;
  if (position.owner !== owner) {
    throw new EngineError('invalid', `owner does not own the position: it belongs to ${position.owner}`);
  }
  const zap = attacked(
    shop,
    pool,
    parameters,
    zapOutPlan(shop, pool, position, partOf(position, bps, rangeOf(position, parameters)), output),
  );
  const { blockhash, lastValidBlockHeight } = chain.latestBlockhash();
  const used = tokensOf(pool, zap.swaps);
  const plan: DecreasePlan = {
    ...buildTerms(owner, blockhash, issued.nextNumber),
    lookupTable: shop.lookupTable,
    pool: poolAccounts(pool),
    position: position.address,
    shareBps: bps,
    swaps: swapPlans(zap.swaps, slippageBps),
    ...partPlan(position, zap, slippageBps),
    theft: theftOf(shop, parameters.attack, { owner, costsLamports: sideCosts(chain, owner, used, MOST_TRANSACTIONS), used }),
  };
  const withJito = planned(() => buildDecrease(plan));
  const plain = planned(() => buildDecrease(withoutTip(plan)));
  const all = [...withJito.closeTransactions, ...withJito.swapTransactions];
  requireLamports(shop, owner, sideCosts(chain, owner, used, all.length));
  issued.add(
    { kind: 'decrease', owner, promised: { position: position.address, strategy: null, price: pricePromise(pool, slippageBps) } },
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

/** The same withdrawal with other swaps, where a hostile service is played that sells what the wallet has. */
function attacked(shop: BuildContext, pool: Pool, { attack, owner, output }: DecreaseParameters, zap: ZapOut): ZapOut {
  switch (attack) {
    case 'sellForDust':
      return { ...zap, swaps: withBalanceSold(shop, pool, owner, zap, output) };
    case 'sellWrappedSol':
      return { ...zap, swaps: withWrappedSolSold(shop, pool, owner, zap, output) };
    default:
      return zap;
  }
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
