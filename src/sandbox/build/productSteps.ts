import type { Address } from '../../base/solana/address';
import { dammPositionNftAccount } from '../../base/solana/pda';
import { BASIS_POINTS, shareOf, WHOLE_BPS } from '../../base/basisPoints';
import {
  addProductLiquidity,
  claimProductFee,
  closeProductPosition,
  createProductPosition,
  removeProductLiquidity,
  type Thresholds,
} from './dammInstructions';
import { together, type Step } from './transactions';
import type { ProductAddPlan, ProductDecreasePlan } from './types';

const MAX_U64 = 2n ** 64n - 1n;

/** What thresholds are worked out from. */
interface Bounded {
  readonly amountX: bigint;
  readonly amountY: bigint;
  readonly slippageBps: number;
}

/** Liquidity and fees out of a position in a constant-product pool; then the position closed where all is taken. */
export function withdrawProduct(plan: ProductDecreasePlan): readonly Step[] {
  const { owner, pool, position, nftMint, liquidity } = plan;
  const roles = { owner, pool, position, nftAccount: dammPositionNftAccount(nftMint) };
  const whole = plan.shareBps === WHOLE_BPS;
  return [
    together(
      // The program takes nothing out of a position that has nothing.
      ...(liquidity > 0n ? [removeProductLiquidity(roles, whole ? 'all' : liquidity, leastOf(plan))] : []),
      claimProductFee(roles),
    ),
    ...(whole ? [closeProductPosition({ owner, pool, nftMint })] : []),
  ];
}

/** Liquidity put into a new position in a constant-product pool, which the same transaction makes. */
export function depositProduct(plan: ProductAddPlan, position: Address, nftMint: Address): readonly Step[] {
  const { owner, pool, liquidity } = plan;
  const filled = addProductLiquidity({ owner, pool, position, nftAccount: dammPositionNftAccount(nftMint) }, liquidity, mostOf(plan));
  return [{ ...filled, opening: createProductPosition({ owner, pool, nftMint }) }];
}

/** The least that a withdrawal gives: what it gives now less the slippage, rounded down. */
function leastOf({ amountX, amountY, slippageBps }: Bounded): Thresholds {
  const keptBps = WHOLE_BPS - slippageBps;
  return { x: shareOf(amountX, keptBps), y: shareOf(amountY, keptBps) };
}

/** The most that a deposit takes: what it costs now and the slippage on top, rounded up; no more than a token account holds. */
function mostOf({ amountX, amountY, slippageBps }: Bounded): Thresholds {
  const grown = BASIS_POINTS + BigInt(slippageBps);
  const most = (amount: bigint): bigint => {
    const bound = (amount * grown + BASIS_POINTS - 1n) / BASIS_POINTS;
    return bound < MAX_U64 ? bound : MAX_U64;
  };
  return { x: most(amountX), y: most(amountY) };
}
