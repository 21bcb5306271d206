import * as z from 'zod';
import { type Address, parseAddress } from '../../base/solana/address';
import { isDecimals } from '../../base/solana/amounts';
import { oneLine } from '../../base/text';
import { SECOND_MS } from '../../base/time';
import type { PoolProgram } from '../index/types';
import type {
  Candle,
  DataFlow,
  DataPool,
  DataPoolsPage,
  DataPosition,
  DataPositionEvent,
  DataToken,
  DiscoveredPool,
  DiscoveredToken,
  PerWindow,
  VolumeBucket,
} from './types';

const LONGEST_SYMBOL = 20;
const LONGEST_NAME = 60;
/** Larger times are milliseconds: in seconds it is the year 5138. The contract does not name the unit. */
const FIRST_MILLISECONDS = 100_000_000_000;

const address = z.string().transform((text, context): Address => {
  const parsed = parseAddress(text);
  if (parsed === undefined) {
    context.addIssue({ code: 'custom', message: 'not an address' });
    return z.NEVER;
  }
  return parsed;
});

/** A figure that cannot be negative. The API writes NaN and infinity as null. */
const amount = z
  .number()
  .nullish()
  .transform((value) => (typeof value === 'number' && value >= 0 ? value : undefined));

/** Like {@link amount}; the API writes 0 where it does not know a price, a market value, a supply or a number of holders. */
const positive = amount.transform((value) => (value === 0 ? undefined : value));

const label = (longest: number): z.ZodType<string | undefined> =>
  z
    .string()
    .nullish()
    .transform((text) => {
      const line = oneLine(text ?? '', longest);
      return line === '' ? undefined : line;
    });

const perWindow = z
  .object({ '30m': amount, '1h': amount, '2h': amount, '4h': amount, '12h': amount, '24h': amount })
  .transform((windows): PerWindow => windows);

const token = z
  .object({
    address,
    symbol: label(LONGEST_SYMBOL),
    name: label(LONGEST_NAME),
    decimals: z.int().refine(isDecimals),
    price: positive,
    market_cap: positive,
    // In whole tokens, which the contract does not say: price × supply is the API's market value of tokens that all circulate.
    total_supply: positive,
    holders: positive,
    freeze_authority_disabled: z.boolean(),
  })
  .transform((wire): DataToken => ({
    mint: wire.address,
    symbol: wire.symbol,
    name: wire.name,
    decimals: wire.decimals,
    priceUsd: wire.price,
    marketCapUsd: wire.market_cap,
    supply: wire.total_supply,
    holders: wire.holders,
    hasFreezeAuthority: !wire.freeze_authority_disabled,
  }));

const HIGHEST_STEP_BPS = 10_000;

const baseFee = z.number().min(0).max(100);

/** `PoolConfig` of each contract, as far as it is used. */
const CONFIGS: Readonly<Record<PoolProgram, z.ZodType<{ readonly bin_step?: number | undefined; readonly base_fee_pct: number }>>> = {
  dlmm: z.object({ bin_step: z.int().min(1).max(HIGHEST_STEP_BPS), base_fee_pct: baseFee }),
  damm: z.object({ base_fee_pct: baseFee }),
};

/** `PoolResponse` of each contract, as far as it is used. */
export const POOL_RESPONSES = { dlmm: poolResponse('dlmm'), damm: poolResponse('damm') };

/** A page of `/pools`. Pools that cannot be read are left out; the totals count them. */
export const POOLS_RESPONSES = { dlmm: poolsResponse(POOL_RESPONSES.dlmm), damm: poolsResponse(POOL_RESPONSES.damm) };

const timeS = z.int().nonnegative();

/** The answer of `/pools/{address}/ohlcv`. */
export const CandlesResponse = series(
  z
    .object({
      timestamp: timeS,
      open: z.number().positive(),
      high: z.number().positive(),
      low: z.number().positive(),
      close: z.number().positive(),
      volume: z.number().nonnegative(),
    })
    .refine(({ open, high, low, close }) => low <= Math.min(open, close) && high >= Math.max(open, close))
    .transform(({ timestamp, open, high, low, close, volume }): Candle => ({
      timeS: timestamp,
      open,
      high,
      low,
      close,
      volumeUsd: volume,
    })),
);

/** The answer of `/pools/{address}/volume/history`. */
export const VolumesResponse = series(
  z
    .object({ timestamp: timeS, volume: z.number().nonnegative(), fees: z.number().nonnegative() })
    .transform(({ timestamp, volume, fees }): VolumeBucket => ({ timeS: timestamp, volumeUsd: volume, feesUsd: fees })),
);

/** A list by time, oldest first. What cannot be read is left out. */
function series<Item extends { readonly timeS: number }>(item: z.ZodType<Item>): z.ZodType<readonly Item[]> {
  return z.object({ data: z.array(z.unknown()) }).transform(({ data }) =>
    data
      .flatMap((entry): Item[] => {
        const read = item.safeParse(entry);
        return read.success ? [read.data] : [];
      })
      .sort((a, b) => a.timeS - b.timeS),
  );
}

function poolResponse(program: PoolProgram): z.ZodType<DataPool> {
  return z
    .object({
      address,
      name: label(LONGEST_NAME),
      token_x: token,
      token_y: token,
      token_x_amount: amount,
      token_y_amount: amount,
      created_at: positive,
      pool_config: CONFIGS[program],
      dynamic_fee_pct: amount,
      tvl: amount,
      volume: perWindow,
      fees: perWindow,
      fee_tvl_ratio: perWindow,
    })
    .transform((wire): DataPool => ({
      address: wire.address,
      program,
      name: wire.name ?? wire.address,
      x: wire.token_x,
      y: wire.token_y,
      amountX: wire.token_x_amount,
      amountY: wire.token_y_amount,
      createdAtMs: wire.created_at === undefined || wire.created_at >= FIRST_MILLISECONDS ? wire.created_at : wire.created_at * SECOND_MS,
      binStepBps: wire.pool_config.bin_step,
      baseFeePercent: wire.pool_config.base_fee_pct,
      dynamicFeePercent: wire.dynamic_fee_pct,
      tvlUsd: wire.tvl,
      volumeUsd: wire.volume,
      feesUsd: wire.fees,
      feeTvlPercent: wire.fee_tvl_ratio,
    }));
}

function poolsResponse(pool: z.ZodType<DataPool>): z.ZodType<DataPoolsPage> {
  return z
    .object({ total: z.int().nonnegative(), pages: z.int().nonnegative(), data: z.array(z.unknown()) })
    .transform(({ total, pages, data }) => ({ total, pages, pools: data.flatMap((item) => pool.safeParse(item).data ?? []) }));
}

/** A figure that is a number in one answer and text in the next, or not known. */
const figure = z
  .union([z.number(), z.string()])
  .nullish()
  .transform((value) => {
    const read = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    return typeof read === 'number' && Number.isFinite(read) ? read : undefined;
  });

/** Whole tokens. */
const tokens = z
  .union([z.number().nonnegative().transform(String), z.string()])
  .refine((text) => /^\d{1,30}(?:\.\d{1,30})?(?:e-?\d{1,2})?$/.test(text));

const flow = z
  .object({ tokenX: z.object({ amount: tokens }), tokenY: z.object({ amount: tokens }), total: z.object({ usd: figure, sol: figure }) })
  .transform(({ tokenX, tokenY, total }): DataFlow => ({ x: tokenX.amount, y: tokenY.amount, ...total }));

const maybeTime = z
  .int()
  .nullish()
  .transform((value) => (typeof value === 'number' && value > 0 ? value : undefined));

const binId = z.int().min(-1_000_000).max(1_000_000);

const position = z
  .object({
    positionAddress: address,
    lowerBinId: binId,
    upperBinId: binId,
    createdAt: maybeTime,
    closedAt: maybeTime,
    isClosed: z.boolean(),
    allTimeDeposits: flow,
    allTimeWithdrawals: flow,
    allTimeFees: flow,
  })
  .refine(({ lowerBinId, upperBinId }) => lowerBinId <= upperBinId)
  .transform((wire): Omit<DataPosition, 'pool'> => ({
    address: wire.positionAddress,
    lowerBinId: wire.lowerBinId,
    upperBinId: wire.upperBinId,
    createdAtS: wire.createdAt,
    closedAtS: wire.closedAt,
    isClosed: wire.isClosed,
    deposits: wire.allTimeDeposits,
    withdrawals: wire.allTimeWithdrawals,
    fees: wire.allTimeFees,
  }));

const hasNext = z.boolean();

// Pages of lists of a wallet. An entry that cannot be read is an error: a list without it would look whole.

/** `GetOpenPortfolioResponse` of the contract, as far as it is used. */
export const OpenPoolsResponse = z
  .object({ hasNext, pools: z.array(z.object({ poolAddress: address, listPositions: z.array(address) })) })
  .transform((page) => ({
    hasNext: page.hasNext,
    items: page.pools.map(({ poolAddress, listPositions }) => ({ pool: poolAddress, positions: listPositions })),
  }));

/** `GetPortfolioResponse` of the contract, as far as it is used. */
export const ClosedPoolsResponse = z
  .object({ hasNext, pools: z.array(z.object({ poolAddress: address })) })
  .transform((page) => ({ hasNext: page.hasNext, items: page.pools.map(({ poolAddress }) => poolAddress) }));

/** `GetPoolPositionPnLResponse` of the contract, as far as it is used. */
export const PositionsResponse = z
  .object({ hasNext, positions: z.array(position) })
  .transform((page) => ({ hasNext: page.hasNext, items: page.positions }));

const positionEvent = z
  .object({
    eventType: z.enum(['add', 'remove', 'claim_fee', 'claim_reward']),
    positionAddress: address,
    poolAddress: address,
    userAddress: address,
    signature: z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/),
    slot: z.int().nonnegative(),
    ixIndex: z.int().nonnegative(),
    blockTime: z.int().positive(),
    amountX: tokens,
    amountY: tokens,
    amountXUsd: figure,
    amountYUsd: figure,
  })
  .transform((wire): DataPositionEvent => ({
    kind: wire.eventType,
    position: wire.positionAddress,
    pool: wire.poolAddress,
    owner: wire.userAddress,
    signature: wire.signature,
    place: [wire.slot, wire.ixIndex],
    timeS: wire.blockTime,
    x: { amount: wire.amountX, usd: wire.amountXUsd },
    y: { amount: wire.amountY, usd: wire.amountYUsd },
  }));

/** `GetPositionHistoricalEventsResponse` of the contract, as far as it is used. */
export const PositionEventsResponse = z.object({ events: z.array(positionEvent) }).transform(({ events }) => events);

/** A figure of pool discovery; what is out of its bounds is none. */
const figureFrom = (least: number, most = Infinity): z.ZodType<number | undefined> =>
  z
    .unknown()
    .optional()
    .transform((value) => {
      const read = figure.safeParse(value).data;
      return read !== undefined && read >= least && read <= most ? read : undefined;
    });

const HIGHEST_SCORE = 100;

const warning = z
  .object({ type: z.string().max(LONGEST_NAME), severity: z.unknown().optional() })
  .transform(({ type, severity }) => ({ type, isCritical: severity === 'critical' }));

const discoveredToken = z
  .object({ address, organic_score: figureFrom(0, HIGHEST_SCORE), holders: figureFrom(1), warnings: z.unknown().optional() })
  .transform((wire): DiscoveredToken => ({
    mint: wire.address,
    organicScore: wire.organic_score,
    holders: wire.holders,
    warnings: z.array(warning).safeParse(wire.warnings).data,
  }));

const discoveredPool = z
  .object({
    pool_address: address,
    token_x: z.unknown().optional(),
    token_y: z.unknown().optional(),
    tvl: figureFrom(0),
    volume: figureFrom(0),
    fee: figureFrom(0),
    pool_price_change_pct: figureFrom(-100),
  })
  .transform((wire): DiscoveredPool => ({
    address: wire.pool_address,
    tokens: [wire.token_x, wire.token_y].flatMap((token) => discoveredToken.safeParse(token).data ?? []),
    tvlUsd: wire.tvl,
    volumeUsd: wire.volume,
    feesUsd: wire.fee,
    priceChangePercent: wire.pool_price_change_pct,
  }));

/** A page of pool discovery. Pools that cannot be read are left out. */
export const DiscoveredResponse = z
  .object({ data: z.array(z.unknown()) })
  .transform(({ data }) => data.flatMap((item) => discoveredPool.safeParse(item).data ?? []));

/** `ErrorResponse` of the contract. */
export const ErrorResponse = z.object({ message: z.string() });
