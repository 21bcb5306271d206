import type { Address } from '../../base/solana/address';
import type { RentRate } from '../../base/solana/rent';
import type { TokenAccountStatus } from '../../base/solana/tokenAccount';

// Facts that the user's Solana RPC can add to the review. The review itself uses no network: it lists its `questions` and runs again with
// the answers.

/** Answers of the RPC. A missing entry was not asked for or not answered. */
export interface ChainFacts {
  /** By the table's address. */
  readonly lookupTables: ReadonlyMap<Address, LookupTable>;
  /** By the token account's address: its owner, and who else can act on it. Only accounts of a token program. */
  readonly tokenAccounts: ReadonlyMap<Address, TokenAccountFact>;
  /** By the mint's address. Only mints of Token-2022. */
  readonly mints: ReadonlyMap<Address, readonly MintRisk[]>;
  /** By the mint's address: its number of decimals. */
  readonly decimals?: ReadonlyMap<Address, number>;
  /** By the pool's address: its tokens and its price, or that there is no pool. */
  readonly pools?: ReadonlyMap<Address, PoolFact>;
  /** By the position's address, at the commitment *finalized*. Only accounts that are positions. */
  readonly positions?: ReadonlyMap<Address, PositionFact>;
  /** By the blockhash: whether the network still accepts it. */
  readonly blockhashes: ReadonlyMap<string, boolean>;
  /** What a byte of an account costs now. */
  readonly rent?: RentRate | undefined;
  readonly simulation: Simulation | undefined;
  /** What went wrong with the RPC, as a sentence for the user; `undefined`: nothing. */
  readonly problem?: string | undefined;
}

/** The content of an address lookup table. A table only grows, and its entries never change. */
export interface LookupTable {
  readonly addresses: readonly Address[];
  /** The table is being deactivated: a transaction that uses it may fail soon (ALT-4). */
  readonly isDeactivated: boolean;
}

/** Facts about a token account. A field that is `undefined` was not stated and proves nothing. */
export interface TokenAccountFact {
  readonly owner: Address;
  readonly mint: Address;
  readonly state?: TokenAccountStatus | undefined;
  /** The account besides its owner that can spend from it; `null`: none. */
  readonly delegate?: Address | null | undefined;
  /** The account that can close it instead of its owner; `null`: none. */
  readonly closeAuthority?: Address | null | undefined;
  /** Restrictions of Token-2022 that stop transfers. Older reports do not state them. */
  readonly limits?: readonly TokenAccountLimit[] | undefined;
}

/** `memoRequired`: the account accepts no tokens without a memo. `cpiGuard`: no program may move its tokens with the owner's signature. */
export type TokenAccountLimit = 'memoRequired' | 'cpiGuard';

/** Tokens and price of a pool, by its account. */
export type KnownPool = { readonly tokenX: Address; readonly tokenY: Address } & (
  | { readonly kind: 'dlmm'; readonly activeBinId: number; /** Basis points. */ readonly binStepBps: number }
  | {
      readonly kind: 'dammV2';
      /** The square root of the price (raw Y for one raw X) as Q64.64. */
      readonly sqrtPriceQ64: bigint;
      /** The prices at which the pool has liquidity, in the same form. Missing where liquidity follows another rule, or in older reports. */
      readonly range?: SqrtPriceRange | undefined;
    }
);

/** A range of prices: square roots as Q64.64. */
export interface SqrtPriceRange {
  readonly minQ64: bigint;
  readonly maxQ64: bigint;
}

/** The account at the address of a pool. `none`: there is no account (`program` is `undefined`), or it is not a pool. */
export type PoolFact = KnownPool | { readonly kind: 'none'; readonly program: Address | undefined };

/** Facts about a position in DLMM or DAMM v2. */
export interface PositionFact {
  readonly pool: Address;
  /** DLMM: the position's owner. DAMM v2: the holder of the position's NFT. */
  readonly owner: Address;
  /** Others that can act on it. DLMM: operator and fee owner. DAMM v2: delegate and close authority of the NFT's account. */
  readonly powers: readonly Address[];
  /** Unlike a new position. DLMM: locked, or with permissions for everyone. DAMM v2: with permissions for a delegate, or its NFT is frozen. */
  readonly isRestricted: boolean;
  /** DLMM only: its range, both ends included. */
  readonly lowerBinId?: number;
  readonly upperBinId?: number;
}

/** A property of a Token-2022 mint that puts its holders at risk. */
export interface MintRisk {
  /**
   * `paused`: all transfers are stopped now. `scaledAmount`: wallets show other amounts than raw units and decimals give. `unknown`: the mint
   * has an extension that Binsight does not know, or could not be read to its end.
   */
  readonly kind:
    | 'permanentDelegate'
    | 'transferHook'
    | 'frozenByDefault'
    | 'nonTransferable'
    | 'pausable'
    | 'paused'
    | 'confidentialTransfer'
    | 'transferFee'
    | 'scaledAmount'
    | 'unknown';
  /** Only for `transferFee`: basis points. */
  readonly bps?: number;
}

/** Open questions that an RPC could answer. */
export interface OpenQuestions {
  readonly lookupTables: readonly Address[];
  /** Accounts that tokens move to or from: their owners, and who else can act on them. */
  readonly tokenAccounts: readonly Address[];
  /** The pool's mints. */
  readonly mints: readonly Address[];
  /** The operation's pool, for its price. */
  readonly pools: readonly Address[];
  /** Positions that liquidity goes into. */
  readonly positions: readonly Address[];
  readonly blockhashes: readonly string[];
  /** What a byte of an account costs, if the transactions create accounts or refund the rent of any. */
  readonly rent: readonly 'rate'[];
}

/** The result of executing the transactions now. */
export interface Simulation {
  readonly slot: bigint;
  /** In order; fewer than the operation has if the RPC simulates no bundles. */
  readonly transactions: readonly SimulatedTransaction[];
}

/** The simulation of one transaction. */
export interface SimulatedTransaction {
  /** `undefined`: it would succeed. */
  readonly error: string | undefined;
  /** The accounts of `Review.watched` before and after it. An account that does not exist is missing. */
  readonly before: ReadonlyMap<Address, AccountState>;
  readonly after: ReadonlyMap<Address, AccountState>;
  /** As the RPC gives them, with indexes into the transaction's accounts; `undefined` if it gives none. */
  readonly innerInstructions: readonly InnerInstruction[] | undefined;
}

/** An account at one point in time. */
export interface AccountState {
  readonly lamports: bigint;
  /** The program that it belongs to. */
  readonly program: Address;
  readonly data: Uint8Array;
}

/** An instruction called by a program. Indexes count static accounts first, then those from tables: writable ones, then the others. */
export interface InnerInstruction {
  /** The transaction's own instruction that led to the call, at any depth, from 0; missing if the RPC does not say. */
  readonly calledBy?: number | undefined;
  readonly programIdIndex: number;
  readonly accountIndexes: readonly number[];
  readonly data: Uint8Array;
}

/** No RPC was asked. */
export const NO_FACTS: ChainFacts = {
  lookupTables: new Map(),
  tokenAccounts: new Map(),
  mints: new Map(),
  blockhashes: new Map(),
  simulation: undefined,
};
