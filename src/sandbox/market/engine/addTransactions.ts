import { buildAdd } from '../../build/buildAdd';
import type { AddPlan } from '../../build/types';
import { withoutTip } from '../../build/walletInstructions';
import { EngineError, type AddParameters } from '../../../server/engine';
import type { WireAdd } from '../../../server/wire/transactions';
import type { Amounts, Pool, PoolToken } from '../types';
import { secondSpend, theftOf } from './attacks';
import { depositPlan, type DepositPlan } from './depositPlan';
import { withDustBought } from './dustSales';
import type { Route } from './quotes';
import { buildTerms, MOST_TRANSACTIONS, poolAccounts, sideCosts, swapPlans } from './terms';
import { encoded, planned, requireLamports, requireTokens, tokensOf, type BuildContext } from './buildContext';
import { zapInPlan, type ZapIn } from './zapInPlan';

/** Amounts on the chain are below this: unsigned numbers of 64 bits. */
const MOST_RAW = 2 ** 64;
const SEED_BYTES = 32;

/**
 * Builds the transactions of an entry with a new position, with a tip and without one, and remembers them with the next commit.
 * @throws EngineError where what is asked makes no sense, or the owner has too little.
 */
export function addTransactions(shop: BuildContext, pool: Pool, parameters: AddParameters): WireAdd {
  const { market, chain, issued } = shop;
  const { owner, strategy, slippageBps, input } = parameters;
  const { zap, unasked, deposit } = plannedEntry(shop, pool, parameters);
  const wrapLamports = input.mode === 'zap-in' ? input.lamports : zap.lamports.x + zap.lamports.y;
  const spentLamports = wrapLamports + (unasked?.inAmount ?? 0n) + deposit.rentLamports;
  const used = tokensOf(pool, zap.swaps);
  const { blockhash, lastValidBlockHeight } = chain.latestBlockhash();
  const plan: AddPlan = {
    ...buildTerms(owner, blockhash, issued.nextNumber),
    lookupTable: shop.lookupTable,
    pool: poolAccounts(pool),
    positionSeed: shop.random(SEED_BYTES),
    wrapLamports,
    swaps: swapPlans(zap.swaps, slippageBps),
    unasked: unasked === undefined ? undefined : swapPlans([unasked], slippageBps)[0],
    splitsOpening: parameters.attack === 'splitOpening',
    theft: theftOf(shop, parameters.attack, {
      owner,
      costsLamports: spentLamports + sideCosts(chain, owner, used, MOST_TRANSACTIONS),
      used,
    }),
    ...deposit.plan,
  };
  const withJito = planned(() => buildAdd(plan));
  const plain = planned(() => buildAdd(withoutTip(plan)));
  const all = [...withJito.swapTransactions, ...withJito.addTransactions];
  if (input.mode === 'normal') {
    requireTokens(shop, owner, pool, zap.deposit);
  }
  requireLamports(shop, owner, spentLamports + sideCosts(chain, owner, used, all.length));
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

/** An entry as it is planned. */
interface Entry {
  readonly zap: ZapIn;
  /** A swap of SOL beyond the input; only where a hostile service is played. */
  readonly unasked: Route | undefined;
  readonly deposit: DepositPlan;
}

/** What is swapped, and what is put in where the swaps leave the price. */
function plannedEntry(shop: BuildContext, pool: Pool, parameters: AddParameters): Entry {
  const { input, attack } = parameters;
  const then = (honest: ZapIn): Entry => {
    const zap = attack === 'sellForDust' ? withDustBought(pool, honest, parameters.slippageBps) : honest;
    const unasked = attack === 'overspend' ? secondSpend(shop.market, pool, input) : undefined;
    return { zap, unasked, deposit: depositPlan(pool, parameters, zap.deposit) };
  };
  return input.mode === 'zap-in' ? zapInPlan(shop, pool, input, then) : then(withoutSwaps(shop.market.sol, pool, input));
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
