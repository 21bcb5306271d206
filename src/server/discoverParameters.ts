import * as z from 'zod';
import type { DiscoverBound, DiscoverParameters, ProtocolNames } from './engine';
import { anyTextNamed, optionalAddressNamed, pageNamed, queryNumberNamed, readParameters, wordNamed } from './parameters';

const ALL = 'all';
const BOUNDS = [
  'market_cap',
  'bin_step',
  'organic_score',
  'base_fee',
  'age_hr',
  'liquidity',
  '24h_fees',
  '24h_vol',
  '1h_vol',
] as const satisfies readonly DiscoverBound[];

const bound = (edge: 'min' | 'max', of: DiscoverBound): z.ZodType<number | undefined> => queryNumberNamed(`${edge}_${of}`, {}).optional();

const FIXED = z.object({
  chain: z.string().default('SOL'),
  sortBy: wordNamed('sortBy', ['mcap', 'created_at', 'vol_24h', 'tvl', 'fee_tvl_ratio', 'volatility']).default('mcap'),
  sortOrder: wordNamed('sortOrder', ['asc', 'desc', 'default']).default('desc'),
  page: pageNamed('page'),
  pageSize: queryNumberNamed('pageSize', { least: 1, most: 100, whole: true }).default(10),
  feeTVLInterval: wordNamed('feeTVLInterval', ['5m', '1h', '6h', '24h']).default('24h'),
  quote_token: optionalAddressNamed('quote_token'),
  search: anyTextNamed('search').optional(),
  ...Object.fromEntries(
    BOUNDS.flatMap((of) => [
      [`min_${of}`, bound('min', of)],
      [`max_${of}`, bound('max', of)],
    ]),
  ),
});

/** Query parameters of discover; the protocol names are values of `type`. */
export function discoverSchema({ bins, product }: ProtocolNames): DiscoverSchema {
  return FIXED.extend({ type: wordNamed('type', [ALL, bins, product]).default(ALL) });
}
type DiscoverSchema = ReturnType<typeof FIXED.extend<{ type: z.ZodType<string> }>>;

/** Reads the query of discover; the default order is descending. @throws EngineError that names the parameter */
export function readDiscover(schema: DiscoverSchema, given: unknown): DiscoverParameters {
  const query = readParameters(schema, given);
  const numbers: Readonly<Record<string, unknown>> = query;
  const at = (name: string): number | undefined => (typeof numbers[name] === 'number' ? numbers[name] : undefined);
  return {
    chain: query.chain,
    sortBy: query.sortBy,
    sortOrder: query.sortOrder === 'asc' ? 'asc' : 'desc',
    page: query.page,
    pageSize: query.pageSize,
    feeTvlInterval: query.feeTVLInterval,
    quoteToken: query.quote_token,
    search: query.search,
    protocol: query.type === ALL ? undefined : query.type,
    bounds: BOUNDS.map((of) => ({ of, least: at(`min_${of}`), most: at(`max_${of}`) })),
  };
}
