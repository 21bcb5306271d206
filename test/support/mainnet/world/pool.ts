import type { Keypair } from '@solana/web3.js';
import type { Address } from '../../../../src/base/solana/address';
import type { LittleToken } from './tokens';

/** Who acts: a wallet with its key. */
export interface Wallet {
  readonly address: Address;
  readonly keypair: Keypair;
}

/** What a helper did. */
export interface Done {
  readonly signatures: readonly string[];
}

/** A position that a helper opened. */
export interface OpenedPosition extends Done {
  readonly position: Address;
}

/** A deposit; amounts raw. A side that is left out is 0, and in DAMM v2 follows from the other one. */
export interface Deposit {
  readonly x?: bigint;
  readonly y?: bigint;
  /** DLMM: bins beside the active one, the lower bound negative; -10 to 10 by default. */
  readonly bins?: readonly [lower: number, upper: number];
  readonly strategy?: 'Spot' | 'Curve' | 'BidAsk';
  /** DLMM, less than 70 bins: opens at the address of this position, which was closed. */
  readonly again?: Address;
}

/** A pool of the little mainnet, and what can be done with it. Amounts are raw. */
export interface LittlePool {
  readonly address: Address;
  readonly program: 'dlmm' | 'damm';
  readonly x: LittleToken;
  readonly y: LittleToken;
  /** DLMM only. */
  readonly binStep: number | undefined;
  open(wallet: Wallet, deposit: Deposit): Promise<OpenedPosition>;
  add(wallet: Wallet, position: Address, deposit: Deposit): Promise<Done>;
  swap(wallet: Wallet, sell: 'x' | 'y', amountRaw: bigint): Promise<Done>;
  claim(wallet: Wallet, position: Address): Promise<Done>;
  /** Withdraws a part, and leaves the position open. */
  withdraw(wallet: Wallet, position: Address, bps: number): Promise<Done>;
  /** Withdraws and claims everything and closes the position. */
  close(wallet: Wallet, position: Address): Promise<Done>;
}
