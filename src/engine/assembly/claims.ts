import type { Address } from '../../base/solana/address';
import { dammPositionNftAccount } from '../../base/solana/pda';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { binChunksOf } from './binDeposits';
import { claimProductFee, claimProductReward } from './dammInstructions';
import { claimFee, claimReward } from './dlmmInstructions';
import { assemble, type Assembly, type BuildStep, fitsTogether, together } from './transactions';
import { type BinDecreasePlan, type BuildTerms, PlanError, type PoolAccounts, type ProductDecreasePlan, type TokenAccounts } from './types';
import { decreaseVersions } from './versions';
import { createTokenAccount, unwrapSol, withoutTip, withTip } from './walletInstructions';

/** A position whose fees and rewards are claimed. */
export type FeeClaimSource = { readonly pool: PoolAccounts; readonly position: Address } & (
  | Pick<BinDecreasePlan, 'type' | 'fromBinId' | 'toBinId' | 'filledRanges' | 'hasBitmapExtension' | 'rewards'>
  | Pick<ProductDecreasePlan, 'type' | 'nftMint' | 'rewards'>
);

export interface FeeClaimPlan extends BuildTerms {
  readonly claims: readonly FeeClaimSource[];
}

/** An unsigned transaction of a claim in wire format, with the tip of the plan and without it. */
export interface ClaimTransaction {
  readonly positions: readonly Address[];
  readonly withTip: Uint8Array;
  readonly plain: Uint8Array;
}

/** One instruction of a claim: the fees or a reward of a position, or of up to 70 of its bins. */
interface ClaimPart {
  /** What it brings. */
  readonly tokens: readonly TokenAccounts[];
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
  const fees = { position, tokens: [pool.tokenX, pool.tokenY] };
  const rewards = (claimed.rewards ?? []).map((reward) => ({ reward, of: { position, tokens: [reward.token] } }));
  if (claimed.type === 'product') {
    const withNft = { ...roles, nftAccount: dammPositionNftAccount(claimed.nftMint) };
    return [
      { ...fees, step: claimProductFee(withNft) },
      ...rewards.map(({ reward, of }) => ({ ...of, step: claimProductReward(withNft, reward) })),
    ];
  }
  const withExtension = { ...roles, hasBitmapExtension: claimed.hasBitmapExtension === true };
  return (claimed.filledRanges ?? binChunksOf(claimed)).flatMap((range) => [
    { ...fees, step: claimFee(withExtension, range.fromBinId, range.toBinId) },
    ...rewards.map(({ reward, of }) => ({ ...of, step: claimReward(withExtension, reward, range) })),
  ]);
}

/** A transaction as one step: its token accounts, the claims, unwrapping, the tip. */
function stepOf(parts: readonly ClaimPart[], terms: BuildTerms): BuildStep {
  const { owner } = terms;
  const received = parts.flatMap((part) => part.tokens);
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
