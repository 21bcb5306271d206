import { operationAt } from './operations';

/** Fields that an engine may leave null, although the contract has a value for them, and why. */
export interface Difference {
  /** Paths of the contract: "/pools/discover". */
  readonly endpoints: readonly string[];
  /** Names of fields, with as much of the path before them as tells them from others: "stats1h.volume". */
  readonly fields: readonly string[];
  readonly reason: string;
}

/** Decides which nulls of an engine's answers are allowed, and remembers which of them occurred. */
export class AllowedNulls {
  readonly #differences: readonly Difference[];
  readonly #seen = new Set<string>();

  constructor(differences: readonly Difference[]) {
    this.#differences = differences;
  }

  /** @param path of the request @param field with the fields around it, separated by dots; places in lists are left out */
  isAllowed(method: string, path: string, field: string): boolean {
    const endpoint = operationAt(method, path)?.path;
    const allowed = this.#differences
      .filter(({ endpoints }) => endpoint !== undefined && endpoints.includes(endpoint))
      .flatMap(({ fields }) => fields.filter((name) => field === name || field.endsWith(`.${name}`)))
      .map((name) => `${endpoint} ${name}`);
    allowed.forEach((name) => this.#seen.add(name));
    return allowed.length > 0;
  }

  /** What was declared and did not occur: the declaration is to be removed. */
  get unused(): readonly string[] {
    return this.#differences
      .flatMap(({ endpoints, fields }) => endpoints.flatMap((endpoint) => fields.map((field) => `${endpoint} ${field}`)))
      .filter((name) => !this.#seen.has(name));
  }
}

/** The value at a path of keys, and the path as {@link AllowedNulls} names it. */
export function fieldAt(body: unknown, path: readonly PropertyKey[]): { readonly name: string; readonly value: unknown } {
  const value = path.reduce<unknown>(
    (within, key) => (typeof within === 'object' && within !== null ? Reflect.get(within, key) : undefined),
    body,
  );
  const names = path.filter((key) => typeof key === 'string' && !/^\d+$/.test(key));
  return { name: names.map(String).join('.'), value };
}

const WINDOWS = ['stats1h', 'stats6h', 'stats24h'] as const;

/**
 * What the service over a chain does not know, with a price API and Meteora's data API; without them it knows less. It answers null, never an
 * estimate.
 */
export const DIFFERENCES_OF_CHAIN: readonly Difference[] = [
  {
    endpoints: ['/lp-positions/opening', '/lp-positions/historical'],
    fields: ['logo0', 'logo1', 'token1Info.logo'],
    reason: 'The picture of a token is named in a document outside of the chain, which is not fetched.',
  },
  { endpoints: ['/lp-positions/opening'], fields: ['token0Info.logo'], reason: 'As above; the contract allows null for closed positions.' },
  { endpoints: ['/token/balance'], fields: ['logo'], reason: 'As for positions.' },
  { endpoints: ['/pools/{poolId}/info'], fields: ['icon'], reason: 'As for positions.' },
  {
    endpoints: ['/lp-positions/opening', '/lp-positions/historical'],
    fields: ['strategyType'],
    reason: 'Positions of DAMM v2 have no strategy.',
  },
  {
    endpoints: ['/pools/discover'],
    fields: ['vol_5m', 'vol_6h', 'organic_score'],
    reason: 'The data API has neither volumes of five minutes and six hours nor scores of tokens.',
  },
  { endpoints: ['/pools/{poolId}/info'], fields: ['organicScore'], reason: 'The data API has no scores of tokens.' },
  { endpoints: ['/pools/{poolId}/info'], fields: ['fdv'], reason: 'The mint of wrapped SOL does not count the supply of SOL.' },
  {
    endpoints: ['/pools/discover'],
    fields: [
      ...['fdv', 'top_holder', 'mint_freeze', 'first_pool_created_at'],
      ...['price_5m_change', 'price_1h_change', 'price_6h_change', 'price_24h_change'],
      ...WINDOWS.flatMap((window) => [`token0_stats.volume.${window}.volume`, `token0_stats.volume.${window}.volume_change`]),
    ],
    reason: 'The data API does not have them, and they do not follow from accounts.',
  },
  { endpoints: ['/pools/discover'], fields: ['vol_1h', 'vol_24h', 'created_at'], reason: 'The data API knows only pools with bins.' },
  {
    endpoints: ['/pools/discover'],
    fields: ['mcap', 'token0_stats.holders'],
    reason: 'The data API has figures of tokens in its pools, and knows only pools with bins.',
  },
  { endpoints: ['/pools/{poolId}/info'], fields: ['mcap', 'holderCount'], reason: 'As above.' },
  {
    endpoints: ['/pools/{poolId}/top-lpers'],
    fields: [
      ...['total_inflow', 'avg_inflow', 'total_outflow', 'total_fee', 'total_pnl', 'win_lp', 'win_rate', 'fee_percent', 'apr', 'roi'],
      ...['total_inflow_native', 'avg_inflow_native', 'total_outflow_native', 'total_fee_native', 'total_pnl_native'],
      ...['win_lp_native', 'win_rate_native', 'fee_percent_native', 'avg_age_hour', 'first_activity', 'last_activity'],
    ],
    reason: 'The history of a wallet is read when the wallet is asked for, and not those of all owners in a pool.',
  },
  {
    endpoints: ['/pools/{poolId}/onchain-stats'],
    fields: ['total_input_value', 'total_input_native'],
    reason: 'They are known when the histories of all owners are.',
  },
];
