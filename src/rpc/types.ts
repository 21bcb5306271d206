import type { RawTransaction } from '../base/insight/flows';
import type { Address } from '../base/solana/address';
import type { RentRate } from '../base/solana/rent';
import type { Base64Transaction } from '../base/solana/wireTransaction';

/** The state of an account. */
export interface RpcAccount {
  readonly lamports: bigint;
  /** The program that owns the account. */
  readonly program: Address;
  /** The requested part of the data. */
  readonly data: Uint8Array;
}

/** A value as of a slot. */
export interface AsOf<Value> {
  readonly slot: bigint;
  readonly value: Value;
}

/** Options of every call. */
export interface RpcCallOptions {
  readonly signal?: AbortSignal;
}

/** The accounts to read. */
export interface AccountsRequest {
  readonly addresses: readonly Address[];
  /** Length of the data to read from the start of each account. Default: all of it. */
  readonly firstBytes?: number;
  /** True: only state that no fork can undo. Default: the newest state of the node. */
  readonly isFinal?: boolean;
}

/** The status of a transaction, by its signature. */
export interface SignatureStatus {
  readonly slot: bigint;
  /** `undefined`: success. */
  readonly error: string | undefined;
  /** True: its block is only processed. Another fork may replace it, in which the transaction may end differently. */
  readonly isProvisional?: boolean | undefined;
}

/** A transaction in a block. */
export interface LandedTransaction {
  readonly slot: bigint;
  /** `undefined`: success. A failed transaction only paid its fee. */
  readonly error: string | undefined;
  readonly feeLamports: bigint;
  /** All accounts of the transaction, with their lamports before and after. */
  readonly lamports: readonly LamportsChange[];
  /** All token accounts of the transaction, before and after; 0 if the account doesn't exist. */
  readonly tokens: readonly TokenChange[];
}

/** The lamports of an account before and after a transaction. */
export interface LamportsChange {
  readonly address: Address;
  readonly before: bigint;
  readonly after: bigint;
}

/** The balance of a token account before and after a transaction, in the token's smallest unit. */
export interface TokenChange {
  readonly account: Address;
  readonly mint: Address;
  /** Owner of the token account; `undefined` if the node doesn't report it, as for very old transactions. */
  readonly owner: Address | undefined;
  readonly beforeRaw: bigint;
  readonly afterRaw: bigint;
}

/** A transaction to simulate unchanged: signatures are not verified, and the blockhash is not replaced. */
export interface SimulationRequest {
  readonly transaction: Base64Transaction;
  /** Accounts whose state after the transaction is returned. Nodes accept at most as many as the transaction has. */
  readonly accounts: readonly Address[];
  /** The simulation must be as of this slot or a later one. */
  readonly minSlot?: bigint;
}

/** The result of simulating a transaction. */
export interface SimulationResult {
  /** `undefined`: success. */
  readonly error: string | undefined;
  /** In the order of the request; `undefined` for accounts that don't exist. No list if the transaction fails. */
  readonly accounts: readonly (RpcAccount | undefined)[] | undefined;
  /** The inner instructions; `undefined` if the node doesn't return them. */
  readonly innerInstructions: readonly RpcInnerInstruction[] | undefined;
}

export type RpcInnerInstruction = RpcCall & {
  /** Index of the top-level instruction that caused it; `undefined` if the node doesn't report it. */
  readonly calledBy: number | undefined;
};

/** An instruction in one of the three forms that nodes use. */
export type RpcCall =
  /** With indexes into the transaction's accounts. */
  | { readonly form: 'compiled'; readonly programIdIndex: number; readonly accountIndexes: readonly number[]; readonly data: Uint8Array }
  | { readonly form: 'addressed'; readonly program: Address; readonly accounts: readonly Address[]; readonly data: Uint8Array }
  /** Parsed by the node, for the programs that it knows: "approve" with its fields. */
  | { readonly form: 'parsed'; readonly program: Address; readonly type: string; readonly fields: Readonly<Record<string, unknown>> };

/** The result of simulating a bundle. */
export interface BundleSimulation {
  /** In order. Transactions after a failed one are missing. */
  readonly transactions: readonly BundleTransaction[];
  /** Why the bundle fails; `undefined`: success. */
  readonly error: string | undefined;
}

/** The result of one transaction of a bundle. Accounts are in the order of the request, and may be missing if the transaction fails. */
export interface BundleTransaction {
  readonly error: string | undefined;
  readonly before: readonly (RpcAccount | undefined)[] | undefined;
  readonly after: readonly (RpcAccount | undefined)[] | undefined;
  /** The inner instructions; `undefined` if the node doesn't return them, as Jito's nodes don't. */
  readonly innerInstructions: readonly RpcInnerInstruction[] | undefined;
}

/** A bundle to simulate: its transactions in order, and the accounts whose state before and after each one is returned. */
export interface BundleRequest {
  readonly transactions: readonly Base64Transaction[];
  readonly accounts: readonly Address[];
}

/**
 * The Solana RPC of the user. All calls are bounded in time and size.
 * @throws RpcError (transport.ts) from every method, for every failure
 */
export interface SolanaRpc {
  /** The name in messages: "api.mainnet-beta.solana.com". Contains no key. */
  readonly name: string;
  /** Reads any number of accounts, in the order of the addresses. The slot is the lowest one of the answers. */
  accounts(request: AccountsRequest, options?: RpcCallOptions): Promise<AsOf<readonly (RpcAccount | undefined)[]>>;
  /** True if a transaction with this blockhash could still land. */
  isBlockhashValid(blockhash: string, options?: RpcCallOptions): Promise<boolean>;
  blockHeight(options?: RpcCallOptions): Promise<bigint>;
  /** The rent of the current epoch; asked once for each epoch. @throws RpcError also for a rate that is impossible */
  rentRate(options?: RpcCallOptions): Promise<RentRate>;
  /**
   * The length of a slot in the last minutes, milliseconds; `undefined` if the node has not measured it. For estimates in texts: what may
   * still land is decided by the block height alone.
   */
  slotMs(options?: RpcCallOptions): Promise<number | undefined>;
  /** The statuses of up to 256 signatures (base58), in order; `undefined` if the node doesn't know the signature. */
  signatureStatuses(signatures: readonly string[], options?: RpcCallOptions): Promise<readonly (SignatureStatus | undefined)[]>;
  /**
   * The transaction with this first signature (base58), once its block is confirmed; `undefined` if the node doesn't know it or no longer has
   * it. Read up to version 1: a later one is the error `unsupportedVersion`.
   */
  transaction(signature: string, options?: RpcCallOptions): Promise<LandedTransaction | undefined>;
  /** Like {@link transaction}, with its time and all that it called. */
  transactionWithCalls(signature: string, options?: RpcCallOptions): Promise<RawTransaction | undefined>;
  simulate(request: SimulationRequest, options?: RpcCallOptions): Promise<AsOf<SimulationResult>>;
  /** `undefined` if this RPC can't simulate bundles. That is checked only once. */
  simulateBundle(request: BundleRequest, options?: RpcCallOptions): Promise<AsOf<BundleSimulation> | undefined>;
}
