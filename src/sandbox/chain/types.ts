import type { Address } from '../../solana/address';
import type { WireTransaction } from '../../solana/wire';

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
 * Applied after the transaction has succeeded on the VM; throws {@link EffectError} to fail the whole bundle. What it
 * changes on the chain is undone with the bundle; what it changes elsewhere is its caller's to undo.
 */
export type ApplyEffects = (transaction: WireTransaction, index: number) => void;

/** The market refused an effect (slippage, not enough liquidity): the bundle is rolled back with this message. */
export class EffectError extends Error {
  override readonly name = 'EffectError';
}

/** Everything of the chain that outlives the process. */
export interface ChainState {
  readonly accounts: readonly { readonly address: string; readonly lamports: string; readonly owner: string; readonly dataBase64: string; readonly executable: boolean }[];
  readonly slot: number;
  /** When it was saved, in milliseconds since 1970: the slots that passed meanwhile are caught up on. */
  readonly savedAt: number;
  /** Blockhashes that were issued of late, valid or not. */
  readonly blockhashes: readonly BlockhashLease[];
  readonly landed: readonly { readonly key: string; readonly signatures: readonly string[] }[];
}

/** What a chain begins with. */
export interface ChainOptions {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Gives that many random bytes; blockhashes come from it. */
  readonly random: (byteCount: number) => Uint8Array;
  /** Goes on where `save` left off. */
  readonly state?: ChainState;
}

/** A Solana chain of one's own, on LiteSVM. Amounts are raw; times in milliseconds since 1970. */
export interface Chain {
  readonly slot: number;
  /** Lower than the slot, as on the real chain: slots are skipped there. */
  readonly blockHeight: number;
  /** Moves slots and blockhashes on to `now` (a slot is 400 ms); never back. */
  advance(now: number): void;
  latestBlockhash(): BlockhashLease;
  /** Makes a mint of the Token program; does nothing where the account exists. */
  createMint(mint: Address, decimals: number): void;
  /** @throws EffectError where negative. */
  setLamports(of: Address, lamports: bigint): void;
  /** 0 where the account does not exist. */
  lamports(of: Address): bigint;
  /** Tokens in the owner's associated token account; 0 where there is none. */
  tokenBalance(owner: Address, mint: Address): bigint;
  /** Adds (or takes, where negative) tokens to the owner's associated token account, and makes it where missing. Wrapped SOL keeps lamports and amount in step. @throws EffectError where it holds less than is taken. */
  credit(owner: Address, mint: Address, amountRaw: bigint): void;
  hasAccount(of: Address): boolean;
  /** Makes, fills or removes (undefined) an account that a stand-in program would own: position, bin array. */
  setProgramAccount(of: Address, account: { readonly owner: Address; readonly lamports: bigint; readonly data: Uint8Array } | undefined): void;
  /**
   * Lands signed transactions in order, all or none. Checks strictly before the VM sees a byte: size, encoding, all
   * signatures, blockhash known and `blockHeight` ≤ its last valid height, not landed before (the same bundle again
   * answers `landed` with the same signatures and does nothing).
   */
  land(transactions: readonly Uint8Array[], applyEffects: ApplyEffects): BundleResult;
  save(): ChainState;
}
