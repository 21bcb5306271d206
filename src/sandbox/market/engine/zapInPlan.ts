import { EngineError } from '../../../server/engine';
import type { UnitOfWork } from '../../store/unitOfWork';
import type { Amounts, Market, Pool, PoolToken } from '../types';
import { follow } from './exchange';
import { bestRoute, type Route } from './quotes';

const PARTS = 1_000_000;

/** The swaps and the deposit of an amount of SOL. */
export interface ZapIn {
  /** In order; each is quoted in pools as the one before it leaves them. */
  readonly swaps: readonly Route[];
  /** Raw amounts that go into the position. */
  readonly deposit: Amounts;
  /** Lamports of the input that go to each side. */
  readonly lamports: Amounts;
}

/**
 * Tries the swaps of a zap-in and what `then` does with the pool as they leave it, and takes everything back: `percentX` (0
 * to 1) of the input becomes token X, the rest token Y; each of them that is not SOL is bought for SOL by a swap of its own.
 * @throws EngineError if no pools sell that much, or the amount is too small to buy anything.
 */
export function zapInPlan<Result>(
  { market, unit }: { readonly market: Market; readonly unit: UnitOfWork },
  pool: Pool,
  input: { readonly lamports: bigint; readonly percentX: number },
  then: (zap: ZapIn) => Result,
): Result {
  return unit.rehearse(() => {
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
  follow(market, route);
  return route;
}
