import * as z from 'zod';
import type { Address } from '../../solana/address';
import { EffectError } from '../chain/types';
import { accountAt, accountIn, argumentsOf, type Reading, type ReadInstruction } from './instructionReader';
import { HOP_ACCOUNTS, JUPITER_ROUTE, MAX_SWAP_BIN_ARRAYS, minimumOut, routeSwap } from './jupiterRoute';
import type { SwapPlan } from './types';

const ROUTE = z.object({ in_amount: z.bigint(), quoted_out_amount: z.bigint(), slippage_bps: z.number().max(10_000) });

/**
 * Reads a swap through the router.
 * @throws EffectError where it is malformed.
 */
export function readRoute(instruction: ReadInstruction): Reading {
  const { in_amount: inAmount, quoted_out_amount: quotedOut, slippage_bps: slippageBps } = argumentsOf(instruction, JUPITER_ROUTE, ROUTE);
  const owner = accountIn(instruction, JUPITER_ROUTE, 'user_transfer_authority');
  const hop = (role: (typeof HOP_ACCOUNTS)[number]): Address =>
    accountAt(instruction, JUPITER_ROUTE.name, JUPITER_ROUTE.accounts.length + HOP_ACCOUNTS.indexOf(role), role);
  const tokenX = { mint: hop('token_x_mint'), tokenProgram: hop('token_x_program') };
  const tokenY = { mint: hop('token_y_mint'), tokenProgram: hop('token_y_program') };
  const sellsX = accountIn(instruction, JUPITER_ROUTE, 'destination_mint') === tokenY.mint;
  const pool = hop('pool');
  const swap: SwapPlan = { via: { pool, tokenX, tokenY }, sells: sellsX ? 'x' : 'y', inAmount, quotedOut, slippageBps, binArrayIndexes: [] };
  if (tokenX.mint === tokenY.mint) {
    throw new EffectError('A swap is of one token for another');
  }
  return {
    effect: {
      kind: 'swap',
      owner,
      pool,
      inputMint: sellsX ? tokenX.mint : tokenY.mint,
      outputMint: sellsX ? tokenY.mint : tokenX.mint,
      inAmount,
      quotedOut,
      minimumOut: minimumOut(swap),
    },
    expected: routeSwap(owner, swap),
    moreAccounts: MAX_SWAP_BIN_ARRAYS, // their indexes cannot be told from their addresses
  };
}
