import type { Address } from '../base/solana/address';
import type { Base64Transaction } from '../base/solana/wireTransaction';

/** An account as an RPC gives it. */
export interface RpcAccount {
  readonly lamports: bigint;
  /** The program that it belongs to. */
  readonly program: Address;
  /** Only the part that was asked for, where a part was. */
  readonly data: Uint8Array;
}

/** What an RPC has, as of a slot. */
export interface AsOf<Value> {
  readonly slot: bigint;
  readonly value: Value;
}

/** What goes for each call. */
export interface RpcCallOptions {
  readonly signal?: AbortSignal;
}

/** Which accounts to read, and of each how much. */
export interface AccountsRequest {
  readonly addresses: readonly Address[];
  /** Only the first so many bytes of each. */
  readonly firstBytes?: number;
  /** Only what can no longer be undone by a fork. Otherwise the newest state that the node has. */
  readonly isFinal?: boolean;
}

/** What became of a signature. */
export interface SignatureStatus {
  readonly slot: bigint;
  /** `undefined`: it succeeded. */
  readonly error: string | undefined;
  /** True: the block that has it is only processed so far, and may still be given up for another one, in which the transaction may end differently. */
  readonly isProvisional?: boolean | undefined;
}

/** A transaction that the network has taken into a block. */
export interface LandedTransaction {
  readonly slot: bigint;
  /** `undefined`: it succeeded. Of one that did not, only the fee was paid. */
  readonly error: string | undefined;
  readonly feeLamports: bigint;
  /** Every account that it names, with what was in it before and after. */
  readonly lamports: readonly LamportsChange[];
  /** Every token account that it names, before and after; 0 where it did not exist, or does not any more. */
  readonly tokens: readonly TokenChange[];
}

/** What a transaction changed in an account. */
export interface LamportsChange {
  readonly address: Address;
  readonly before: bigint;
  readonly after: bigint;
}

/** What a transaction changed in a token account, in the token's smallest unit. */
export interface TokenChange {
  readonly account: Address;
  readonly mint: Address;
  /** Whose account it is; `undefined` where the node does not say, as of very old transactions. */
  readonly owner: Address | undefined;
  readonly beforeRaw: bigint;
  readonly afterRaw: bigint;
}

/** One transaction to be simulated, as it is: its signatures are not checked, its blockhash is not replaced. */
export interface SimulationRequest {
  readonly transaction: Base64Transaction;
  /** Accounts whose state after it is wanted; nodes take no more of them than the transaction itself names. */
  readonly accounts: readonly Address[];
  /** The simulation must not be as of an earlier slot. */
  readonly minSlot?: bigint;
}

/** How one transaction would go. */
export interface SimulationResult {
  /** `undefined`: it would succeed. */
  readonly error: string | undefined;
  /** In the order in which they were asked for; `undefined`: it does not exist. No list: the transaction fails. */
  readonly accounts: readonly (RpcAccount | undefined)[] | undefined;
  /** What its programs call; `undefined` where the node does not say. */
  readonly innerInstructions: readonly RpcInnerInstruction[] | undefined;
}

/** An instruction that a program calls. */
export type RpcInnerInstruction = RpcCall & {
  /** Which of the transaction's own instructions it came about in, from 0; `undefined` where the node does not say. */
  readonly calledBy: number | undefined;
};

/** What is called, in one of the three forms in which nodes write it. */
export type RpcCall =
  /** With places in the transaction's accounts. */
  | { readonly form: 'compiled'; readonly programIdIndex: number; readonly accountIndexes: readonly number[]; readonly data: Uint8Array }
  | { readonly form: 'addressed'; readonly program: Address; readonly accounts: readonly Address[]; readonly data: Uint8Array }
  /** In words, of the programs that nodes know: "approve" with its fields. */
  | { readonly form: 'parsed'; readonly program: Address; readonly type: string; readonly fields: Readonly<Record<string, unknown>> };

/** How the transactions of a bundle would go, one after the other. */
export interface BundleSimulation {
  /** In their order; what comes after one that fails is missing. */
  readonly transactions: readonly BundleTransaction[];
  /** Why the bundle fails, where it does. */
  readonly error: string | undefined;
}

/** How one transaction of a bundle would go. The accounts are in the order in which they were asked for; of one that fails they may be missing. */
export interface BundleTransaction {
  readonly error: string | undefined;
  readonly before: readonly (RpcAccount | undefined)[] | undefined;
  readonly after: readonly (RpcAccount | undefined)[] | undefined;
  /** What its programs call; `undefined` where the node does not say, as Jito's do not. */
  readonly innerInstructions: readonly RpcInnerInstruction[] | undefined;
}

/** A bundle to be simulated: its transactions in order, and the accounts whose state before and after each is wanted. */
export interface BundleRequest {
  readonly transactions: readonly Base64Transaction[];
  readonly accounts: readonly Address[];
}

/**
 * A Solana RPC of the user's own. All calls are bounded in time and size.
 * @throws RpcError (errors.ts) from every method, for everything that goes wrong.
 */
export interface SolanaRpc {
  /** "api.mainnet-beta.solana.com": how it is called in messages. Holds no key. */
  readonly name: string;
  /** Any number of accounts; in the order in which they were asked for. The slot is the least that one of them is as of. */
  accounts(request: AccountsRequest, options?: RpcCallOptions): Promise<AsOf<readonly (RpcAccount | undefined)[]>>;
  /** Whether a transaction with this blockhash could still land. */
  isBlockhashValid(blockhash: string, options?: RpcCallOptions): Promise<boolean>;
  blockHeight(options?: RpcCallOptions): Promise<bigint>;
  /** In the order of the signatures (base58), 256 at most; `undefined`: the node does not know it. */
  signatureStatuses(signatures: readonly string[], options?: RpcCallOptions): Promise<readonly (SignatureStatus | undefined)[]>;
  /** The transaction of that signature (base58, the first one), once a block that has it is confirmed; `undefined`: the node does not know it, or does not keep it any longer. */
  transaction(signature: string, options?: RpcCallOptions): Promise<LandedTransaction | undefined>;
  simulate(request: SimulationRequest, options?: RpcCallOptions): Promise<AsOf<SimulationResult>>;
  /** `undefined`: this RPC simulates no bundles; it is asked that only once. */
  simulateBundle(request: BundleRequest, options?: RpcCallOptions): Promise<AsOf<BundleSimulation> | undefined>;
}
