import { MAX_BINS_PER_POSITION, type BinRange, rangeAround, shareOfXBins, sidesOf, widthOf } from '../base/dlmm/bins';
import { entryCost } from '../base/dlmm/entryCost';
import { type Address, parseAddress } from '../base/solana/address';
import { LAMPORTS_PER_SOL, WRAPPED_SOL_MINT } from '../base/solana/programs';
import type { PoolInfo } from '../service/poolInfo';
import type { Pool } from '../service/pools';
import type { DiscoverQuery } from '../service/service';
import { type ToolContext, ToolError } from './context';
import { DEFAULT_LIMIT, type OutputOf, type PlanInput } from './definitions';
import { selectedOwner, tokenRow } from './positionTools';
import { untrusted } from './untrusted';

/** Bins on each side of the active one whose liquidity is reported. */
const BINS_EACH_SIDE = 15;
/** As in the default range of *Zap In…*: 69 bins fit into one account. */
const DEFAULT_HALF_WIDTH = 34;
/** A position in a pool without bins holds both tokens in equal value. */
const HALF = 0.5;

/** What a range takes, in words for models. */
const TAKES = { both: 'both tokens', onlyX: 'only token X', onlyY: 'only token Y' } as const;

interface PoolsInput {
  readonly search?: string | undefined;
  readonly sortBy?: DiscoverQuery['sortBy'] | undefined;
  readonly poolType?: DiscoverQuery['poolType'] | undefined;
  readonly page?: number | undefined;
  readonly limit?: number | undefined;
}

/** Answers binsight_pools. */
export async function listPools(
  { search, sortBy = 'vol_24h', poolType, page = 1, limit = DEFAULT_LIMIT }: PoolsInput,
  { reads, signal }: ToolContext,
): Promise<OutputOf<'binsight_pools'>> {
  const found = await reads.pools(
    {
      sortBy,
      sortOrder: 'desc',
      page,
      pageSize: limit,
      ...(search === undefined ? {} : { search }),
      ...(poolType === undefined ? {} : { poolType }),
    },
    signal,
  );
  return { page: found.page, total: found.totalCount, hasNextPage: found.hasNextPage, pools: found.items.slice(0, limit).map(poolRow) };
}

function poolRow(pool: Pool): OutputOf<'binsight_pools'>['pools'][number] {
  return {
    pool: pool.address,
    pair: untrusted(pool.pairName),
    poolType: pool.poolType,
    token0: tokenRow(pool.token0),
    token1: tokenRow(pool.token1),
    tvlUsd: pool.tvlUsd,
    volume24hUsd: pool.volumeUsd['24h'],
    baseFeePercent: pool.baseFeePercent,
    feeTvlRatio24h: pool.feeTvlRatio24h,
    priceChange24hPercent: pool.priceChangePercent['24h'],
    binStepBps: pool.binStepBps,
    marketCapUsd: pool.marketCapUsd,
    organicScore: pool.organicScore,
    mintOrFreezeEnabled: pool.mintOrFreezeEnabled,
    createdAt: pool.createdAt?.toISOString(),
  };
}

/** The pool in an input. @throws ToolError if it is no Solana address */
function poolAddress(text: string): Address {
  const address = parseAddress(text);
  if (address === undefined) {
    throw new ToolError('"pool" is not a Solana address.');
  }
  return address;
}

/** Answers binsight_pool. */
export async function showPool({ pool }: { readonly pool: string }, { reads, signal }: ToolContext): Promise<OutputOf<'binsight_pool'>> {
  const address = poolAddress(pool);
  const info = await reads.poolInfo(address, signal);
  const { activeBin, statistics } = info;
  return {
    pool: address,
    poolType: info.poolType,
    tokens: info.tokens
      .slice(0, 2)
      .map((token) => ({
        ...tokenRow(token),
        priceUsd: token.priceUsd,
        marketCapUsd: token.marketCapUsd,
        organicScore: token.organicScore,
        holders: token.holders,
      })),
    amountX: info.amountX,
    amountY: info.amountY,
    fees: info.fees,
    tvlUsd: statistics.tvlUsd,
    volume24hUsd: statistics.volumeUsd?.['24h'],
    fees24hUsd: statistics.fees24hUsd,
    binStepBps: statistics.binStepBps,
    activeBin,
    bins:
      activeBin === undefined
        ? []
        : info.bins
            .filter(({ binId }) => Math.abs(binId - activeBin.binId) <= BINS_EACH_SIDE)
            .map(({ binId, amountX, amountY, price }) => ({ binId, amountX, amountY, price })),
  };
}

/** A plan of an assistant, checked against the pool. */
export interface CheckedPlan {
  readonly pool: Address;
  readonly info: PoolInfo;
  readonly amountLamports: bigint;
  /** `undefined`: a pool without bins. */
  readonly range: BinRange | undefined;
  readonly activeBinId: number | undefined;
  /** Share of the SOL for token X, 0 to 1. */
  readonly percentX: number;
}

/** Reads the pool of a plan, and completes its range. @throws ToolError if the plan does not fit the pool */
export async function checkPlan(input: PlanInput, { reads, signal }: ToolContext): Promise<CheckedPlan> {
  const pool = poolAddress(input.pool);
  const amountLamports = BigInt(Math.round(input.amountSol * Number(LAMPORTS_PER_SOL)));
  if (amountLamports === 0n) {
    throw new ToolError('"amountSol" is less than one lamport.');
  }
  const info = await reads.poolInfo(pool, signal);
  if (info.poolType === 'other') {
    throw new ToolError('Binsight cannot enter this type of pool: it supports Meteora DLMM and DAMM v2.');
  }
  const hasRange = input.lowerBinId !== undefined || input.upperBinId !== undefined || input.halfWidthBins !== undefined;
  if (info.poolType === 'dammV2') {
    if (hasRange) {
      throw new ToolError('This pool has no bins: leave out the range.');
    }
    return { pool, info, amountLamports, range: undefined, activeBinId: undefined, percentX: HALF };
  }
  const activeBinId = info.activeBin?.binId;
  if (activeBinId === undefined) {
    throw new ToolError('The service does not report the active bin of this pool.');
  }
  const range = rangeOf(input, activeBinId);
  return { pool, info, amountLamports, range, activeBinId, percentX: shareOfXBins(range, activeBinId) };
}

function rangeOf({ lowerBinId, upperBinId, halfWidthBins }: PlanInput, activeBinId: number): BinRange {
  if (lowerBinId === undefined && upperBinId === undefined) {
    return rangeAround(activeBinId, halfWidthBins ?? DEFAULT_HALF_WIDTH);
  }
  if (lowerBinId === undefined || upperBinId === undefined || halfWidthBins !== undefined) {
    throw new ToolError('Give either lowerBinId and upperBinId, or halfWidthBins.');
  }
  const range = { fromBinId: lowerBinId, toBinId: upperBinId };
  if (lowerBinId > upperBinId || widthOf(range) > MAX_BINS_PER_POSITION) {
    throw new ToolError(`A range has 1 to ${MAX_BINS_PER_POSITION} bins, from lowerBinId to upperBinId.`);
  }
  return range;
}

/** Answers binsight_plan_cost. */
export async function planCost(input: PlanInput, context: ToolContext): Promise<OutputOf<'binsight_plan_cost'>> {
  const plan = await checkPlan(input, context);
  const { pool, info, range, activeBinId, percentX, amountLamports } = plan;
  const figures = await context.reads.planFigures(pool, info, context.signal);
  const cost = entryCost(range, swapsOf(info, percentX), figures);
  const left = BigInt(figures.balanceLamports) - amountLamports - cost.totalLamports;
  return {
    wallet: selectedOwner(context),
    pool,
    amountSol: sol(amountLamports),
    range:
      range === undefined || activeBinId === undefined
        ? undefined
        : {
            lowerBinId: range.fromBinId,
            upperBinId: range.toBinId,
            bins: widthOf(range),
            activeBinId,
            takes: TAKES[sidesOf(range, activeBinId)],
          },
    positionRentSol: sol(cost.rentLamports),
    isPositionRentRefundable: true,
    newBinArrays: cost.binArrays.missing,
    binArraysOfUnknownState: cost.binArrays.unknown,
    newBinArraysRentSol: sol(cost.binArrayLamports),
    isRentUpperBound: figures.isRentUpperBound,
    transactions: cost.transactions,
    mostNetworkFeesSol: sol(cost.feesLamports),
    totalCostSol: sol(cost.totalLamports),
    walletBalanceSol: sol(BigInt(figures.balanceLamports)),
    staysInWalletSol: sol(left),
    isAffordable: left >= 0n,
  };
}

/** The number of tokens that have to be bought with SOL at this split. */
function swapsOf({ tokens: [x, y] }: PoolInfo, percentX: number): number {
  const isBought = (mint: Address | undefined, share: number): boolean => share > 0 && mint !== WRAPPED_SOL_MINT;
  return [isBought(x?.address, percentX), isBought(y?.address, 1 - percentX)].filter((is) => is).length;
}

/** For display only. */
function sol(lamports: bigint): number {
  return Number(lamports) / Number(LAMPORTS_PER_SOL);
}
