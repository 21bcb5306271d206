import * as l10n from '@vscode/l10n';
import { exactAmountOf } from '../../../service/tokens';
import type { PoolInfo } from '../../../service/pools';
import type { LiquidityService } from '../../../service/service';
import { binArrayIndex } from '../../../base/dlmm/bins';
import { FEE_ROOM_LAMPORTS } from '../../../transactions/rebalance/costs';
import type { PlanFigures } from '../../../protocol/pool';
import { DEFAULT_POLICY, type PolicySettings } from '../../../review/policy';
import type { SolanaRpc } from '../../../rpc/types';
import type { Address } from '../../../base/solana/address';
import { dlmmBinArray } from '../../../base/solana/pda';
import { PROGRAMS, RENT_LAMPORTS, SOL_DECIMALS, WRAPPED_SOL_MINT } from '../../../base/solana/programs';
import { RESERVE_LAMPORTS } from '../../zap/zapInAmount';
import { UserError } from '../../shell/userError';

export interface PlanSources {
  readonly service: Pick<LiquidityService, 'tokenBalances'>;
  /** `undefined`: no RPC is set. */
  readonly rpc: SolanaRpc | undefined;
  readonly owner: Address;
  readonly pool: Address;
  readonly poolType: PoolInfo['poolType'];
  readonly activeBinId: number | undefined;
  readonly defaultSlippageBps: number;
  readonly policy: Pick<Partial<PolicySettings>, 'tipAllowLamports'>;
  /** Called if the RPC request for bin arrays fails. */
  readonly warn: (error: unknown) => void;
}

/**
 * Bin arrays requested on either side of the active bin's: 2,100 bins, 1.5 times the widest position. All of them fit into one RPC request, which
 * takes 100 accounts.
 */
const ARRAYS_EACH_SIDE = 30;

/** Maximum time that a plan waits for the RPC's answer about bin arrays. */
const RPC_BUDGET_MS = 4_000;

/** Rent of a position in a pool without bins: the position, its NFT mint and the NFT's account. */
const PRODUCT_RENT_LAMPORTS = RENT_LAMPORTS.productPosition + RENT_LAMPORTS.productNftMint + RENT_LAMPORTS.productNftAccount;

/**
 * Reads the figures for a plan. An RPC failure is no error: its figures are left out.
 * @throws ServiceError if the balance cannot be read, UserError if the service does not report it exactly
 */
export async function readPlanFigures(sources: PlanSources, signal: AbortSignal): Promise<PlanFigures> {
  const [sol, binArrays] = await Promise.all([solOf(sources, signal), binArraysAround(sources, signal)]);
  const hasBins = sources.poolType !== 'dammV2';
  return {
    balanceLamports: String(sol.lamports),
    reserveLamports: String(RESERVE_LAMPORTS),
    solUsd: sol.priceUsd,
    defaultSlippageBps: sources.defaultSlippageBps,
    positionLamports: String(hasBins ? RENT_LAMPORTS.position : PRODUCT_RENT_LAMPORTS),
    positionPerBinAbove70Lamports: String(hasBins ? RENT_LAMPORTS.positionPerBinAbove70 : 0n),
    binArrayLamports: String(hasBins ? RENT_LAMPORTS.binArray : 0n),
    binArrays,
    feePerTransactionLamports: String(FEE_ROOM_LAMPORTS),
    tipLamports: String(sources.policy.tipAllowLamports ?? DEFAULT_POLICY.tipAllowLamports),
  };
}

/** The wallet's SOL; 0 if the service lists none. */
async function solOf(
  { service, owner }: PlanSources,
  signal: AbortSignal,
): Promise<{ readonly lamports: bigint; readonly priceUsd: number | undefined }> {
  const { items } = await service.tokenBalances({ owner, mints: [WRAPPED_SOL_MINT] }, { signal });
  const sol = items.find(({ mint }) => mint === WRAPPED_SOL_MINT);
  const lamports = sol === undefined ? 0n : exactAmountOf(sol, SOL_DECIMALS);
  if (lamports === undefined || lamports < 0n) {
    throw new UserError(l10n.t("The service doesn't report this wallet's SOL balance exactly enough to plan with."));
  }
  return { lamports, priceUsd: sol?.priceUsd };
}

async function binArraysAround(
  { rpc, pool, poolType, activeBinId, warn }: PlanSources,
  cancelled: AbortSignal,
): Promise<PlanFigures['binArrays']> {
  if (rpc === undefined || poolType !== 'dlmm' || activeBinId === undefined) {
    return undefined;
  }
  const middle = binArrayIndex(activeBinId);
  const from = middle - ARRAYS_EACH_SIDE;
  const indexes = Array.from({ length: 2 * ARRAYS_EACH_SIDE + 1 }, (_, place) => from + place);
  const signal = AbortSignal.any([cancelled, AbortSignal.timeout(RPC_BUDGET_MS)]);
  try {
    const { value } = await rpc.accounts({ addresses: indexes.map((index) => dlmmBinArray(pool, index)), firstBytes: 0 }, { signal });
    return { from, to: middle + ARRAYS_EACH_SIDE, existing: indexes.filter((_, place) => value[place]?.program === PROGRAMS.dlmm) };
  } catch (error) {
    if (!cancelled.aborted) {
      warn(error);
    }
    return undefined;
  }
}
