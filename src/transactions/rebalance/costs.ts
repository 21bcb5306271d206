import * as l10n from '@vscode/l10n';
import { BASIS_POINTS } from '../../base/basisPoints';
import { binArraysOf, type BinRange, BINS_PER_DEFAULT_POSITION, widthOf } from '../../base/dlmm/bins';
import { lamportsToSol } from '../../base/solana/amounts';
import { LAMPORTS_PER_SOL } from '../../base/solana/programs';
import { RentRate } from '../../base/solana/rent';
import { DEFAULT_POLICY } from '../../review/policy';
import type { Review, Spends } from '../../review/types';
import { OperationError } from '../errors';
import type { Reason, ReentryCost } from '../../base/reasons/reason';
import type { OperationDependencies } from '../types';
import type { Reentry } from './types';

/** Accounts of a zap-in that don't exist yet and must be paid for. */
export interface MissingAccounts {
  /** Rent of each missing account for the pool's tokens, in lamports. */
  readonly tokenAccountLamports: readonly bigint[];
  /** Number of missing bin arrays in the range. */
  readonly binArrays: number;
  /** Rent of the temporary wrapped SOL account in lamports; 0 if the account exists. */
  readonly wrappedSolLamports: bigint;
  /** What accounts cost now. */
  readonly rent: RentRate;
}

/** Costs of a re-entry, in lamports. */
export interface ReentryCosts {
  /** Not refunded, or locked until the position is closed. */
  readonly spentLamports: bigint;
  /** The part of it that is refunded later: rent of the position and of token accounts. */
  readonly refundableLamports: bigint;
  /** Needed during the zap-in and refunded by it. */
  readonly lentLamports: bigint;
  /** What it consists of. */
  readonly parts: readonly ReentryCost[];
}

/** Allowance for the tip of a bundle that the service adds. */
const TIP_ROOM_LAMPORTS = 1_000_000n;
/**
 * Upper bound for the network fee of a transaction: two signatures (owner and new position) at 5,000 lamports, and a priority fee for the
 * maximum of 1,400,000 compute units at up to 78,000 micro-lamports per unit.
 */
export const FEE_ROOM_LAMPORTS = 120_000n;
/** Transactions besides those that deposit: swaps, and unwrapping the rest. */
const OTHER_TRANSACTIONS = 3;

/**
 * Upper bound for the costs of a zap-in besides the deposit: rent by the account sizes of the program and the rate of the chain (a position
 * includes 70 bins, each further bin adds rent), fees and the tip.
 */
export function reentryCosts(
  range: BinRange,
  { tokenAccountLamports, binArrays, wrappedSolLamports, rent }: MissingAccounts,
): ReentryCosts {
  const bins = widthOf(range);
  const position = rent.positionOf(bins);
  const transactions = Math.ceil(bins / BINS_PER_DEFAULT_POSITION) + OTHER_TRANSACTIONS;
  const tokenAccounts = tokenAccountLamports.reduce((sum, lamports) => sum + lamports, 0n);
  const isMost = rent.isUpperBound;
  const all: readonly ReentryCost[] = [
    { kind: 'position', lamports: position, isMost, count: undefined },
    { kind: 'binArrays', lamports: BigInt(binArrays) * rent.binArray, isMost, count: binArrays },
    { kind: 'tokenAccounts', lamports: tokenAccounts, isMost, count: undefined },
    { kind: 'fees', lamports: BigInt(transactions) * FEE_ROOM_LAMPORTS + TIP_ROOM_LAMPORTS, isMost: true, count: undefined },
  ];
  const parts = all.filter(({ lamports }) => lamports > 0n);
  return {
    spentLamports: parts.reduce((sum, { lamports }) => sum + lamports, 0n),
    refundableLamports: position + tokenAccounts,
    lentLamports: wrappedSolLamports,
    parts,
  };
}

/**
 * Costs in the instructions of a zap-in beyond the estimate, in lamports; 0 or less: none. Without an RPC it is unknown which bin arrays
 * exist, but the builder of the zap-in knows and pays their rent in it. Refunded rent counts only up to its estimate, because it includes
 * the wrapped SOL accounts that each transaction opens and closes.
 * @param inputLamports planned deposit
 * @param lamportsBack limit for deposit and costs together
 */
export function costOverrun(spends: Spends, costs: ReentryCosts, inputLamports: bigint, lamportsBack: bigint): bigint {
  const { refundableRentLamports, spentRentLamports } = spends;
  const rent = spentRentLamports + lesser(refundableRentLamports, costs.refundableLamports);
  const cost = rent + spends.networkFeeLamports + spends.priorityFeeLamports + spends.tipLamports + spends.otherLamports;
  const overEstimate = cost - costs.spentLamports;
  const overProceeds = (spends.consumedLamports > inputLamports ? spends.consumedLamports : inputLamports) + cost - lamportsBack;
  return overEstimate > overProceeds ? overEstimate : overProceeds;
}

/** Adds the overrun to the estimated costs. */
export function withExtraCost(costs: ReentryCosts, lamports: bigint): ReentryCosts {
  return {
    ...costs,
    spentLamports: costs.spentLamports + lamports,
    parts: [...costs.parts, { kind: 'found', lamports, isMost: false, count: undefined }],
  };
}

function lesser(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

/**
 * The most rent that closing a position of this range and both of its token accounts refunds, in lamports: they may have been opened when
 * accounts cost most.
 */
export function rentBack(range: BinRange): bigint {
  return RentRate.highest.positionOf(widthOf(range)) + 2n * RentRate.highest.token2022Account;
}

/** Indexes of the bin arrays that a range needs. */
export function binArraysNeeded(range: BinRange): readonly number[] {
  return binArraysOf(range.fromBinId, range.toBinId);
}

/** The minimum for a re-entry: opening and closing a position would cost a large part of less. */
export const LEAST_REENTRY_LAMPORTS = LAMPORTS_PER_SOL / 100n;

/** The available proceeds and their limits, in lamports. */
export interface ReentryFunds {
  /** Measured proceeds of the zap-out. */
  readonly lamportsBack: bigint;
  /** Current balance of the wallet. */
  readonly balanceLamports: bigint;
  /** Must stay in the wallet. */
  readonly reserveLamports: bigint;
  readonly costs: ReentryCosts;
}

/**
 * The deposit: the proceeds less the costs of the re-entry, but never so much that less than the reserve stays in the wallet. May be 0 or
 * negative.
 */
export function reentryLamports({ lamportsBack, balanceLamports, reserveLamports, costs }: ReentryFunds): bigint {
  const fromPosition = lamportsBack - costs.spentLamports;
  const fromWallet = balanceLamports - reserveLamports - costs.spentLamports - costs.lentLamports;
  return fromPosition < fromWallet ? fromPosition : fromWallet;
}

/** Why costs and reserve leave too little to re-enter with. @param inputLamports what they leave; may be 0 or less */
export function insufficientProceeds(funds: ReentryFunds, inputLamports: bigint): Reason {
  const { lamportsBack, balanceLamports, reserveLamports, costs } = funds;
  return {
    code: 'insufficientProceeds',
    lamportsBack,
    balanceLamports,
    reserveLamports,
    spentLamports: costs.spentLamports,
    costs: [...costs.parts],
    inputLamports,
    leastLamports: LEAST_REENTRY_LAMPORTS,
  };
}

/** A zap-in costs more than was estimated; it is not shown for approval. */
export class CostOverrunError extends Error {
  /** @param lamports by how much the deposit must shrink */
  constructor(readonly lamports: bigint) {
    super(`${lamports} lamports over the estimated costs`);
  }
}

/**
 * Narrows the review's limit LIM-1 to the proceeds. Its default allows one percent beyond the input, which would come from the wallet's
 * other funds.
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

/**
 * Checks that deposit and costs by the instructions stay within the proceeds.
 * @throws OperationError with {@link CostOverrunError} as its cause
 */
export function assertWithinCosts({ spends }: Review, { inputLamports, lamportsBack }: Reentry, costs: ReentryCosts): void {
  const beyond = costOverrun(spends, costs, inputLamports, lamportsBack);
  if (beyond > 0n) {
    throw new OperationError({
      kind: 'tooCostly',
      what: l10n.t`Rent and fees exceed the estimate by ${lamportsToSol(beyond)} SOL.`,
      advice: l10n.t('Enter a smaller amount.'),
      cause: new CostOverrunError(beyond),
    });
  }
}
