import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { steadyClock } from '../base/async/clock';
import type { ProtocolNames } from '../engine/engine';
import { COUNTER_MIGRATIONS, CounterReadings } from '../engine/counters/readings';
import type { SqliteStore } from '../engine/store/sqliteStore';
import { openOrBegin } from '../engine/store/storeDamage';
import type { ServiceOptions } from './arguments';
import { createOperationBuilder } from './build/builder';
import { DataApiClient } from './dataApi/client';
import { DiscoveryClient } from './dataApi/discoveryClient';
import { dataLimiter } from './dataApi/transport';
import type { EngineParts } from './engine';
import { openIndexStore } from './index/openIndex';
import type { PoolProgram } from './index/types';
import { type ChainIndex, createOwnerIndex } from './index/ownerIndex';
import type { ChainLanding } from './landing/landing';
import type { IssuedOperations } from './landing/types';
import { listedWithoutData } from './records/discover';
import { DiscoveredMarkets } from './records/discoveredMarkets';
import { createPoolParts } from './records/poolParts';
import { ChainPoolReader } from './pools/poolReader';
import { ChainPositionReader } from './positions/positionReader';
import { PublicPositions } from './positions/publicPositions';
import { ChainPrices } from './prices/chainPrices';
import { PriceApi } from './prices/priceApi';
import { SolPrices } from './prices/solPrices';
import { ChainRecords } from './records/chainRecords';
import { PoolCounters } from './records/poolCounters';
import { PositionStates } from './records/positionStates';
import { recordedCandles } from './records/recordedPrices';
import { TokenBalances } from './records/tokenBalances';
import type { ChainRpc } from './rpc/types';

/** What the parts share. */
export interface PartsOptions {
  readonly options: ServiceOptions;
  readonly protocols: ProtocolNames;
  readonly rpc: ChainRpc;
  readonly issued: IssuedOperations;
  readonly landing: ChainLanding;
  readonly log: (line: string) => void;
  /** Ends the work in the background. */
  readonly signal: AbortSignal;
}

/** The parts of the engine. */
export interface ChainParts {
  readonly parts: EngineParts;
  readonly index: ChainIndex;
  /** Closes the stores after the signal is aborted and the work in the background has ended. */
  readonly close: () => Promise<void>;
}

/** Creates the parts, and continues the index. @throws StoreError if the index can't be opened */
export function createParts({ options, protocols, rpc, issued, landing, log, signal }: PartsOptions): ChainParts {
  const now = (): number => Date.now();
  const store: SqliteStore = openIndexStore(join(options.data, 'index.sqlite'), log);
  const index = createOwnerIndex({ rpc, store, log, signal });
  const limiter = dataLimiter(steadyClock);
  const dataApiOf = (program: PoolProgram, url: string | undefined): DataApiClient | undefined => {
    if (url === undefined) {
      log(`There is no data API: ${listedWithoutData(program)}.`);
      return undefined;
    }
    return new DataApiClient({ url, program, clock: steadyClock, signal, limiter });
  };
  const dataApis = { dlmm: dataApiOf('dlmm', options.dataApi), damm: dataApiOf('damm', options.dammDataApi) };
  const { discoveryApi } = options;
  const markets =
    discoveryApi === undefined
      ? undefined
      : new DiscoveredMarkets({
          api: new DiscoveryClient({ url: discoveryApi, clock: steadyClock, signal, limiter }),
          clock: steadyClock,
          log,
        });
  const pools = new ChainPoolReader({ rpc, clock: steadyClock });
  const jupiterFetch = withJupiterKey(fetch, options.jupiterKey);
  const prices = new ChainPrices({
    api: options.priceApi === undefined ? undefined : new PriceApi({ url: options.priceApi, clock: steadyClock, fetch: jupiterFetch, log }),
    sol: new SolPrices({ pools, index, dataApi: dataApis.dlmm, now, log }),
  });
  const publicPositions =
    dataApis.dlmm === undefined ? undefined : new PublicPositions({ api: dataApis.dlmm, clock: steadyClock, now, log });
  const positions = new ChainPositionReader({ rpc, index, publicPositions, now: () => performance.now(), log });
  const states = new PositionStates({ index, pools, prices, protocols, now, log });
  const records = new ChainRecords({ index, positions, states, publicPositions, protocols, now });
  const balances = new TokenBalances({ rpc, prices, pools, index, now: () => performance.now(), log });
  // What is recorded cannot be read from the chain again, but nothing depends on it.
  const counterStore = openOrBegin(
    join(options.data, 'records.sqlite'),
    COUNTER_MIGRATIONS,
    'The recorded counters of bins could not be read and begin again',
    log,
  );
  const readings = new CounterReadings(counterStore);
  const counters = new PoolCounters({ rpc, readings, index, pools, clock: steadyClock, log, signal });
  const recorded = recordedCandles({ index, readings, now });
  const poolParts = createPoolParts({ rpc, index, pools, positions, states, prices, dataApis, markets, recorded, protocols, now, log });
  const builder = createOperationBuilder({
    protocols,
    rpc,
    prices,
    issued,
    swapApi: options.swapApi === undefined ? undefined : { url: options.swapApi, fetch: jupiterFetch },
    tipLamports: options.jito === undefined ? 0n : options.tipLamports,
    format: options.transactions,
    random: (count) => new Uint8Array(randomBytes(count)),
    log,
  });
  return {
    index,
    parts: {
      opening: (owner) => records.opening(owner),
      historical: (parameters) => records.historical(parameters),
      overview: (owner, protocol) => records.overview(owner, protocol),
      logs: (of) => records.logs(of),
      revenue: (parameters) => records.revenue(parameters),
      tokenBalance: (owner, mints) => balances.of(owner, mints),
      ...poolParts,
      counters: (parameters) => counters.of(parameters),
      ...builder,
      land: (kind, parameters) => landing.land(kind, parameters),
    },
    close: async () => {
      await Promise.all([index.ended, counters.ended]);
      store.close();
      counterStore.close();
    },
  };
}

/** The origin of Jupiter's own APIs. No other service gets the key. */
const JUPITER = 'https://api.jup.ag';

/** A `fetch` that identifies itself to Jupiter's own APIs. Callers do not follow redirects, so that the key goes nowhere else. */
export function withJupiterKey(request: typeof fetch, key: string | undefined): typeof fetch {
  return (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (key === undefined || new URL(url).origin !== JUPITER) {
      return request(input, init);
    }
    const headers = new Headers(init?.headers);
    headers.set('x-api-key', key);
    return request(input, { ...init, headers });
  };
}
