import type { Address } from '../../../../src/base/solana/address';
import type {
  BlockhashLease,
  ChainAccount,
  ExecutedTransaction,
  Execution,
  TransactionErrorJson,
} from '../../../../src/sandbox/chain/types';
import type { ChainTime } from './chainTime';
import type { Run } from './machine';

/** A transaction on the chain; failed ones are there, too. */
export interface Landed extends ExecutedTransaction {
  readonly error: TransactionErrorJson | null;
}

/** What a transaction did or would do. */
export interface Result {
  readonly error: TransactionErrorJson | null;
  readonly execution: Execution;
  readonly after: Run['after'];
}

/** The result of a transaction that was sent to a leader. */
export type Landing =
  | { readonly kind: 'landed'; readonly transaction: Landed }
  /** It is in no block. */
  | { readonly kind: 'dropped'; readonly error: TransactionErrorJson };

/** A chain behind a node. Slots default to the newest one. */
export interface NodeChain {
  readonly slot: number;
  readonly slotMs: number;
  readonly genesisHash: string;
  readonly transactionCount: number;
  blockHeight(slot?: number): number;
  blockTime(slot?: number): number;
  latestBlockhash(slot?: number): BlockhashLease;
  isBlockhashValid(blockhash: string, slot?: number): boolean;
  minimumBalance(bytes: number): bigint;
  account(of: Address, slot?: number): Readonly<ChainAccount> | undefined;
  programAccounts(program: Address, slot?: number): readonly (readonly [Address, Readonly<ChainAccount>])[];
  find(signature: string): Landed | undefined;
  transactionsOf(address: Address): readonly Landed[];
  simulate(
    bytes: Uint8Array,
    terms: { readonly checkSignatures: boolean; readonly replaceBlockhash: boolean; readonly slot: number },
  ): Result;
  land(bytes: Uint8Array): Landing;
  landBundle(transactions: readonly Uint8Array[]): readonly Landed[] | object;
}

/** Everything that a node knows of a chain, at one moment. */
export interface ChainRecord extends ChainTime {
  readonly slot: number;
  readonly genesisHash: string;
  readonly accounts: readonly (readonly [Address, Readonly<ChainAccount>])[];
  /** Oldest first. */
  readonly landed: readonly Landed[];
}
