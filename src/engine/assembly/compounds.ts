import { binArraysOf, type BinRange, BINS_PER_DEFAULT_POSITION, widthOf } from '../../base/dlmm/bins';
import { dammPositionNftAccount } from '../../base/solana/pda';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { depositIntoChunk } from './binDeposits';
import { claimProductFee } from './dammInstructions';
import { ROOM_FOR_TIP, separateChunks } from './depositChunks';
import { addLiquidity, claimFee, initializeBinArray, initializeBitmapExtension, spreadRange } from './dlmmInstructions';
import { depositProduct } from './poolSteps';
import { assemble, type BuildStep, fitsTogether, together } from './transactions';
import {
  type BinDepositPlan,
  type BuildTerms,
  type DepositOf,
  type PositionAddresses,
  PlanError,
  type PoolAccounts,
  type ProductAddPlan,
} from './types';
import { addVersions } from './versions';
import { createTokenAccount, unwrapSol, withTip } from './walletInstructions';

/** Fees of both tokens, raw. */
interface TokenFees {
  readonly x: bigint;
  readonly y: bigint;
}

/** A position whose fees are deposited into it again. */
export interface CompoundTarget extends BuildTerms {
  readonly pool: PoolAccounts;
  readonly into: PositionAddresses;
}

/** Fees of a position that are deposited into it again. */
export interface CompoundPlan extends CompoundTarget {
  /** In the order in which they land. */
  readonly parts: readonly CompoundPart[];
}

/** Fees that are claimed and deposited by one transaction. It stands alone: what it deposits, it has claimed before. */
export type CompoundPart =
  | {
      readonly type: 'bins';
      /** At most 70 bins. */
      readonly claimed: BinRange;
      /** What the claim pays, raw, as it arrives in the wallet. */
      readonly arriving: TokenFees;
      readonly hasBitmapExtension: boolean;
      /** `undefined`: the bins take none of their fees. */
      readonly deposit: ReturnType<typeof depositIntoChunk>;
      /** Accounts of the pool that the deposit needs, and that do not exist. */
      readonly missing: { readonly binArrays: readonly number[]; readonly bitmapExtension: boolean };
    }
  | { readonly type: 'product'; readonly deposit: DepositOf<ProductAddPlan> };

/**
 * Builds a deposit of fees: token accounts, claim, deposit and unwrapping of the rest, in one transaction for each part. Accounts of the pool that
 * do not fit beside them are created before.
 * @throws PlanError if a part is too large for a transaction
 */
export function buildCompound(plan: CompoundPlan): readonly Uint8Array[] {
  const steps = plan.parts.flatMap((part) => {
    const created = createdBy(part, plan);
    const whole = together(...created, compoundStep(part, plan));
    return created.length === 0 || fits(whole, plan) ? [whole] : [...created, compoundStep(part, plan)];
  });
  if (steps.length === 0) {
    throw new PlanError('There are no fees to deposit');
  }
  return withTip(steps, plan).flatMap((each) => assemble([each], { terms: plan, version: versionOf(plan) }));
}

/** What bins have earned: `claimed` is from the first to the last of them that has fees. */
type EarnedFees = Pick<BinPart, 'claimed' | 'arriving'>;

type BinPart = CompoundPart & { readonly type: 'bins' };

/**
 * Divides the fees of a position among transactions: all of it, or chunks of a wide position that each deposit what their own bins have earned.
 * @param deposit the whole position; its amounts do not count
 * @param feesOf what bins have earned; `undefined`: nothing
 */
export function compoundParts(
  deposit: BinDepositPlan,
  feesOf: (range: BinRange) => EarnedFees | undefined,
  plan: CompoundTarget,
): readonly BinPart[] {
  const partsOf = (chunk: BinRange): readonly BinPart[] => {
    const found = feesOf(chunk);
    return found === undefined ? [] : [binPart(deposit, chunk, found)];
  };
  if (widthOf(deposit) <= BINS_PER_DEFAULT_POSITION) {
    return partsOf(deposit);
  }
  const chunks = separateChunks(
    // Both tokens: the price is in the middle of a chunk, if it is among the bins.
    { ...deposit, amountX: 1n, amountY: 1n },
    deposit,
    (chunk) => partsOf(chunk).every((part) => fits(compoundStep(part, plan), plan)),
  );
  // The chunk that takes both tokens is the first.
  const { activeBinId } = deposit;
  const distance = ({ fromBinId, toBinId }: BinRange): number => Math.max(fromBinId - activeBinId, activeBinId - toBinId, 0);
  return [...chunks].sort((one, other) => distance(one) - distance(other)).flatMap(partsOf);
}

function binPart(deposit: BinDepositPlan, chunk: BinRange, { claimed, arriving }: EarnedFees): BinPart {
  const into = depositIntoChunk({ ...deposit, amountX: arriving.x, amountY: arriving.y }, chunk);
  const needed = into === undefined ? undefined : spreadRange(into.spread);
  const binArrays =
    needed === undefined
      ? []
      : binArraysOf(needed.fromBinId, needed.toBinId).filter((index) => deposit.missingBinArrayIndexes.includes(index));
  return {
    type: 'bins',
    claimed,
    arriving,
    hasBitmapExtension: deposit.bitmapExtension !== undefined,
    deposit: into,
    missing: { binArrays, bitmapExtension: into !== undefined && deposit.bitmapExtension === 'missing' },
  };
}

function createdBy(part: CompoundPart, { owner, pool }: CompoundTarget): readonly BuildStep[] {
  if (part.type === 'product') {
    return [];
  }
  const { binArrays, bitmapExtension } = part.missing;
  return [
    ...(bitmapExtension ? [initializeBitmapExtension({ owner, pool })] : []),
    ...binArrays.map((index) => initializeBinArray({ owner, pool }, index)),
  ];
}

function compoundStep(part: CompoundPart, plan: CompoundTarget): BuildStep {
  const { owner, pool } = plan;
  const bringsSol = [pool.tokenX, pool.tokenY].some(({ mint }) => mint === WRAPPED_SOL_MINT);
  return together(
    createTokenAccount(owner, pool.tokenX),
    createTokenAccount(owner, pool.tokenY),
    ...(part.type === 'bins' ? ofBins(part, plan) : ofProduct(part.deposit, plan)),
    ...(bringsSol && plan.keepsWrappedSol !== true ? [unwrapSol(owner)] : []),
  );
}

function ofBins(
  { claimed, hasBitmapExtension, deposit }: BinPart,
  { owner, pool, into: { position } }: CompoundTarget,
): readonly BuildStep[] {
  const roles = { owner, pool, position, hasBitmapExtension };
  return [claimFee(roles, claimed.fromBinId, claimed.toBinId), ...(deposit === undefined ? [] : [addLiquidity(roles, deposit)])];
}

function ofProduct(deposit: DepositOf<ProductAddPlan>, plan: CompoundTarget): readonly BuildStep[] {
  const { owner, pool, into } = plan;
  const { position, nftMint } = into;
  if (nftMint === undefined) {
    throw new PlanError('A position without bins has an NFT');
  }
  const claim = claimProductFee({ owner, pool, position, nftAccount: dammPositionNftAccount(nftMint) });
  return [claim, ...depositProduct({ owner, pool, into, ...deposit }, position, nftMint)];
}

function fits(step: BuildStep, plan: CompoundTarget): boolean {
  return fitsTogether(withTip([step], { ...plan, tip: ROOM_FOR_TIP }), { terms: plan, version: versionOf(plan) });
}

function versionOf(plan: BuildTerms): ReturnType<typeof addVersions>['pool'] {
  return addVersions({ ...plan, swaps: [] }).pool;
}
