import { shareOf, WHOLE_BPS } from '../../base/basisPoints';
import type { Address } from '../../base/solana/address';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { type AddParameters, type DecreaseParameters, EngineError } from '../../engine/engine';
import type { Funds } from '../../engine/build/entries';
import type { ExitDraft } from '../../engine/build/exits';
import type { PlannedSwap, BuildPool } from '../../engine/build/ports';
import { wrapped } from '../../engine/assembly/buildTransactions';
import { routeSwap, tokensBought } from '../../engine/assembly/jupiterRoute';
import { assemble } from '../../engine/assembly/transactions';
import type { AddPlan, AddTransactions, SwapPlan, TokenAccounts } from '../../engine/assembly/types';
import { addVersions } from '../../engine/assembly/versions';
import { createTokenAccount } from '../../engine/assembly/walletInstructions';
import type { BuildContext } from '../market/engine/buildContext';
import { poolAt } from '../market/engine/buildService';
import { bestRoute, tradeAlong } from '../market/engine/routes';
import { plannedSwap, swapPlanOf } from '../market/engine/swaps';
import type { Market, MarketPool, PoolToken } from '../market/types';
import { type TokenHolding, richestOf } from './attacks';

// Swaps of a hostile service: with far too high quotes, which cannot land, and with far too low ones, which falsified price lists
// (lyingLists.ts) make look right. On a chain, front-runners trade before and after a swap of the second kind and get everything above its
// minimum (stranger.ts).

/** The quote is this many times less than the pools give, */
const TIMES_LESS = 1_000_000n;

/** but at least this much, raw: a wallet notices a quote below a thousand whatever the price. */
const MIN_DUST = 10_000n;

/** A quote below a tenth is worth front-running. Honest quotes are never that wrong. */
const TIMES_WORTHWHILE = 10n;

/** The quote is so low that the stranger takes the rest. */
export function isForDust(quotedOut: bigint, out: bigint): boolean {
  return quotedOut * TIMES_WORTHWHILE < out;
}

/**
 * The swaps of a withdrawal, one of which sells for dust the owner's whole balance of a token of the pool, including the withdrawn amount.
 * @throws EngineError if there is nothing to sell.
 */
export function withBalanceSold(
  context: BuildContext,
  { withdrawal, swaps }: ExitDraft,
  { owner, output, slippageBps }: DecreaseParameters,
): readonly PlannedSwap[] {
  const { market, chain } = context;
  const { tokenX, tokenY } = marketPool(market, withdrawal.pool);
  const bought = output === 'allToken0' ? tokenX : output === 'allToken1' ? tokenY : market.sol;
  const sides: readonly TokenHolding[] = [
    { token: tokenX, raw: withdrawal.proceeds.x },
    { token: tokenY, raw: withdrawal.proceeds.y },
  ];
  const richest = richestOf(
    context,
    sides
      .filter(({ token: { mint } }) => mint !== bought.mint && mint !== WRAPPED_SOL_MINT)
      .map(({ token, raw }) => ({ token, raw: chain.tokenBalance(owner, token.mint) + raw })),
  );
  if (richest === undefined) {
    throw new EngineError(
      'invalid',
      'The attack sellForDust needs a token of the pool, other than SOL, that is not what the output asks for',
    );
  }
  const { token, raw } = richest;
  const dusty = forDust(market, 'sellForDust', { sell: token, buy: bought, raw, slippageBps });
  return [...swaps.filter(({ sell }) => sell.mint !== token.mint), dusty];
}

/**
 * The swaps of a withdrawal from a pool without SOL, after one that sells the wrapped SOL of the wallet for dust of a token of the pool.
 * @throws EngineError if the pool has SOL, or the wallet has no wrapped SOL.
 */
export function withWrappedSolSold(
  { market, chain }: BuildContext,
  { withdrawal, swaps }: ExitDraft,
  { owner, output, slippageBps }: DecreaseParameters,
): readonly PlannedSwap[] {
  const { tokenX, tokenY } = marketPool(market, withdrawal.pool);
  const raw = chain.tokenBalance(owner, WRAPPED_SOL_MINT);
  if (raw === 0n || [tokenX, tokenY].some(({ mint }) => mint === WRAPPED_SOL_MINT)) {
    throw new EngineError('invalid', 'The attack sellWrappedSol needs a pool without SOL, and wrapped SOL in the wallet');
  }
  const buy = output === 'allToken0' ? tokenX : tokenY;
  return [forDust(market, 'sellWrappedSol', { sell: market.sol, buy, raw, slippageBps }), ...swaps];
}

/** A zap-in whose swaps buy dust; the position gets that much less. */
export function withDustBought({ x, y }: BuildPool, { swaps, deposit, lamports }: Funds, slippageBps: number): Funds {
  const dusty = swaps.map((swap) => requoted(swap, dustOf(swap.out)));
  const boughtOf = ({ mint }: TokenAccounts): bigint | undefined => {
    const swap = dusty.find(({ buy }) => buy.mint === mint);
    return swap && shareOf(swap.out, WHOLE_BPS - slippageBps);
  };
  return { swaps: dusty, deposit: { x: boughtOf(x) ?? deposit.x, y: boughtOf(y) ?? deposit.y }, lamports };
}

/**
 * A zap-in whose swaps are quoted at as many tokens as the wallet already has, and whose deposit takes as many. The swaps cannot land; the
 * deposit can.
 * @throws EngineError if the wallet has no more of the tokens than the swaps buy
 */
export function withOwnTokensDeposited(
  { chain }: BuildContext,
  { x, y }: BuildPool,
  { swaps, deposit, lamports }: Funds,
  owner: Address,
): Funds {
  const tooGood = swaps.map((swap) => {
    const held = chain.tokenBalance(owner, swap.buy.mint);
    return held > swap.out ? requoted(swap, held) : swap;
  });
  if (tooGood.every((swap, place) => swap === swaps[place])) {
    throw new EngineError('invalid', 'The attack depositOwnTokens needs a zap-in that buys a token of which the wallet has more');
  }
  const boughtOf = ({ mint }: TokenAccounts): bigint | undefined => tooGood.find(({ buy }) => buy.mint === mint)?.out;
  return { swaps: tooGood, deposit: { x: boughtOf(x) ?? deposit.x, y: boughtOf(y) ?? deposit.y }, lamports };
}

/** An entry that deposits before it swaps. */
export function withDepositsFirst(built: AddTransactions): AddTransactions {
  return { ...built, swapTransactions: built.addTransactions, addTransactions: built.swapTransactions };
}

/**
 * Sells the whole input a second time, for a token of the pool. The trade is executed in the market, so that the deposit is planned at the
 * prices after it; its plan is made at those before.
 * @throws EngineError if the input is not SOL, or no pool buys that much
 */
export function secondSpend(market: Market, pool: BuildPool, { input, slippageBps }: AddParameters): () => SwapPlan {
  if (input.mode !== 'zap-in') {
    throw new EngineError('invalid', 'The attack overspend is one on zap-ins');
  }
  const { lamports } = input;
  const token = pool.x.mint === market.sol.mint ? pool.y : pool.x;
  const route = bestRoute(market, market.sol, token, lamports);
  if (route === undefined) {
    throw new EngineError('invalid', `The attack overspend finds no pools that give ${token.name} for ${lamports} lamports`);
  }
  tradeAlong(market, route);
  return () => swapPlanOf(route, slippageBps);
}

/** An entry with one more swap, wrapped and sold in a transaction of its own. */
export function withSwap(built: AddTransactions, plan: AddPlan, swap: SwapPlan): AddTransactions {
  const added = assemble(extraSwapSteps(plan.owner, swap), {
    terms: plan,
    version: addVersions(plan).swap,
    lookupTables: plan.lookupTable === undefined ? [] : [plan.lookupTable],
  });
  return { ...built, swapTransactions: [...built.swapTransactions, ...added] };
}

function forDust(
  market: Market,
  attack: string,
  {
    sell,
    buy,
    raw,
    slippageBps,
  }: { readonly sell: PoolToken; readonly buy: PoolToken; readonly raw: bigint; readonly slippageBps: number },
): PlannedSwap {
  const route = bestRoute(market, sell, buy, raw);
  if (route === undefined) {
    throw new EngineError(
      'invalid',
      `The attack ${attack} finds no pools that take ${raw} ${sell.spec.symbol} (raw) for ${buy.spec.symbol}`,
    );
  }
  return plannedSwap(market, { ...route, out: dustOf(route.out) }, slippageBps);
}

/** The same swap with another quote. */
function requoted(swap: PlannedSwap, quotedOut: bigint): PlannedSwap {
  return {
    ...swap,
    out: quotedOut,
    write: () => {
      const plan = swap.write();
      if (!('hops' in plan)) {
        throw new TypeError('It is no swap of the market');
      }
      return { ...plan, quotedOut };
    },
  };
}

function dustOf(out: bigint): bigint {
  const dust = out / TIMES_LESS;
  const least = dust > MIN_DUST ? dust : MIN_DUST;
  return least < out ? least : out;
}

function marketPool(market: Market, { accounts }: BuildPool): MarketPool {
  return poolAt(market, accounts.pool);
}

/** The order differs from that of the honest swaps: a second one just like the first would be the same transaction. */
function extraSwapSteps(owner: Address, swap: SwapPlan): Parameters<typeof assemble>[0] {
  return [...tokensBought(swap).map((token) => createTokenAccount(owner, token)), wrapped(owner, swap.inAmount), routeSwap(owner, swap)];
}
