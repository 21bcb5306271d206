import * as z from 'zod';
import { WHOLE_BPS } from '../../base/basisPoints';
import type { Address } from '../../base/solana/address';
import { DAMM_INSTRUCTIONS } from '../../base/solana/generated/dammInstructions';
import { DLMM_INSTRUCTIONS } from '../../base/solana/generated/dlmmInstructions';
import { findInstruction, type InstructionLayout } from '../../base/solana/instructionCodec';
import { PROGRAMS } from '../../base/solana/programs';
import { EffectError, type LoadedTransaction } from '../chain/types';
import {
  accountAt,
  accountByRole,
  argumentsOf,
  instructionsOf,
  matchInstruction,
  type DecodedEffect,
  type DecodedAnchorInstruction,
} from './decodedInstruction';
import {
  accountOf,
  END_OF_LIST,
  JUPITER_ROUTE,
  MAX_HOPS,
  MAX_SWAP_BIN_ARRAYS,
  minimumOut,
  routeSwap,
  tokensOfSwap,
  type Venue,
  VENUES,
} from '../../engine/assembly/jupiterRoute';
import { readDamm } from './readDamm';
import { readDlmm } from './readDlmm';
import type { BuildEffect } from './types';
import { PlanError, type SwapHop, type SwapPlan } from '../../engine/assembly/types';

/**
 * Decodes the effects of the instructions of stand-in programs, in order; the VM itself executes all other programs. An instruction is
 * accepted only if all accounts and bytes equal those that the builders write for its effect.
 * @throws EffectError if an instruction is malformed, differs, or is not supported
 */
export function readEffects(transaction: LoadedTransaction): readonly BuildEffect[] {
  return instructionsOf(transaction).flatMap((instruction) => {
    switch (instruction.program) {
      case PROGRAMS.dlmm:
        return [readOne(instruction, DLMM_INSTRUCTIONS, readDlmm)];
      case PROGRAMS.jupiterV6:
        return [readOne(instruction, [JUPITER_ROUTE], readRoute)];
      case PROGRAMS.dammV2:
        return [readOne(instruction, DAMM_INSTRUCTIONS, readDamm)];
      default:
        return [];
    }
  });
}

type Reader = (instruction: DecodedAnchorInstruction, layout: InstructionLayout) => DecodedEffect | undefined;

function readOne(instruction: DecodedAnchorInstruction, layouts: readonly InstructionLayout[], read: Reader): BuildEffect {
  const layout = findInstruction(layouts, instruction.data);
  const reading = layout === undefined ? undefined : read(instruction, layout);
  if (layout === undefined || reading === undefined) {
    throw new EffectError(`The sandbox does not carry out ${layout?.name ?? 'this instruction'} of program ${instruction.program}`);
  }
  matchInstruction(instruction, layout, reading);
  return reading.effect;
}

const ROUTE = z.object({
  route_plan: z
    .array(z.object({ swap: z.number() }))
    .min(1)
    .max(MAX_HOPS),
  in_amount: z.bigint(),
  quoted_out_amount: z.bigint(),
  slippage_bps: z.number().max(WHOLE_BPS),
});

/** Account names of a trade in the layout of its venue. */
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
 * Decodes a swap through the router.
 * @throws EffectError if the instruction is malformed
 */
function readRoute(instruction: DecodedAnchorInstruction): DecodedEffect {
  const {
    route_plan: steps,
    in_amount: inAmount,
    quoted_out_amount: quotedOut,
    slippage_bps: slippageBps,
  } = argumentsOf(instruction, JUPITER_ROUTE, ROUTE);
  const owner = accountByRole(instruction, JUPITER_ROUTE, 'user_transfer_authority');
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

/** Decodes the trades from the accounts after those of the route. */
function hopsOf(instruction: DecodedAnchorInstruction, owner: Address, venues: readonly Venue[]): readonly SwapHop[] {
  const hops: SwapHop[] = [];
  let place = JUPITER_ROUTE.accounts.length;
  for (const venue of venues) {
    const hop = hopAt(instruction, owner, venue, place);
    hops.push(hop);
    place += 1 + venue.layout.accounts.length + (hop.type === 'bins' ? hop.binArrays.length + 1 : 0);
  }
  return hops;
}

function hopAt(instruction: DecodedAnchorInstruction, owner: Address, { type, layout }: Venue, place: number): SwapHop {
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

/** Bin arrays are not checked: an address does not reveal the index. */
function binArraysAt(instruction: DecodedAnchorInstruction, place: number): readonly Address[] {
  const rest = instruction.accounts.slice(place).map(({ address }) => address);
  const end = rest.indexOf(END_OF_LIST);
  if (end < 0 || end > MAX_SWAP_BIN_ARRAYS) {
    throw new EffectError(`A trade of the route has no list of at most ${MAX_SWAP_BIN_ARRAYS} bin arrays`);
  }
  return rest.slice(0, end);
}

/** Turns a PlanError into an EffectError. */
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
