import type { IncomingMessage, ServerResponse } from 'node:http';
import { Ajv, type AnySchema } from 'ajv';
import type { PoolProgram } from '../../../src/chain/index/types';
import dammContract from './dammDataApiContract.json';
import contract from './dataApiContract.json';
import { LocalServer, writeJson } from './localServer';

/** A pool as the data API writes it (`PoolResponse` of the contract). */
export interface WireDataPool {
  readonly address: string;
  readonly name: string;
  readonly token_x: WireDataToken;
  readonly token_y: WireDataToken;
  readonly tvl: number;
  readonly created_at: number;
  readonly is_blacklisted: boolean;
  readonly pool_config: { readonly bin_step?: number; readonly base_fee_pct: number } & Readonly<Record<string, number | boolean>>;
  readonly volume: Readonly<Record<string, number>>;
  readonly fees: Readonly<Record<string, number>>;
  readonly fee_tvl_ratio: Readonly<Record<string, number>>;
  readonly [other: string]: unknown;
}

/** A token as the data API writes it (`TokenMetrics`). */
export interface WireDataToken {
  readonly address: string;
  readonly symbol: string;
  readonly name: string;
  readonly [other: string]: unknown;
}

/** A position of a wallet, as the server is given it. Whole tokens, US dollars and SOL. */
export interface WireDataPosition {
  readonly owner: string;
  readonly pool: string;
  readonly address: string;
  readonly bins: readonly [lower: number, upper: number];
  /** Seconds since 1970. */
  readonly createdAt: number;
  /** `undefined`: it is open. */
  readonly closedAt: number | undefined;
  readonly deposits: WireDataFlow;
  readonly withdrawals: WireDataFlow;
  readonly fees: WireDataFlow;
}

/** What went one way. */
export interface WireDataFlow {
  readonly x: string;
  readonly y: string;
  readonly usd: number;
  readonly sol: number | null;
}

interface Endpoint {
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean; readonly schema: AnySchema }[];
  readonly responses: Readonly<Record<string, AnySchema>>;
}

/** By program and path; the parameter in a path has one name here. */
const ENDPOINTS: Readonly<Record<PoolProgram, Readonly<Record<string, Endpoint>>>> = {
  dlmm: byPath(contract.paths),
  damm: byPath(dammContract.paths),
};

function byPath(paths: Readonly<Record<string, Endpoint>>): Readonly<Record<string, Endpoint>> {
  return Object.fromEntries(Object.entries(paths).map(([path, endpoint]) => [path.replace('{pool_address}', '{address}'), endpoint]));
}

const WINDOWS = '(?:5m|30m|1h|2h|4h|12h|24h)';
const METRICS = `(?:(?:volume|fee|fee_tvl_ratio|apr)_${WINDOWS}|tvl)`;
/** The words of the contract about `sort_by` and `filter_by`, as expressions. */
const SORT = new RegExp(`^(?:${METRICS}|fee_pct|bin_step|pool_created_at|farm_apy):(?:asc|desc)$`);
const FILTER = new RegExp(
  `^(?:${METRICS}(?:>=|<=|=|>|<)[\\d.]+|is_blacklisted=(?:true|false)|(?:pool_address|name|token_x|token_y)=\\S+)$`,
);

/** A row of a list by time. */
export interface TimedRow {
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly [field: string]: unknown;
}

/**
 * A data API on this machine: answers what the contract says about the pools that it is given. It checks each request and each answer of its
 * own against the contract; what does not fit is in {@link violations}.
 */
export class DataApiServer extends LocalServer {
  readonly violations: string[] = [];
  pools: readonly WireDataPool[] = [];
  /** Rows of `/ohlcv` and `/volume/history` of any pool; and of those of one pool, where these are others. */
  candles: readonly TimedRow[] = [];
  candlesOf: (pool: string, timeframe: string) => readonly TimedRow[] = () => this.candles;
  volumes: readonly TimedRow[] = [];
  /** Of all wallets. */
  positions: readonly WireDataPosition[] = [];
  /** Of all positions: `PositionEvent` of the contract. */
  events: readonly { readonly positionAddress: string | number }[] = [];

  readonly #ajv = new Ajv({ allowUnionTypes: true, strict: false, coerceTypes: true });

  private constructor(private readonly program: PoolProgram) {
    super();
  }

  /** @param program whose API it is */
  static start(program: PoolProgram = 'dlmm'): Promise<DataApiServer> {
    return new DataApiServer(program).listening();
  }

  protected handle(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '', this.url);
    const [template, address] = templateOf(url.pathname);
    const endpoint = ENDPOINTS[this.program][template];
    if (endpoint === undefined || request.method !== 'GET') {
      this.violations.push(`The contract has no ${request.method ?? ''} ${url.pathname}`);
      writeJson(response, 404, { message: 'not found' });
      return;
    }
    const problem = this.#problemOf(endpoint, url.searchParams);
    if (problem !== undefined) {
      this.violations.push(`${url.search}: ${problem}`);
      writeJson(response, 400, { message: problem });
      return;
    }
    const body = this.#answer(template, address, url.searchParams);
    const status = body === undefined ? 400 : 200;
    const written = body ?? { message: 'Pool not found' };
    const schema = endpoint.responses[String(status)];
    if (schema === undefined || !new Ajv({ allowUnionTypes: true, strict: false }).validate(schema, written)) {
      this.violations.push(`This server's own answer to ${template} does not fit the contract`);
    }
    writeJson(response, status, written);
  }

  #problemOf({ parameters }: Endpoint, query: URLSearchParams): string | undefined {
    const known = parameters.filter((parameter) => parameter.in === 'query');
    for (const name of query.keys()) {
      const parameter = known.find((one) => one.name === name);
      if (parameter === undefined) {
        return `no parameter ${name}`;
      }
      if (!this.#ajv.validate({ type: 'object', properties: { [name]: parameter.schema } }, { [name]: query.get(name) })) {
        return `${name}: ${this.#ajv.errorsText()}`;
      }
    }
    const sort = query.get('sort_by') ?? 'tvl:desc';
    const filters = (query.get('filter_by') ?? 'tvl>=0').split('&&').map((part) => part.trim());
    return !SORT.test(sort) ? `sort_by ${sort}` : filters.every((part) => FILTER.test(part)) ? undefined : `filter_by ${filters.join()}`;
  }

  #answer(template: string, address: string, query: URLSearchParams): unknown {
    const times = {
      start_time: Number(query.get('start_time') ?? 0),
      end_time: Number(query.get('end_time') ?? 0),
      timeframe: query.get('timeframe'),
    };
    switch (template) {
      case '/pools':
        return this.#page(query);
      case '/pools/{address}':
        return this.pools.find((pool) => pool.address === address);
      case '/portfolio/open':
        return this.#portfolio(query, ({ closedAt }) => closedAt === undefined, openPoolOf);
      case '/portfolio':
        return this.#portfolio(query, ({ closedAt }) => closedAt !== undefined, closedPoolOf);
      case '/positions/{address}/pnl': {
        const user = query.get('user');
        const { rows, ...page } = pageOf(
          this.positions.filter(({ owner, pool }) => owner === user && pool === address),
          query,
          100,
        );
        const prices = { tokenXPrice: '1', tokenYPrice: '1', rewardTokenXPrice: '0', rewardTokenYPrice: '0', solPrice: null };
        return { ...page, ...prices, positions: rows.map(wirePosition) };
      }
      case '/positions/{address}/historical':
        return { events: this.events.filter(({ positionAddress }) => positionAddress === address || positionAddress === '') };
      default:
        return {
          ...times,
          data: (template.endsWith('ohlcv') ? this.candlesOf(address, query.get('timeframe') ?? '24h') : this.volumes).filter(
            ({ timestamp }) => timestamp >= times.start_time && timestamp <= times.end_time,
          ),
        };
    }
  }

  /** Pools of a wallet, fifty a page at most. */
  #portfolio(
    query: URLSearchParams,
    isWanted: (position: WireDataPosition) => boolean,
    write: (pool: string, positions: readonly WireDataPosition[]) => unknown,
  ): unknown {
    const own = this.positions.filter((position) => position.owner === query.get('user') && isWanted(position));
    const pools = [...new Set(own.map(({ pool }) => pool))];
    const { rows, ...page } = pageOf(pools, query, 50);
    const wire = rows.map((pool) =>
      write(
        pool,
        own.filter((position) => position.pool === pool),
      ),
    );
    return { ...page, totalPositions: own.length, pools: wire };
  }

  #page(query: URLSearchParams): unknown {
    const page = Number(query.get('page') ?? 1);
    const size = Number(query.get('page_size') ?? 10);
    const text = (query.get('query') ?? '').toLowerCase();
    const [column = '', direction] = (query.get('sort_by') ?? 'volume_24h:desc').split(':');
    const filters = (query.get('filter_by') ?? '').split('&&').map((part) => part.trim());
    const found = this.pools
      .filter((pool) => text === '' || wordsOf(pool).some((word) => word.toLowerCase().includes(text)))
      .filter((pool) => filters.every((filter) => filter === '' || fits(pool, filter)))
      .sort((a, b) => (direction === 'asc' ? 1 : -1) * (figureOf(a, column) - figureOf(b, column)));
    return {
      ...{ total: found.length, pages: Math.ceil(found.length / size), current_page: page, page_size: size },
      data: found.slice((page - 1) * size, page * size),
    };
  }
}

/** The rows of a page. The parameter is `page_size`; 20 rows come without it. */
function pageOf<Row>(all: readonly Row[], query: URLSearchParams, most: number) {
  const page = Number(query.get('page') ?? 1);
  const pageSize = Math.min(Number(query.get('page_size') ?? 20), most);
  return {
    rows: all.slice((page - 1) * pageSize, page * pageSize),
    page,
    pageSize,
    hasNext: page * pageSize < all.length,
    totalCount: all.length,
  };
}

const TOKENS = { tokenXMint: 'x', tokenYMint: 'y', tokenXIcon: '', tokenYIcon: '', tokenX: 'X', tokenY: 'Y', collectFeeMode: 0 };

function openPoolOf(poolAddress: string, positions: readonly WireDataPosition[]): unknown {
  const money = {
    balances: '0',
    unclaimedFees: '0',
    feePerTvl24h: '0',
    pnl: '0',
    pnlPctChange: '0',
    totalDeposit: '0',
    rewardX: '',
    rewardY: '',
  };
  const listPositions = positions.map(({ address }) => address);
  return {
    ...{ poolAddress, binStep: 1, baseFee: 0.1, ...TOKENS, ...money, listPositions },
    ...{ openPositionCount: listPositions.length, positionsOutOfRange: [] },
  };
}

const SUMS = ['totalDeposit', 'totalWithdrawal', 'totalFee'].flatMap((name) => [
  ...[name, `${name}Sol`],
  ...['TokenX', 'TokenY'].flatMap((token) => ['', 'Usd', 'Sol'].map((unit) => `${name}${token}${unit}`)),
]);
const NO_SUMS = Object.fromEntries([...SUMS, 'pnlUsd', 'pnlSol', 'pnlPctChange', 'pnlSolPctChange'].map((name) => [name, '0']));

function closedPoolOf(poolAddress: string, positions: readonly WireDataPosition[]): unknown {
  const lastClosedAt = Math.max(...positions.map(({ closedAt }) => closedAt ?? 0));
  return { poolAddress, binStep: '1', baseFee: '0.1', ...TOKENS, ...NO_SUMS, lastClosedAt };
}

function wirePosition({ address, bins, createdAt, closedAt, deposits, withdrawals, fees }: WireDataPosition): unknown {
  const flow = ({ x, y, usd, sol }: WireDataFlow): unknown => ({
    tokenX: { amount: x, usd: '0', amountSol: null },
    tokenY: { amount: y, usd: '0', amountSol: null },
    total: { usd: String(usd), sol: sol === null ? null : String(sol) },
  });
  return {
    ...{ positionAddress: address, lowerBinId: bins[0], upperBinId: bins[1], minPrice: '0', maxPrice: '0', feePerTvl24h: '0' },
    ...{ createdAt, closedAt: closedAt ?? null, isClosed: closedAt !== undefined, pnlUsd: '0', pnlPctChange: '0', pnlSol: 0 },
    ...{ allTimeDeposits: flow(deposits), allTimeWithdrawals: flow(withdrawals), allTimeFees: flow(fees) },
  };
}

function templateOf(path: string): readonly [string, string] {
  const [, root = '', address = '', ...rest] = path.split('/');
  if (root === 'portfolio') {
    return [path, ''];
  }
  return address === '' ? [`/${root}`, ''] : [['', root, '{address}', ...rest].join('/'), address];
}

function wordsOf({ name, address, token_x: x, token_y: y }: WireDataPool): readonly string[] {
  return [name, address, x.address, x.symbol, x.name, y.address, y.symbol, y.name];
}

function fits(pool: WireDataPool, filter: string): boolean {
  const [, field = '', operator = '', value = ''] = /^(\w+)(>=|<=|=|>|<)(.*)$/.exec(filter) ?? [];
  if (field === 'is_blacklisted') {
    return String(pool.is_blacklisted) === value;
  }
  if (field === 'token_x' || field === 'token_y') {
    return pool[field].address === value;
  }
  const figure = figureOf(pool, field);
  return operator === '>=' ? figure >= Number(value) : figure <= Number(value);
}

function figureOf(pool: WireDataPool, column: string): number {
  const [, metric = column, window = ''] = /^(volume|fee|fee_tvl_ratio)_(\d+[mh])$/.exec(column) ?? [];
  switch (metric) {
    case 'volume':
      return pool.volume[window] ?? 0;
    case 'fee':
      return pool.fees[window] ?? 0;
    case 'fee_tvl_ratio':
      // Answers have no window of five minutes.
      return pool.fee_tvl_ratio[window === '5m' ? '30m' : window] ?? 0;
    case 'pool_created_at':
      return pool.created_at;
    default:
      return pool.tvl;
  }
}
