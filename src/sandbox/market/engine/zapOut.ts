import { amountSlippageBps, binsOfSlippage } from '../../../engine/assembly/slippage';
import { shareOf } from '../../../base/basisPoints';
import type { BinRange } from '../../../base/dlmm/bins';
import type { Address } from '../../../base/solana/address';
import { formatRaw } from '../../../base/solana/amounts';
import { type DecreaseParameters, EngineError } from '../../../engine/engine';
import type { WireDecrease, WireDecreaseQuote, WireTokenAmount } from '../../../engine/wire/transactions';
import type { DecreaseOutput } from '../../../service/transactions';
import type { BinDecreasePlan, DecreasePlan, DecreaseTransactions, ProductDecreasePlan } from '../../../engine/assembly/types';
import { withoutTip } from '../../../engine/assembly/walletInstructions';
import type { UnitOfWork } from '../../store/unitOfWork';
import type { RecordContext } from '../records/recordContext';
import type { Amounts, Market, MarketPool, PoolToken, Position } from '../types';
import {
  type BuildContext,
  buildTerms,
  base64All,
  withEngineErrors,
  poolAccounts,
  requireLamports,
  additionalCosts,
  swapPlans,
  tokensOf,
} from './buildContext';
import type { OperationTerms } from './pendingBuilds';
import { bestRoute, tradeAlong, type Route } from './routes';

/** Smallest raw proceeds of a swap. Less stays unswapped, because wallets warn about swaps for next to nothing. */
const MIN_OUT = 2_000n;

/** The part of a position to withdraw. */
export type WithdrawnPart =
  | { readonly type: 'bins'; readonly range: BinRange; readonly shareBps: number }
  | { readonly type: 'product'; readonly liquidity: bigint; readonly shareBps: number };

/** Proceeds of a withdrawal at the present prices. */
export interface ZapOut {
  readonly part: WithdrawnPart;
  /** Raw proceeds: a share of the liquidity, and all fees. */
  readonly liquidity: Amounts;
  readonly fees: Amounts;
  /** In order; each quote includes the effects of the withdrawal and the swaps before it. */
  readonly swaps: readonly Route[];
}

/**
 * A share of a position's bins or liquidity.
 * @param shareBps 1 to 10000
 * @param range `undefined` for all bins
 */
export function withdrawnPart(position: Readonly<Position>, shareBps: number, range: BinRange | undefined): WithdrawnPart {
  const { holding, lowerBinId, upperBinId } = position;
  if (holding?.type === 'product') {
    return { type: 'product', liquidity: shareOf(holding.liquidity, shareBps), shareBps };
  }
  if (lowerBinId === null || upperBinId === null) {
    throw new RangeError(`The position ${position.address} has no range`);
  }
  return { type: 'bins', range: range ?? { fromBinId: lowerBinId, toBinId: upperBinId }, shareBps };
}

/** Makes a withdrawal with its swaps in a dry run that is rolled back. Landing gives the same, unless prices move until then. */
export function zapOutPlan(
  { market, unit }: { readonly market: Market; readonly unit: UnitOfWork },
  pool: MarketPool,
  position: Readonly<Position>,
  part: WithdrawnPart,
  output: DecreaseOutput,
): ZapOut {
  return unit.dryRun(() => {
    const liquidity = withdraw(market, pool, position, part);
    const fees = market.books.collect(pool, position.address);
    return { part, liquidity, fees, swaps: swapAll(market, pool, output, { x: liquidity.x + fees.x, y: liquidity.y + fees.y }) };
  });
}

/** @throws RangeError if the position has less, or is of the other type */
function withdraw({ books }: Market, pool: MarketPool, { address }: Readonly<Position>, part: WithdrawnPart): Amounts {
  if (pool.type === 'bins' && part.type === 'bins') {
    return books.withdrawBins(pool, address, part.range, part.shareBps);
  }
  if (pool.type === 'product' && part.type === 'product') {
    return books.withdrawLiquidity(pool, address, part.liquidity, part.shareBps);
  }
  throw new RangeError(`${pool.pairName} is a pool of the other type`);
}

/** Swaps the proceeds token by token; a token without a route stays as it is. */
function swapAll(market: Market, pool: MarketPool, output: DecreaseOutput, { x, y }: Amounts): readonly Route[] {
  switch (output) {
    case 'both':
      return [];
    case 'allToken0':
      return sell(market, pool.tokenY, pool.tokenX, y);
    case 'allToken1':
      return sell(market, pool.tokenX, pool.tokenY, x);
    case 'allBaseToken':
      // The base token is SOL: every other token is sold for it in one swap.
      return [...sell(market, pool.tokenX, market.sol, x), ...sell(market, pool.tokenY, market.sol, y)];
  }
}

function sell(market: Market, token: PoolToken, into: PoolToken, amount: bigint): readonly Route[] {
  const route = bestRoute(market, token, into, amount);
  if (route === undefined || route.out < MIN_OUT) {
    return [];
  }
  tradeAlong(market, route);
  return [route];
}

/** A planned withdrawal without its transactions. */
export interface DecreaseDraft {
  readonly owner: Address;
  readonly pool: MarketPool;
  readonly position: Readonly<Position>;
  readonly zap: ZapOut;
  readonly plan: DecreasePlan;
  readonly promised: OperationTerms;
  readonly lastValidBlockHeight: number;
}

/**
 * Plans a withdrawal from an open position.
 * @throws EngineError if the position is not the owner's, or the parameters are invalid
 */
export function draftDecrease(
  context: BuildContext,
  pool: MarketPool,
  position: Readonly<Position>,
  parameters: DecreaseParameters,
): DecreaseDraft {
  const { chain, lookupTable } = context;
  const { owner, bps, slippageBps, output } = parameters;
  if (position.owner !== owner) {
    throw new EngineError('invalid', `owner does not own the position: it belongs to ${position.owner}`);
  }
  const zap = zapOutPlan(context, pool, position, withdrawnPart(position, bps, requestedRange(position, parameters)), output);
  const { blockhash, lastValidBlockHeight } = chain.latestBlockhash();
  const plan: DecreasePlan = {
    ...buildTerms(context, owner, blockhash),
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
 * Builds the transactions of a withdrawal, with and without a tip. The next commit stores them.
 * @throws EngineError if they cannot be built, or the owner cannot pay for them
 */
export function issueDecrease(
  context: BuildContext,
  { owner, pool, zap, plan, promised, lastValidBlockHeight }: DecreaseDraft,
  build: (plan: DecreasePlan) => DecreaseTransactions,
): WireDecrease {
  const { market, chain, issued } = context;
  const withJito = withEngineErrors(() => build(plan));
  const plain = withEngineErrors(() => build(withoutTip(plan)));
  const all = [...withJito.closeTransactions, ...withJito.swapTransactions];
  requireLamports(context, owner, additionalCosts(chain, owner, tokensOf(pool, zap.swaps), all.length));
  issued.add(
    { kind: 'decrease', owner, promised },
    { withJito: all, plain: [...plain.closeTransactions, ...plain.swapTransactions] },
    market.now,
  );
  return {
    lastValidBlockHeight,
    lastValidBlock: lastValidBlockHeight,
    closeTxs: base64All(plain.closeTransactions),
    swapTxs: base64All(plain.swapTransactions),
    closeTxsWithJito: base64All(withJito.closeTransactions),
    swapTxsWithJito: base64All(withJito.swapTransactions),
  };
}

/** The requested bins of the position; `undefined` in a constant-product pool. */
function requestedRange({ lowerBinId, upperBinId }: Readonly<Position>, { fromBinId, toBinId }: DecreaseParameters): BinRange | undefined {
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

/** The DAMM v2 program checks minimum proceeds itself; the DLMM program does not, so the active bin is bounded instead. */
function pricePromise(pool: MarketPool, slippageBps: number): OperationTerms['price'] {
  return pool.type === 'product'
    ? null
    : { activeBinId: pool.activeBinId, binsOfSlippage: binsOfSlippage(slippageBps, pool.spec.binStepBps) };
}

/** Proceeds of a withdrawal for each output option. The plans are of the same share. */
export function decreaseQuoteRecord(
  { market }: RecordContext,
  pool: MarketPool,
  plans: Readonly<Record<DecreaseOutput, ZapOut>>,
): WireDecreaseQuote {
  const { liquidity, fees } = plans.both;
  const worth = market.books.worthOf(pool, { x: liquidity.x + fees.x, y: liquidity.y + fees.y });
  const side = ({ mint, spec }: PoolToken, amount: bigint, fee: bigint): WireDecreaseQuote['token0'] => ({
    address: mint,
    amount: formatRaw(amount, spec.decimals),
    fee: formatRaw(fee, spec.decimals),
  });
  return {
    price: { token0: market.usd(pool.tokenX), token1: market.usd(pool.tokenY) },
    token0: side(pool.tokenX, liquidity.x, fees.x),
    token1: side(pool.tokenY, liquidity.y, fees.y),
    value: worth.usd,
    valueNative: worth.native,
    outputs: {
      allBaseToken: amountsAfter(pool, plans.allBaseToken),
      allToken0: amountsAfter(pool, plans.allToken0),
      allToken1: amountsAfter(pool, plans.allToken1),
      both: amountsAfter(pool, plans.both),
    },
  };
}

/** Increase of the wallet's balances after withdrawal and swaps. */
function amountsAfter(pool: MarketPool, { liquidity, fees, swaps }: ZapOut): readonly WireTokenAmount[] {
  const amounts = new Map<Address, { readonly token: PoolToken; raw: bigint }>();
  const add = (token: PoolToken | undefined, raw: bigint): void => {
    if (token !== undefined) {
      const known = amounts.get(token.mint) ?? { token, raw: 0n };
      known.raw += raw;
      amounts.set(token.mint, known);
    }
  };
  add(pool.tokenX, liquidity.x + fees.x);
  add(pool.tokenY, liquidity.y + fees.y);
  for (const { legs, inAmount, out } of swaps) {
    const [first, last] = [legs[0], legs.at(-1)];
    add(first?.sells === 'x' ? first.via.tokenX : first?.via.tokenY, -inAmount);
    add(last?.sells === 'x' ? last.via.tokenY : last?.via.tokenX, out);
  }
  return [...amounts.values()]
    .filter(({ raw }) => raw > 0n)
    .map(({ token, raw }) => ({ address: token.mint, amount: formatRaw(raw, token.spec.decimals) }));
}
