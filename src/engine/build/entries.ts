import type { Address } from '../../base/solana/address';
import { shareOf } from '../../base/basisPoints';
import { widthOf } from '../../base/dlmm/bins';
import { rawFromNumber } from '../../base/solana/amounts';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { buildAdd } from '../assembly/buildTransactions';
import type { AddPlan, AddTransactions, PositionAddresses } from '../assembly/types';
import { WRAPPED_SOL } from '../assembly/walletInstructions';
import { type AddParameters, EngineError } from '../engine';
import type { WireAdd } from '../wire/transactions';
import { type Build, wait, waitForBoth } from './build';
import { requireTokens, tokensOf } from './costs';
import { type DepositRent, type PlannedDeposit, plannedDeposit } from './deposits';
import { type HandedOut, handOut } from './handOut';
import type { BuildAmounts, BuildService, PlannedSwap, BuildPool, BuildToken, PoolToEnter, SwapSource, Wallet } from './ports';
import { writtenSwaps } from './swaps';

const PARTS = 1_000_000;
const SEED_BYTES = 32;
/** Amounts on the chain are 64-bit unsigned numbers. */
const RAW_LIMIT = 2n ** 64n;
/** Bins of a transaction of a wide range at least, for the number of transactions that share the highest fee. */
const BINS_PER_TRANSACTION = 40;

/** What goes into the pool, and the swaps before it. */
export interface Funds {
  readonly swaps: readonly PlannedSwap[];
  /** Raw amounts that go into the position. */
  readonly deposit: BuildAmounts;
  /** Lamports of the input that go to each side. */
  readonly lamports: BuildAmounts;
}

/** Changes the swaps of an entry before the deposit is planned, for a service that does something else than it is asked for. */
export type ReviseFunds = (funds: Funds, pool: BuildPool) => Funds;

/** A planned deposit without its transactions. */
export interface EntryDraft {
  readonly parameters: AddParameters;
  readonly funds: Funds;
  readonly plan: AddPlan;
  readonly wallet: Wallet;
  /** Lamports that the owner needs besides fees and rent of token accounts. */
  readonly spentLamports: bigint;
  readonly lastValidBlockHeight: number;
}

/**
 * Builds an entry with a new position.
 * @throws EngineError if it cannot be built, or a transaction of it would fail
 */
export function* buildEntry(service: BuildService, parameters: AddParameters): Build<WireAdd> {
  return yield* issueEntry(service, yield* draftEntry(service, parameters));
}

/**
 * Plans an entry with a new position.
 * @throws EngineError if the parameters are invalid, or the wallet has too few tokens
 */
export function* draftEntry(service: BuildService, parameters: AddParameters, revise?: ReviseFunds): Build<EntryDraft> {
  return yield* draftDeposit(service, parameters, { entered: yield* wait(service.pool(parameters.pool)), revise });
}

/** Where a deposit goes. */
interface DepositTarget {
  readonly entered: PoolToEnter;
  /** `undefined`: a new position opens. */
  readonly into?: PositionAddresses | undefined;
  readonly revise?: ReviseFunds | undefined;
}

/**
 * Plans a deposit into a pool.
 * @throws EngineError if the parameters are invalid, or the wallet has too few tokens
 */
export function* draftDeposit(
  service: BuildService,
  parameters: AddParameters,
  { entered, into, revise = (funds) => funds }: DepositTarget,
): Build<EntryDraft> {
  const { owner, input } = parameters;
  const { pool } = entered;
  const rent = { rate: yield* wait(service.rent()), isNew: into === undefined };
  const { funds, deposit } = yield* service.dryRun(plannedEntry(service, entered, parameters, { revise, rent }));
  const wrapLamports = input.mode === 'zap-in' ? input.lamports : funds.lamports.x + funds.lamports.y;
  const swaps = yield* writtenSwaps(funds.swaps);
  const { type } = deposit.plan;
  const transactions = swaps.length + 2 + (type === 'bins' ? Math.ceil(widthOf(deposit.plan) / BINS_PER_TRANSACTION) : 1);
  const [wallet, { terms, lastValidBlockHeight }] = yield* waitForBoth(
    service.wallet(owner, tokensOf([pool.accounts], swaps)),
    service.terms(owner, [pool.accounts.pool], transactions),
  );
  const plan: AddPlan = {
    ...terms,
    pool: pool.accounts,
    positionSeed: service.random(SEED_BYTES),
    into,
    wrapLamports,
    swaps,
    keepsWrappedSol: service.keepsWrappedSol && (wallet.balance(WRAPPED_SOL) ?? 0n) > 0n,
    ...deposit.plan,
  };
  if (input.mode === 'normal') {
    requireTokens(pool, wallet, funds.deposit);
  }
  return { parameters, funds, plan, wallet, spentLamports: wrapLamports + deposit.rentLamports, lastValidBlockHeight };
}

/**
 * Builds the transactions of a deposit, and hands them out.
 * @throws EngineError if they cannot be built, the owner has too little SOL, or a transaction would fail
 */
export function* issueEntry(
  service: BuildService,
  { parameters: { strategy }, funds, plan, wallet, spentLamports, lastValidBlockHeight }: EntryDraft,
  build: (plan: AddPlan) => AddTransactions = buildAdd,
): Build<WireAdd> {
  const handedOut = yield* handOut(service, {
    kind: 'add',
    plan,
    pools: [plan.pool],
    swaps: plan.swaps,
    lastValidBlockHeight,
    wallet,
    spentLamports,
    promised: { strategy, price: null },
    lists: ['swap', 'add'],
    build: (of: AddPlan) => {
      const built = build(of);
      return { position: built.position, transactions: { swap: built.swapTransactions, add: built.addTransactions } };
    },
  });
  return addAnswer(handedOut, { provider: service.provider, lastValidBlockHeight, lamports: funds.lamports });
}

/** The answer to a deposit. @param of `lamports`: of the input for each token */
export function addAnswer(
  { position, withJito, plain, coverage }: HandedOut<'swap' | 'add', Address>,
  of: { readonly provider: string; readonly lastValidBlockHeight: number; readonly lamports: BuildAmounts },
): WireAdd {
  const { provider, lastValidBlockHeight, lamports } = of;
  return {
    lastValidBlockHeight,
    lastValidBlock: lastValidBlockHeight,
    swapTxs: plain.swap,
    addLiquidityTxs: plain.add,
    swapTxsWithJito: withJito.swap,
    addLiquidityTxsWithJito: withJito.add,
    simulation: coverage,
    meta: { positionPubKey: position, provider, solForX: lamports.x.toString(), solForY: lamports.y.toString() },
  };
}

function* plannedEntry(
  service: BuildService,
  { pool, swaps }: PoolToEnter,
  parameters: AddParameters,
  { revise, rent }: { readonly revise: ReviseFunds; readonly rent: DepositRent },
): Build<{ readonly funds: Funds; readonly deposit: PlannedDeposit }> {
  const { owner, slippageBps, input } = parameters;
  if (input.mode === 'normal') {
    const funds = revise(fromWallet(pool, input), pool);
    return { funds, deposit: yield* plannedDeposit(pool, parameters, funds.deposit, rent) };
  }
  const source = swaps({ owner, slippageBps });
  const funds = revise(yield* bought(service, pool, source, input), pool);
  return { funds, deposit: yield* plannedDeposit(yield* wait(source.poolAfter()), parameters, funds.deposit, rent) };
}

/** Divides the SOL of a zap-in: `percentX` (0 to 1) of it becomes token X, the rest token Y. A token other than SOL is bought in one swap. */
function* bought(
  { keptBackBps }: BuildService,
  pool: BuildPool,
  source: SwapSource,
  input: { readonly lamports: bigint; readonly percentX: number },
): Build<Funds> {
  const x = (input.lamports * BigInt(Math.round(input.percentX * PARTS))) / BigInt(PARTS);
  const lamports = { x, y: input.lamports - x };
  const swaps: PlannedSwap[] = [];
  function* buy(token: BuildToken, amount: bigint): Build<bigint> {
    if (amount === 0n || token.mint === WRAPPED_SOL_MINT) {
      return amount;
    }
    const swap = yield* wait(source.plan(WRAPPED_SOL, token, amount));
    if (swap === undefined) {
      throw new EngineError(
        'invalid',
        `No pools give ${token.name} for ${amount} lamports: inputSOL is too much for their liquidity, or too little to buy anything`,
      );
    }
    swap.accept();
    swaps.push(swap);
    return swap.out - shareOf(swap.out, keptBackBps);
  }
  const deposit = { x: yield* buy(pool.x, lamports.x), y: yield* buy(pool.y, lamports.y) };
  return { swaps, deposit, lamports };
}

/** The tokens of the wallet, without a swap. */
function fromWallet({ x, y }: BuildPool, input: { readonly amountX: number; readonly amountY: number }): Funds {
  const deposit = { x: rawAmount('amountX', input.amountX, x), y: rawAmount('amountY', input.amountY, y) };
  const sol = (token: BuildToken, amount: bigint): bigint => (token.mint === WRAPPED_SOL_MINT ? amount : 0n);
  return { swaps: [], deposit, lamports: { x: sol(x, deposit.x), y: sol(y, deposit.y) } };
}

function rawAmount(name: string, whole: number, token: BuildToken): bigint {
  const raw = rawFromNumber(whole, token.decimals);
  if (raw >= RAW_LIMIT) {
    throw new EngineError('invalid', `${name} is more of ${token.name} than an account can hold`);
  }
  return raw;
}
