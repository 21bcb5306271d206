import type { Address } from '../../base/solana/address';
import type { WireTransaction } from '../../base/solana/wireTransaction';
import type { Database } from '../store/database';
import type { UnitOfWork } from '../store/unitOfWork';

/** An account of the chain: a row of the table `account`. One without lamports does not exist. */
export interface ChainAccount {
  lamports: bigint;
  /** The program that owns it. */
  program: Address;
  data: Uint8Array;
  executable: boolean;
}

/** Accounts that a transaction takes from lookup tables, in the order in which it numbers them. */
export interface LoadedAddresses {
  readonly writable: readonly Address[];
  readonly readonly: readonly Address[];
}

/** A transaction with what it takes from lookup tables; `loaded` is absent where it takes nothing. See loadedTransaction.ts. */
export interface LoadedTransaction extends WireTransaction {
  readonly loaded?: LoadedAddresses;
}

/** A blockhash and the height after which it no longer counts. */
export interface BlockhashLease {
  readonly blockhash: string;
  readonly lastValidBlockHeight: number;
}

/** What a bundle did, or why it did nothing. */
export type BundleResult =
  /** One signature a transaction, base58, in order. Fees are of this landing: 0 where the bundle had landed before. */
  | { readonly kind: 'landed'; readonly signatures: readonly string[]; readonly feeLamports: bigint }
  /** `transaction` counts from 0; the reason is for the user and counts from 1. */
  | { readonly kind: 'failed'; readonly transaction: number; readonly reason: string };

/**
 * Applied after the transaction has succeeded on the VM; throws {@link EffectError} to fail the whole bundle. Everything that
 * takes part in the unit of work is taken back with the bundle.
 */
export type ApplyEffects = (transaction: LoadedTransaction, index: number) => void;

/** The market refused an effect (slippage, not enough liquidity): the bundle is rolled back with this message. */
export class EffectError extends Error {
  override readonly name = 'EffectError';
}

/** What a chain begins with. What it was before comes from the database. */
export interface ChainOptions {
  readonly database: Database;
  /** The chain's accounts, blockhashes and landed transactions take part in it. */
  readonly unit: UnitOfWork;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Gives that many random bytes; blockhashes come from it. */
  readonly random: (byteCount: number) => Uint8Array;
}

/** What money moves on outside of transactions: accounts of wallets and vaults. Amounts are raw. */
export interface Ledger {
  /** 0 where the account does not exist. */
  lamports(of: Address): bigint;
  /** For transfers: the caller takes the lamports from another account. @throws EffectError if negative, or the account is the chain's own (a program, a sysvar). */
  setLamports(of: Address, lamports: bigint): void;
  /** Tokens in the owner's associated token account; 0 where there is none, or it has become somebody else's. */
  tokenBalance(owner: Address, mint: Address): bigint;
  /** Adds (or takes, where negative) tokens to the owner's associated token account, and makes it where missing, its rent (2,039,280 lamports) paid by the owner. Wrapped SOL keeps lamports and amount in step. @throws EffectError where it holds less than is taken, or the owner cannot pay the rent. */
  credit(owner: Address, mint: Address, amountRaw: bigint): void;
  /** Makes or sets a token account at an address of its own (a vault): its amount becomes `amountRaw`. Wrapped SOL keeps lamports in step. The rent of a new one comes from `payer`. */
  setTokenAccount(at: Address, of: { readonly holder: Address; readonly mint: Address; readonly payer: Address }, amountRaw: bigint): void;
  hasAccount(of: Address): boolean;
  /** Says whether there is more than lamports at an address: a program can make an account of its own where there are only lamports. */
  isInUse(of: Address): boolean;
  /** Makes, fills or removes (undefined) an account that a stand-in program would own: position, bin array. Lamports are the caller's to move. */
  setProgramAccount(
    of: Address,
    account: { readonly owner: Address; readonly lamports: bigint; readonly data: Uint8Array } | undefined,
  ): void;
}

/** One side of what a transaction changed. */
export interface BalanceChange {
  readonly address: Address;
  readonly before: bigint;
  readonly after: bigint;
}

/** Tokens of an account before and after a transaction; raw. `undefined`: it was no token account of this mint and holder then. */
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

/** An instruction that a program called; indexes into the account keys of the message. */
export interface InnerInstruction {
  /** Which instruction of the message it came from, counted from 0. */
  readonly within: number;
  readonly programIdIndex: number;
  readonly accountIndexes: readonly number[];
  readonly data: Uint8Array;
  /** 2 for what an instruction of the message calls itself. */
  readonly stackHeight: number;
}

/** What a transaction did on the chain, effects of stand-in programs included. */
export interface Execution {
  readonly feeLamports: bigint;
  readonly computeUnits: bigint;
  readonly logs: readonly string[];
  /** `undefined`: it takes nothing from lookup tables. */
  readonly loaded: LoadedAddresses | undefined;
  /** One entry for each account of the transaction in its order, changed or not: those that the message names, then those from tables. */
  readonly lamports: readonly BalanceChange[];
  /** Those of them that are token accounts, before or after. */
  readonly tokens: readonly TokenBalanceChange[];
  readonly inner: readonly InnerInstruction[];
}

/**
 * Why the runtime refuses a transaction, as a node writes it in JSON: `"BlockhashNotFound"`,
 * `{"InstructionError":[0,{"Custom":1}]}` (runtime: TransactionError).
 */
export type TransactionErrorJson = string | Readonly<Record<string, unknown>>;

/** A transaction that has landed. */
export interface LandedTransaction {
  readonly signature: string;
  readonly slot: number;
  /** Seconds since 1970. */
  readonly blockTime: number;
  readonly bytes: Uint8Array;
  readonly execution: Execution;
}

/** What simulating found. Nothing is changed by it. */
export type Simulation =
  | { readonly kind: 'succeeded'; readonly execution: Execution; readonly accounts: readonly (ChainAccount | undefined)[] }
  | {
      readonly kind: 'failed';
      readonly reason: string;
      readonly error: TransactionErrorJson;
      readonly computeUnits: bigint;
      readonly logs: readonly string[];
    };

/** How a transaction is simulated. */
export interface SimulationTerms {
  readonly checkSignatures: boolean;
  /** The newest blockhash takes the place of the transaction's own. */
  readonly replaceBlockhash: boolean;
  /** Whose state afterwards is wanted. */
  readonly accounts: readonly Address[];
}

/** How the transactions of a bundle are simulated, one after the other. */
export interface BundleTerms extends Pick<SimulationTerms, 'checkSignatures' | 'replaceBlockhash'> {
  /** Whose state before and after each transaction is wanted. */
  readonly before: readonly (readonly Address[])[];
  readonly after: readonly (readonly Address[])[];
}

/** What simulating one transaction of a bundle found. */
export interface BundleStep {
  /** Its first signature, base58, as it was given; empty where the transaction cannot even be read. */
  readonly signature: string;
  readonly before: readonly (ChainAccount | undefined)[];
  readonly simulation: Simulation;
}

/** Lamports that somebody has when a chain begins. */
export interface GenesisBalance {
  readonly address: Address;
  readonly lamports: bigint;
}

/** A Solana chain of one's own: accounts in the database, instructions on LiteSVM. Times in milliseconds since 1970. */
export interface Chain extends Ledger {
  readonly slot: number;
  /** Lower than the slot, as on the real chain: slots are skipped there. */
  readonly blockHeight: number;
  /** Names this chain, base58: random, made with it. */
  readonly genesisHash: string;
  /** Lamports created at genesis: the sum of all rows of the table `account`, plus the fees burnt since. */
  readonly genesisLamports: bigint;
  readonly feesBurntLamports: bigint;
  /** How many transactions have landed since the chain began. */
  readonly transactionCount: number;
  /**
   * Brings lamports into being: those of the accounts named, and one SOL for each account that takes tips (a tip alone would
   * be less than its rent). Only once, on a new chain: from then on lamports move and are burnt.
   * @throws RangeError the second time.
   */
  genesis(endowments: readonly GenesisBalance[]): void;
  /** Moves slots and blockhashes on to `now` (a slot is 400 ms); never back. */
  advance(now: number): void;
  latestBlockhash(): BlockhashLease;
  isBlockhashValid(blockhash: string): boolean;
  /** Makes a mint of the Token program with a supply; does nothing where the account exists. Its rent comes from `payer`. */
  createMint(mint: Address, decimals: number, supplyRaw: bigint, payer: Address): void;
  /** As it is now, the VM's own accounts (programs, sysvars, the mint of wrapped SOL) included. Not to be kept: it may change when the account does. */
  account(of: Address): Readonly<ChainAccount> | undefined;
  /** Addresses of the holder's token accounts, of one mint or of all. As of the last commit. */
  tokenAccountsOf(holder: Address, mint: Address | undefined): readonly Address[];
  /**
   * Lands signed transactions in order, all or none. Checks strictly before the VM sees a byte: size, encoding, all
   * signatures, blockhash known and `blockHeight` ≤ its last valid height, not landed before (the same bundle again
   * answers `landed` with the same signatures and does nothing). Commits nothing.
   */
  land(transactions: readonly Uint8Array[], applyEffects: ApplyEffects): BundleResult;
  /** What a transaction would do, effects included. Changes nothing. */
  simulate(transaction: Uint8Array, terms: SimulationTerms, applyEffects: ApplyEffects): Simulation;
  /** The same of several, each on top of those before it; ends with the first that fails. Changes nothing. */
  simulateBundle(transactions: readonly Uint8Array[], terms: BundleTerms, applyEffects: ApplyEffects): readonly BundleStep[];
  /**
   * Lands a transfer of lamports that nobody has signed, as a node's faucet makes it; `from` pays the fee. Each call is a
   * transaction of its own. Commits nothing.
   */
  airdrop(from: Address, to: Address, lamports: bigint): BundleResult;
  /** As of the last commit. */
  landedTransaction(signature: string): LandedTransaction | undefined;
}
