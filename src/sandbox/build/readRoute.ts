import * as z from 'zod';
import type { Address } from '../../base/solana/address';
import { WHOLE_BPS } from '../../base/basisPoints';
import { EffectError } from '../chain/types';
import { accountAt, accountIn, argumentsOf, type Reading, type ReadInstruction } from './instructionReader';
import { JUPITER_ROUTE, MAX_HOPS, minimumOut, routeSwap } from './jupiterRoute';
import { accountOf, END_OF_LIST, MAX_SWAP_BIN_ARRAYS, VENUES, type Venue } from './routeHops';
import { tokensOfSwap } from './swapTokens';
import { PlanError, type SwapHop, type SwapPlan } from './types';

const ROUTE = z.object({
  route_plan: z
    .array(z.object({ swap: z.number() }))
    .min(1)
    .max(MAX_HOPS),
  in_amount: z.bigint(),
  quoted_out_amount: z.bigint(),
  slippage_bps: z.number().max(WHOLE_BPS),
});

/** Names of a trade's accounts in the venue's layout. */
const ROLES = {
  bins: {
    pool: 'lb_pair',
    soldFrom: 'user_token_in',
    mintX: 'token_x_mint',
    mintY: 'token_y_mint',
    programX: 'token_x_program',
    programY: 'token_y_program',
  },
  product: {
    pool: 'pool',
    soldFrom: 'input_token_account',
    mintX: 'token_a_mint',
    mintY: 'token_b_mint',
    programX: 'token_a_program',
    programY: 'token_b_program',
  },
} as const;

/**
 * Reads a swap through the router.
 * @throws EffectError where it is malformed.
 */
export function readRoute(instruction: ReadInstruction): Reading {
  const {
    route_plan: steps,
    in_amount: inAmount,
    quoted_out_amount: quotedOut,
    slippage_bps: slippageBps,
  } = argumentsOf(instruction, JUPITER_ROUTE, ROUTE);
  const owner = accountIn(instruction, JUPITER_ROUTE, 'user_transfer_authority');
  const venues = steps.map(({ swap }) => venueOf(swap));
  const swap: SwapPlan = { hops: hopsOf(instruction, owner, venues), inAmount, quotedOut, slippageBps };
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

function venueOf(number: number): Venue {
  const venue = Object.values(VENUES).find((known) => known.number === number);
  if (venue === undefined) {
    throw new EffectError(`The sandbox does not trade at venue ${number} of the router`);
  }
  return venue;
}

/** The trades, from the accounts that follow those of the route. */
function hopsOf(instruction: ReadInstruction, owner: Address, venues: readonly Venue[]): readonly SwapHop[] {
  const hops: SwapHop[] = [];
  let place = JUPITER_ROUTE.accounts.length;
  for (const venue of venues) {
    const hop = hopAt(instruction, owner, venue, place);
    hops.push(hop);
    place += 1 + venue.layout.accounts.length + (hop.type === 'bins' ? hop.binArrays.length + 1 : 0);
  }
  return hops;
}

function hopAt(instruction: ReadInstruction, owner: Address, { type, layout }: Venue, place: number): SwapHop {
  const roles = ROLES[type];
  const account = (role: string): Address =>
    accountAt(instruction, JUPITER_ROUTE.name, place + 1 + layout.accounts.findIndex(({ name }) => name === role), role);
  const tokenX = { mint: account(roles.mintX), tokenProgram: account(roles.programX) };
  const tokenY = { mint: account(roles.mintY), tokenProgram: account(roles.programY) };
  const hop = {
    via: { pool: account(roles.pool), tokenX, tokenY },
    sells: account(roles.soldFrom) === accountOf(owner, tokenX) ? 'x' : 'y',
  } as const;
  return type === 'bins' ? { type, ...hop, binArrays: binArraysAt(instruction, place + 1 + layout.accounts.length) } : { type, ...hop };
}

/** Bin arrays are not checked: their addresses don't reveal their indexes. */
function binArraysAt(instruction: ReadInstruction, place: number): readonly Address[] {
  const rest = instruction.accounts.slice(place).map(({ address }) => address);
  const end = rest.indexOf(END_OF_LIST);
  if (end < 0 || end > MAX_SWAP_BIN_ARRAYS) {
    throw new EffectError(`A trade of the route has no list of at most ${MAX_SWAP_BIN_ARRAYS} bin arrays`);
  }
  return rest.slice(0, end);
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
