import { elapsedMs } from '../../base/async/clock';
import { runWithin } from '../../base/http';
import * as l10n from '@vscode/l10n';
import { binArrayIndex } from '../../base/dlmm/bins';
import type { Address } from '../../base/solana/address';
import { dlmmBinArray } from '../../base/solana/pda';
import { PROGRAMS, SOL_DECIMALS, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { RentRate } from '../../base/solana/rent';
import type { PortfolioReader, PortfolioSnapshot } from '../../portfolio/types';
import type { ForecastRecord } from '../../base/insight/forecasts';
import type { CounterRecordView, VolatilityView } from '../../protocol/outlook';
import type { ChartPeriod, OwnTrade, PlanFigures } from '../../protocol/pool';
import { DAY_MS } from '../../base/time';
import { candlesSince, type PoolCandle } from '../../service/candles';
import { DEFAULT_POLICY, type PolicySettings } from '../../review/policy';
import type { SolanaRpc } from '../../rpc/types';
import { type PoolInfo, poolBinStep } from '../../service/poolInfo';
import type { Pool } from '../../service/pools';
import type { LiquidityService } from '../../service/service';
import { exactAmountOf } from '../../service/tokens';
import { readVolatility } from '../../service/volatility';
import { readOwnForecasts } from '../../transactions/earnings/ownForecasts';
import { FEE_ROOM_LAMPORTS } from '../../transactions/rebalance/costs';
import { describeError } from '../shell/log';
import { UserError } from '../shell/errors';
import { importRemedy, watchRemedy } from '../wallets/walletSelection';
import { RESERVE_LAMPORTS } from '../zap/zapInDraft';
import { LEAST_BETWEEN_READS_MS } from './query';
import type { PresenterDependencies } from './presenter';
import { readCounterRecord } from './recordedFees';
import { LPERS_PER_PAGE, type LpersRead, ownTradesOf, rangesIn, type RangesRead, type SortableLpersQuery } from './poolView';

interface PlanSources {
  readonly service: Pick<LiquidityService, 'tokenBalances'>;
  /** `undefined`: no RPC is set. */
  readonly rpc: SolanaRpc | undefined;
  readonly owner: Address;
  readonly pool: Address;
  readonly poolType: PoolInfo['poolType'];
  readonly activeBinId: number | undefined;
  readonly defaultSlippageBps: number;
  readonly policy: Pick<Partial<PolicySettings>, 'tipAllowLamports'>;
  /** Called if an RPC request fails. */
  readonly warn: (error: unknown) => void;
}

/**
 * Bin arrays requested on either side of the active bin's: 2,100 bins, 1.5 times the widest position. All of them fit into one RPC request, which
 * takes 100 accounts.
 */
const ARRAYS_EACH_SIDE = 30;

/** Maximum time that a plan waits for the RPC's answer about bin arrays. */
const RPC_BUDGET_MS = 4_000;

/**
 * Reads the figures for a plan. An RPC failure is no error: its figures are left out.
 * @throws ServiceError if the balance cannot be read, UserError if the service does not report it exactly
 */
async function readPlanFigures(sources: PlanSources, signal: AbortSignal): Promise<PlanFigures> {
  const [sol, binArrays, rent] = await Promise.all([
    solBalance(sources, signal),
    binArraysAround(sources, signal),
    rentRate(sources, signal),
  ]);
  const hasBins = sources.poolType !== 'dammV2';
  return {
    balanceLamports: String(sol.lamports),
    reserveLamports: String(RESERVE_LAMPORTS),
    solUsd: sol.priceUsd,
    defaultSlippageBps: sources.defaultSlippageBps,
    positionLamports: String(hasBins ? rent.position : rent.productPositionWithNft),
    positionPerBinAbove70Lamports: String(hasBins ? rent.positionPerBinAbove70 : 0n),
    binArrayLamports: String(hasBins ? rent.binArray : 0n),
    isRentUpperBound: rent.isUpperBound,
    binArrays,
    feePerTransactionLamports: String(FEE_ROOM_LAMPORTS),
    tipLamports: String(sources.policy.tipAllowLamports ?? DEFAULT_POLICY.tipAllowLamports),
  };
}

/** The wallet's SOL; 0 if the service lists none. */
async function solBalance(
  { service, owner }: PlanSources,
  signal: AbortSignal,
): Promise<{ readonly lamports: bigint; readonly priceUsd: number | undefined }> {
  const { items } = await service.tokenBalances({ owner, mints: [WRAPPED_SOL_MINT] }, { signal });
  const sol = items.find(({ mint }) => mint === WRAPPED_SOL_MINT);
  const lamports = sol === undefined ? 0n : exactAmountOf(sol, SOL_DECIMALS);
  if (lamports === undefined || lamports < 0n) {
    throw new UserError(l10n.t('The service did not report the exact SOL balance of the wallet.'));
  }
  return { lamports, priceUsd: sol?.priceUsd };
}

/** The rent by the RPC; the highest known one without an answer. */
async function rentRate({ rpc, warn }: PlanSources, cancelled: AbortSignal): Promise<RentRate> {
  if (rpc === undefined) {
    return RentRate.highest;
  }
  try {
    return await runWithin(cancelled, RPC_BUDGET_MS, (signal) => rpc.rentRate({ signal }));
  } catch (error) {
    if (!cancelled.aborted) {
      warn(error);
    }
    return RentRate.highest;
  }
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
  try {
    const addresses = indexes.map((index) => dlmmBinArray(pool, index));
    const { value } = await runWithin(cancelled, RPC_BUDGET_MS, (signal) => rpc.accounts({ addresses, firstBytes: 0 }, { signal }));
    return { from, to: middle + ARRAYS_EACH_SIDE, existing: indexes.filter((_, place) => value[place]?.program === PROGRAMS.dlmm) };
  } catch (error) {
    if (!cancelled.aborted) {
      warn(error);
    }
    return undefined;
  }
}

/** Maximum page size of the service's pool search. */
const LARGEST_PAGE = 100;

/**
 * Finds a pool's record by search: the service has no parameter for a single pool. The search is documented for names and token addresses, and also
 * finds pool addresses. So the pool's address is searched first; if that finds nothing, token X among pools against token Y.
 * @returns `undefined` if the service does not list the pool
 */
async function findPoolRecord(
  service: Pick<LiquidityService, 'discoverPools'>,
  address: Address,
  info: PoolInfo | undefined,
  signal: AbortSignal,
): Promise<Pool | undefined> {
  const isIt = (pool: Pool): boolean => pool.address === address;
  const byAddress = await service.discoverPools({ search: address, pageSize: 10 }, { signal });
  const found = byAddress.items.find(isIt);
  const [x, y] = info?.tokens ?? [];
  if (found !== undefined || x?.address === undefined || signal.aborted) {
    return found;
  }
  const byToken = await service.discoverPools(
    { search: x.address, ...(y?.address === undefined ? {} : { quoteToken: y.address }), pageSize: LARGEST_PAGE },
    { signal },
  );
  return byToken.items.find(isIt);
}

/** Parameters of a pool panel's reads at the time they begin. */
export interface PoolReadParameters {
  readonly info: PoolInfo | undefined;
  readonly query: SortableLpersQuery;
  /** The wallet whose ranges are requested. */
  readonly lper: Address | undefined;
  readonly period: ChartPeriod;
  /** The user asked for the latest record; the tree's list may be a minute old. */
  readonly isRecordRequested: boolean;
}

/** A pool's record; `undefined`: the service does not list the pool. */
export interface RecordRead {
  readonly pool: Pool | undefined;
}

/** The candles of a period; none: the service has no candles. */
export interface CandlesRead {
  readonly period: ChartPeriod;
  readonly candles: readonly PoolCandle[] | undefined;
}

const PERIOD_DAYS: Readonly<Record<ChartPeriod, number>> = { '24h': 1, '7d': 7, '30d': 30, '90d': 90 };

/** Closed positions whose trades are shown: the last opened ones, as many as a page has. */
const CLOSED_POSITIONS = 20;

/** The reads of a pool's panel. Each throws what the service throws, and UserError if a wallet is missing. */
export interface PoolReads {
  readonly info: (signal: AbortSignal) => Promise<PoolInfo>;
  readonly record: (signal: AbortSignal) => Promise<RecordRead>;
  readonly lpers: (signal: AbortSignal) => Promise<LpersRead>;
  readonly ranges: (signal: AbortSignal) => Promise<RangesRead>;
  readonly planFigures: (signal: AbortSignal) => Promise<PlanFigures>;
  /** Only for services that have candles. */
  readonly volatility: (signal: AbortSignal) => Promise<VolatilityView>;
  /** The same. */
  readonly candles: (signal: AbortSignal) => Promise<CandlesRead>;
  /** The same: the trades of the selected wallet's closed positions in the pool. */
  readonly closedTrades: (signal: AbortSignal) => Promise<readonly OwnTrade[]>;
  /** The same. `undefined`: the pool has no bins, or the service records nothing. */
  readonly counterRecord: (signal: AbortSignal) => Promise<CounterRecordView | undefined>;
  /** Of the selected wallet. `undefined`: too few positions that were forecast have ended. */
  readonly ownForecasts: (signal: AbortSignal) => Promise<ForecastRecord | undefined>;
}

export function poolReads(pool: Address, dependencies: PresenterDependencies, parameters: () => PoolReadParameters): PoolReads {
  const { connect, journal, portfolio, clock, poolInfos } = dependencies;
  return {
    info: async (signal) => poolInfos.read(await connect(), pool, signal),

    record: async (signal) => {
      const { info, isRecordRequested } = parameters();
      const { pool: listed, asOfMs = -Infinity } = listedPool(portfolio.snapshot, pool);
      if (!isRecordRequested && listed !== undefined && elapsedMs(asOfMs, clock.now()) < LEAST_BETWEEN_READS_MS) {
        return { pool: listed };
      }
      return { pool: await findPoolRecord(await connect(), pool, info, signal) };
    },

    lpers: async (signal) => {
      const { query } = parameters();
      const service = await connect();
      return { query, page: await service.topLpers({ pool, ...query, pageSize: LPERS_PER_PAGE }, { signal }) };
    },

    ranges: async (signal) => {
      const { lper } = parameters();
      if (lper === undefined) {
        throw new UserError(l10n.t('No wallet selected. Import a wallet key or watch an address.'));
      }
      const { items } = await (await connect()).openPositions(lper, { signal });
      return rangesIn(pool, lper, items);
    },

    planFigures: (signal) => planFigures(pool, dependencies, parameters(), signal),

    volatility: async (signal) => {
      const service = await connect();
      const info = await poolInfos.recent(service, pool, signal);
      return readVolatility(service, pool, poolBinStep(info), clock.now(), signal);
    },

    candles: async (signal) => {
      const { period } = parameters();
      const nowMs = clock.now();
      const span = candlesSince(nowMs - PERIOD_DAYS[period] * DAY_MS, nowMs);
      return { period, candles: await (await connect()).candles(pool, span, { signal }) };
    },

    closedTrades: async (signal) => {
      const service = await connect();
      // Only after connecting: the sandbox adds its wallet.
      const { owner } = portfolio.snapshot;
      if (owner === undefined) {
        return [];
      }
      const order = { orderBy: 'createdAt', sortOrder: 'desc' } as const;
      const { items } = await service.poolPositions({ pool, owner, status: 'Close', pageSize: CLOSED_POSITIONS, ...order }, { signal });
      return ownTradesOf(items.flatMap(({ logs }) => logs.read().items));
    },

    counterRecord: async (signal) => {
      const service = await connect();
      const { activeBin } = await poolInfos.recent(service, pool, signal);
      return activeBin === undefined ? undefined : readCounterRecord(service, pool, activeBin.binId, signal);
    },

    ownForecasts: async (signal) => {
      const service = await connect();
      // Only after connecting: the sandbox adds its wallet.
      const { owner } = portfolio.snapshot;
      return owner === undefined ? undefined : readOwnForecasts(owner, await journal(), service, signal);
    },
  };
}

type PlanFigureDependencies = Pick<PresenterDependencies, 'connect' | 'rpc' | 'defaultSlippageBps' | 'policy' | 'log'> & {
  readonly portfolio: PortfolioReader;
};

/** The pool as listed in the tree, and when that list was read; empty if there is no list. */
export function listedPool(
  { pools, poolsState }: PortfolioSnapshot,
  pool: Address,
): { readonly pool?: Pool | undefined; readonly asOfMs?: number } {
  const isRead = poolsState.kind === 'ready' || poolsState.kind === 'stale';
  return isRead ? { pool: pools.find(({ address }) => address === pool), asOfMs: poolsState.asOf.getTime() } : {};
}

/** Reads the figures for the cost of a plan. @throws ServiceError if the balance cannot be read, UserError if there is no wallet */
export async function planFigures(
  pool: Address,
  { connect, portfolio, rpc, defaultSlippageBps, policy, log }: PlanFigureDependencies,
  { info: known }: Pick<PoolReadParameters, 'info'>,
  signal: AbortSignal,
): Promise<PlanFigures> {
  const service = await connect();
  // Only after connecting: the sandbox adds its wallet.
  const { owner } = portfolio.snapshot;
  if (owner === undefined) {
    throw new UserError(l10n.t('No wallet selected. Import a wallet key or watch an address.'), importRemedy(), watchRemedy());
  }
  const { poolType, activeBin } = known ?? (await service.poolInfo(pool, { signal }));
  const warn = (error: unknown): void => log('warn', `Could not read rent or bin arrays for the plan: ${describeError(error)}`);
  const node = await rpc().catch((error: unknown) => {
    warn(error);
    return undefined;
  });
  return readPlanFigures(
    {
      service,
      rpc: node,
      owner,
      pool,
      poolType,
      activeBinId: activeBin?.binId,
      defaultSlippageBps: defaultSlippageBps(),
      policy: policy?.() ?? {},
      warn,
    },
    signal,
  );
}
