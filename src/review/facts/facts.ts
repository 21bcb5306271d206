import type { Address } from '../../base/solana/address';

// What a Solana RPC of the user's own can add to the review (policy §1 ALT, §3 NON-3, §5, §7, §12). The review itself asks nobody:
// it says in its `questions` what it would like to know, and is run again with the answers.

/** What an RPC has said; what is missing here was not asked, or not answered. */
export interface ChainFacts {
  /** By the table's address. */
  readonly lookupTables: ReadonlyMap<Address, LookupTable>;
  /** By the token account's address: whose it is, and who else has power over it. Only of accounts that belong to a token program. */
  readonly tokenAccounts: ReadonlyMap<Address, TokenAccountFact>;
  /** By the mint's address. Only of mints of Token-2022. */
  readonly mints: ReadonlyMap<Address, readonly MintRisk[]>;
  /** By the mint's address: how many decimals it has. */
  readonly decimals?: ReadonlyMap<Address, number>;
  /** By the pool's address: its tokens and its price, or that there is no pool. */
  readonly pools?: ReadonlyMap<Address, PoolFact>;
  /** By the position's address: whose it is, at the commitment *finalized*. Only of accounts that are positions. */
  readonly positions?: ReadonlyMap<Address, PositionFact>;
  /** By the blockhash: whether the network still takes it. */
  readonly blockhashes: ReadonlyMap<string, boolean>;
  readonly simulation: Simulation | undefined;
  /** What the RPC did not answer, as a sentence for the user; `undefined` where nothing went wrong. */
  readonly problem?: string | undefined;
}

/** The content of an address lookup table. It only ever grows, and what is in it never changes. */
export interface LookupTable {
  readonly addresses: readonly Address[];
  /** It is being given up: a transaction that names it may fail soon (ALT-4). */
  readonly isDeactivated: boolean;
}

/** What is known of a token account. A field that is `undefined` was not stated, and proves nothing. */
export interface TokenAccountFact {
  readonly owner: Address;
  readonly mint: Address;
  readonly state?: TokenAccountStatus | undefined;
  /** Who may spend from it besides its owner; `null`: no one. */
  readonly delegate?: Address | null | undefined;
  /** Who may close it instead of its owner; `null`: no one. */
  readonly closeAuthority?: Address | null | undefined;
  /** What Token-2022 makes of it; only what stops a transfer is listed. Not stated by older reports. */
  readonly limits?: readonly TokenAccountLimit[] | undefined;
}

/** `memoRequired`: it takes no tokens without a memo. `cpiGuard`: no program may move tokens out of it with the owner's signature. */
export type TokenAccountLimit = 'memoRequired' | 'cpiGuard';

/** In which state a token account is (spl-token, `AccountState`). */
export type TokenAccountStatus = 'uninitialized' | 'initialized' | 'frozen';

/** What a pool's account says of its tokens and its price. */
export type KnownPool = { readonly tokenX: Address; readonly tokenY: Address } & (
  | { readonly kind: 'dlmm'; readonly activeBinId: number; /** Basis points. */ readonly binStepBps: number }
  /** The square root of the price (raw Y for one raw X) as Q64.64. */
  | { readonly kind: 'dammV2'; readonly sqrtPriceQ64: bigint }
);

/** What an RPC says of the address of a pool. `none`: there is no account (`program` is `undefined`), or one that is not a pool. */
export type PoolFact = KnownPool | { readonly kind: 'none'; readonly program: Address | undefined };

/** What is known of a position in DLMM or DAMM v2. */
export interface PositionFact {
  readonly pool: Address;
  /** DLMM: the position's owner. DAMM v2: who holds the position's NFT. */
  readonly owner: Address;
  /** Others who may act on it. DLMM: operator and fee owner. DAMM v2: delegate and close authority of the account that holds the NFT. */
  readonly powers: readonly Address[];
  /** Not as a new position is. DLMM: locked, or with permissions for everybody. DAMM v2: with permissions for a delegate, or its NFT is frozen. */
  readonly isRestricted: boolean;
  /** Only in DLMM: the bins that it spans. Both ends are in it. */
  readonly lowerBinId?: number;
  readonly upperBinId?: number;
}

/** What a Token-2022 mint allows others to do with its tokens. */
export interface MintRisk {
  /**
   * `paused`: all transfers are stopped now. `scaledAmount`: wallets show another amount than raw units and decimals give. `unknown`: it has an
   * extension that Binsight does not know, or could not be read to its end.
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

/** What an RPC could still say; empty lists where nothing is open. */
export interface OpenQuestions {
  readonly lookupTables: readonly Address[];
  /** Accounts that tokens move to or from: who holds them, and who else has power over them. */
  readonly tokenAccounts: readonly Address[];
  /** The pool's mints. */
  readonly mints: readonly Address[];
  /** The pool that the operation is about, for its price. */
  readonly pools: readonly Address[];
  /** Positions that liquidity goes into. */
  readonly positions: readonly Address[];
  readonly blockhashes: readonly string[];
}

/** How the transactions would go if they were carried out now. */
export interface Simulation {
  readonly slot: bigint;
  /** In their order; fewer than there are where the RPC simulates no bundles. */
  readonly transactions: readonly SimulatedTransaction[];
}

/** What the simulation of one transaction gave. */
export interface SimulatedTransaction {
  /** `undefined`: it would succeed. */
  readonly error: string | undefined;
  /** Accounts before it and after it, of those in `Review.watched`; one that does not exist is missing. */
  readonly before: ReadonlyMap<Address, AccountState>;
  readonly after: ReadonlyMap<Address, AccountState>;
  /** As the RPC gives them, with places in the transaction's accounts; `undefined` where it gives none. */
  readonly innerInstructions: readonly InnerInstruction[] | undefined;
}

/** An account at one moment. */
export interface AccountState {
  readonly lamports: bigint;
  /** The program that it belongs to. */
  readonly program: Address;
  readonly data: Uint8Array;
}

/** An instruction that a program has called. The places count static accounts first, then those from tables: all writable ones, then the others. */
export interface InnerInstruction {
  /** Which of the transaction's own instructions it came about in, from 0, however deep; missing where the RPC does not say. */
  readonly calledBy?: number | undefined;
  readonly programIdIndex: number;
  readonly accountIndexes: readonly number[];
  readonly data: Uint8Array;
}

/** Nothing was asked. */
export const NO_FACTS: ChainFacts = {
  lookupTables: new Map(),
  tokenAccounts: new Map(),
  mints: new Map(),
  blockhashes: new Map(),
  simulation: undefined,
};
