import type { Address } from '../../base/solana/address';
import type { RentRate } from '../../base/solana/rent';
import type { WireTransaction } from '../../base/solana/wireTransaction';
import type { Database } from '../store/database';
import type { UnitOfWork } from '../store/unitOfWork';

/** An account: a row of the table `account`. An account without lamports does not exist. */
export interface ChainAccount {
  lamports: bigint;
  /** The program that owns it. */
  program: Address;
  data: Uint8Array;
  executable: boolean;
}

/** Accounts that a transaction loads from lookup tables, in the order of their indexes. */
export interface LoadedAddresses {
  readonly writable: readonly Address[];
  readonly readonly: readonly Address[];
}

/** A transaction with its loaded addresses; `loaded` is absent if it uses no lookup table. See lookupTables.ts. */
export interface LoadedTransaction extends WireTransaction {
  readonly loaded?: LoadedAddresses;
}

/** A blockhash and the last block height at which it is valid. */
export interface BlockhashLease {
  readonly blockhash: string;
  readonly lastValidBlockHeight: number;
}

/** Result of landing a bundle. */
export type BundleResult =
  /** One signature per transaction, base58, in order. `feeLamports` is 0 if the bundle had landed before. */
  | { readonly kind: 'landed'; readonly signatures: readonly string[]; readonly feeLamports: bigint }
  /** `transaction` is an index from 0; the reason is for users and counts from 1. */
  | { readonly kind: 'failed'; readonly transaction: number; readonly reason: string };

/**
 * Applies the effects of a transaction after it has succeeded on the VM. An {@link EffectError} fails the whole bundle; all participants of
 * the unit of work are rolled back with it.
 */
export type ApplyEffects = (transaction: LoadedTransaction, index: number) => void;

/** The market refused an effect (slippage, not enough liquidity); the bundle fails with this message. */
export class EffectError extends Error {
  override readonly name = 'EffectError';
}

/** Parameters of a chain; its state comes from the database. */
export interface ChainOptions {
  readonly database: Database;
  /** Accounts, blockhashes and landed transactions are participants. */
  readonly unit: UnitOfWork;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Source of random bytes, for blockhashes. */
  readonly random: (byteCount: number) => Uint8Array;
  /** Rent of a new chain; an existing one keeps its own. `undefined`: the highest known. */
  readonly rent?: RentRate | undefined;
  /** Length of a slot; default: 400 ms. */
  readonly slotMs?: number | undefined;
}

/** Lamports and tokens of wallets and vaults, moved outside of transactions. Token amounts are raw. */
export interface Ledger {
  /** What accounts cost. */
  readonly rent: RentRate;
  /** 0 if the account does not exist. */
  lamports(of: Address): bigint;
  /** Sets a balance; the caller takes the lamports from another account. @throws EffectError if negative, or the account is a program or a sysvar */
  setLamports(of: Address, lamports: bigint): void;
  /** Tokens in the owner's associated token account; 0 if it does not exist, or another holder owns it now. */
  tokenBalance(owner: Address, mint: Address): bigint;
  /**
   * Adds tokens to the owner's associated token account, or removes them if negative. A missing account is created; the owner pays its rent.
   * In accounts of wrapped SOL, lamports follow the amount.
   * @throws EffectError if the account holds too little, or the owner can't pay the rent
   */
  credit(owner: Address, mint: Address, amountRaw: bigint): void;
  /** Sets the amount of a token account at any address (a vault); `payer` pays the rent of a new one. In accounts of wrapped SOL, lamports follow the amount. */
  setTokenAccount(at: Address, of: { readonly holder: Address; readonly mint: Address; readonly payer: Address }, amountRaw: bigint): void;
  hasAccount(of: Address): boolean;
  /** Returns true if the account has data or is owned by a program. Where there are only lamports, a program can still create an account. */
  isInUse(of: Address): boolean;
  /** Creates, replaces or removes (`undefined`) an account of a stand-in program: position, bin array. The caller moves the lamports. */
  setProgramAccount(
    of: Address,
    account: { readonly owner: Address; readonly lamports: bigint; readonly data: Uint8Array } | undefined,
  ): void;
}

/** Lamports of an account before and after a transaction. */
export interface BalanceChange {
  readonly address: Address;
  readonly before: bigint;
  readonly after: bigint;
}

/** Raw token amount of an account before and after a transaction; `undefined`: it was not a token account of this mint and holder. */
export interface TokenBalanceChange {
  readonly address: Address;
  readonly mint: Address;
  readonly holder: Address;
  readonly decimals: number;
  /** The token program that owns the account. */
  readonly program: Address;
  readonly before: bigint | undefined;
  readonly after: bigint | undefined;
}

/** An instruction that a program called. Indexes are into all account keys of the transaction. */
export interface ExecutedInnerInstruction {
  /** Index of the instruction of the message that caused it. */
  readonly within: number;
  readonly programIdIndex: number;
  readonly accountIndexes: readonly number[];
  readonly data: Uint8Array;
  /** 2 for a direct call of an instruction of the message. */
  readonly stackHeight: number;
}

/** Effects of a transaction on the chain, including those of stand-in programs. */
export interface Execution {
  readonly feeLamports: bigint;
  readonly computeUnits: bigint;
  readonly logs: readonly string[];
  /** `undefined`: the transaction uses no lookup table. */
  readonly loaded: LoadedAddresses | undefined;
  /** One entry per account of the transaction, changed or not, in the order of the indexes. */
  readonly lamports: readonly BalanceChange[];
  /** Accounts that are token accounts before or after. */
  readonly tokens: readonly TokenBalanceChange[];
  readonly inner: readonly ExecutedInnerInstruction[];
}

/**
 * The runtime's `TransactionError` in the JSON of a node: `"BlockhashNotFound"`,
 * `{"InstructionError":[0,{"Custom":1}]}`.
 */
export type TransactionErrorJson = string | Readonly<Record<string, unknown>>;

/** A transaction that has landed. */
export interface ExecutedTransaction {
  readonly signature: string;
  readonly slot: number;
  /** Seconds since 1970. */
  readonly blockTime: number;
  readonly bytes: Uint8Array;
  readonly execution: Execution;
}

/** Result of a simulation, which changes nothing. */
export type SimulatedExecution =
  | { readonly kind: 'succeeded'; readonly execution: Execution; readonly accounts: readonly (ChainAccount | undefined)[] }
  | {
      readonly kind: 'failed';
      readonly reason: string;
      readonly error: TransactionErrorJson;
      readonly computeUnits: bigint;
      readonly logs: readonly string[];
    };

/** Options of a simulation. */
export interface SimulationTerms {
  readonly checkSignatures: boolean;
  /** Replaces the blockhash by the latest one. */
  readonly replaceBlockhash: boolean;
  /** Accounts to return after the transaction. */
  readonly accounts: readonly Address[];
}

/** Options of the simulation of a bundle. */
export interface BundleTerms extends Pick<SimulationTerms, 'checkSignatures' | 'replaceBlockhash'> {
  /** Accounts to return before and after each transaction. */
  readonly before: readonly (readonly Address[])[];
  readonly after: readonly (readonly Address[])[];
}

/** Simulation of one transaction of a bundle. */
export interface BundleStep {
  /** The first signature, base58, as given; empty if the transaction is malformed. */
  readonly signature: string;
  readonly before: readonly (ChainAccount | undefined)[];
  readonly simulation: SimulatedExecution;
}

/** Lamports of an account at genesis. */
export interface GenesisBalance {
  readonly address: Address;
  readonly lamports: bigint;
}

/** A local Solana chain: accounts in the database, execution on LiteSVM. Times are milliseconds since 1970. */
export interface Chain extends Ledger {
  readonly slot: number;
  /** Lower than the slot, as on mainnet, where slots are skipped. */
  readonly blockHeight: number;
  /** Identifies the chain: random, base58. */
  readonly genesisHash: string;
  /** Lamports created at genesis. Invariant: the sum of all accounts, plus the fees burnt since. */
  readonly genesisLamports: bigint;
  readonly feesBurntLamports: bigint;
  /** Number of landed transactions since genesis. */
  readonly transactionCount: number;
  /**
   * Creates the lamports of a new chain: the given balances, and one SOL for each tip account (a tip alone is less than the rent).
   * @throws RangeError if it was called before
   */
  genesis(endowments: readonly GenesisBalance[]): void;
  /** Length of a slot from the last {@link advance} on. */
  slotMs: number;
  /** Advances slots and block height to `now`; never back, also after a change of the slot length. */
  advance(now: number): void;
  latestBlockhash(): BlockhashLease;
  isBlockhashValid(blockhash: string): boolean;
  /** Creates a mint of the Token program with a fixed supply; does nothing if the account exists. `payer` pays the rent. */
  createMint(mint: Address, decimals: number, supplyRaw: bigint, payer: Address): void;
  /** The present account, including the built-in ones of the VM (programs, sysvars, the mint of wrapped SOL). Don't keep it: it may change in place. */
  account(of: Address): Readonly<ChainAccount> | undefined;
  /** Addresses of the holder's token accounts, as of the last commit. @param mint `undefined` for all mints */
  tokenAccountsOf(holder: Address, mint: Address | undefined): readonly Address[];
  /**
   * Lands signed transactions in order, all or none. Before execution it checks size, encoding, signatures, the age of the blockhash, and
   * that no transaction has landed before. A bundle that has landed as a whole returns `landed` with the same signatures. Does not commit.
   */
  land(transactions: readonly Uint8Array[], applyEffects: ApplyEffects): BundleResult;
  /** Simulates a transaction with its effects. Changes nothing. */
  simulate(transaction: Uint8Array, terms: SimulationTerms, applyEffects: ApplyEffects): SimulatedExecution;
  /** Simulates transactions on top of each other, up to the first that fails. Changes nothing. */
  simulateBundle(transactions: readonly Uint8Array[], terms: BundleTerms, applyEffects: ApplyEffects): readonly BundleStep[];
  /**
   * Lands an unsigned transfer of lamports, like the faucet of a node; `from` pays the fee. Each call is a transaction of its own. Does not
   * commit.
   */
  airdrop(from: Address, to: Address, lamports: bigint): BundleResult;
  /** A landed transaction, as of the last commit. */
  landedTransaction(signature: string): ExecutedTransaction | undefined;
}
