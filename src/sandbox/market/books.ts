import type { BinAmounts } from '../../dlmm/strategy';
import type { Market } from './market';
import { wholeTokens, type Pool } from './pool';
import { collect, deposit, withdraw, type Amounts, type PositionEvent, type PositionState, type Sum } from './position';

/** What amounts of a pool's tokens are worth at the market's present prices. */
export function worthOf(market: Market, pool: Pool, { x, y }: Amounts): Sum {
  const usd = wholeTokens(x, pool.tokenX) * market.usd(pool.tokenX) + wholeTokens(y, pool.tokenY) * market.usd(pool.tokenY);
  return { usd, native: usd / market.usdSol };
}

/** Puts money into a position and writes it down as its input. Gives what went in. */
export function bookDeposit(market: Market, pool: Pool, position: PositionState, bins: readonly BinAmounts[]): Amounts {
  deposit(pool, position, bins);
  const amounts = bins.reduce((sum, bin) => ({ x: sum.x + bin.amountX, y: sum.y + bin.amountY }), { x: 0n, y: 0n });
  add(position.input, worthOf(market, pool, amounts));
  note(market, pool, position, 'add_liquidity', amounts, null);
  return amounts;
}

/** Takes a share of a range out of a position and writes it down as its output. Gives what came out. */
export function bookWithdrawal(market: Market, pool: Pool, position: PositionState, range: { readonly fromBinId: number; readonly toBinId: number; readonly shareBps: number }): Amounts {
  const amounts = withdraw(pool, position, range.fromBinId, range.toBinId, range.shareBps);
  add(position.output, worthOf(market, pool, amounts));
  note(market, pool, position, 'remove_liquidity', amounts, range.shareBps);
  return amounts;
}

/** Collects a position's fees and writes them down. Gives them. */
export function bookFees(market: Market, pool: Pool, position: PositionState): Amounts {
  const amounts = collect(pool, position);
  if (amounts.x > 0n || amounts.y > 0n) {
    add(position.collectedFee, worthOf(market, pool, amounts));
    note(market, pool, position, 'claim_fee', amounts, null);
  }
  return amounts;
}

/** Closes an empty position. */
export function bookClosing(market: Market, pool: Pool, position: PositionState): void {
  note(market, pool, position, 'close_position', { x: 0n, y: 0n }, null);
  position.bins = [];
  position.closed = { at: market.now, activeBinId: pool.activeBinId, usdX: market.usd(pool.tokenX), usdY: market.usd(pool.tokenY) };
}

function note(market: Market, pool: Pool, position: PositionState, action: PositionEvent['action'], { x, y }: Amounts, bps: number | null): void {
  position.updatedAt = market.now;
  position.events.push({
    action,
    at: market.now,
    amountX: x,
    amountY: y,
    usdX: market.usd(pool.tokenX),
    usdY: market.usd(pool.tokenY),
    usdSol: market.usdSol,
    bps,
  });
}

function add(to: Sum, sum: Sum): void {
  to.usd += sum.usd;
  to.native += sum.native;
}
