import type { Address } from '../../solana/address';
import type { Base64Transaction } from '../../solana/base64Transaction';
import type { Strategy } from './money';

/** What a withdrawal comes back as (contract: decrease-tx). */
export type DecreaseOutput = 'allBaseToken' | 'allToken0' | 'allToken1' | 'both';

/** What decrease-tx is asked (spec §4.8). */
export interface DecreaseRequest {
  readonly positionId: string;
  /** Share to withdraw, 1 to 10000; 10000 is the whole position. */
  readonly bps: number;
  readonly owner: Address;
  /** 0 to 10000. */
  readonly slippageBps: number;
  readonly output: DecreaseOutput;
  readonly poolType?: 'dlmm' | 'dammV2';
}

/** Unsigned withdrawal transactions, in the order in which they land: close, then swap. */
export interface DecreaseBuild {
  readonly closeTransactions: readonly Base64Transaction[];
  readonly swapTransactions: readonly Base64Transaction[];
  /** Block height after which they cannot land. */
  readonly lastValidBlockHeight: number;
}

/** Signed withdrawal transactions (spec §4.9). */
export interface DecreaseLanding {
  readonly closeTransactions: readonly Base64Transaction[];
  readonly swapTransactions: readonly Base64Transaction[];
  readonly lastValidBlockHeight: number;
}

/** What add-tx is asked (spec §4.10), mode `zap-in` (SOL in, swapped as needed) or `normal` (both tokens at hand). */
export type AddRequest = AddRequestBase &
  (
    | { readonly mode: 'zap-in'; /** SOL as a decimal number with at most nine places. */ readonly inputSol: number; /** Share for token X, 0 to 1. */ readonly percentX: number }
    | { readonly mode: 'normal'; /** Whole tokens. */ readonly amountX: number; readonly amountY: number }
  );

interface AddRequestBase {
  readonly pool: Address;
  readonly owner: Address;
  /** This and the range are `undefined` for pools without bins. */
  readonly strategy: Strategy | undefined;
  /** Both ends are in the range; fromBinId ≤ toBinId. */
  readonly fromBinId: number | undefined;
  readonly toBinId: number | undefined;
  /** 0 to 10000. */
  readonly slippageBps: number;
}

/** Unsigned zap-in transactions, in the order in which they land: swap, then add. */
export interface AddBuild {
  readonly swapTransactions: readonly Base64Transaction[];
  readonly addTransactions: readonly Base64Transaction[];
  /** Block height after which they cannot land. */
  readonly lastValidBlockHeight: number;
  /** Handed back to landing unchanged. */
  readonly meta: Readonly<Record<string, unknown>>;
  /** The new position's address (`meta.positionPubKey`). */
  readonly position: Address | undefined;
}

/** Signed zap-in transactions (spec §4.11). */
export interface AddLanding {
  readonly swapTransactions: readonly Base64Transaction[];
  readonly addTransactions: readonly Base64Transaction[];
  readonly lastValidBlockHeight: number;
  readonly meta: Readonly<Record<string, unknown>>;
}

/** What the service says of a landing. */
export interface Landed {
  /** Base58 signature, where the service gives one. */
  readonly signature: string | undefined;
}
