import { buildAdd } from '../../engine/assembly/buildTransactions';
import { amountSlippageBps, binsOfSlippage, reducedByGrowth } from '../../engine/assembly/slippage';
import type { AddPlan, BinAddPlan, ProductAddPlan } from '../../engine/assembly/types';
import { widthOf } from '../../base/dlmm/bins';
import { spreadOverBins } from '../../base/dlmm/strategy';
import { formatRaw, lamportsToSol, rawFromNumber } from '../../base/solana/amounts';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import type { RentRate } from '../../base/solana/rent';
import { checkedRange, checkSides } from '../../engine/depositRange';
import { type AddParameters, EngineError } from '../../engine/engine';
import type { WireAdd } from '../../engine/wire/transactions';
import type { TokenAmounts } from '../index/types';
import { LiveBinPool } from './binPool';
import { WRAPPED, type Wallet } from './chainTerms';
import { handOut } from './handOut';
import { type LivePool, type LiveToken, type PoolSide, received, requireNoHooks } from './livePool';
import type { ChainBuildContext } from './operations';
import type { LiveProductPool } from './productPool';
import { swapPlanner, type PlannedSwap } from './swapPlanner';

/** How much less than the quote of a swap is deposited: what it gives is known only when it has landed. */
const KEPT_BACK_BPS = 50n;
const BASIS_POINTS = 10_000n;
const PARTS = 1_000_000;
const SEED_BYTES = 32;
/** Amounts on the chain are 64-bit unsigned numbers. */
const RAW_LIMIT = 2n ** 64n;
/** Bins of a transaction of a wide range at least, for the number of transactions that share the highest fee. */
const BINS_PER_TRANSACTION = 40;
/** Upper bound of a transaction's network fees: two signatures, and the priority fee. */
const NETWORK_FEE_ROOM = 120_000n;

/** The fields of a plan that describe the deposit itself. */
type Deposit<Plan extends BinAddPlan | ProductAddPlan> = Omit<
  Plan,
  'owner' | 'blockhash' | 'microLamportsPerComputeUnit' | 'tip' | 'pool' | 'positionSeed' | 'wrapLamports' | 'swaps'
>;

interface PlannedDeposit {
  readonly plan: Deposit<BinAddPlan> | Deposit<ProductAddPlan>;
  readonly rentLamports: bigint;
}

/** What goes into the pool, and the swaps before it. */
interface Funds {
  readonly deposit: TokenAmounts;
  readonly lamports: TokenAmounts;
  readonly wrapLamports: bigint;
  readonly swaps: readonly PlannedSwap[];
  readonly soldInOwn: TokenAmounts;
}

/**
 * Builds an entry with a new position.
 * @throws EngineError if it cannot be built, or a transaction of it would fail
 */
export async function buildEntry(context: ChainBuildContext, parameters: AddParameters): Promise<WireAdd> {
  const { owner, input } = parameters;
  const pool = await context.pool(parameters.pool);
  requireNoHooks(pool);
  const funds = input.mode === 'zap-in' ? await swapped(context, pool, parameters, input) : fromWallet(pool, input);
  const [rent, wallet] = await Promise.all([context.terms.rent(), context.terms.wallet(owner, [pool.x, pool.y])]);
  if (input.mode === 'normal') {
    requireTokens(pool, wallet, funds.deposit);
  }
  const { plan: deposit, rentLamports } =
    pool instanceof LiveBinPool ? await intoBins(pool, parameters, funds, rent) : intoProduct(pool, parameters, funds, rent);
  const transactions = funds.swaps.length + 2 + (deposit.type === 'bins' ? Math.ceil(widthOf(deposit) / BINS_PER_TRANSACTION) : 1);
  const tokenRent = missingTokenAccounts(pool, wallet) * rent.token2022Account;
  requireLamports(wallet, funds.wrapLamports + rentLamports + tokenRent + NETWORK_FEE_ROOM * BigInt(transactions));
  const swaps = funds.swaps.map(({ plan }) => plan);
  const { terms, lastValidBlockHeight } = await context.terms.build(owner, writtenBy(pool), transactions);
  const plan: AddPlan = {
    ...terms,
    pool: pool.accounts,
    positionSeed: context.random(SEED_BYTES),
    wrapLamports: funds.wrapLamports,
    swaps,
    // Wrapped SOL that the owner has is not the operation's.
    keepsWrappedSol: (wallet.balance(WRAPPED) ?? 0n) > 0n,
    ...deposit,
  };
  let position = '';
  const { withJito, plain, coverage } = await handOut(context, {
    kind: 'add',
    owner,
    lastValidBlockHeight,
    plan,
    lists: ['swap', 'add'],
    build: (of: AddPlan) => {
      const built = buildAdd(of);
      position = built.position;
      return { swap: built.swapTransactions, add: built.addTransactions };
    },
  });
  context.log(`Built an entry of ${coverage.transactions} transactions into ${pool.accounts.pool}; ${coverage.simulated} are simulated.`);
  return {
    lastValidBlockHeight,
    lastValidBlock: lastValidBlockHeight,
    swapTxs: plain.swap,
    addLiquidityTxs: plain.add,
    swapTxsWithJito: withJito.swap,
    addLiquidityTxsWithJito: withJito.add,
    simulation: coverage,
    meta: {
      positionPubKey: position,
      provider: context.api !== undefined ? 'JUPITER' : 'METEORA',
      solForX: funds.lamports.x.toString(),
      solForY: funds.lamports.y.toString(),
    },
  };
}

/** Divides the SOL of a zap-in: `percentX` of it becomes token X, the rest token Y. */
async function swapped(
  context: ChainBuildContext,
  pool: LivePool,
  { owner, slippageBps }: AddParameters,
  input: { readonly lamports: bigint; readonly percentX: number },
): Promise<Funds> {
  const x = (input.lamports * BigInt(Math.round(input.percentX * PARTS))) / BigInt(PARTS);
  const lamports = { x, y: input.lamports - x };
  const planner = swapPlanner(context, { owner, own: pool, source: context.search.once(), slippageBps });
  const swaps: PlannedSwap[] = [];
  const bought = async (token: LiveToken, amount: bigint): Promise<bigint> => {
    if (amount === 0n || token.mint === WRAPPED_SOL_MINT) {
      return amount;
    }
    const swap = await planner.plan(WRAPPED, token, amount);
    if (swap === undefined) {
      throw new EngineError(
        'invalid',
        `No pools give ${token.mint} for ${amount} lamports: inputSOL is too much for their liquidity, or too little to buy anything`,
      );
    }
    swaps.push(swap);
    return swap.out - (swap.out * KEPT_BACK_BPS) / BASIS_POINTS;
  };
  const deposit = { x: await bought(pool.x, lamports.x), y: await bought(pool.y, lamports.y) };
  const soldInOwn = { x: planner.soldInOwn('x'), y: planner.soldInOwn('y') };
  return { deposit, lamports, wrapLamports: input.lamports, swaps, soldInOwn };
}

/** The tokens of the wallet, without a swap. */
function fromWallet({ x, y }: LivePool, input: { readonly amountX: number; readonly amountY: number }): Funds {
  const deposit = { x: rawAmount('amountX', input.amountX, x), y: rawAmount('amountY', input.amountY, y) };
  const sol = (token: LiveToken, amount: bigint): bigint => (token.mint === WRAPPED_SOL_MINT ? amount : 0n);
  const lamports = { x: sol(x, deposit.x), y: sol(y, deposit.y) };
  return { deposit, lamports, wrapLamports: lamports.x + lamports.y, swaps: [], soldInOwn: { x: 0n, y: 0n } };
}

function rawAmount(name: string, whole: number, token: LiveToken): bigint {
  const raw = rawFromNumber(whole, token.decimals);
  if (raw >= RAW_LIMIT) {
    throw new EngineError('invalid', `${name} is more of ${token.mint} than an account can hold`);
  }
  return raw;
}

async function intoBins(pool: LiveBinPool, parameters: AddParameters, funds: Funds, rent: RentRate): Promise<PlannedDeposit> {
  const { strategy, slippageBps } = parameters;
  const { binStepBps } = pool;
  const range = checkedRange(parameters, binStepBps);
  const activeBinId = await activeBinAfter(pool, funds.soldInOwn);
  const { x: amountX, y: amountY } = funds.deposit;
  checkSides({ activeBinId, symbolX: pool.x.mint, symbolY: pool.y.mint }, range, parameters, funds.deposit);
  const bins = spreadOverBins({ ...range, activeBinId, binStepBps, strategy, amountX, amountY });
  if (bins.every((bin) => bin.amountX === 0n && bin.amountY === 0n)) {
    throw new EngineError('invalid', `The amounts are too small for ${widthOf(range)} bins: none of them would get anything`);
  }
  const { activeBin, missing } = await pool.surroundings(range);
  const needsNew = !pool.hasBitmapExtension && pool.needsExtension(range);
  const bitmapExtension = pool.hasBitmapExtension ? 'exists' : needsNew ? 'missing' : undefined;
  return {
    plan: {
      type: 'bins',
      binStepBps,
      strategy,
      ...range,
      activeBinId,
      maxActiveBinSlippage: binsOfSlippage(slippageBps, binStepBps),
      amountX,
      amountY,
      missingBinArrayIndexes: missing,
      bitmapExtension,
      activeBin,
      received: (token, amount) => received(pool[token], amount),
    },
    rentLamports: rent.positionOf(widthOf(range)) + BigInt(missing.length) * rent.binArray + (needsNew ? rent.bitmapExtension : 0n),
  };
}

function activeBinAfter(pool: LiveBinPool, { x, y }: TokenAmounts): Promise<number> {
  const side: PoolSide = x > 0n ? 'x' : 'y';
  return pool.activeBinAfter(side, side === 'x' ? x : y);
}

/**
 * The program takes a fixed amount of liquidity, whatever it costs at landing. The liquidity is chosen so that the amounts suffice at any price
 * within the slippage; the rest stays with the owner.
 */
function intoProduct(pool: LiveProductPool, parameters: AddParameters, funds: Funds, rent: RentRate): PlannedDeposit {
  const { slippageBps, input } = parameters;
  const growthBps = amountSlippageBps(slippageBps);
  const after = funds.soldInOwn.x > 0n ? pool.after('x', funds.soldInOwn.x) : pool.after('y', funds.soldInOwn.y);
  const { x, y } = funds.deposit;
  const { liquidity, cost } = after.liquidityFor({ x: reducedByGrowth(x, growthBps), y: reducedByGrowth(y, growthBps) });
  if (liquidity === 0n) {
    const cause = input.mode === 'zap-in' ? 'percentX and inputSOL leave' : 'amountX and amountY leave';
    throw new EngineError('invalid', `${cause} nothing to put in: the pool takes ${pool.x.mint} and ${pool.y.mint} at its price`);
  }
  const plan = { type: 'product' as const, liquidity, amountX: cost.x, amountY: cost.y, slippageBps: growthBps };
  return { plan, rentLamports: rent.productPositionWithNft };
}

/** Accounts that many others write to as well. */
function writtenBy({ accounts }: LivePool): readonly (typeof accounts.pool)[] {
  return [accounts.pool];
}

function missingTokenAccounts({ x, y }: LivePool, wallet: Wallet): bigint {
  return BigInt([WRAPPED, x, y].filter((token) => wallet.balance(token) === undefined).length);
}

/** Checks the deposit except for SOL, which is wrapped on the way. */
function requireTokens(pool: LivePool, wallet: Wallet, deposit: TokenAmounts): void {
  for (const [token, amount] of [
    [pool.x, deposit.x],
    [pool.y, deposit.y],
  ] as const) {
    const has = wallet.balance(token) ?? 0n;
    if (token.mint !== WRAPPED_SOL_MINT && has < amount) {
      const text = (raw: bigint): string => `${formatRaw(raw, token.decimals)} ${token.mint}`;
      throw new EngineError('invalid', `Insufficient balance: ${text(amount)} are needed, ${text(has)} are there`);
    }
  }
}

function requireLamports({ lamports }: Wallet, needed: bigint): void {
  if (lamports < needed) {
    throw new EngineError(
      'invalid',
      `Insufficient balance: ${lamportsToSol(needed)} SOL are needed with rent and fees, ${lamportsToSol(lamports)} SOL are there`,
    );
  }
}
