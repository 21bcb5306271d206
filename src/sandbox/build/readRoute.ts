import * as z from 'zod';
import type { Address } from '../../solana/address';
import { PROGRAMS } from '../../solana/programs';
import { EffectError } from '../chain/types';
import { accountAt, accountIn, argumentsOf, type Reading, type ReadInstruction } from './instructionReader';
import { accountOf, HOP_ACCOUNTS, JUPITER_ROUTE, MAX_HOPS, MAX_SWAP_BIN_ARRAYS, minimumOut, routeSwap } from './jupiterRoute';
import { tokensOfSwap } from './swapTokens';
import { PlanError, type SwapHop, type SwapPlan } from './types';

const ROUTE = z.object({
  route_plan: z.array(z.unknown()).min(1).max(MAX_HOPS),
  in_amount: z.bigint(),
  quoted_out_amount: z.bigint(),
  slippage_bps: z.number().max(10_000),
});

/**
 * Reads a swap through the router.
 * @throws EffectError where it is malformed.
 */
export function readRoute(instruction: ReadInstruction): Reading {
  const { route_plan: steps, in_amount: inAmount, quoted_out_amount: quotedOut, slippage_bps: slippageBps } = argumentsOf(instruction, JUPITER_ROUTE, ROUTE);
  const owner = accountIn(instruction, JUPITER_ROUTE, 'user_transfer_authority');
  const swap: SwapPlan = { hops: hopsOf(instruction, owner, steps.length), inAmount, quotedOut, slippageBps };
  const { sold, bought } = planned(() => tokensOfSwap(swap));
  return {
    effect: {
      kind: 'swap',
      owner,
      pools: swap.hops.map(({ via }) => via.pool),
      inputMint: sold.mint,
      outputMint: bought.mint,
      inAmount,
      quotedOut,
      minimumOut: minimumOut(swap),
    },
    expected: routeSwap(owner, swap),
  };
}

/** The trades, from the accounts that follow those of the route. */
function hopsOf(instruction: ReadInstruction, owner: Address, count: number): readonly SwapHop[] {
  const hops: SwapHop[] = [];
  let place = JUPITER_ROUTE.accounts.length;
  while (hops.length < count) {
    const hop = hopAt(instruction, owner, place);
    hops.push(hop);
    place += HOP_ACCOUNTS.length + hop.binArrays.length;
  }
  return hops;
}

function hopAt(instruction: ReadInstruction, owner: Address, place: number): SwapHop {
  const account = (role: (typeof HOP_ACCOUNTS)[number]): Address => accountAt(instruction, JUPITER_ROUTE.name, place + HOP_ACCOUNTS.indexOf(role), role);
  const tokenX = { mint: account('token_x_mint'), tokenProgram: account('token_x_program') };
  const tokenY = { mint: account('token_y_mint'), tokenProgram: account('token_y_program') };
  return {
    via: { pool: account('pool'), tokenX, tokenY },
    sells: account('user_token_in') === accountOf(owner, tokenX) ? 'x' : 'y',
    binArrays: binArraysAt(instruction, place + HOP_ACCOUNTS.length),
  };
}

/** Bin arrays are taken as they stand, since their indexes cannot be told from their addresses; the next trade begins with its program. */
function binArraysAt(instruction: ReadInstruction, place: number): readonly Address[] {
  const rest = instruction.accounts.slice(place).map(({ address }) => address);
  const next = rest.indexOf(PROGRAMS.dlmm);
  return rest.slice(0, Math.min(next < 0 ? rest.length : next, MAX_SWAP_BIN_ARRAYS));
}

/** What nobody can plan is malformed. */
function planned<Planned>(plan: () => Planned): Planned {
  try {
    return plan();
  } catch (error) {
    if (error instanceof PlanError) {
      throw new EffectError(error.message, { cause: error });
    }
    throw error;
  }
}
