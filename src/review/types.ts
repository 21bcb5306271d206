import type { Address } from '../base/solana/address';
import type { Terms } from './terms';
import type { DecreaseOutput } from '../service/transactions';
import type { Strategy } from '../service/common';
import type { OpenQuestions, ChainFacts } from './facts/facts';
import type { PolicySettings } from './policy';
import type { TransactionConfig } from '../base/solana/wireConfig';
import type { Base64Transaction, TransactionVersion } from '../base/solana/wireTransaction';

/** `allow`: as expected. `confirm`: the user must accept each finding. `block`: never signed. */
export type Verdict = 'allow' | 'confirm' | 'block';

/** The list of the service's answer that contained a transaction. */
export type TransactionGroup = 'close' | 'swap' | 'add' | 'claim';

/** The kinds of requests; what each of them allows is in intents.ts. */
export interface Intents {
  readonly zapOut: ZapOutIntent;
  readonly zapIn: ZapInIntent;
  readonly claim: ClaimIntent;
  readonly addLiquidity: AddLiquidityIntent;
  readonly swap: SwapIntent;
  readonly unwrap: UnwrapIntent;
}

/** The user's request. The transactions are reviewed against it. */
export type Intent = Intents[keyof Intents];

/** The fields of all kinds of intents. */
export interface AnyIntent {
  readonly owner: Address;
  /** 0 to 10,000. */
  readonly slippageBps: number;
  /** Prices that the user was shown. Swaps are compared with them; a swap between two tokens without one is a question (SWP-9). */
  readonly references?: readonly PriceReference[] | undefined;
  /** Prices in US dollars from the service's lists. Impossible and contradictory prices are a question (SWP-9). */
  readonly listedPrices?: readonly ListedPrice[] | undefined;
  /** The decimals with which the shown figures were converted to raw units. They must be the mints', as far as those are known (LIM-1). */
  readonly listedDecimals?: readonly MintDecimals[] | undefined;
}

/** What an intent says about its pool. */
export interface PoolFields {
  readonly pool: Address;
  /** `undefined`: unknown; the pool's address decides. */
  readonly poolType?: 'dlmm' | 'dammV2' | undefined;
  /** Zap-out: the position as listed. Zap-in: `meta.positionPubKey`. In DAMM v2 it may be the NFT's mint. */
  readonly position: Address | undefined;
  /** The pool's mints as listed. */
  readonly tokenX: Address | undefined;
  readonly tokenY: Address | undefined;
  /** The range of the position, both ends included: of a new one as chosen. `undefined`: the pool has no bins, or it is not known. */
  readonly fromBinId?: number | undefined;
  readonly toBinId?: number | undefined;
}

/** The fields of intents that work in pools. */
export interface IntentBase extends AnyIntent, PoolFields {}

/** The number of decimals of a mint. */
export interface MintDecimals {
  readonly mint: Address;
  readonly decimals: number;
}

/** The listed price of one whole token. */
export interface ListedPrice {
  readonly mint: Address;
  /** US dollars, above 0. */
  readonly usd: number;
  /** From another record than {@link AnyIntent.references}: another position or pool, or the pool's active bin. */
  readonly isElsewhere?: boolean | undefined;
  /** Derived from the active bin of the operation's pool, and compared separately. */
  readonly isByBin?: boolean | undefined;
}

/** A price as a ratio of two amounts in raw units, both above 0. */
export interface PriceReference {
  readonly inMint: Address;
  readonly outMint: Address;
  readonly inAmountRaw: bigint;
  readonly outAmountRaw: bigint;
}

/** Withdraws from a position. */
export interface ZapOutIntent extends IntentBase {
  readonly kind: 'zapOut';
  /** The share to withdraw, 1 to 10,000. */
  readonly shareBps: number;
  /** `undefined`: any token of the pool. */
  readonly output: DecreaseOutput | undefined;
  /**
   * The value of the whole share in each of the pool's tokens, by the figures that the user was shown. A swap that sells much more uses
   * other tokens of the wallet (SWP-7). A zap-out that swaps without this figure is a question.
   */
  readonly worth?: readonly TokenAmount[] | undefined;
  /**
   * The amount of each of the pool's tokens in the share and all fees, by the figures that the user was shown (SWP-7). A token with an
   * unknown amount is missing. Given only with all transactions of the operation. `undefined`: `worth` alone limits the swaps.
   */
  readonly holdings?: readonly TokenAmount[] | undefined;
}

/** An amount of a token, raw units. */
export interface TokenAmount {
  readonly mint: Address;
  readonly amountRaw: bigint;
}

/** A token that is deposited from the wallet without a swap. */
export interface TokenAtHand extends TokenAmount {
  /** The number of decimals that the user's amount was converted with. It must be the mint's, as far as that is known (LIM-1). */
  readonly decimals?: number | undefined;
}

/** The fields of intents that put liquidity into a position. */
interface DepositFields extends IntentBase {
  /** The SOL of the input. With `tokens`: the deposit of SOL as one of the pool's tokens (0 if it is not one). */
  readonly inputLamports: bigint;
  /**
   * Mode `normal`: the deposit of the pool's tokens other than SOL, from the wallet. Nothing is swapped, and no other token is deposited
   * (LIM-1, SWP-6). `undefined`: only what the SOL buys.
   */
  readonly tokens?: readonly TokenAtHand[] | undefined;
  /** The user deposits only SOL, and the transactions are the whole operation: other tokens can only come from their swaps (SWP-7). */
  readonly isSolOnly?: boolean | undefined;
  /** This and the next two are `undefined` for pools without bins. */
  readonly strategy: Strategy | undefined;
  readonly fromBinId: number | undefined;
  readonly toBinId: number | undefined;
  /** The active bin of the pool that the user was shown, and the step between its bins in basis points. Deposits are compared with them (DLMM-7). */
  readonly activeBinId?: number | undefined;
  readonly binStepBps?: number | undefined;
}

/** Deposits into a new position. */
export interface ZapInIntent extends DepositFields {
  readonly kind: 'zapIn';
}

/** Deposits into an existing position, which the chain must show to be the user's alone (DLMM-10). */
export interface AddLiquidityIntent extends DepositFields {
  readonly kind: 'addLiquidity';
  readonly position: Address;
  /**
   * Only what the same transactions claim is deposited (ADD-1), and nothing from the wallet: the fees by the figures that the user was shown, raw.
   * `inputLamports` is 0 then, and `tokens` is `undefined`. `undefined`: the deposit is from the wallet.
   */
  readonly fees?: readonly TokenAmount[] | undefined;
}

/** A pool that an operation works in, with the position there. */
export type IntentPlace = Pick<IntentBase, 'pool' | 'position' | 'tokenX' | 'tokenY'>;

/** A position whose fees are claimed. */
export interface ClaimedPosition extends IntentPlace {
  readonly position: Address;
  /** Its fees by the figures that the user was shown, raw (CLM-1). A token with an unknown amount is missing. */
  readonly fees: readonly TokenAmount[];
}

/** Claims the fees of positions. Pool, position and tokens of {@link IntentBase} are those of the first. */
export interface ClaimIntent extends IntentBase {
  readonly kind: 'claim';
  /** One at least. */
  readonly positions: readonly ClaimedPosition[];
}

/** Swaps a token of the wallet for another one, through whichever pools. The tokens are SOL where the mint is that of wrapped SOL. */
export interface SwapIntent extends AnyIntent {
  readonly kind: 'swap';
  readonly inputMint: Address;
  readonly outputMint: Address;
  /** The most of `inputMint` that is sold, raw units. */
  readonly amountRaw: bigint;
}

/** Closes the wallet's own account for wrapped SOL, so that its SOL is in the wallet. */
export interface UnwrapIntent extends AnyIntent {
  readonly kind: 'unwrap';
  /** Nothing is swapped. */
  readonly slippageBps: 0;
}

/** A finding of the review. */
export interface Finding {
  /** The rule's id: "SIG-2" (README.md). */
  readonly rule: string;
  readonly verdict: Verdict | 'info';
  /** One or two sentences for the user: what the transaction would do, and why that is a problem. Addresses in full. */
  readonly message: string;
  /** Indexes of the transaction and the instruction, from 0. */
  readonly transaction?: number;
  readonly instruction?: number;
  readonly address?: Address;
  /** Lamports or raw units. */
  readonly amountRaw?: bigint;
}

/** The most that the operation costs and moves, by the transactions alone; lamports. */
export interface Spends {
  /** SOL that goes into the pool or into swaps. */
  readonly consumedLamports: bigint;
  readonly wrappedLamports: bigint;
  /** Base fees of all signatures. */
  readonly networkFeeLamports: bigint;
  readonly priorityFeeLamports: bigint;
  readonly tipLamports: bigint;
  /** Refunded when the account is closed (position, token accounts). */
  readonly refundableRentLamports: bigint;
  /** Not refundable (bin arrays). */
  readonly spentRentLamports: bigint;
  /** SOL sent to others. */
  readonly otherLamports: bigint;
}

/** A minimum amount that the instructions guarantee. */
export interface MinimumOut {
  /** `undefined`: the mint is in a lookup table that was not read. */
  readonly mint: Address | undefined;
  readonly amountRaw: bigint;
  /** "swap" */
  readonly from: string;
  /** The swap's quote is far above a known price (SWP-9). The swap need not land, so the minimum adds nothing to what the user receives. */
  readonly isTooGood?: true;
}

/** The most tokens that the instructions may take out of the owner's accounts. Includes wrapped SOL only if others get it. */
export interface TokenSpend {
  /** `undefined`: the review cannot determine the token. */
  readonly mint: Address | undefined;
  readonly amountRaw: bigint;
  /** Where they go. */
  readonly into: 'swap' | 'position' | 'others';
}

/** An argument of an instruction. Nested ones have a path as their name: "liquidity_parameter.amount_x". */
export interface DecodedArgument {
  readonly name: string;
  readonly value: string;
  /** The token of an amount in raw units; wrapped SOL for lamports. Missing: not an amount, or of an unknown token. */
  readonly amountOf?: Address;
}

/** An instruction as the details document shows it. */
export interface DecodedInstruction {
  readonly program: Address;
  /** "Meteora DLMM", or the address of an unknown program. */
  readonly programName: string;
  /** "remove_liquidity_by_range2"; "unknown" if it cannot be decoded. */
  readonly name: string;
  readonly accounts: readonly {
    readonly role: string;
    readonly address: Address | undefined;
    readonly knownAs: string | undefined;
    readonly signer: boolean;
    readonly writable: boolean;
  }[];
  readonly args: readonly DecodedArgument[];
  /** Why it could not be decoded. */
  readonly problem: string | undefined;
}

/** A transaction as the details document shows it. */
export interface DecodedTransaction {
  readonly group: TransactionGroup;
  /** Its index in the operation, from 0. */
  readonly transaction: number;
  readonly version: TransactionVersion;
  /** Fees and limits of v1; `undefined` in legacy and v0. */
  readonly config?: TransactionConfig | undefined;
  readonly feePayer: Address;
  readonly signers: readonly { readonly address: Address; readonly signed: boolean }[];
  readonly instructions: readonly DecodedInstruction[];
  /** sha256 of the message, hex. */
  readonly messageHash: string;
}

/** The basis of a review besides the bytes of the transactions. */
export interface ReviewBasis {
  /** The number of used lookup tables that were read. */
  readonly resolvedTables: number;
  readonly usedTables: number;
  /** The slot of the simulation and the number of transactions that it covers; `undefined`: none. */
  readonly simulation: { readonly slot: bigint; readonly transactions: number } | undefined;
}

declare const REVIEWED: unique symbol;

/**
 * A transaction that the review decoded and did not block. No code outside `review.ts` can create one: its bytes are in a private field of
 * a class there, which {@link SignReviewed} checks. The symbol only keeps look-alikes from type-checking.
 */
export interface ReviewedTransaction {
  readonly group: TransactionGroup;
  readonly owner: Address;
  /** SHA-256 of the message, hex. */
  readonly messageHash: string;
  /** Time of the review, milliseconds since 1970. */
  readonly reviewedAtMs: number;
  readonly [REVIEWED]: true;
}

/** The review of all transactions of one operation. */
export interface Review {
  readonly verdict: Verdict;
  readonly intent: Intent;
  /** The input of the review, for reports. */
  readonly input: ReviewInput;
  /** Worst first. */
  readonly findings: readonly Finding[];
  readonly spends: Spends;
  readonly minimumOut: readonly MinimumOut[];
  readonly tokenSpends: readonly TokenSpend[];
  /** The outermost bins of all deposits; `undefined` if none names bins. */
  readonly depositRange: { readonly fromBinId: number; readonly toBinId: number } | undefined;
  /** The prices at which the deposits can land; `undefined` without deposits. */
  readonly depositPrices?: DepositPrices | undefined;
  /** Names of the called programs, without duplicates. */
  readonly programs: readonly string[];
  /** Accounts other than the pool and the owner that get something. */
  readonly recipients: readonly { readonly address: Address; readonly role: string }[];
  /** What a person approves with it, for the comparison with a later build (approval/compareTerms.ts); empty if the review blocks. */
  readonly terms: Terms;
  /** The decoded transactions. */
  readonly transactions: readonly DecodedTransaction[];
  readonly lastValidBlockHeight: number | undefined;
  /** What an RPC could still answer. With its answers the transactions are reviewed again. */
  readonly questions: OpenQuestions;
  /** The accounts that a simulation has to report: the owner, the owner's token accounts, the position. */
  readonly watched: readonly Address[];
  /** The basis of the review besides the bytes. */
  readonly checked: ReviewBasis;
  /** Simulated change of each token in the wallet, raw units; SOL includes rent and fees. `undefined`: not all transactions were simulated. */
  readonly simulated?: ReadonlyMap<Address, bigint> | undefined;
  /** The part of the simulated change of SOL that is rent of closed accounts, in lamports. */
  readonly rentBackLamports?: bigint | undefined;
  /** In the order in which they land; empty if the review blocks. */
  readonly reviewed: readonly ReviewedTransaction[];
}

/** The prices at which deposits can land: the widest of all. An end that is missing has no bound, or is not known. */
export interface DepositPrices {
  readonly lowestBinId?: number | undefined;
  readonly highestBinId?: number | undefined;
  /** Raw units of Y for one raw unit of X. */
  readonly lowestPrice?: number | undefined;
  readonly highestPrice?: number | undefined;
  readonly tokenX: Address | undefined;
  readonly tokenY: Address | undefined;
}

/** The input of a review: all transactions of one operation, in the order in which they land. */
export interface ReviewInput {
  readonly intent: Intent;
  readonly transactions: readonly {
    readonly group: TransactionGroup;
    /** Any text; a finding if it is not valid base64. */ readonly base64: string;
  }[];
  readonly lastValidBlockHeight: number | undefined;
  readonly policy?: Partial<PolicySettings>;
  /** Answers of the user's RPC; without them the review relies on the bytes alone. */
  readonly facts?: ChainFacts;
  /** The sums of transactions that are signed for the same operation and may still land. They count toward the limits (BND-2). */
  readonly prior?: Spends;
  /** Time of the review, milliseconds since 1970. Its transactions can be signed for {@link REVIEW_LIFETIME_MS}. */
  readonly nowMs: number;
}

/** The type of {@link signReviewed}. `nowMs`: milliseconds since 1970. */
export type SignReviewed = (
  transaction: ReviewedTransaction,
  owner: Address,
  sign: (message: Uint8Array) => Uint8Array,
  nowMs: number,
) => Base64Transaction;
