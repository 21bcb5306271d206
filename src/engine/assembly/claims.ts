import type { Address } from '../../base/solana/address';
import { dammPositionNftAccount } from '../../base/solana/pda';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { binChunksOf } from './binDeposits';
import { claimProductFee } from './dammInstructions';
import { claimFee } from './dlmmInstructions';
import { assemble, type Assembly, type BuildStep, fitsTogether, together } from './transactions';
import { type BinDecreasePlan, type BuildTerms, PlanError, type PoolAccounts, type ProductDecreasePlan } from './types';
import { decreaseVersions } from './versions';
import { createTokenAccount, unwrapSol, withoutTip, withTip } from './walletInstructions';

/** A position whose fees are claimed. */
export type FeeClaimSource = { readonly pool: PoolAccounts; readonly position: Address } & (
  | Pick<BinDecreasePlan, 'type' | 'fromBinId' | 'toBinId' | 'filledRanges' | 'hasBitmapExtension'>
  | Pick<ProductDecreasePlan, 'type' | 'nftMint'>
);

/** A claim of fees. */
export interface FeeClaimPlan extends BuildTerms {
  readonly claims: readonly FeeClaimSource[];
}

/** An unsigned transaction of a claim in wire format, with the tip of the plan and without it. */
export interface ClaimTransaction {
  readonly positions: readonly Address[];
  readonly withTip: Uint8Array;
  readonly plain: Uint8Array;
}

/** One instruction of a claim: the fees of a position, or of up to 70 of its bins. */
interface ClaimPart {
  readonly pool: PoolAccounts;
  readonly position: Address;
  readonly step: BuildStep;
}

/**
 * Builds a claim. Each transaction stands alone: it creates the token accounts that it needs, unwraps what it claims, and pays a tip of its own.
 * @throws PlanError if a claim is too large for a transaction
 */
export function buildClaim(plan: FeeClaimPlan): readonly ClaimTransaction[] {
  const assembly: Assembly = { terms: plan, version: decreaseVersions(plan).pool };
  const groups: ClaimPart[][] = [];
  for (const part of plan.claims.flatMap((claimed) => partsOf(plan.owner, claimed))) {
    const last = groups.at(-1);
    if (last !== undefined && fitsTogether([stepOf([...last, part], plan)], assembly)) {
      last.push(part);
    } else {
      groups.push([part]);
    }
  }
  const without = withoutTip(plan);
  return groups.map((parts) => ({
    positions: [...new Set(parts.map(({ position }) => position))],
    withTip: only(assemble([stepOf(parts, plan)], assembly)),
    plain: only(assemble([stepOf(parts, without)], { ...assembly, terms: without })),
  }));
}

function partsOf(owner: Address, claimed: FeeClaimSource): readonly ClaimPart[] {
  const { pool, position } = claimed;
  const roles = { owner, pool, position };
  if (claimed.type === 'product') {
    return [{ pool, position, step: claimProductFee({ ...roles, nftAccount: dammPositionNftAccount(claimed.nftMint) }) }];
  }
  const hasBitmapExtension = claimed.hasBitmapExtension === true;
  return (claimed.filledRanges ?? binChunksOf(claimed)).map(({ fromBinId, toBinId }) => ({
    pool,
    position,
    step: claimFee({ ...roles, hasBitmapExtension }, fromBinId, toBinId),
  }));
}

/** A transaction as one step: its token accounts, the claims, unwrapping, the tip. */
function stepOf(parts: readonly ClaimPart[], terms: BuildTerms): BuildStep {
  const { owner } = terms;
  const received = parts.flatMap(({ pool }) => [pool.tokenX, pool.tokenY]);
  const tokens = [...new Map(received.map((token) => [token.mint, token])).values()];
  const bringsSol = tokens.some(({ mint }) => mint === WRAPPED_SOL_MINT);
  return together(
    ...withTip(
      [
        ...tokens.map((token) => createTokenAccount(owner, token)),
        ...parts.map(({ step }) => step),
        ...(bringsSol ? [unwrapSol(owner)] : []),
      ],
      terms,
    ),
  );
}

/** One step is one transaction. */
function only([bytes]: readonly Uint8Array[]): Uint8Array {
  if (bytes === undefined) {
    throw new PlanError('There is nothing to claim');
  }
  return bytes;
}
