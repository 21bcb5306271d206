import { BASIS_POINTS } from '../base/basisPoints';
import type { Address } from '../base/solana/address';
import { WRAPPED_SOL_MINT } from '../base/solana/programs';
import type { ChainFacts, PoolFact } from './facts/facts';
import type { PolicySettings } from './policy';
import type {
  AddLiquidityIntent,
  Intent,
  IntentPlace,
  Intents,
  PoolFields,
  SwapIntent,
  TokenAmount,
  TransactionGroup,
  ZapInIntent,
  ZapOutIntent,
} from './types';

// What each kind of intent allows: one row a kind. The rules read the rows, and none of them names a kind. A step that a row does not name is
// blocked.

type Kind = keyof Intents;
/** An intent of a kind, for functions that look up a row by it. */
export type IntentOf<Of extends Kind> = { [Each in Of]: { readonly kind: Each } & Intents[Each] }[Of];

/** What an instruction of Meteora's programs does for any operation. `rebalance`: each of its halves must be allowed, too. */
type CommonStep = 'claim' | 'updateFees' | 'swap' | 'rebalance';
/** What it does to take liquidity out of a position. `swapWithdrawn`: it swaps what came out. */
type WithdrawalStep = 'remove' | 'close' | 'shorten' | 'swapWithdrawn';
/**
 * What it does to put liquidity into a position. `open`: it opens or lengthens the position. `prepare`: it creates accounts of the pool that the
 * deposit needs. `swapAndFill`: with a swap before it.
 */
type DepositStep = 'open' | 'prepare' | 'fill' | 'swapAndFill';

/** What an instruction of Meteora's programs does. */
export type IntentStep = CommonStep | WithdrawalStep | DepositStep;

/**
 * The direction of the liquidity, and the steps that belong to it: liquidity moves only where the rules for that direction apply, which need
 * the fields of the intent for it. `tokens`: no liquidity moves, and tokens of the wallet are exchanged.
 */
type Moves =
  | { readonly moves: 'out'; readonly steps: readonly (CommonStep | WithdrawalStep)[] }
  | { readonly moves: 'in'; readonly steps: readonly (CommonStep | DepositStep)[] }
  | { readonly moves: 'nothing'; readonly steps: readonly CommonStep[] }
  | { readonly moves: 'tokens'; readonly steps: readonly 'swap'[] };

/** What may leave the wallet besides costs. */
interface WalletSpend {
  /** SOL; `undefined`: none, and none needs to be wrapped. */
  readonly lamports: bigint | undefined;
  /** Other tokens, raw units; `bought`: only what the swaps of the operation buy. */
  readonly tokens: readonly TokenAmount[] | 'bought';
  /** Not even the tolerance of inputs may leave beyond it. */
  readonly isExact?: boolean;
}

/** What the user moves. `either`: the same value in each of these tokens. */
type MovedValue = { readonly all: readonly TokenAmount[] } | { readonly either: readonly TokenAmount[] };

/** What swaps may sell; `nothing`: there may be none. */
type Sale = { readonly mints: ReadonlySet<Address> } | 'nothing';

/** A row. */
interface IntentRules<Of extends Kind> {
  /** Where it may work: with these positions in these pools, and nowhere else (DLMM-1, DAMM-1). None: with no position, and in any pool. */
  places(intent: IntentOf<Of>): readonly IntentPlace[];
  /** The tokens that it may touch besides SOL and those of its pools (ATA-1, SIM-2). */
  mints(intent: IntentOf<Of>): readonly Address[];
  /** The lists of the service's answer whose transactions belong to it (BND-5). */
  readonly groups: readonly TransactionGroup[];
  /** What may leave the wallet (LIM-1, LIM-2, SIM-2). */
  spends(intent: IntentOf<Of>): WalletSpend;
  /** The tokens that swaps may sell (SWP-6). */
  sells(intent: IntentOf<Of>, poolTokens: ReadonlySet<Address>): Sale;
  /** The tokens that swaps may buy (SWP-6). */
  buys(intent: IntentOf<Of>, poolMints: ReadonlySet<Address>): ReadonlySet<Address>;
  /** What costs are compared with (FEE-4). */
  value(intent: IntentOf<Of>): MovedValue;
  /** Whether the transactions are known to be the whole operation, by the intent or by what they do (SIM-2). */
  isWhole(intent: IntentOf<Of>, does: { readonly withdraws: boolean; readonly swaps: boolean }): boolean;
  /** What the user asked for besides the fields that all intents have; a later build must be for the same (approval/termsOf.ts). */
  asked(intent: IntentOf<Of>): Readonly<Record<string, unknown>>;
}

const ROWS = {
  zapOut: {
    places: (intent) => [intent],
    moves: 'out',
    steps: ['claim', 'updateFees', 'remove', 'shorten', 'close', 'rebalance', 'swap', 'swapWithdrawn'],
    mints: () => [],
    groups: ['close', 'swap'],
    spends: () => ({ lamports: undefined, tokens: [] }),
    sells: (_, poolTokens) => ({ mints: poolTokens }),
    buys: requestedOutputs,
    value: ({ worth = [] }) => ({ either: worth }),
    isWhole: ({ holdings }, { withdraws: doesWithdraw }) => holdings !== undefined || doesWithdraw,
    asked: ({ position, shareBps, output }) => ({ position, shareBps, output }),
  },
  zapIn: {
    places: (intent) => [intent],
    moves: 'in',
    steps: ['open', 'prepare', 'fill', 'swapAndFill', 'rebalance', 'swap'],
    mints: () => [],
    groups: ['swap', 'add'],
    spends: spentFromWallet,
    sells: soldForDeposit,
    buys: (_, poolMints) => poolMints,
    value: depositedFromWallet,
    isWhole: isWholeDeposit,
    asked: askedOfDeposit,
  },
  claim: {
    places: ({ positions }) => positions,
    moves: 'nothing',
    steps: ['claim', 'updateFees'],
    mints: () => [],
    groups: ['claim'],
    spends: () => ({ lamports: undefined, tokens: [] }),
    sells: () => 'nothing',
    buys: () => new Set(),
    value: ({ positions }) => ({ all: positions.flatMap(({ fees }) => fees) }),
    isWhole: () => true,
    asked: ({ positions }) => ({ positions: positions.map(({ pool, position }) => ({ pool, position })) }),
  },
  addLiquidity: {
    places: (intent) => [intent],
    moves: 'in',
    steps: ['claim', 'updateFees', 'prepare', 'fill', 'swap'],
    mints: () => [],
    groups: ['swap', 'add'],
    spends: (intent) => (intent.fees === undefined ? spentFromWallet(intent) : { lamports: undefined, tokens: [] }),
    sells: (intent) => (intent.fees === undefined ? soldForDeposit(intent) : 'nothing'),
    buys: (_, poolMints) => poolMints,
    value: (intent) => (intent.fees === undefined ? depositedFromWallet(intent) : { all: intent.fees }),
    isWhole: (intent, does) => intent.fees !== undefined || isWholeDeposit(intent, does),
    asked: (intent) => ({ ...askedOfDeposit(intent), position: intent.position, isOfFees: intent.fees !== undefined }),
  },
  swap: {
    places: () => [],
    moves: 'tokens',
    steps: ['swap'],
    mints: ({ inputMint, outputMint }) => [inputMint, outputMint],
    groups: ['swap'],
    spends: soldFromWallet,
    sells: ({ inputMint }) => ({ mints: new Set([inputMint]) }),
    buys: ({ outputMint }) => new Set([outputMint]),
    value: ({ inputMint, amountRaw }) => ({ all: [{ mint: inputMint, amountRaw }] }),
    isWhole: () => true,
    asked: ({ inputMint, outputMint, amountRaw }) => ({ inputMint, outputMint, amountRaw }),
  },
  unwrap: {
    places: () => [],
    moves: 'tokens',
    steps: [],
    mints: () => [],
    groups: ['swap'],
    spends: () => ({ lamports: 0n, tokens: [], isExact: true }),
    sells: () => 'nothing',
    buys: () => new Set(),
    // The user was shown no amount.
    value: () => ({ either: [] }),
    isWhole: () => true,
    asked: () => ({}),
  },
} as const satisfies { readonly [Of in Kind]: IntentRules<Of> & Moves };

type WalletDeposit = ZapInIntent | AddLiquidityIntent;

function spentFromWallet({ inputLamports, tokens }: WalletDeposit): WalletSpend {
  return { lamports: inputLamports, tokens: tokens ?? 'bought' };
}

function soldForDeposit({ tokens }: WalletDeposit): Sale {
  return tokens === undefined ? { mints: new Set([WRAPPED_SOL_MINT]) } : 'nothing';
}

function depositedFromWallet({ inputLamports, tokens = [] }: WalletDeposit): MovedValue {
  return { all: [{ mint: WRAPPED_SOL_MINT, amountRaw: inputLamports }, ...tokens] };
}

function isWholeDeposit({ tokens, isSolOnly }: WalletDeposit, { swaps }: { readonly swaps: boolean }): boolean {
  return tokens !== undefined || isSolOnly === true || swaps;
}

function askedOfDeposit({ strategy, inputLamports, tokens }: WalletDeposit): Readonly<Record<string, unknown>> {
  return { strategy, inputLamports, tokens: tokens?.map(({ mint, amountRaw, decimals }) => ({ mint, amountRaw, decimals })) };
}

/** What a swap sells; no SOL is needed to sell another token. */
function soldFromWallet({ inputMint, amountRaw }: SwapIntent): WalletSpend {
  const isSol = inputMint === WRAPPED_SOL_MINT;
  return { lamports: isSol ? amountRaw : 0n, tokens: isSol ? [] : [{ mint: inputMint, amountRaw }], isExact: true };
}

/** The tokens that a zap-out may buy: the requested one, none if the user wants both. */
function requestedOutputs({ output, tokenX, tokenY }: ZapOutIntent, poolMints: ReadonlySet<Address>): ReadonlySet<Address> {
  switch (output) {
    case undefined:
      return poolMints;
    case 'both':
      return new Set();
    case 'allBaseToken':
      return new Set([WRAPPED_SOL_MINT]);
    case 'allToken0':
      return tokenX === undefined ? poolMints : new Set([tokenX]);
    case 'allToken1':
      return tokenY === undefined ? poolMints : new Set([tokenY]);
  }
}

const RULES: { readonly [Of in Kind]: IntentRules<Of> & Moves } = ROWS;

type KindThatMoves<To extends Moves['moves']> = { [Of in Kind]: (typeof ROWS)[Of]['moves'] extends To ? Of : never }[Kind];

/** An intent that puts liquidity into a position. */
export type DepositIntent = IntentOf<KindThatMoves<'in'>>;
/** An intent that takes liquidity out of a position. */
export type WithdrawalIntent = IntentOf<KindThatMoves<'out'>>;

/** Whether the user puts liquidity into a position. */
export function deposits(intent: Intent): intent is DepositIntent {
  return RULES[intent.kind].moves === 'in';
}

/** Whether the user takes liquidity out of a position. */
export function withdraws(intent: Intent): intent is WithdrawalIntent {
  return RULES[intent.kind].moves === 'out';
}

/** Whether the user only claims what positions have earned. */
export function claims(intent: Intent): intent is IntentOf<KindThatMoves<'nothing'>> {
  return RULES[intent.kind].moves === 'nothing';
}

/** Whether the user exchanges tokens of the wallet, and nothing else. */
export function exchanges(intent: Intent): intent is IntentOf<KindThatMoves<'tokens'>> {
  return RULES[intent.kind].moves === 'tokens';
}

/** The fees that are deposited as they are claimed, by the figures that the user was shown; `undefined`: nothing of the kind was asked for. */
export function compoundedFees(intent: Intent): readonly TokenAmount[] | undefined {
  return intent.kind === 'addLiquidity' ? intent.fees : undefined;
}

/** What the user asked for in a pool; empty where the operation works in none of its own. */
export function poolFieldsOf(intent: Intent): Partial<PoolFields> {
  return exchanges(intent) ? {} : intent;
}

/** What an RPC says of the operation's pool; `undefined`: the operation has none, or it is not known. */
export function poolFactOf(intent: Intent, facts: Pick<ChainFacts, 'pools'> | undefined): PoolFact | undefined {
  const { pool } = poolFieldsOf(intent);
  return pool === undefined ? undefined : facts?.pools?.get(pool);
}

/** Where the operation may work. */
export function placesOf<Of extends Kind>(intent: IntentOf<Of>): readonly IntentPlace[] {
  return RULES[intent.kind].places(intent);
}

/** The tokens that the operation may touch besides SOL and those of its pools. */
export function mintsOf<Of extends Kind>(intent: IntentOf<Of>): readonly Address[] {
  return RULES[intent.kind].mints(intent);
}

/** Whether a step is a part of the operation. */
export function allowsStep({ kind }: Intent, step: IntentStep): boolean {
  const steps: readonly IntentStep[] = RULES[kind].steps;
  return steps.includes(step);
}

/** Whether a list of the service's answer is a part of the operation. */
export function allowsGroup({ kind }: Intent, group: TransactionGroup): boolean {
  return RULES[kind].groups.includes(group);
}

/** What may leave the wallet besides costs. */
export function spendsOf<Of extends Kind>(intent: IntentOf<Of>): WalletSpend {
  return RULES[intent.kind].spends(intent);
}

/** The most of an amount of the user that may leave the wallet, raw units. */
export function mostOf(amountRaw: bigint, intent: Intent, { inputToleranceBps }: PolicySettings): bigint {
  return spendsOf(intent).isExact === true ? amountRaw : (amountRaw * (BASIS_POINTS + inputToleranceBps)) / BASIS_POINTS;
}

/** What swaps may sell. @param poolTokens the pool's two tokens */
export function saleOf<Of extends Kind>(intent: IntentOf<Of>, poolTokens: ReadonlySet<Address>): Sale {
  return RULES[intent.kind].sells(intent, poolTokens);
}

/** The tokens that swaps may buy. @param poolMints the tokens that the operation may touch */
export function purchasesOf<Of extends Kind>(intent: IntentOf<Of>, poolMints: ReadonlySet<Address>): ReadonlySet<Address> {
  return RULES[intent.kind].buys(intent, poolMints);
}

/** What the user moves. */
export function valueOf<Of extends Kind>(intent: IntentOf<Of>): MovedValue {
  return RULES[intent.kind].value(intent);
}

/** Whether the transactions are known to be the whole operation. @param does what the transactions do */
export function isWholeOperation<Of extends Kind>(
  intent: IntentOf<Of>,
  does: { readonly withdraws: boolean; readonly swaps: boolean },
): boolean {
  return RULES[intent.kind].isWhole(intent, does);
}

/** What the user asked for besides the fields that all intents have. */
export function askedBy<Of extends Kind>(intent: IntentOf<Of>): Readonly<Record<string, unknown>> {
  return RULES[intent.kind].asked(intent);
}
