import type { Address } from '../../base/solana/address';
import { USDC_MINT, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { inBoth, NO_WORTH, product, quotient, sumOfWorths, UNKNOWN_WORTH, type UsdAndNative } from '../../engine/state/figures';
import type { PositionContents, UnclaimedReward } from '../../engine/state/positionState';
import { wholeTokens } from '../../engine/wire/positionRecord';
import type { OnchainPool } from '../pools/types';
import type { OnchainPosition } from '../positions/types';
import { recordToken } from './recordPool';
import type { UsdOf, ValuationPrices } from './valuation';

/** What waits as rewards of a position, valued where a price is known. */
export function unclaimedRewards(
  { rewards: waiting }: Pick<OnchainPosition, 'rewards'>,
  pool: OnchainPool,
  prices: ValuationPrices,
  usdOf: UsdOf,
): Required<Pick<PositionContents, 'rewards' | 'reward'>> {
  const rewards = (waiting ?? []).flatMap(({ mint, amount }): readonly UnclaimedReward[] => {
    const token = pool.rewardTokens.find((one) => one.mint === mint);
    if (token === undefined) {
      return [];
    }
    const price = priceOf(mint, pool, prices, usdOf);
    return [{ token: recordToken(token), amount, worth: inBoth((unit) => product(wholeTokens(amount, token), price[unit])) }];
  });
  const isWhole = waiting?.length === rewards.length;
  return { rewards, reward: !isWhole ? UNKNOWN_WORTH : sumOfWorths(NO_WORTH, ...rewards.map(({ worth }) => worth)) };
}

/** What one whole token is worth: by the price of the pool, if it is one of its tokens. */
function priceOf(mint: Address, { x, y }: OnchainPool, prices: ValuationPrices, usdOf: UsdOf): UsdAndNative {
  if (mint === x.mint || mint === y.mint) {
    return prices[mint === x.mint ? 'x' : 'y'];
  }
  const { usdSol } = prices;
  const usd = mint === USDC_MINT ? 1 : mint === WRAPPED_SOL_MINT ? usdSol : usdOf(mint);
  return { usd, native: mint === WRAPPED_SOL_MINT ? 1 : usdSol === null || usdSol <= 0 ? null : quotient(usd, usdSol) };
}
