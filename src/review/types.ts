import type { Address } from '../solana/address';
import type { ReviewedTransaction } from './review';
import type { DecreaseOutput } from '../api/records/transactions';
import type { Strategy } from '../api/records/money';

export type { ReviewedTransaction, SignReviewed } from './review';

/** Allowed; needs a decision on each finding; never signed. */
export type Verdict = 'allow' | 'confirm' | 'block';

/** Which list of the service's answer a transaction came in. */
export type TransactionGroup = 'close' | 'swap' | 'add';

/** What the user asked for; the transactions are read against it. */
export type Intent = ZapOutIntent | ZapInIntent;

interface IntentBase {
  readonly owner: Address;
  readonly pool: Address;
  /** 0 to 10000. */
  readonly slippageBps: number;
  /** The pool's mints, as the listing gave them. */
  readonly tokenX: Address | undefined;
  readonly tokenY: Address | undefined;
}

/** Out of a position. */
export interface ZapOutIntent extends IntentBase {
  readonly kind: 'zapOut';
  readonly position: Address;
  /** Share to take out, 1 to 10000. */
  readonly shareBps: number;
  readonly output: DecreaseOutput;
}

/** Into a pool. */
export interface ZapInIntent extends IntentBase {
  readonly kind: 'zapIn';
  /** `meta.positionPubKey` of the service's answer. */
  readonly position: Address | undefined;
  readonly inputLamports: bigint;
  readonly strategy: Strategy;
  readonly fromBinId: number;
  readonly toBinId: number;
}

/** One thing the review has to say. */
export interface Finding {
  /** The policy's name of the rule: "SIG-2". */
  readonly rule: string;
  readonly verdict: Verdict | 'info';
  /** A sentence for the user: what is there and what it means for the money. Addresses in full. */
  readonly message: string;
  /** Which transaction and instruction, from 0. */
  readonly transaction?: number;
  readonly instruction?: number;
  readonly address?: Address;
}

/** What the operation costs and moves at most, read from the transactions alone; lamports. */
export interface Spends {
  /** SOL that goes into the pool or into swaps. */
  readonly consumedLamports: bigint;
  readonly wrappedLamports: bigint;
  /** Base fees of all signatures. */
  readonly networkFeeLamports: bigint;
  readonly priorityFeeLamports: bigint;
  readonly tipLamports: bigint;
  /** Comes back when the account is closed (position, token accounts). */
  readonly refundableRentLamports: bigint;
  /** Does not come back (bin arrays). */
  readonly spentRentLamports: bigint;
  /** SOL sent to anybody else. */
  readonly otherLamports: bigint;
}

/** A minimum that the instructions themselves guarantee. */
export interface MinimumOut {
  /** `undefined`: it comes out of a lookup table, which was not resolved. */
  readonly mint: Address | undefined;
  readonly amountRaw: bigint;
  /** "swap" */
  readonly from: string;
}

/** Tokens other than SOL that the instructions may take out of the owner's accounts, at most. */
export interface TokenSpend {
  /** `undefined`: the account is not one that the review can name. */
  readonly mint: Address | undefined;
  readonly amountRaw: bigint;
  /** What they go into. */
  readonly into: 'swap' | 'position';
}

/** One instruction in words, for the details document. */
export interface DecodedInstruction {
  readonly program: Address;
  /** "Meteora DLMM", or the address where it is unknown. */
  readonly programName: string;
  /** "remove_liquidity_by_range2"; "unknown" where it cannot be read. */
  readonly name: string;
  readonly accounts: readonly { readonly role: string; readonly address: Address | undefined; readonly knownAs: string | undefined; readonly signer: boolean; readonly writable: boolean }[];
  readonly args: readonly { readonly name: string; readonly value: string }[];
  /** Why it could not be read, where it could not. */
  readonly problem: string | undefined;
}

/** One transaction in words. */
export interface DecodedTransaction {
  readonly group: TransactionGroup;
  /** Its place in the operation, from 0. */
  readonly transaction: number;
  readonly version: 'legacy' | 0;
  readonly feePayer: Address;
  readonly signers: readonly { readonly address: Address; readonly signed: boolean }[];
  readonly instructions: readonly DecodedInstruction[];
  /** sha256 of the message, hex. */
  readonly messageHash: string;
}

/** What the review says of all transactions of one operation together. */
export interface Review {
  readonly verdict: Verdict;
  readonly intent: Intent;
  /** Worst first. */
  readonly findings: readonly Finding[];
  readonly spends: Spends;
  readonly minimumOut: readonly MinimumOut[];
  readonly tokenSpends: readonly TokenSpend[];
  /** Programs that run, by name, without repeats. */
  readonly programs: readonly string[];
  /** Everybody but the pool and the owner who gets something. */
  readonly recipients: readonly { readonly address: Address; readonly role: string }[];
  /** As far as they could be decoded. */
  readonly transactions: readonly DecodedTransaction[];
  readonly lastValidBlockHeight: number | undefined;
  /** Empty when blocked: what cannot be signed is not handed out. In the order in which they land. */
  readonly reviewed: readonly ReviewedTransaction[];
}
