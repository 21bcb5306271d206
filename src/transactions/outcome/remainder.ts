import type { SingleKind } from '../../base/operationKinds';
import type { AmountLeft, Reason } from '../../base/reasons/reason';
import type { Address } from '../../base/solana/address';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import type { RentRate } from '../../base/solana/rent';
import type { PoolTokenFacts } from '../../service/poolInfo';
import type { OpenPosition } from '../../service/positions';
import type { OperationRecord } from '../journal/types';
import type { TokensAtHand } from '../types';
import type { Measured } from './measure';

// An operation of several transactions is not atomic: some may land and others not. What is left to do is derived from the journal, the
// list of positions, the landed transactions and the wallet; nothing is guessed.

/** What is left to do of a partially executed operation. */
export type Remainder = { /** What happened, and what it means. */ readonly reason: Reason } & (
  | /** Nothing can be run: it is done, in progress, or only the user can do it. */
    { readonly kind: 'noAction'; readonly then: FollowUp }
  /** The rest of the position is withdrawn. */
  | { readonly kind: 'zapOut'; readonly of: OperationRecord; readonly position: OpenPosition; readonly leavesMore: boolean }
  /** The available tokens are deposited into a new position without a swap. */
  | { readonly kind: 'zapIn'; readonly of: OperationRecord; readonly tokens: TokensAtHand; readonly range: RemainingRange }
  /** A token that its transactions brought is swapped. `leavesMore`: and then there is more to do. */
  | {
      readonly kind: 'swap';
      readonly of: OperationRecord;
      readonly sold: AmountLeft;
      readonly boughtMint: Address;
      readonly leavesMore: boolean;
    }
  /** The SOL that its transactions left wrapped is unwrapped. */
  | { readonly kind: 'unwrap'; readonly of: OperationRecord; readonly lamports: bigint }
);

/**
 * What follows a remainder without transactions. `seen`: nothing is left, it is not offered again. `asked`: nothing can be done now
 * (without an RPC, at this price), or it is not certain, and the user decides whether it is offered again. `again`: it is checked again later.
 */
export type FollowUp = 'seen' | 'asked' | 'again';

/** Both ends inclusive; `undefined` for pools without bins. */
export interface RemainingRange {
  readonly fromBinId: number | undefined;
  readonly toBinId: number | undefined;
}

/** How much of an operation landed. */
export interface PartialExecution {
  readonly landed: number;
  readonly of: number;
}

/** The evidence about a partially executed operation. */
export interface Known {
  /** The journal, which shows whether another operation completes it. */
  readonly records: readonly OperationRecord[];
  /** A clean listing of the owner's positions; `undefined`: there is none. */
  readonly listed: readonly OpenPosition[] | undefined;
  /** Changes by the landed transactions (`transactions`); `undefined`: unknown. */
  readonly changed: Measured | undefined;
  /** The wallet's balances, raw units, SOL under the mint of wrapped SOL; `undefined`: unknown. */
  readonly held: ReadonlyMap<Address, bigint> | undefined;
  /** The landed part by the network, for an operation whose record doesn't have it (`isUnclear`); `undefined`: unknown. */
  readonly part?: PartialExecution | undefined;
  /** Balance of the wallet's wrapped SOL account in lamports; `undefined`: unknown. */
  readonly wrappedLamports?: bigint | undefined;
  /** What accounts cost now; `undefined`: unknown, so at most the highest rate. */
  readonly rent?: RentRate | undefined;
  /** US dollars per SOL, if not among the pool's tokens. */
  readonly solUsd?: number | undefined;
  /** Tokens X and Y of the pool, and its active bin; `undefined`: not read. */
  readonly pool: { readonly tokens: readonly PoolTokenFacts[]; readonly activeBinId: number | undefined } | undefined;
}

/** The landed part of an operation, as reasons have it. */
export interface LandedPart extends PartialExecution {
  readonly operation: SingleKind;
}

/** A remainder that no transactions follow. */
export function explained(reason: Reason, then: FollowUp): Remainder {
  return { kind: 'noAction', then, reason };
}

/** SOL of the landed transactions that is still wrapped, lamports; 0 or less: none. */
export function wrappedLamportsOf({ tokens }: Measured, { wrappedLamports }: Known): bigint {
  const brought = tokens.get(WRAPPED_SOL_MINT) ?? 0n;
  return wrappedLamports === undefined ? brought : least(brought, wrappedLamports);
}

/** An amount as reasons have it. */
export function amountOf(mint: Address, raw: bigint, facts: Pick<AmountLeft, 'symbol' | 'decimals'> | undefined): AmountLeft {
  return { mint, raw, symbol: facts?.symbol, decimals: facts?.decimals };
}

/** The smaller amount. */
export function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
