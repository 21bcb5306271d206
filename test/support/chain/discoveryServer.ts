import type { IncomingMessage, ServerResponse } from 'node:http';
import { LocalServer, writeJson } from './localServer';

/** A pool as pool discovery writes it: what the guide names, and figures of a window in `volume`, `fee` and `pool_price_change_pct`. */
export interface WireDiscoveredPool {
  readonly pool_address: string;
  readonly token_x: { readonly address: string; readonly organic_score?: number; readonly [other: string]: unknown };
  readonly token_y: { readonly address: string; readonly [other: string]: unknown };
  /** By window: what is written besides. */
  readonly in: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly [other: string]: unknown;
}

const WINDOWS = ['5m', '15m', '30m', '1h', '2h', '4h', '12h', '24h'];

/** Meteora's pool discovery on this machine: lists pools in their order. Requests that it does not understand are in {@link violations}. */
export class DiscoveryServer extends LocalServer {
  readonly violations: string[] = [];
  pools: readonly WireDiscoveredPool[] = [];

  static start(): Promise<DiscoveryServer> {
    return new DiscoveryServer().listening();
  }

  protected handle(request: IncomingMessage, response: ServerResponse): void {
    const { pathname, search, searchParams: query } = new URL(request.url ?? '', this.url);
    const window = query.get('timeframe') ?? '';
    const filters = (query.get('filter_by') ?? '').split('&&').filter((part) => part !== '');
    if (pathname !== '/pools' || !WINDOWS.includes(window) || !filters.every((filter) => CONDITION.test(filter))) {
      this.violations.push(`${pathname}${search}`);
    }
    const found = this.pools.filter((pool) => filters.every((filter) => fits(pool, filter)));
    const rows = found.slice(0, Number(query.get('page_size') ?? 10)).map(({ in: figures, ...pool }) => ({ ...pool, ...figures[window] }));
    writeJson(response, 200, { total: found.length, data: rows });
  }
}

const CONDITION = /^(?:pool_address=\w+|base_token_organic_score(?:>=|<=)[\d.]+)$/;

function fits({ pool_address: pool, token_x: { organic_score: score = NaN } }: WireDiscoveredPool, filter: string): boolean {
  const [, field = '', operator = '', value = ''] = /^(\w+)(>=|<=|=)(.*)$/.exec(filter) ?? [];
  return field === 'pool_address' ? pool === value : operator === '>=' ? score >= Number(value) : score <= Number(value);
}
