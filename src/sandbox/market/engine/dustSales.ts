import type { DecreaseOutput } from '../../../service/transactions';
import type { Address } from '../../../base/solana/address';
import { WRAPPED_SOL_MINT } from '../../../base/solana/programs';
import { shareOf, WHOLE_BPS } from '../../../base/basisPoints';
import { EngineError } from '../../../server/engine';
import { wholeTokens } from '../tokens';
import type { Market, Pool, PoolToken } from '../types';
import { bestRoute, type Route } from './quotes';
import type { BuildContext } from './buildContext';
import type { ZapIn } from './zapInPlan';
import type { ZapOut } from './zapOutPlan';

// Swaps of a hostile service that ask for next to nothing. By the prices of a list that lies (http/lyingLists.ts) they are as they should be. On a
// chain, whoever sees such a swap first trades before and after it, and gets all that it gives beyond its minimum.

/** So many times less than the pools give is asked for, */
const TIMES_LESS = 1_000_000n;
/** but at least so much, raw: what asks for less than a thousand is noticed whatever the price. */
const LEAST_DUST = 10_000n;
/** A swap that asks for less than a tenth is worth going before. Honest quotes are never that wrong. */
const TIMES_WORTHWHILE = 10n;

/** Whether so little is asked for that somebody else takes the rest. */
export function isForDust(quotedOut: bigint, out: bigint): boolean {
  return quotedOut * TIMES_WORTHWHILE < out;
}

/**
 * The swaps of a withdrawal, of which one sells all that the owner has of a token of the pool, and what comes out of the position, for dust.
 * @throws EngineError where there is nothing to sell.
 */
export function withBalanceSold(
  { market, chain }: BuildContext,
  pool: Pool,
  owner: Address,
  { swaps, liquidity, fees }: ZapOut,
  output: DecreaseOutput,
): readonly Route[] {
  const bought = output === 'allToken0' ? pool.tokenX : output === 'allToken1' ? pool.tokenY : market.sol;
  const sides = [
    { token: pool.tokenX, comes: liquidity.x + fees.x },
    { token: pool.tokenY, comes: liquidity.y + fees.y },
  ];
  const held = sides
    .filter(({ token: { mint } }) => mint !== bought.mint && mint !== WRAPPED_SOL_MINT)
    .map(({ token, comes }) => ({ token, raw: chain.tokenBalance(owner, token.mint) + comes }));
  const [richest] = held.filter(({ raw }) => raw > 0n).sort((one, other) => usdOf(market, other) - usdOf(market, one));
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
 * The swaps of a withdrawal from a pool without SOL, and before them one that sells the wrapped SOL of the wallet for dust of a token of the pool.
 * @throws EngineError where the pool has SOL, or the wallet no wrapped SOL.
 */
export function withWrappedSolSold(
  { market, chain }: BuildContext,
  { tokenX, tokenY }: Pool,
  owner: Address,
  { swaps }: ZapOut,
  output: DecreaseOutput,
): readonly Route[] {
  const wrapped = chain.tokenBalance(owner, WRAPPED_SOL_MINT);
  if (wrapped === 0n || [tokenX, tokenY].some(({ mint }) => mint === WRAPPED_SOL_MINT)) {
    throw new EngineError('invalid', 'The attack sellWrappedSol needs a pool without SOL, and wrapped SOL in the wallet');
  }
  return [forDust(market, 'sellWrappedSol', market.sol, output === 'allToken0' ? tokenX : tokenY, wrapped), ...swaps];
}

/** A zap-in whose swaps buy dust; so much less goes into the position. */
export function withDustBought(pool: Pool, { swaps, deposit, lamports }: ZapIn, slippageBps: number): ZapIn {
  const dusty = swaps.map((swap) => ({ ...swap, out: dustOf(swap.out) }));
  const boughtOf = ({ mint }: PoolToken): bigint | undefined => {
    const swap = dusty.find((one) => boughtBy(one)?.mint === mint);
    return swap && shareOf(swap.out, WHOLE_BPS - slippageBps);
  };
  return { swaps: dusty, deposit: { x: boughtOf(pool.tokenX) ?? deposit.x, y: boughtOf(pool.tokenY) ?? deposit.y }, lamports };
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
  const least = dust > LEAST_DUST ? dust : LEAST_DUST;
  return least < out ? least : out;
}

function usdOf(market: Market, { token, raw }: { readonly token: PoolToken; readonly raw: bigint }): number {
  return wholeTokens(raw, token) * market.usd(token);
}

function soldBy({ legs: [first] }: Route): PoolToken | undefined {
  return first && (first.sells === 'x' ? first.via.tokenX : first.via.tokenY);
}

function boughtBy({ legs }: Route): PoolToken | undefined {
  const last = legs.at(-1);
  return last && (last.sells === 'x' ? last.via.tokenY : last.via.tokenX);
}
