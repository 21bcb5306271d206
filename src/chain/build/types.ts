import type { Address } from '../../base/solana/address';
import type { TransactionFormat } from '../../base/build/types';
import type { AddParameters, DecreaseParameters } from '../../server/engine';
import type { WireAdd, WireDecrease, WireDecreaseQuote } from '../../server/wire/transactions';
import type { PriceSource } from '../prices/types';
import type { ChainRpc } from '../rpc/types';

/** An operation that is handed out: the messages that may land. */
export interface BuiltOperation {
  readonly kind: 'add' | 'decrease';
  readonly owner: Address;
  readonly pool: Address;
  /** The position that is withdrawn from, or the new one. */
  readonly position: Address;
  readonly lastValidBlockHeight: number;
  /**
   * Transactions in the order in which they land, without the owner's signature; that of a new position is there. Both variants are the same
   * transactions if no tips are paid.
   */
  readonly withJito: readonly Uint8Array[];
  readonly plain: readonly Uint8Array[];
}

/** Remembers what was built: nothing else lands. */
export interface OperationRegister {
  /** Returns when the operation is stored. */
  add(operation: BuiltOperation): void | Promise<void>;
}

/** A swap as a router's service quotes it (Jupiter's shape); `undefined`: swaps go through Meteora's pools. */
export interface SwapApiOptions {
  /** Without a slash at the end: `https://lite-api.jup.ag`. */
  readonly url: string;
  readonly fetch: typeof fetch;
}

/** What building needs. */
export interface BuilderOptions {
  readonly rpc: ChainRpc;
  readonly prices: PriceSource;
  readonly register: OperationRegister;
  readonly swapApi: SwapApiOptions | undefined;
  /** Paid for each operation in the lists for Jito, lamports; 0 without Jito. */
  readonly tipLamports: bigint;
  /** Versions of the transactions that are handed out. */
  readonly format: TransactionFormat;
  /** Returns random bytes; keys of new positions come from it. */
  readonly random: (byteCount: number) => Uint8Array;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: (text: string) => void;
}

/** Builds the transactions of entries and exits. Methods throw EngineError if the request cannot be built. */
export interface OperationBuilder {
  buildAdd(parameters: AddParameters): Promise<WireAdd>;
  buildDecrease(parameters: DecreaseParameters): Promise<WireDecrease>;
  decreaseQuote(positionId: string, bps: number): Promise<WireDecreaseQuote>;
}
