import * as l10n from '@vscode/l10n';
import { BASIS_POINTS } from '../../base/basisPoints';
import { binArraysOf, type BinRange, BINS_PER_DEFAULT_POSITION, widthOf } from '../../base/dlmm/bins';
import { lamportsToSol } from '../../base/solana/amounts';
import { LAMPORTS_PER_SOL, RENT_LAMPORTS } from '../../base/solana/programs';
import { DEFAULT_POLICY } from '../../review/policy';
import type { Review, Spends } from '../../review/types';
import { OperationError } from '../errors';
import type { OperationDependencies } from '../types';
import type { Reentry } from './types';

/** What of a zap-in's accounts is missing, so that it has to be paid for. */
export interface MissingAccounts {
  /** Rent of each token account of the pool's tokens that does not exist, lamports. */
  readonly tokenAccountLamports: readonly bigint[];
  /** How many of the range's bin arrays do not exist. */
  readonly binArrays: number;
  /** Rent of the account for wrapped SOL, which is closed again right away; 0 where there is one. */
  readonly wrappedSolLamports: bigint;
}

/** Costs of a re-entry, lamports. */
export interface ReentryCosts {
  /** What is gone afterwards, or locked until the position is closed. */
  readonly spentLamports: bigint;
  /** What of that comes back later: rent of the position, and of token accounts. */
  readonly refundableLamports: bigint;
  /** What is needed meanwhile, and comes back with the same zap-in. */
  readonly lentLamports: bigint;
  /** "0.05740608 SOL refundable rent for the new position": what it consists of. */
  readonly parts: readonly { readonly lamports: bigint; readonly what: string }[];
}

/** Room for the tip of a bundle, as services add it. */
const TIP_ROOM_LAMPORTS = 1_000_000n;
/**
 * Network fee of a transaction, at most: two signatures (the owner's, and that of the position that is made) at 5,000 lamports, and a priority
 * fee on all the compute units there are (1,400,000) at what services bid, up to 78,000 micro-lamports for one.
 */
export const FEE_ROOM_LAMPORTS = 120_000n;
/** Transactions besides those that put in liquidity: swaps, and unwrapping what is left. */
const OTHER_TRANSACTIONS = 3;

/**
 * What a zap-in over a range costs at most besides what goes into the position: rent by the sizes of the program's accounts
 * (a position includes 70 bins, each further one adds rent), fees and the tip.
 */
export function reentryCosts(range: BinRange, { tokenAccountLamports, binArrays, wrappedSolLamports }: MissingAccounts): ReentryCosts {
  const bins = widthOf(range);
  const transactions = Math.ceil(bins / BINS_PER_DEFAULT_POSITION) + OTHER_TRANSACTIONS;
  const tokenAccounts = tokenAccountLamports.reduce((sum, lamports) => sum + lamports, 0n);
  const parts = [
    { lamports: positionRent(range), what: l10n.t('refundable rent for the new position') },
    {
      lamports: BigInt(binArrays) * RENT_LAMPORTS.binArray,
      what:
        binArrays === 1
          ? l10n.t('non-refundable rent for a bin array of the pool')
          : l10n.t`non-refundable rent for ${binArrays} bin arrays of the pool`,
    },
    { lamports: tokenAccounts, what: l10n.t('refundable rent for token accounts') },
    { lamports: BigInt(transactions) * FEE_ROOM_LAMPORTS + TIP_ROOM_LAMPORTS, what: l10n.t('fees and tip at most') },
  ].filter(({ lamports }) => lamports > 0n);
  return {
    spentLamports: parts.reduce((sum, { lamports }) => sum + lamports, 0n),
    refundableLamports: positionRent(range) + tokenAccounts,
    lentLamports: wrappedSolLamports,
    parts,
  };
}

/**
 * What the instructions of a zap-in take beyond the estimate, lamports; 0 or less: nothing. Without an RPC it is not known
 * which bin arrays exist, but who builds the zap-in knows, and pays their rent in it. Rent that comes back counts only as far as
 * it was estimated: accounts for wrapped SOL, which each transaction opens and closes again, are among it.
 * @param inputLamports what is to go in
 * @param lamportsBack what all of it together may come to
 */
export function costOverrun(spends: Spends, costs: ReentryCosts, inputLamports: bigint, lamportsBack: bigint): bigint {
  const { refundableRentLamports, spentRentLamports } = spends;
  const rent = spentRentLamports + lesser(refundableRentLamports, costs.refundableLamports);
  const cost = rent + spends.networkFeeLamports + spends.priorityFeeLamports + spends.tipLamports + spends.otherLamports;
  const overEstimate = cost - costs.spentLamports;
  const overProceeds = (spends.consumedLamports > inputLamports ? spends.consumedLamports : inputLamports) + cost - lamportsBack;
  return overEstimate > overProceeds ? overEstimate : overProceeds;
}

/** The costs with what was found to come on top of them. */
export function withExtraCost(costs: ReentryCosts, lamports: bigint): ReentryCosts {
  return {
    ...costs,
    spentLamports: costs.spentLamports + lamports,
    parts: [...costs.parts, { lamports, what: l10n.t('rent for bin arrays or fees found in the transactions') }],
  };
}

function lesser(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

/** Rent that comes back, lamports, where a position of such a range is closed with both of its token accounts. */
export function rentBack(range: BinRange): bigint {
  return positionRent(range) + 2n * RENT_LAMPORTS.token2022Account;
}

function positionRent(range: BinRange): bigint {
  return RENT_LAMPORTS.position + BigInt(Math.max(0, widthOf(range) - BINS_PER_DEFAULT_POSITION)) * RENT_LAMPORTS.positionPerBinAbove70;
}

/** The bin arrays that a range needs, by their indexes. */
export function binArraysNeeded(range: BinRange): readonly number[] {
  return binArraysOf(range.fromBinId, range.toBinId);
}

/** The minimum for a re-entry: opening and closing a position would cost a large part of less. */
export const LEAST_REENTRY_LAMPORTS = LAMPORTS_PER_SOL / 100n;

/** What there is to put back, and what limits it. Lamports. */
export interface ReentryFunds {
  /** What the zap-out brought, measured. */
  readonly lamportsBack: bigint;
  /** What is in the wallet now. */
  readonly balanceLamports: bigint;
  /** What is to stay there. */
  readonly reserveLamports: bigint;
  readonly costs: ReentryCosts;
}

/**
 * What goes back in: what came out of that position less what it costs to put it back, and never so much that less than the
 * reserve stays in the wallet. May be nothing, or less.
 */
export function reentryLamports({ lamportsBack, balanceLamports, reserveLamports, costs }: ReentryFunds): bigint {
  const fromPosition = lamportsBack - costs.spentLamports;
  const fromWallet = balanceLamports - reserveLamports - costs.spentLamports - costs.lentLamports;
  return fromPosition < fromWallet ? fromPosition : fromWallet;
}

/** A zap-in costs more than was estimated; it is not shown for approval. */
export class CostOverrunError extends Error {
  /** @param lamports how much less has to go in */
  constructor(readonly lamports: bigint) {
    super(`${lamports} lamports over the estimated costs`);
  }
}

/**
 * The review's limits, with no more room beyond what is to go in (LIM-1) than up to what came back: elsewhere a hundredth of the
 * input may go in besides, which would be of something else in the wallet.
 */
export function withinProceeds(
  { lamportsBack, inputLamports }: Reentry,
  policy: OperationDependencies['policy'],
): OperationDependencies['policy'] {
  const roomBps = ((lamportsBack - inputLamports) * BASIS_POINTS) / inputLamports;
  return () => {
    const set = policy();
    const usualBps = set.inputToleranceBps ?? DEFAULT_POLICY.inputToleranceBps;
    return { ...set, inputToleranceBps: roomBps < usualBps ? roomBps : usualBps };
  };
}

/** Holds what the transactions take by their instructions, all costs with it, against what came back. @throws OperationError with {@link CostOverrunError} as its cause */
export function assertWithinCosts({ spends }: Review, { inputLamports, lamportsBack }: Reentry, costs: ReentryCosts): void {
  const beyond = costOverrun(spends, costs, inputLamports, lamportsBack);
  if (beyond > 0n) {
    throw new OperationError({
      kind: 'tooCostly',
      what: l10n.t`Rent and fees exceed the estimate by ${lamportsToSol(beyond)} SOL, which would have come from the rest of your wallet.`,
      advice: l10n.t('Retry with a smaller amount.'),
      cause: new CostOverrunError(beyond),
    });
  }
}
