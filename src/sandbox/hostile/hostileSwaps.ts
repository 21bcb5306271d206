import { shareOf, WHOLE_BPS } from '../../base/basisPoints';
import type { Address } from '../../base/solana/address';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { type AddParameters, EngineError } from '../../engine/engine';
import type { DecreaseOutput } from '../../service/transactions';
import { wrapped } from '../../engine/assembly/buildTransactions';
import { routeSwap, tokensBought } from '../../engine/assembly/jupiterRoute';
import { assemble } from '../../engine/assembly/transactions';
import type { AddPlan, AddTransactions, SwapPlan } from '../../engine/assembly/types';
import { addVersions } from '../../engine/assembly/versions';
import { createTokenAccount } from '../../engine/assembly/walletInstructions';
import type { BuildContext } from '../market/engine/buildContext';
import { bestRoute, tradeAlong, type Route } from '../market/engine/routes';
import type { ZapIn } from '../market/engine/zapIn';
import type { DecreaseDraft } from '../market/engine/zapOut';
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
  { pool, owner, zap: { swaps, liquidity, fees } }: DecreaseDraft,
  output: DecreaseOutput,
): readonly Route[] {
  const { market, chain } = context;
  const bought = output === 'allToken0' ? pool.tokenX : output === 'allToken1' ? pool.tokenY : market.sol;
  const sides: readonly TokenHolding[] = [
    { token: pool.tokenX, raw: liquidity.x + fees.x },
    { token: pool.tokenY, raw: liquidity.y + fees.y },
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
  return [...swaps.filter((swap) => soldBy(swap)?.mint !== token.mint), forDust(market, 'sellForDust', token, bought, raw)];
}

/**
 * The swaps of a withdrawal from a pool without SOL, after one that sells the wrapped SOL of the wallet for dust of a token of the pool.
 * @throws EngineError if the pool has SOL, or the wallet has no wrapped SOL.
 */
export function withWrappedSolSold(
  { market, chain }: BuildContext,
  { pool: { tokenX, tokenY }, owner, zap: { swaps } }: DecreaseDraft,
  output: DecreaseOutput,
): readonly Route[] {
  const wrapped = chain.tokenBalance(owner, WRAPPED_SOL_MINT);
  if (wrapped === 0n || [tokenX, tokenY].some(({ mint }) => mint === WRAPPED_SOL_MINT)) {
    throw new EngineError('invalid', 'The attack sellWrappedSol needs a pool without SOL, and wrapped SOL in the wallet');
  }
  return [forDust(market, 'sellWrappedSol', market.sol, output === 'allToken0' ? tokenX : tokenY, wrapped), ...swaps];
}

/** A zap-in whose swaps buy dust; the position gets that much less. */
export function withDustBought(pool: MarketPool, { swaps, deposit, lamports }: ZapIn, slippageBps: number): ZapIn {
  const dusty = swaps.map((swap) => ({ ...swap, out: dustOf(swap.out) }));
  const boughtOf = ({ mint }: PoolToken): bigint | undefined => {
    const swap = dusty.find((one) => boughtBy(one)?.mint === mint);
    return swap && shareOf(swap.out, WHOLE_BPS - slippageBps);
  };
  return { swaps: dusty, deposit: { x: boughtOf(pool.tokenX) ?? deposit.x, y: boughtOf(pool.tokenY) ?? deposit.y }, lamports };
}

/**
 * A zap-in whose swaps are quoted at as many tokens as the wallet already has, and whose deposit takes as many. The swaps cannot land; the
 * deposit can.
 * @throws EngineError if the wallet has no more of the tokens than the swaps buy
 */
export function withOwnTokensDeposited(
  { chain }: BuildContext,
  { tokenX, tokenY }: MarketPool,
  { swaps, deposit, lamports }: ZapIn,
  owner: Address,
): ZapIn {
  const tooGood = swaps.map((swap) => {
    const token = boughtBy(swap);
    const held = token === undefined ? 0n : chain.tokenBalance(owner, token.mint);
    return held > swap.out ? { ...swap, out: held } : swap;
  });
  if (tooGood.every((swap, place) => swap === swaps[place])) {
    throw new EngineError('invalid', 'The attack depositOwnTokens needs a zap-in that buys a token of which the wallet has more');
  }
  const boughtOf = ({ mint }: PoolToken): bigint | undefined => tooGood.find((swap) => boughtBy(swap)?.mint === mint)?.out;
  return { swaps: tooGood, deposit: { x: boughtOf(tokenX) ?? deposit.x, y: boughtOf(tokenY) ?? deposit.y }, lamports };
}

/** An entry that deposits before it swaps. */
export function withDepositsFirst(built: AddTransactions): AddTransactions {
  return { ...built, swapTransactions: built.addTransactions, addTransactions: built.swapTransactions };
}

/**
 * Sells the whole input a second time, for a token of the pool. The trade is executed in the market, so that the deposit is planned at the
 * prices after it.
 * @throws EngineError if the input is not SOL, or no pool buys that much
 */
export function secondSpend(market: Market, { tokenX, tokenY }: MarketPool, input: AddParameters['input']): Route {
  if (input.mode !== 'zap-in') {
    throw new EngineError('invalid', 'The attack overspend is one on zap-ins');
  }
  const { lamports } = input;
  const token = tokenX.mint === market.sol.mint ? tokenY : tokenX;
  const route = bestRoute(market, market.sol, token, lamports);
  if (route === undefined) {
    throw new EngineError('invalid', `The attack overspend finds no pools that give ${token.spec.symbol} for ${lamports} lamports`);
  }
  tradeAlong(market, route);
  return route;
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

function forDust(market: Market, attack: string, token: PoolToken, bought: PoolToken, raw: bigint): Route {
  const route = bestRoute(market, token, bought, raw);
  if (route === undefined) {
    throw new EngineError(
      'invalid',
      `The attack ${attack} finds no pools that take ${raw} ${token.spec.symbol} (raw) for ${bought.spec.symbol}`,
    );
  }
  return { ...route, out: dustOf(route.out) };
}

function dustOf(out: bigint): bigint {
  const dust = out / TIMES_LESS;
  const least = dust > MIN_DUST ? dust : MIN_DUST;
  return least < out ? least : out;
}

function soldBy({ legs: [first] }: Route): PoolToken | undefined {
  return first && (first.sells === 'x' ? first.via.tokenX : first.via.tokenY);
}

function boughtBy({ legs }: Route): PoolToken | undefined {
  const last = legs.at(-1);
  return last && (last.sells === 'x' ? last.via.tokenY : last.via.tokenX);
}

/** The order differs from that of the honest swaps: a second one just like the first would be the same transaction. */
function extraSwapSteps(owner: Address, swap: SwapPlan): Parameters<typeof assemble>[0] {
  return [...tokensBought(swap).map((token) => createTokenAccount(owner, token)), wrapped(owner, swap.inAmount), routeSwap(owner, swap)];
}
