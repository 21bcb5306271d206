import type { Address } from '../base/solana/address';
import type { DecreaseOutput } from '../service/transactions';
import type { Strategy } from '../service/common';
import type { OpenQuestions, ChainFacts } from './facts/facts';
import type { PolicySettings } from './policy';
import type { Base64Transaction } from '../base/solana/base64Transaction';

/** Allowed; needs a decision on each finding; never signed. */
export type Verdict = 'allow' | 'confirm' | 'block';

/** Which list of the service's answer a transaction came in. */
export type TransactionGroup = 'close' | 'swap' | 'add';

/** What the user asked for; the transactions are read against it. */
export type Intent = ZapOutIntent | ZapInIntent;

interface IntentBase {
  readonly owner: Address;
  readonly pool: Address;
  /** `undefined`: not known; the pool's address decides. */
  readonly poolType?: 'dlmm' | 'dammV2' | undefined;
  /** The position that is left, as the listing names it; for a zap-in `meta.positionPubKey`. In DAMM v2 it may be the NFT's mint. */
  readonly position: Address | undefined;
  /** 0 to 10000. */
  readonly slippageBps: number;
  /** The pool's mints, as the listing gave them. */
  readonly tokenX: Address | undefined;
  readonly tokenY: Address | undefined;
  /** Prices that the user was shown: swaps are measured by them (SWP-9). A swap between two tokens without one is a question. */
  readonly references?: readonly PriceReference[] | undefined;
  /** Prices in US dollars from the service's lists: wrong prices of well-known tokens and contradictions are a question (SWP-9). */
  readonly listedPrices?: readonly ListedPrice[] | undefined;
}

/** The price of one whole token by a list of the service. */
export interface ListedPrice {
  readonly mint: Address;
  /** US dollars, above 0. */
  readonly usd: number;
  /** It comes from another record than {@link IntentBase.references}: another position or pool, or the pool's active bin. */
  readonly isElsewhere?: boolean | undefined;
  /** It follows from the active bin of the operation's pool, and is compared by itself. */
  readonly isByBin?: boolean | undefined;
}

/** A price: so much of one token for so much of another. Raw units, both above 0. */
export interface PriceReference {
  readonly inMint: Address;
  readonly outMint: Address;
  readonly inAmountRaw: bigint;
  readonly outAmountRaw: bigint;
}

/** Out of a position. */
export interface ZapOutIntent extends IntentBase {
  readonly kind: 'zapOut';
  /** Share to take out, 1 to 10000. */
  readonly shareBps: number;
  /** `undefined`: any token of the pool. */
  readonly output: DecreaseOutput | undefined;
  /** The position's range, where it has one and it is known. Both ends are in it. */
  readonly fromBinId?: number | undefined;
  readonly toBinId?: number | undefined;
  /**
   * What the share is worth in each of the pool's tokens by the figures that the user was shown, as if all of it were that
   * token: a swap that sells much more takes from what else the wallet holds (SWP-7). A zap-out that swaps without it is a question.
   */
  readonly worth?: readonly TokenAmount[] | undefined;
  /**
   * How much of each of the pool's tokens the share and all fees are, by the figures that the user was shown (SWP-7). A token of which it
   * is not known is missing. Given only with all transactions of the operation. `undefined`: not asked for; `worth` alone bounds the swaps.
   */
  readonly holdings?: readonly TokenAmount[] | undefined;
}

/** So much of a token, raw units. */
export interface TokenAmount {
  readonly mint: Address;
  readonly amountRaw: bigint;
}

/** A token that goes in as the wallet has it. */
export interface TokenAtHand extends TokenAmount {
  /** By which the user's amount was reckoned; the mint has to have as many, where an RPC tells (LIM-1). */
  readonly decimals?: number | undefined;
}

/** Into a pool. */
export interface ZapInIntent extends IntentBase {
  readonly kind: 'zapIn';
  /** SOL that goes in: all of the input or, where `tokens` are given, what goes in of SOL as one of the pool's tokens (0 where it is none). */
  readonly inputLamports: bigint;
  /**
   * Mode `normal`: what goes in of the pool's tokens other than SOL, out of the wallet and as it is. Nothing is swapped, and of any
   * other token nothing goes in (LIM-1, SWP-6). `undefined`: nothing but what the SOL buys.
   */
  readonly tokens?: readonly TokenAtHand[] | undefined;
  /** The user puts in SOL and nothing else, and the transactions are all of it: other tokens can only come out of their swaps (SWP-7). */
  readonly isSolOnly?: boolean | undefined;
  /** These three are `undefined` for pools without bins. */
  readonly strategy: Strategy | undefined;
  readonly fromBinId: number | undefined;
  readonly toBinId: number | undefined;
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
  /** Lamports, or raw units, that it is about. */
  readonly amountRaw?: bigint;
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

/** Tokens that the instructions may take out of the owner's accounts, at most. Wrapped SOL is only among them where others get it. */
export interface TokenSpend {
  /** `undefined`: the account is not one that the review can name. */
  readonly mint: Address | undefined;
  readonly amountRaw: bigint;
  /** What they go into, or that somebody else gets them. */
  readonly into: 'swap' | 'position' | 'others';
}

/** An argument of an instruction; what is inside another is named with it: "liquidity_parameter.amount_x". */
export interface DecodedArgument {
  readonly name: string;
  readonly value: string;
  /** The token that it is an amount of, in raw units; wrapped SOL for lamports. Missing: it is no amount, or not known of which. */
  readonly amountOf?: Address;
}

/** One instruction in words, for the details document. */
export interface DecodedInstruction {
  readonly program: Address;
  /** "Meteora DLMM", or the address where it is unknown. */
  readonly programName: string;
  /** "remove_liquidity_by_range2"; "unknown" where it cannot be read. */
  readonly name: string;
  readonly accounts: readonly {
    readonly role: string;
    readonly address: Address | undefined;
    readonly knownAs: string | undefined;
    readonly signer: boolean;
    readonly writable: boolean;
  }[];
  readonly args: readonly DecodedArgument[];
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

/** What a review is based on besides the bytes of the transactions. */
export interface ReviewBasis {
  /** Lookup tables that were resolved, of those that are used. */
  readonly resolvedTables: number;
  readonly usedTables: number;
  /** The slot of the simulation, and how many transactions it covers; `undefined`: none. */
  readonly simulation: { readonly slot: bigint; readonly transactions: number } | undefined;
}

declare const REVIEWED: unique symbol;

/**
 * A transaction that the review has read and did not block. No code outside `review.ts` can make one: its bytes are in a private
 * field of a class there, which {@link SignReviewed} checks; the symbol only keeps look-alikes from type-checking.
 */
export interface ReviewedTransaction {
  readonly group: TransactionGroup;
  readonly owner: Address;
  /** SHA-256 of the message, hex. */
  readonly messageHash: string;
  /** When it was reviewed, milliseconds since 1970. */
  readonly reviewedAtMs: number;
  readonly [REVIEWED]: true;
}

/** What the review says of all transactions of one operation together. */
export interface Review {
  readonly verdict: Verdict;
  readonly intent: Intent;
  /** What was reviewed, as it was given: for a report to those who maintain this. */
  readonly input: ReviewInput;
  /** Worst first. */
  readonly findings: readonly Finding[];
  readonly spends: Spends;
  readonly minimumOut: readonly MinimumOut[];
  readonly tokenSpends: readonly TokenSpend[];
  /** The outermost bins that liquidity goes into, over all deposits; `undefined` where none names any. */
  readonly depositRange: { readonly fromBinId: number; readonly toBinId: number } | undefined;
  /** Programs that run, by name, without repeats. */
  readonly programs: readonly string[];
  /** Everybody but the pool and the owner who gets something. */
  readonly recipients: readonly { readonly address: Address; readonly role: string }[];
  /** As far as they could be decoded. */
  readonly transactions: readonly DecodedTransaction[];
  readonly lastValidBlockHeight: number | undefined;
  /** What an RPC could still say; with its answers the review is made again. */
  readonly questions: OpenQuestions;
  /** The accounts whose change a simulation has to report: the owner, the owner's token accounts, the position. */
  readonly watched: readonly Address[];
  /** What the review is based on besides the bytes. */
  readonly checked: ReviewBasis;
  /** What the simulation changes of each token in the wallet, raw units, SOL with rent and fees in it; `undefined` where not all transactions were simulated. */
  readonly simulated?: ReadonlyMap<Address, bigint> | undefined;
  /** Empty when blocked: what cannot be signed is not handed out. In the order in which they land. */
  readonly reviewed: readonly ReviewedTransaction[];
}

/** What is to be reviewed: all transactions of one operation, in the order in which they land. */
export interface ReviewInput {
  readonly intent: Intent;
  readonly transactions: readonly {
    readonly group: TransactionGroup;
    /** Any text: what is not canonical base64 is a finding. */ readonly base64: string;
  }[];
  readonly lastValidBlockHeight: number | undefined;
  readonly policy?: Partial<PolicySettings>;
  /** What an RPC has said; without it the review is one of the bytes alone. */
  readonly facts?: ChainFacts;
  /** What is signed already for the same operation and may still land: counts against the limits (BND-2). */
  readonly prior?: Spends;
  /** When the review is made, milliseconds since 1970; what it hands out can be signed for {@link REVIEW_LIFETIME_MS}. */
  readonly nowMs: number;
}

/** How a signer signs reviewed transactions; see {@link signReviewed}. `nowMs`: milliseconds since 1970. */
export type SignReviewed = (
  transaction: ReviewedTransaction,
  owner: Address,
  sign: (message: Uint8Array) => Uint8Array,
  nowMs: number,
) => Base64Transaction;
