import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

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
export class DiscoveryServer {
  readonly violations: string[] = [];
  /** Paths with their queries. */
  readonly requests: string[] = [];
  pools: readonly WireDiscoveredPool[] = [];
  /** Instead of answering. */
  trouble: ((response: ServerResponse) => void) | undefined;
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => this.#handle(request, response));
  }

  static async start(): Promise<DiscoveryServer> {
    const started = new DiscoveryServer();
    await new Promise<void>((resolve) => started.#server.listen(0, '127.0.0.1', resolve));
    return started;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const { pathname, search, searchParams: query } = new URL(request.url ?? '', this.url);
    this.requests.push(`${pathname}${search}`);
    if (this.trouble !== undefined) {
      this.trouble(response);
      return;
    }
    const window = query.get('timeframe') ?? '';
    const filters = (query.get('filter_by') ?? '').split('&&').filter((part) => part !== '');
    if (pathname !== '/pools' || !WINDOWS.includes(window) || !filters.every((filter) => CONDITION.test(filter))) {
      this.violations.push(`${pathname}${search}`);
    }
    const found = this.pools.filter((pool) => filters.every((filter) => fits(pool, filter)));
    const rows = found.slice(0, Number(query.get('page_size') ?? 10)).map(({ in: figures, ...pool }) => ({ ...pool, ...figures[window] }));
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ total: found.length, data: rows }));
  }
}

const CONDITION = /^(?:pool_address=\w+|base_token_organic_score(?:>=|<=)[\d.]+)$/;

function fits({ pool_address: pool, token_x: { organic_score: score = NaN } }: WireDiscoveredPool, filter: string): boolean {
  const [, field = '', operator = '', value = ''] = /^(\w+)(>=|<=|=)(.*)$/.exec(filter) ?? [];
  return field === 'pool_address' ? pool === value : operator === '>=' ? score >= Number(value) : score <= Number(value);
}
