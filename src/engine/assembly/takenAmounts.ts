import { priceOfBin } from '../../base/dlmm/bins';
import { depositPerBin } from './binDeposits';
import type { BinDepositAmounts } from './dlmmInstructions';
import type { BinDepositPlan, DepositSpread } from './types';

/** Raw amounts of both tokens. */
interface TokenAmounts {
  readonly x: bigint;
  readonly y: bigint;
}

/** What a deposit takes out of the wallet if it lands at the present price, raw: bins get whole units, and the rest is not taken. */
export function takenAmounts({ amountX, amountY, spread, activeBinId }: BinDepositAmounts, pool: BinDepositPlan): TokenAmounts {
  const { activeBin, binStepBps, received, sent } = pool;
  const arriving = { x: received?.('x', amountX) ?? amountX, y: received?.('y', amountY) ?? amountY };
  const taken = ((): TokenAmounts => {
    if (spread.kind === 'amounts') {
      const amount = spread.bins.reduce((total, bin) => total + BigInt(bin.amount), 0n) * spread.multiplier;
      return spread.token === 'x' ? { x: amount, y: 0n } : { x: 0n, y: amount };
    }
    if (spread.kind === 'weights' && activeBin !== undefined && spread.bins.some(({ binId }) => binId === activeBinId)) {
      return byWeights(spread, arriving, { activeBin, activeBinId, binStepBps });
    }
    const bins = depositPerBin({ amountX: arriving.x, amountY: arriving.y, spread }, activeBinId, binStepBps);
    return bins.reduce((total, bin) => ({ x: total.x + bin.amountX, y: total.y + bin.amountY }), { x: 0n, y: 0n });
  })();
  return { x: sent?.('x', taken.x) ?? taken.x, y: sent?.('y', taken.y) ?? taken.y };
}

/**
 * Among the bins of a deposit by weights is the active one: it gets both tokens in the ratio that it holds, and both tokens are taken in the ratio of
 * the weights, until one is used up (the program's `to_amount_both_side`).
 */
function byWeights(
  { bins }: DepositSpread & { readonly kind: 'weights' },
  amounts: TokenAmounts,
  {
    activeBin,
    activeBinId,
    binStepBps,
  }: Pick<BinDepositPlan, 'activeBinId' | 'binStepBps'> & { readonly activeBin: NonNullable<BinDepositPlan['activeBin']> },
): TokenAmounts {
  const price = priceOfBin(activeBinId, binStepBps);
  const held = { x: Number(activeBin.amountX) * price, y: Number(activeBin.amountY) };
  const shareOfX = held.x + held.y === 0 ? 0.5 : held.x / (held.x + held.y);
  const parts = bins.map(({ binId, weight }) => ({
    x: binId > activeBinId ? weight / priceOfBin(binId, binStepBps) : binId === activeBinId ? (weight * shareOfX) / price : 0,
    y: binId < activeBinId ? weight : binId === activeBinId ? weight * (1 - shareOfX) : 0,
  }));
  const total = (of: 'x' | 'y'): number => parts.reduce((sum, part) => sum + part[of], 0);
  const unit = Math.min(Number(amounts.x) / total('x'), Number(amounts.y) / total('y'));
  const taken = (of: 'x' | 'y'): bigint => parts.reduce((sum, part) => sum + BigInt(Math.floor(unit * part[of])), 0n);
  return { x: taken('x'), y: taken('y') };
}
