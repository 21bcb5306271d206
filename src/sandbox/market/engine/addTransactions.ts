import type { Address } from '../../../base/solana/address';
import type { Strategy } from '../../../service/common';
import type { AddPlan, AddTransactions } from '../../build/types';
import { withoutTip } from '../../build/walletInstructions';
import { EngineError, type AddParameters } from '../../../server/engine';
import type { WireAdd } from '../../../server/wire/transactions';
import type { Amounts, Pool, PoolToken } from '../types';
import { depositPlan, type DepositPlan } from './depositPlan';
import { buildTerms, poolAccounts, sideCosts, swapPlans } from './terms';
import { encoded, planned, requireLamports, requireTokens, tokensOf, type BuildContext } from './buildContext';
import { zapInPlan, type ZapIn } from './zapInPlan';

/** Amounts on the chain are below this: unsigned numbers of 64 bits. */
const MOST_RAW = 2 ** 64;
const SEED_BYTES = 32;

/** An entry as it is planned, before its transactions are built. */
export interface AddDraft {
  readonly owner: Address;
  readonly pool: Pool;
  readonly mode: AddParameters['input']['mode'];
  readonly strategy: Strategy;
  readonly zap: ZapIn;
  readonly plan: AddPlan;
  /** Lamports that the owner needs besides fees and rent for token accounts. */
  readonly spentLamports: bigint;
  readonly lastValidBlockHeight: number;
}

/** Changes what the swaps of an entry give, before the deposit is planned. */
export type ReviseZapIn = (zap: ZapIn, pool: Pool) => ZapIn;

/**
 * Plans an entry with a new position.
 * @throws EngineError if the parameters make no sense.
 */
export function draftAdd(
  context: BuildContext,
  pool: Pool,
  parameters: AddParameters,
  revise: ReviseZapIn = (zap: ZapIn): ZapIn => zap,
): AddDraft {
  const { market, chain, issued, lookupTable, random } = context;
  const { owner, strategy, slippageBps, input } = parameters;
  const then = (swapped: ZapIn): Entry => {
    const zap = revise(swapped, pool);
    return { zap, deposit: depositPlan(pool, parameters, zap.deposit) };
  };
  const { zap, deposit } = input.mode === 'zap-in' ? zapInPlan(context, pool, input, then) : then(withoutSwaps(market.sol, pool, input));
  const wrapLamports = input.mode === 'zap-in' ? input.lamports : zap.lamports.x + zap.lamports.y;
  const { blockhash, lastValidBlockHeight } = chain.latestBlockhash();
  const plan: AddPlan = {
    ...buildTerms(owner, blockhash, issued.nextNumber),
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
 * Builds the transactions of an entry, with a tip and without one. The next commit stores them.
 * @throws EngineError if they cannot be built, or the owner has too little.
 */
export function issueAdd(
  context: BuildContext,
  { owner, pool, mode, strategy, zap, plan, spentLamports, lastValidBlockHeight }: AddDraft,
  build: (plan: AddPlan) => AddTransactions,
): WireAdd {
  const { market, chain, issued } = context;
  const withJito = planned(() => build(plan));
  const plain = planned(() => build(withoutTip(plan)));
  const all = [...withJito.swapTransactions, ...withJito.addTransactions];
  if (mode === 'normal') {
    requireTokens(context, owner, pool, zap.deposit);
  }
  requireLamports(context, owner, spentLamports + sideCosts(chain, owner, tokensOf(pool, zap.swaps), all.length));
  issued.add(
    { kind: 'add', owner, promised: { position: withJito.position, strategy, price: null } },
    { withJito: all, plain: [...plain.swapTransactions, ...plain.addTransactions] },
    market.now,
  );
  return {
    lastValidBlockHeight,
    lastValidBlock: lastValidBlockHeight,
    swapTxs: encoded(plain.swapTransactions),
    addLiquidityTxs: encoded(plain.addTransactions),
    swapTxsWithJito: encoded(withJito.swapTransactions),
    addLiquidityTxsWithJito: encoded(withJito.addTransactions),
    meta: {
      positionPubKey: withJito.position,
      provider: 'JUPITER_ULTRA',
      solForX: zap.lamports.x.toString(),
      solForY: zap.lamports.y.toString(),
    },
  };
}

/** The swaps of an entry, and the deposit at the prices that they leave. */
interface Entry {
  readonly zap: ZapIn;
  readonly deposit: DepositPlan;
}

function withoutSwaps(sol: PoolToken, pool: Pool, input: { readonly amountX: number; readonly amountY: number }): ZapIn {
  const deposit: Amounts = { x: rawAmount('amountX', input.amountX, pool.tokenX), y: rawAmount('amountY', input.amountY, pool.tokenY) };
  const lamports = (token: PoolToken, amount: bigint): bigint => (token.mint === sol.mint ? amount : 0n);
  return { swaps: [], deposit, lamports: { x: lamports(pool.tokenX, deposit.x), y: lamports(pool.tokenY, deposit.y) } };
}

function rawAmount(name: string, whole: number, token: PoolToken): bigint {
  const raw = Math.round(whole * 10 ** token.spec.decimals);
  if (raw >= MOST_RAW) {
    throw new EngineError('invalid', `${name} is more ${token.spec.symbol} than an account can hold`);
  }
  return BigInt(raw);
}
