import type { BinRange } from '../../base/dlmm/bins';
import type { Address } from '../../base/solana/address';
import type { RentRate } from '../../base/solana/rent';
import type { Strategy } from '../../service/common';
import type {
  BinAddPlan,
  BinDecreasePlan,
  BuildLookupTable,
  BuildTerms,
  PoolAccounts,
  ProductDecreasePlan,
  SwapPlan,
  TokenAccounts,
  WrittenSwap,
} from '../assembly/types';
import type { Eventually, EngineOperationKind, ProtocolNames } from '../engine';
import type { Build } from './build';

// What the sandbox and the service over a chain supply, each in its own way, to the builds that they share.

/** Raw amounts of both tokens of a pool. */
export interface BuildAmounts {
  readonly x: bigint;
  readonly y: bigint;
}

/** A token of a pool. */
export interface BuildToken extends TokenAccounts {
  readonly decimals: number;
  /** In messages: its symbol, or its mint. */
  readonly name: string;
}

interface PoolBase {
  readonly accounts: PoolAccounts;
  readonly x: BuildToken;
  readonly y: BuildToken;
}

/** What the plan of a deposit says of the pool around its bins. */
export type BinSurroundings = Pick<BinAddPlan, 'missingBinArrayIndexes' | 'bitmapExtension' | 'activeBin' | 'received' | 'sent'>;

export interface BuildBinPool extends PoolBase {
  readonly type: 'bins';
  /** Basis points. */
  readonly binStepBps: number;
  readonly activeBinId: number;
  surroundings(range: BinRange): Eventually<BinSurroundings>;
}

/** A constant-product pool. */
export interface ProductPoolState extends PoolBase {
  readonly type: 'product';
  /** The most liquidity that these amounts pay for, and what it costs. */
  liquidityFor(amounts: BuildAmounts): { readonly liquidity: bigint; readonly cost: BuildAmounts };
}

/** A pool as it is at one moment. */
export type BuildPool = BuildBinPool | ProductPoolState;

/** A swap of one token for another, as it is quoted. Raw amounts. */
export interface PlannedSwap {
  readonly sell: TokenAccounts;
  readonly buy: TokenAccounts;
  readonly inAmount: bigint;
  readonly out: bigint;
  /** Swaps that are planned later come after this one. */
  accept(): void;
  /** The plan of the swap, which may take another request. */
  write(): Eventually<SwapPlan | WrittenSwap>;
}

/** Quotes the swaps of one operation, in order: each as those before it leave the pools. */
export interface SwapSource {
  /** `undefined`: there is no way. */
  plan(sell: TokenAccounts, buy: TokenAccounts, inAmount: bigint): Eventually<PlannedSwap | undefined>;
  /** The pool of the operation as the accepted swaps leave it. */
  poolAfter(): Eventually<BuildPool>;
}

/** Whose swaps are planned. */
export interface SwapWishTerms {
  readonly owner: Address;
  readonly slippageBps: number;
  /** The swaps will not be written. */
  readonly isQuote?: boolean | undefined;
}

/** Two tokens to swap, which need no pool of both. */
export interface SwapPair {
  readonly sell: BuildToken;
  readonly buy: BuildToken;
  readonly swaps: (terms: SwapWishTerms) => Pick<SwapSource, 'plan'>;
}

export interface PoolToEnter {
  readonly pool: BuildPool;
  /** The swaps before the deposit. */
  readonly swaps: (terms: SwapWishTerms) => SwapSource;
}

/** The part of a position that is withdrawn. */
export interface WithdrawnShare {
  /** 1 to 10000. */
  readonly bps: number;
  readonly fromBinId: number | undefined;
  readonly toBinId: number | undefined;
  readonly slippageBps: number;
}

/** The part of a withdrawal's plan that says what is withdrawn. */
export type WithdrawalPlan =
  | Pick<BinDecreasePlan, 'type' | 'fromBinId' | 'toBinId' | 'filledRanges' | 'hasBitmapExtension' | 'shareBps' | 'rewards' | 'staysOpen'>
  | Pick<ProductDecreasePlan, 'rewards' | 'type' | 'nftMint' | 'liquidity' | 'amountX' | 'amountY' | 'slippageBps' | 'shareBps'>;

/** What a position has in one of its bins now. Raw amounts. */
export interface PositionBin {
  readonly binId: number;
  readonly liquidity: BuildAmounts;
  readonly fees: BuildAmounts;
}

/** What a withdrawal from an open position would give now. Raw amounts. */
export interface PlannedWithdrawal {
  readonly position: Address;
  readonly owner: Address;
  readonly pool: BuildPool;
  /** Leaves the pool. */
  readonly liquidity: BuildAmounts;
  readonly fees: BuildAmounts;
  /** What waits of each reward of the pool, by its number. Default: the pool has none. */
  readonly rewards?: readonly bigint[] | undefined;
  /** Reaches the wallet: liquidity and fees, transfer fees deducted. */
  readonly proceeds: BuildAmounts;
  /** A price that moves until the landing changes the amounts. */
  readonly isMoving: boolean;
  readonly plan: WithdrawalPlan;
  /** All that the position has in the bins of the withdrawal, ascending; none in pools without bins. */
  readonly bins: () => readonly PositionBin[];
  /** The swaps after it. */
  readonly swaps: (terms: SwapWishTerms) => SwapSource;
  /** The value of liquidity and fees; `null`: a price is not known. */
  readonly worth: () => Eventually<BuildWorth>;
}

/** Prices of both tokens in US dollars, and a value in US dollars and SOL. */
export interface BuildWorth {
  readonly priceX: number | null;
  readonly priceY: number | null;
  readonly usd: number | null;
  readonly native: number | null;
}

/** What a wallet has. */
export interface Wallet {
  readonly lamports: bigint;
  /** `undefined`: there is no associated token account. */
  balance(token: TokenAccounts): bigint | undefined;
}

/** What an operation promises, and its instructions don't contain. */
export interface OperationPromise {
  /** The positions of the operation: several only in a claim, none in a swap. */
  readonly positions: readonly Address[];
  /** Strategy of a new position. */
  readonly strategy: Strategy | null;
  /** Active bin at building, and how far it may move until landing; `null` if the instructions have bounds of their own. */
  readonly price: { readonly activeBinId: number; readonly binsOfSlippage: number } | null;
}

/** An operation before it is given to a client. Transactions are in the order in which they land. */
export interface OperationToIssue {
  readonly kind: EngineOperationKind;
  readonly owner: Address;
  readonly lastValidBlockHeight: number;
  readonly promised: OperationPromise;
  /** Without tips. */
  readonly plain: readonly Uint8Array[];
  /** With tips: each bundle lands as a whole. Empty without tips. */
  readonly bundles: readonly (readonly Uint8Array[])[];
  /** Of its swaps. */
  readonly lookupTables: readonly BuildLookupTable[];
}

/** How many of the transactions were simulated. */
export interface SimulationCoverage {
  readonly transactions: number;
  readonly simulated: number;
}

/** The service that builds. Methods throw EngineError. */
export interface BuildService {
  readonly protocols: ProtocolNames;
  /** The exchange that the swaps go through, for the answer. */
  readonly provider: string;
  /** How much less than a quote is used further: what a swap gives is known only when it has landed. Basis points. */
  readonly keptBackBps: number;
  /** Most transactions of a bundle. */
  readonly mostInBundle: number;
  /** Wrapped SOL that the owner has before an entry is not the operation's, and stays. */
  readonly keepsWrappedSol: boolean;
  /** Random bytes; keys of new positions come from it. */
  random(byteCount: number): Uint8Array;
  pool(address: string): Eventually<PoolToEnter>;
  /** @throws EngineError if there is no such token */
  pair(sell: Address, buy: Address): Eventually<SwapPair>;
  withdrawal(positionId: string, share: WithdrawnShare): Eventually<PlannedWithdrawal>;
  /** Runs a plan whose swaps change the prices for those after them; none of that remains. */
  dryRun<Result>(plan: Build<Result>): Build<Result>;
  rent(): Eventually<RentRate>;
  wallet(owner: Address, tokens: readonly TokenAccounts[]): Eventually<Wallet>;
  /**
   * @param written accounts that many others write to as well
   * @param transactions how many there will be at most
   */
  terms(
    owner: Address,
    written: readonly Address[],
    transactions: number,
  ): Eventually<{ readonly terms: BuildTerms; readonly lastValidBlockHeight: number }>;
  /** Makes sure that an operation would land, and stores it: only what is stored can be landed. `undefined`: nothing was simulated. */
  issue(operation: OperationToIssue): Eventually<SimulationCoverage | undefined>;
}
