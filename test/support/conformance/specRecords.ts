import * as z from 'zod';

// Records of the service as strict schemas: every field that the extension relies on, with its type. Written from the specification of the
// service, not from the sandbox.

const number = z.number();
const integer = z.int();
const string = z.string();
const address = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/, 'an address in base58');
const decimalText = z.string().regex(/^-?\d+(\.\d+)?$/, 'a decimal number as text');
const integerText = z.string().regex(/^\d+$/, 'an integer as text');
const isoDate = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, 'ISO 8601 in UTC with milliseconds');
const plainDate = z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/, 'YYYY-MM-DD HH:MM:SS.mmm');
const plainDateWithoutMs = z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/, 'YYYY-MM-DD HH:MM:SS');
const url = z.union([z.literal(''), z.url()]);

/** The same schema for many fields. */
function each<const Names extends string, Schema extends z.ZodType>(schema: Schema, names: readonly Names[]): Record<Names, Schema> {
  return Object.fromEntries(names.map((name) => [name, schema])) as Record<Names, Schema>;
}

const TOKEN_INFO = z.looseObject({
  token_symbol: string,
  token_name: string,
  token_decimals: integer,
  token_address: address,
  logo: url.nullable(),
});

/** Fields of open and closed positions. */
const POSITION = z.looseObject({
  strategyType: z.string().regex(/^(Spot|Curve|BidAsk)ImBalanced$/),
  ...each(address, ['tokenId', 'position', 'pool', 'token0', 'token1', 'owner']),
  ...each(string, ['pairName', 'liquidity', 'protocol', 'tokenName0', 'tokenName1', 'creationType']),
  ...each(url, ['logo0', 'logo1']),
  ...each(decimalText, ['currentValue', 'uncollectedFee', 'age']),
  ...each(number, [
    'inputValue',
    'inputNative',
    'outputValue',
    'outputNative',
    'collectedReward',
    'collectedRewardNative',
    'collectedFee',
    'collectedFeeNative',
  ]),
  ...each(number, ['pnlNative', 'dpr', 'dprNative', 'value', 'valueNative']),
  ...each(number.nullable(), ['upnl', 'yield24h', 'apr']),
  ...each(integer, ['tickLower', 'tickUpper', 'decimal0', 'decimal1']),
  ageHour: decimalText.nullable(),
  inRange: z.boolean(),
  ...each(isoDate, ['createdAt', 'updatedAt']),
  pnl: z.looseObject(each(number, ['value', 'valueNative', 'percent', 'percentNative'])),
  ...each(TOKEN_INFO, ['token0Info', 'token1Info']),
  poolInfo: z.looseObject({ fee: number, tickSpacing: integer }),
  priceRange: z.tuple([number, number, number]),
});

/** A closed position. */
export const HISTORICAL_RECORD = POSITION.extend({
  status: z.literal('Close'),
  ...each(isoDate, ['close_At', 'closeAt']),
  ...each(number, ['fee', 'feeNative', 'feePercent', 'feePercentNative', 'pnlNativeAudited', 'solInAudited', 'solOutAudited']),
  followInfo: z.looseObject({ sourceOwner: address, sourceLabel: string, sourceTokenId: address }).optional(),
});

/** An open position. */
export const OPENING_RECORD = POSITION.extend({
  status: z.literal('Open'),
  id: z.string().min(1),
  range: z.tuple([integer, integer, integer]),
  current: z.looseObject({ ...each(decimalText, ['amount0', 'amount1']), ...each(number, ['amount0Adjusted', 'amount1Adjusted']) }),
  ...each(number, ['unCollectedFee0', 'unCollectedFee1', 'unCollectedFee', 'unCollectedFeeNative', 'price0', 'price1']),
  logs: z.array(z.looseObject({})),
});

const PERIODS = ['ALL', '7D', '1M', '3M', '1Y', 'YTD'] as const;
const PER_PERIOD = z.strictObject(each(number, PERIODS));

/** The overview of an owner. */
export const OVERVIEW = z.looseObject({
  owner: address,
  ...each(string, ['chain', 'protocol']),
  ...each(number, ['total_inflow', 'total_outflow', 'total_reward', 'total_inflow_native', 'total_outflow_native', 'total_reward_native']),
  ...each(PER_PERIOD, [
    'avg_inflow',
    'total_fee',
    'total_pnl',
    'avg_inflow_native',
    'total_fee_native',
    'total_pnl_native',
    'win_rate',
    'win_rate_native',
    'expected_value',
    'expected_value_native',
  ]),
  closed_lp: PER_PERIOD.extend({ ALL: integerText }),
  ...each(number, ['avg_age_hour', 'fee_percent', 'fee_percent_native', 'apr', 'roi', 'roi_avg_inflow', 'roi_avg_inflow_native']),
  ...each(integerText, ['total_lp', 'win_lp', 'win_lp_native', 'opening_lp', 'total_pool']),
  ...each(plainDate, ['first_activity', 'last_activity']),
  updated_at: plainDateWithoutMs,
  ...each(number, ['avg_pos_profit', 'avg_pos_profit_native', 'avg_monthly_profit_percent', 'avg_monthly_pnl', 'avg_monthly_inflow']),
  ...each(number, ['avg_monthly_profit_percent_native', 'avg_monthly_pnl_native', 'avg_monthly_inflow_native']),
});

const VOLUME_STATS = z.looseObject(each(number, ['volume', 'volume_change']));
const TOKEN_STATS = z.looseObject({ volume: z.looseObject(each(VOLUME_STATS, ['stats1h', 'stats6h', 'stats24h'])), holders: number });

export const DISCOVERED_POOL = z.looseObject({
  ...each(address, ['pool', 'token0', 'token1']),
  ...each(string, ['protocol', 'chain', 'token0_symbol', 'token0_name', 'token1_symbol', 'token1_name']),
  ...each(number, [
    'tvl',
    'fee',
    'vol_5m',
    'vol_1h',
    'vol_6h',
    'vol_24h',
    'base_price',
    'quote_price',
    'mcap',
    'usd_price',
    'fdv',
    'organic_score',
    'top_holder',
  ]),
  ...each(number, [
    'price_5m_change',
    'price_1h_change',
    'price_6h_change',
    'price_24h_change',
    'bin_step',
    'liquidity_token0',
    'liquidity_token1',
  ]),
  mint_freeze: z.boolean(),
  ...each(isoDate, ['created_at', 'updated_at', 'first_pool_created_at']),
  ...each(integer, ['token0_decimals', 'token1_decimals']),
  token0_stats: TOKEN_STATS,
  token1_stats: z.looseObject({}),
});

const BIN_PRICE = { binId: integer, ...each(decimalText, ['price', 'pricePerToken']) };
const OBJECT = z.looseObject({});

/** Details of a pool, except for the bins. */
const INFO = z.looseObject({
  type: string,
  tokenInfo: z
    .array(
      z.looseObject({
        status: string,
        data: z
          .array(
            z.looseObject({
              ...each(string, ['id', 'name', 'symbol', 'icon']),
              ...each(number, ['decimals', 'mcap', 'fdv', 'usdPrice', 'organicScore', 'holderCount']),
            }),
          )
          .min(1),
      }),
    )
    .length(2),
  ...each(OBJECT, ['poolStats', 'poolState', 'poolDb']),
  ...each(number, ['amountX', 'amountY']),
  feeInfo: z.looseObject(each(number, ['baseFeeRatePercentage', 'maxFeeRatePercentage', 'protocolFeePercentage', 'dynamicFee'])),
  feeStats: z.array(OBJECT),
});

/** Details of a bin pool. */
export const POOL_INFO = INFO.extend({
  liquidityViz: z.looseObject({
    activeBin: z.looseObject(BIN_PRICE),
    bins: z.array(z.looseObject({ ...BIN_PRICE, ...each(number, ['xAmount', 'yAmount']) })).min(70),
  }),
});

/** The same for a pool of the second type, which its name ends with. */
export const PRODUCT_POOL_INFO = INFO.extend({ type: z.string().endsWith('_damm_v2'), liquidityViz: z.undefined().optional() });

/** A liquidity provider of a pool. */
export const LPER = z.looseObject({
  ...each(address, ['pool', 'owner', 'token0', 'token1']),
  protocol: string,
  ...each(number, [
    'total_inflow',
    'avg_inflow',
    'total_outflow',
    'total_fee',
    'total_pnl',
    'total_inflow_native',
    'avg_inflow_native',
    'total_outflow_native',
    'total_reward',
  ]),
  ...each(number, [
    'total_fee_native',
    'total_reward_native',
    'total_pnl_native',
    'total_lp',
    'avg_age_hour',
    'win_lp',
    'win_lp_native',
    'win_rate',
    'win_rate_native',
  ]),
  ...each(number, ['fee_percent', 'fee_percent_native', 'apr', 'roi']),
  ...each(isoDate, ['first_activity', 'last_activity']),
});

/** Pagination of lists. */
export const PAGINATION = {
  historical: z.looseObject(each(integer, ['currentPage', 'totalPages', 'totalCount', 'pageSize'])),
  discover: z.looseObject({
    ...each(integer, ['currentPage', 'pageSize', 'totalCount', 'totalPages']),
    ...each(z.boolean(), ['hasNextPage', 'hasPreviousPage']),
  }),
  topLpers: z.looseObject({ ...each(integer, ['page', 'pageSize', 'totalCount', 'totalPages']), hasNextPage: z.boolean() }),
};

/** A token balance. */
export const BALANCE = z.looseObject({ address, uiAmount: decimalText, price: number.optional() });
