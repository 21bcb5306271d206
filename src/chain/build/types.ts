import type { TransactionFormat } from '../../engine/assembly/types';
import type {
  AddParameters,
  ClaimParameters,
  DecreaseParameters,
  DepositParameters,
  ProtocolNames,
  SwapParameters,
} from '../../engine/engine';
import type { WireAdd, WireClaim, WireDecrease, WireDecreaseQuote, WireSwap } from '../../engine/wire/transactions';
import type { IssuedOperations } from '../landing/types';
import type { PriceSource } from '../prices/types';
import type { ChainRpc } from '../rpc/types';

/** A swap API of Jupiter's shape. */
export interface SwapApiOptions {
  /** With the path in front of `/quote` and `/swap-instructions`, without a slash at the end: `https://api.jup.ag/swap/v1`. */
  readonly url: string;
  readonly fetch: typeof fetch;
}

/** What building needs. */
export interface BuilderOptions {
  readonly protocols: ProtocolNames;
  readonly rpc: ChainRpc;
  readonly prices: PriceSource;
  /** Gets every operation before it is handed out. */
  readonly issued: IssuedOperations;
  /** `undefined`: swaps go through Meteora's pools. */
  readonly swapApi: SwapApiOptions | undefined;
  /** Tip of each bundle, lamports; 0 without Jito. */
  readonly tipLamports: bigint;
  /** Versions of the transactions that are handed out. */
  readonly format: TransactionFormat;
  /** Returns random bytes; keys of new positions come from it. */
  readonly random: (byteCount: number) => Uint8Array;
  readonly log: (text: string) => void;
}

/** Builds the transactions of entries and exits. Methods throw EngineError if the request cannot be built. */
export interface OperationBuilder {
  buildAdd(parameters: AddParameters): Promise<WireAdd>;
  buildDeposit(parameters: DepositParameters): Promise<WireAdd>;
  buildClaim(parameters: ClaimParameters): Promise<WireClaim>;
  buildDecrease(parameters: DecreaseParameters): Promise<WireDecrease>;
  buildSwap(parameters: SwapParameters): Promise<WireSwap>;
  decreaseQuote(positionId: string, bps: number): Promise<WireDecreaseQuote>;
}
