import { shareOf, WHOLE_BPS } from '../../base/basisPoints';
import { widthOf } from '../../base/dlmm/bins';
import { buildDecrease } from '../assembly/buildTransactions';
import { binsOfSlippage } from '../assembly/slippage';
import type { DecreasePlan, DecreaseTransactions } from '../assembly/types';
import { type DecreaseParameters, EngineError } from '../engine';
import type { WireDecrease } from '../wire/transactions';
import { type Build, wait, waitForBoth } from './build';
import { tokensOf } from './costs';
import { handOut } from './handOut';
import type { BuildAmounts, BuildService, OperationPromise, PlannedSwap, BuildPool, Wallet, PlannedWithdrawal } from './ports';
import { soldProceeds, writtenSwaps } from './swaps';

/** Bins of a withdrawing transaction. */
const BINS_PER_TRANSACTION = 70;

/** A planned withdrawal without its transactions. */
export interface ExitDraft {
  readonly withdrawal: PlannedWithdrawal;
  readonly swaps: readonly PlannedSwap[];
  readonly plan: DecreasePlan;
  readonly wallet: Wallet;
  readonly price: OperationPromise['price'];
  readonly lastValidBlockHeight: number;
}

/**
 * Builds a withdrawal from an open position.
 * @throws EngineError if the position is not the owner's, or a transaction would fail
 */
export function* buildExit(service: BuildService, parameters: DecreaseParameters): Build<WireDecrease> {
  return yield* issueExit(service, yield* draftExit(service, parameters));
}

/**
 * Plans a withdrawal from an open position.
 * @throws EngineError if the position is not the owner's, or the parameters are invalid
 */
export function* draftExit(service: BuildService, parameters: DecreaseParameters): Build<ExitDraft> {
  const { owner, slippageBps, output, positionId, protocol } = parameters;
  const withdrawal = yield* wait(service.withdrawal(positionId, parameters));
  const { pool, position, plan: part } = withdrawal;
  if (protocol !== undefined && protocol !== service.protocols[pool.type]) {
    throw new EngineError('invalid', `type is ${protocol}, but the position is one of ${service.protocols[pool.type]}`);
  }
  if (withdrawal.owner !== owner) {
    throw new EngineError('invalid', `owner does not own the position: it belongs to ${withdrawal.owner}`);
  }
  if (part.type === 'bins' && part.filledRanges?.length === 0 && part.shareBps < WHOLE_BPS) {
    throw new EngineError('invalid', 'There is nothing to withdraw: these bins of the position hold neither liquidity nor fees');
  }
  const amounts = amountsToSell(service, withdrawal);
  const planned = yield* service.dryRun(soldProceeds(withdrawal, { owner, slippageBps }, output, amounts));
  const swaps = yield* writtenSwaps(planned);
  const transactions = swaps.length + 2 + (part.type === 'bins' ? Math.ceil(widthOf(part) / BINS_PER_TRANSACTION) : 1);
  const [wallet, { terms, lastValidBlockHeight }] = yield* waitForBoth(
    service.wallet(owner, tokensOf([pool.accounts], swaps, part.rewards)),
    service.terms(owner, [pool.accounts.pool], transactions),
  );
  const plan: DecreasePlan = { ...terms, pool: pool.accounts, position, swaps, ...part };
  return { withdrawal, swaps: planned, plan, wallet, price: pricePromise(pool, slippageBps), lastValidBlockHeight };
}

/**
 * Builds the transactions of a withdrawal, and hands them out.
 * @throws EngineError if they cannot be built, the owner has too little SOL, or a transaction would fail
 */
export function* issueExit(
  service: BuildService,
  { plan, wallet, price, lastValidBlockHeight }: ExitDraft,
  build: (plan: DecreasePlan) => DecreaseTransactions = buildDecrease,
): Build<WireDecrease> {
  const { withJito, plain, coverage } = yield* handOut(service, {
    kind: 'decrease',
    plan,
    pools: [plan.pool],
    swaps: plan.swaps,
    lastValidBlockHeight,
    wallet,
    spentLamports: 0n,
    promised: { strategy: null, price },
    lists: ['close', 'swap'],
    build: (of: DecreasePlan) => {
      const { closeTransactions, swapTransactions } = build(of);
      return { position: of.position, transactions: { close: closeTransactions, swap: swapTransactions } };
    },
  });
  return {
    lastValidBlockHeight,
    lastValidBlock: lastValidBlockHeight,
    closeTxs: plain.close,
    swapTxs: plain.swap,
    closeTxsWithJito: withJito.close,
    swapTxsWithJito: withJito.swap,
    simulation: coverage,
  };
}

/** What the swaps sell: all of the proceeds, or a little less if a moving price changes them until the landing. The rest stays in the wallet. */
function amountsToSell({ keptBackBps }: BuildService, { proceeds: { x, y }, isMoving }: PlannedWithdrawal): BuildAmounts {
  const kept = (amount: bigint): bigint => (isMoving ? amount - shareOf(amount, keptBackBps) : amount);
  return { x: kept(x), y: kept(y) };
}

/** The DAMM v2 program checks minimum proceeds itself; the DLMM program does not. */
function pricePromise(pool: BuildPool, slippageBps: number): OperationPromise['price'] {
  return pool.type === 'product' ? null : { activeBinId: pool.activeBinId, binsOfSlippage: binsOfSlippage(slippageBps, pool.binStepBps) };
}
