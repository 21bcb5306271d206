import { shareOf, WHOLE_BPS } from '../../base/basisPoints';
import { type Address, addressFromBytes } from '../../base/solana/address';
import { DAMM_INSTRUCTIONS } from '../../base/solana/generated/dammInstructions';
import { DLMM_INSTRUCTIONS } from '../../base/solana/generated/dlmmInstructions';
import { type EnumValue, type InstructionLayout, instructionNamed } from '../../base/solana/instructionCodec';
import { JUPITER_INSTRUCTIONS } from '../../base/solana/jupiterInstructions';
import { associatedTokenAddress, dammVault, dlmmBitmapExtension, dlmmOracle, dlmmReserve, eventAuthority } from '../../base/solana/pda';
import { DAMM_POOL_AUTHORITY, PROGRAMS } from '../../base/solana/programs';
import { anchorAccounts, anchorInstruction, type RemainingAccount, type Roles } from './anchorInstruction';
import { type Assembly, type BuildStep, fitsTogether, step, together } from './transactions';
import { PlanError, type SwapHop, type SwapPlan, type TokenAccounts, type WrittenSwap } from './types';
import { createTokenAccount } from './walletInstructions';

/** Token sold and token bought, by a trade or a swap. */
interface SoldAndBought {
  readonly sold: TokenAccounts;
  readonly bought: TokenAccounts;
}

/** Tokens of a trade. */
function tokensOfHop({ via, sells }: SwapHop): SoldAndBought {
  return sells === 'x' ? { sold: via.tokenX, bought: via.tokenY } : { sold: via.tokenY, bought: via.tokenX };
}

/**
 * Token sold by the first trade of a swap, and token bought by the last.
 * @throws PlanError if a trade does not sell what the one before it bought, or a token occurs twice
 */
export function tokensOfSwap({ hops }: Pick<SwapPlan, 'hops'>): SoldAndBought {
  const trades = hops.map(tokensOfHop);
  const [first] = trades;
  const last = trades.at(-1);
  if (first === undefined || last === undefined) {
    throw new PlanError('A swap has one trade at least');
  }
  if (trades.some(({ sold }, index) => index > 0 && !isSameToken(sold, trades[index - 1]?.bought))) {
    throw new PlanError('Each trade of a swap sells what the one before it bought');
  }
  const mints = new Set([first.sold.mint, ...trades.map(({ bought }) => bought.mint)]);
  if (mints.size < trades.length + 1) {
    throw new PlanError('A swap is of one token for another, and no token comes up twice');
  }
  return { sold: first.sold, bought: last.bought };
}

/** All tokens that a swap buys, including intermediate ones. */
export function tokensBought(swap: SwapPlan | WrittenSwap): readonly TokenAccounts[] {
  return 'hops' in swap ? swap.hops.map((hop) => tokensOfHop(hop).bought) : [swap.buys];
}

function isSameToken(one: TokenAccounts, other: TokenAccounts | undefined): boolean {
  return one.mint === other?.mint && one.tokenProgram === other.tokenProgram;
}

/** A venue of the router: how it trades in pools of one type. */
export interface Venue {
  readonly type: SwapHop['type'];
  /** Index in the enum `Swap` of Jupiter's IDL (v6); neither variant has fields. */
  readonly number: number;
  readonly program: Address;
  /** The instruction that the router calls; its accounts follow the program in the accounts of the route. */
  readonly layout: InstructionLayout;
  /** Upper bound of compute units of a trade through the router, which moves the price by up to ten bins. */
  readonly computeUnits: number;
}

/** `MeteoraDlmm` and `MeteoraDammV2`. */
export const VENUES: Readonly<Record<SwapHop['type'], Venue>> = {
  bins: { type: 'bins', number: 38, program: PROGRAMS.dlmm, layout: instructionNamed(DLMM_INSTRUCTIONS, 'swap'), computeUnits: 180_000 },
  product: {
    type: 'product',
    number: 77,
    program: PROGRAMS.dammV2,
    layout: instructionNamed(DAMM_INSTRUCTIONS, 'swap'),
    computeUnits: 120_000,
  },
};

/** Compute units of each bin that a trade crosses: 5,600 were measured with lb_clmm 0.12. */
const UNITS_PER_CROSSED_BIN = 7_000;

/** The swap of bin pools for tokens of Token-2022, which the other one refuses (3008). */
const TOKEN_2022_SWAP = instructionNamed(DLMM_INSTRUCTIONS, 'swap2');

/** Jupiter's name of {@link TOKEN_2022_SWAP}; no token has a transfer hook, so there are no further accounts. */
const TOKEN_2022_VENUE: EnumValue = { kind: 'MeteoraDlmmSwapV2', fields: [{ slices: [] }] };

const VENUE_NAMES: Readonly<Record<SwapHop['type'], EnumValue>> = { bins: { kind: 'MeteoraDlmm' }, product: { kind: 'MeteoraDammV2' } };

function isToken2022({ type, via: { tokenX, tokenY } }: SwapHop): boolean {
  return type === 'bins' && [tokenX, tokenY].some(({ tokenProgram }) => tokenProgram === PROGRAMS.token2022);
}

/** Maximum number of bin arrays of a trade. */
export const MAX_SWAP_BIN_ARRAYS = 3;

/** Ends a list of accounts of variable length, such as bin arrays. */
export const END_OF_LIST = PROGRAMS.jupiterV6;

const EVENT_AUTHORITIES = { bins: eventAuthority(PROGRAMS.dlmm), product: eventAuthority(PROGRAMS.dammV2) };

/**
 * The accounts of a trade, after those of the route: the program of the venue, the accounts of its swap, and in bin pools the bin arrays,
 * terminated by the id of the router (as MeteoraAg/zap-program, protocol-zap, reads routes). Optional fee accounts are "none".
 */
function hopAccounts(owner: Address, hop: SwapHop): readonly RemainingAccount[] {
  const { type, program, layout } = VENUES[hop.type];
  const swap = anchorAccounts(program, isToken2022(hop) ? TOKEN_2022_SWAP : layout, {
    ...(type === 'bins' ? { ...binRoles(owner, hop), memo_program: PROGRAMS.memo } : productRoles(owner, hop)),
    event_authority: EVENT_AUTHORITIES[type],
    program,
  });
  return [
    { address: program, writable: false },
    ...swap.map(({ pubkey, isWritable }) => ({ address: addressFromBytes(pubkey.toBytes()), writable: isWritable })),
    ...(hop.type === 'bins'
      ? [...hop.binArrays.map((address) => ({ address, writable: true })), { address: END_OF_LIST, writable: false }]
      : []),
  ];
}

/** The owner's associated token account. */
export function accountOf(owner: Address, { mint, tokenProgram }: TokenAccounts): Address {
  return associatedTokenAddress(owner, mint, tokenProgram);
}

function binRoles(owner: Address, hop: SwapHop): Roles {
  const { pool, tokenX, tokenY } = hop.via;
  const { sold, bought } = tokensOfHop(hop);
  const hasExtension = hop.type === 'bins' && hop.hasBitmapExtension === true;
  return {
    lb_pair: pool,
    ...(hasExtension ? { bin_array_bitmap_extension: dlmmBitmapExtension(pool) } : {}),
    reserve_x: dlmmReserve(pool, tokenX.mint),
    reserve_y: dlmmReserve(pool, tokenY.mint),
    user_token_in: accountOf(owner, sold),
    user_token_out: accountOf(owner, bought),
    token_x_mint: tokenX.mint,
    token_y_mint: tokenY.mint,
    oracle: dlmmOracle(pool),
    user: owner,
    token_x_program: tokenX.tokenProgram,
    token_y_program: tokenY.tokenProgram,
  };
}

function productRoles(owner: Address, hop: SwapHop): Roles {
  const { pool, tokenX, tokenY } = hop.via;
  const { sold, bought } = tokensOfHop(hop);
  return {
    pool_authority: DAMM_POOL_AUTHORITY,
    pool,
    input_token_account: accountOf(owner, sold),
    output_token_account: accountOf(owner, bought),
    token_a_vault: dammVault(pool, tokenX.mint),
    token_b_vault: dammVault(pool, tokenY.mint),
    token_a_mint: tokenX.mint,
    token_b_mint: tokenY.mint,
    payer: owner,
    token_a_program: tokenX.tokenProgram,
    token_b_program: tokenY.tokenProgram,
  };
}

/**
 * Layout of Jupiter v6 `route` (source: Jupiter's IDL). Venues are encoded as a number only, which is valid for variants without fields.
 */
export const JUPITER_ROUTE: InstructionLayout = {
  name: 'route',
  discriminator: 'e517cb977ae3ad2a',
  accounts: [
    { name: 'token_program' },
    { name: 'user_transfer_authority', signer: true },
    { name: 'user_source_token_account', writable: true },
    { name: 'user_destination_token_account', writable: true },
    { name: 'destination_token_account', writable: true, optional: true },
    { name: 'destination_mint' },
    { name: 'platform_fee_account', writable: true, optional: true },
    { name: 'event_authority' },
    { name: 'program' },
  ],
  args: [
    [
      'route_plan',
      {
        vec: {
          struct: [
            ['swap', 'u8'],
            ['percent', 'u8'],
            ['input_index', 'u8'],
            ['output_index', 'u8'],
          ],
        },
      },
    ],
    ['in_amount', 'u64'],
    ['quoted_out_amount', 'u64'],
    ['slippage_bps', 'u16'],
    ['platform_fee_bps', 'u8'],
  ],
};

/** The same with all venues by their names and fields. */
const WHOLE_ROUTE = instructionNamed(JUPITER_INSTRUCTIONS, 'route');

/** Maximum trades of a swap: the accounts of a third would not fit into a transaction. */
export const MAX_HOPS = 2;

const EVENT_AUTHORITY = eventAuthority(PROGRAMS.jupiterV6);

/** Minimum output of a swap, raw: the quote less the slippage, rounded down. */
export function minimumOut({ quotedOut, slippageBps }: Pick<SwapPlan, 'quotedOut' | 'slippageBps'>): bigint {
  return shareOf(quotedOut, WHOLE_BPS - slippageBps);
}

/**
 * A swap through the router, without a platform fee.
 * @throws PlanError if a trade does not sell what the one before it bought, or a token occurs twice.
 */
export function routeSwap(owner: Address, swap: SwapPlan): BuildStep {
  const { sold, bought } = tokensOfSwap(swap);
  const roles = {
    token_program: sold.tokenProgram,
    user_transfer_authority: owner,
    user_source_token_account: accountOf(owner, sold),
    user_destination_token_account: accountOf(owner, bought),
    destination_mint: bought.mint,
    event_authority: EVENT_AUTHORITY,
    program: PROGRAMS.jupiterV6,
  };
  const hasToken2022 = swap.hops.some(isToken2022);
  const venueOf = (hop: SwapHop): EnumValue | number =>
    isToken2022(hop) ? TOKEN_2022_VENUE : hasToken2022 ? VENUE_NAMES[hop.type] : VENUES[hop.type].number;
  const args = {
    // Each trade sells all of the token before it; the tokens are numbered in order of appearance.
    route_plan: swap.hops.map((hop, index) => ({ swap: venueOf(hop), percent: 100, input_index: index, output_index: index + 1 })),
    in_amount: swap.inAmount,
    quoted_out_amount: swap.quotedOut,
    slippage_bps: swap.slippageBps,
    platform_fee_bps: 0,
  };
  const remaining = swap.hops.flatMap((hop) => hopAccounts(owner, hop));
  const computeUnits = swap.hops.reduce((sum, hop) => sum + unitsOf(hop), 0);
  return step(computeUnits, anchorInstruction(PROGRAMS.jupiterV6, hasToken2022 ? WHOLE_ROUTE : JUPITER_ROUTE, roles, args, remaining));
}

function unitsOf(hop: SwapHop): number {
  const crossedBins = hop.type === 'bins' ? (hop.crossedBins ?? 0) : 0;
  return VENUES[hop.type].computeUnits + UNITS_PER_CROSSED_BIN * crossedBins;
}

/**
 * A swap, after creating the token accounts that it needs: in one step if that fits into a transaction. A route of two trades without a lookup
 * table may need one of its own.
 */
export function routeWithAccounts(owner: Address, swap: SwapPlan | WrittenSwap, assembly: Assembly): readonly BuildStep[] {
  const trade = 'hops' in swap ? routeSwap(owner, swap) : step(swap.computeUnits, ...swap.instructions);
  const accounts = tokensBought(swap).map((token) => createTokenAccount(owner, token));
  const all = together(...accounts, trade);
  return fitsTogether([all], assembly) ? [all] : [together(...accounts), trade];
}
