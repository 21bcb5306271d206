import { binArraysOf, widthOf } from '../../../base/dlmm/bins';
import { spreadOverBins } from '../../../base/dlmm/strategy';
import type { Address } from '../../../base/solana/address';
import { rawFromNumber } from '../../../base/solana/amounts';
import type { RentRate } from '../../../base/solana/rent';
import { checkedRange, checkSides } from '../../../engine/depositRange';
import { type AddParameters, EngineError } from '../../../engine/engine';
import { amountSlippageBps, binsOfSlippage, reducedByGrowth } from '../../../engine/assembly/slippage';
import type { WireAdd } from '../../../engine/wire/transactions';
import type { Strategy } from '../../../service/common';
import type { AddPlan, AddTransactions, BinAddPlan, ProductAddPlan } from '../../../engine/assembly/types';
import { withoutTip } from '../../../engine/assembly/walletInstructions';
import type { UnitOfWork } from '../../store/unitOfWork';
import type { Amounts, BinPool, Market, MarketPool, PoolToken, ProductPool } from '../types';
import {
  type BuildContext,
  buildTerms,
  base64All,
  withEngineErrors,
  poolAccounts,
  requireLamports,
  requireTokens,
  additionalCosts,
  swapPlans,
  tokensOf,
} from './buildContext';
import { bestRoute, tradeAlong, type Route } from './routes';

/** The fields of a plan that describe the deposit itself. */
type Deposit<Plan extends BinAddPlan | ProductAddPlan> = Omit<
  Plan,
  'owner' | 'blockhash' | 'microLamportsPerComputeUnit' | 'tip' | 'pool' | 'positionSeed' | 'wrapLamports' | 'swaps'
>;

/** A deposit of given amounts into a pool. */
export interface DepositPlan {
  readonly plan: Deposit<BinAddPlan> | Deposit<ProductAddPlan>;
  /** Rent of the accounts that it creates. */
  readonly rentLamports: bigint;
}

/**
 * Plans the deposit of these raw amounts at the pool's present price.
 * @throws EngineError if the range is missing or invalid, or the pool would take nothing
 */
function depositPlan(pool: MarketPool, parameters: AddParameters, amounts: Amounts, rent: RentRate): DepositPlan {
  return pool.type === 'bins' ? binDeposit(pool, parameters, amounts, rent) : productDeposit(pool, parameters, amounts, rent);
}

function binDeposit(pool: BinPool, parameters: AddParameters, { x, y }: Amounts, rent: RentRate): DepositPlan {
  const { strategy, slippageBps } = parameters;
  const { activeBinId, spec } = pool;
  const { binStepBps } = spec;
  const range = checkedRange(parameters, binStepBps);
  checkSides({ activeBinId, symbolX: pool.tokenX.spec.symbol, symbolY: pool.tokenY.spec.symbol }, range, parameters, { x, y });
  const bins = withEngineErrors(() => spreadOverBins({ ...range, activeBinId, binStepBps, strategy, amountX: x, amountY: y }));
  if (bins.every(({ amountX, amountY }) => amountX === 0n && amountY === 0n)) {
    throw new EngineError('invalid', `The amounts are too small for ${widthOf(range)} bins: none of them would get anything`);
  }
  const missingBinArrayIndexes = binArraysOf(range.fromBinId, range.toBinId).filter((index) => !pool.binArrayIndexes.includes(index));
  return {
    plan: {
      type: 'bins',
      binStepBps,
      strategy,
      ...range,
      activeBinId,
      maxActiveBinSlippage: binsOfSlippage(slippageBps, binStepBps),
      amountX: x,
      amountY: y,
      missingBinArrayIndexes,
    },
    rentLamports: rent.positionOf(widthOf(range)) + BigInt(missingBinArrayIndexes.length) * rent.binArray,
  };
}

/**
 * The program takes a fixed amount of liquidity, whatever it costs at landing. The liquidity is chosen so that the amounts suffice
 * at any price within the slippage; the rest stays with the owner.
 */
function productDeposit(pool: ProductPool, { slippageBps, input }: AddParameters, amounts: Amounts, rent: RentRate): DepositPlan {
  const growthBps = amountSlippageBps(slippageBps);
  const liquidity = pool.liquidityFor({ x: reducedByGrowth(amounts.x, growthBps), y: reducedByGrowth(amounts.y, growthBps) });
  if (liquidity === 0n) {
    const cause = input.mode === 'zap-in' ? 'percentX and inputSOL leave' : 'amountX and amountY leave';
    throw new EngineError(
      'invalid',
      `${cause} nothing to put in: a constant-product pool takes both ${pool.tokenX.spec.symbol} and ${pool.tokenY.spec.symbol}, in equal value`,
    );
  }
  const { x, y } = pool.amountsFor(liquidity, 'up');
  return {
    plan: { type: 'product', liquidity, amountX: x, amountY: y, slippageBps: growthBps },
    rentLamports: rent.productPositionWithNft,
  };
}

const PARTS = 1_000_000;

/** Swaps and deposit of a zap-in. */
export interface ZapIn {
  /** In order; each quote includes the effects of the swaps before it. */
  readonly swaps: readonly Route[];
  /** Raw amounts that go into the position. */
  readonly deposit: Amounts;
  /** Lamports of the input that go to each side. */
  readonly lamports: Amounts;
}

/**
 * Makes the swaps of a zap-in and runs `then` at the prices after them, in a dry run that is rolled back. `percentX` (0 to 1)
 * of the input becomes token X, the rest token Y; a token other than SOL is bought for SOL in one swap.
 * @throws EngineError if no pools sell that much, or the amount is too small to buy anything
 */
function zapInPlan<Result>(
  { market, unit }: { readonly market: Market; readonly unit: UnitOfWork },
  pool: MarketPool,
  input: { readonly lamports: bigint; readonly percentX: number },
  then: (zap: ZapIn) => Result,
): Result {
  return unit.dryRun(() => {
    const x = (input.lamports * BigInt(Math.round(input.percentX * PARTS))) / BigInt(PARTS);
    const y = input.lamports - x;
    const forX = buy(market, pool.tokenX, x);
    const forY = buy(market, pool.tokenY, y);
    return then({
      swaps: [forX, forY].filter((route) => route !== undefined),
      deposit: { x: forX?.out ?? x, y: forY?.out ?? y },
      lamports: { x, y },
    });
  });
}

/** `undefined` if nothing has to be bought. */
function buy(market: Market, wanted: PoolToken, lamports: bigint): Route | undefined {
  if (lamports === 0n || wanted.mint === market.sol.mint) {
    return undefined;
  }
  const route = bestRoute(market, market.sol, wanted, lamports);
  if (route === undefined) {
    throw new EngineError(
      'invalid',
      `No pools give ${wanted.spec.symbol} for ${lamports} lamports: inputSOL is too much for their liquidity, or too little to buy anything`,
    );
  }
  tradeAlong(market, route);
  return route;
}

/** Amounts on the chain are 64-bit unsigned numbers. */
const RAW_LIMIT = 2n ** 64n;
const SEED_BYTES = 32;

/** A planned entry without its transactions. */
export interface AddDraft {
  readonly owner: Address;
  readonly pool: MarketPool;
  readonly mode: AddParameters['input']['mode'];
  readonly strategy: Strategy;
  readonly zap: ZapIn;
  readonly plan: AddPlan;
  /** Lamports that the owner needs besides fees and rent for token accounts. */
  readonly spentLamports: bigint;
  readonly lastValidBlockHeight: number;
}

/** Changes the swaps of an entry before the deposit is planned. */
export type ReviseZapIn = (zap: ZapIn, pool: MarketPool) => ZapIn;

/**
 * Plans an entry with a new position.
 * @throws EngineError if the parameters are invalid
 */
export function draftAdd(
  context: BuildContext,
  pool: MarketPool,
  parameters: AddParameters,
  revise: ReviseZapIn = (zap: ZapIn): ZapIn => zap,
): AddDraft {
  const { market, chain, lookupTable, random } = context;
  const { owner, strategy, slippageBps, input } = parameters;
  const then = (swapped: ZapIn): PlannedEntry => {
    const zap = revise(swapped, pool);
    return { zap, deposit: depositPlan(pool, parameters, zap.deposit, chain.rent) };
  };
  const { zap, deposit } = input.mode === 'zap-in' ? zapInPlan(context, pool, input, then) : then(withoutSwaps(market.sol, pool, input));
  const wrapLamports = input.mode === 'zap-in' ? input.lamports : zap.lamports.x + zap.lamports.y;
  const { blockhash, lastValidBlockHeight } = chain.latestBlockhash();
  const plan: AddPlan = {
    ...buildTerms(context, owner, blockhash),
    lookupTable,
    pool: poolAccounts(pool),
    positionSeed: random(SEED_BYTES),
    wrapLamports,
    swaps: swapPlans(zap.swaps, slippageBps),
    ...deposit.plan,
  };
  const spentLamports = wrapLamports + deposit.rentLamports;
  return { owner, pool, mode: input.mode, strategy, zap, plan, spentLamports, lastValidBlockHeight };
}

/**
 * Builds the transactions of an entry, with and without a tip. The next commit stores them.
 * @throws EngineError if they cannot be built, or the owner's balance is too low
 */
export function issueAdd(
  context: BuildContext,
  { owner, pool, mode, strategy, zap, plan, spentLamports, lastValidBlockHeight }: AddDraft,
  build: (plan: AddPlan) => AddTransactions,
): WireAdd {
  const { market, chain, issued } = context;
  const withJito = withEngineErrors(() => build(plan));
  const plain = withEngineErrors(() => build(withoutTip(plan)));
  const all = [...withJito.swapTransactions, ...withJito.addTransactions];
  if (mode === 'normal') {
    requireTokens(context, owner, pool, zap.deposit);
  }
  requireLamports(context, owner, spentLamports + additionalCosts(chain, owner, tokensOf(pool, zap.swaps), all.length));
  issued.add(
    { kind: 'add', owner, promised: { position: withJito.position, strategy, price: null } },
    { withJito: all, plain: [...plain.swapTransactions, ...plain.addTransactions] },
    market.now,
  );
  return {
    lastValidBlockHeight,
    lastValidBlock: lastValidBlockHeight,
    swapTxs: base64All(plain.swapTransactions),
    addLiquidityTxs: base64All(plain.addTransactions),
    swapTxsWithJito: base64All(withJito.swapTransactions),
    addLiquidityTxsWithJito: base64All(withJito.addTransactions),
    meta: {
      positionPubKey: withJito.position,
      provider: 'JUPITER_ULTRA',
      solForX: zap.lamports.x.toString(),
      solForY: zap.lamports.y.toString(),
    },
  };
}

/** Swaps of an entry, and the deposit at the prices after them. */
interface PlannedEntry {
  readonly zap: ZapIn;
  readonly deposit: DepositPlan;
}

function withoutSwaps(sol: PoolToken, pool: MarketPool, input: { readonly amountX: number; readonly amountY: number }): ZapIn {
  const deposit: Amounts = { x: rawAmount('amountX', input.amountX, pool.tokenX), y: rawAmount('amountY', input.amountY, pool.tokenY) };
  const lamports = (token: PoolToken, amount: bigint): bigint => (token.mint === sol.mint ? amount : 0n);
  return { swaps: [], deposit, lamports: { x: lamports(pool.tokenX, deposit.x), y: lamports(pool.tokenY, deposit.y) } };
}

function rawAmount(name: string, whole: number, token: PoolToken): bigint {
  const raw = rawFromNumber(whole, token.spec.decimals);
  if (raw >= RAW_LIMIT) {
    throw new EngineError('invalid', `${name} is more ${token.spec.symbol} than an account can hold`);
  }
  return raw;
}
