import type { Address } from '../../../base/solana/address';
import type { DecreaseOutput } from '../../../service/transactions';
import type { Chain } from '../../chain/types';
import type {
  AddParameters,
  DecreaseParameters,
  DiscoverParameters,
  Engine,
  HistoricalParameters,
  LandParameters,
  PoolPositionsParameters,
  ProtocolNames,
  RevenueParameters,
  TopLpersParameters,
} from '../../../server/engine';
import type { UnitOfWork } from '../../store/unitOfWork';
import type { WireOverview } from '../../../server/wire/overview';
import type { WirePoolPositions } from '../../../server/wire/poolPositions';
import type { WireDiscovered, WireOnchainStats, WirePoolInfo, WireTopLpers } from '../../../server/wire/pools';
import type { WireHistorical, WireOpening, WirePositionLogs } from '../../../server/wire/positions';
import type { WireRevenue } from '../../../server/wire/revenue';
import type { WireTokenBalance } from '../../../server/wire/tokens';
import type { WireAdd, WireDecrease, WireDecreaseQuote, WireLanded } from '../../../server/wire/transactions';
import { tokenBalances } from '../records/balances';
import { decreaseQuoteRecord } from '../records/decreaseQuote';
import { discoverRecords } from '../records/discover';
import { historicalRecords } from '../records/historical';
import { positionLogs } from '../records/logs';
import { onchainStatsRecord } from '../records/onchainStats';
import { openingRecords } from '../records/opening';
import { overviewRecord } from '../records/overview';
import { poolInfoRecord } from '../records/poolInfo';
import { poolPositionRecords } from '../records/poolPositions';
import type { RecordContext } from '../records/reading';
import { revenueRecords } from '../records/revenue';
import { topLperRecords } from '../records/topLpers';
import type { Market } from '../types';
import type { Landing } from './landing';
import { notFound, type Operations } from './operations';
import { partOf, zapOutPlan, type ZapOut } from './zapOutPlan';

/** Parts of the engine. */
export interface MarketEngineOptions {
  readonly reading: RecordContext;
  readonly unit: UnitOfWork;
  readonly operations: Operations;
  readonly landing: Landing;
  /** Milliseconds since 1970; the world's own time. */
  readonly now: () => number;
}

/** The engine over the simulated market and its chain. Every change is committed before it is answered. */
export class MarketEngine implements Engine {
  readonly #market: Market;
  readonly #chain: Chain;

  readonly #options: MarketEngineOptions;

  constructor(options: MarketEngineOptions) {
    this.#options = options;

    this.#market = options.reading.market;
    this.#chain = options.reading.chain;
  }

  get protocols(): ProtocolNames {
    return this.#options.reading.protocols;
  }

  advance(): void {
    const now = this.#options.now();
    this.change(() => {
      this.#market.advance(now);
      this.#chain.advance(now);
    });
  }

  /** Changes market or chain, and commits; if `run` throws, nothing has changed. */
  change<Result>(run: () => Result): Result {
    const { unit } = this.#options;
    const result = unit.attempt(() => {
      const done = run();
      this.#market.settleVaults();
      return done;
    });
    unit.commit();
    return result;
  }

  opening(owner: Address): WireOpening {
    return openingRecords(this.#options.reading, owner);
  }

  historical(parameters: HistoricalParameters): WireHistorical {
    return historicalRecords(this.#options.reading, parameters);
  }

  overview(owner: Address, protocol: string): WireOverview {
    return overviewRecord(this.#options.reading, owner, protocol) ?? notFound('Owner overview not found');
  }

  logs(of: { readonly position: string | undefined; readonly owner: Address | undefined }): WirePositionLogs {
    return positionLogs(this.#options.reading, of) ?? notFound(`Position ${of.position ?? ''} not found`);
  }

  revenue(parameters: RevenueParameters): WireRevenue {
    return revenueRecords(this.#options.reading, parameters);
  }

  discover(parameters: DiscoverParameters): WireDiscovered {
    return discoverRecords(this.#options.reading, parameters);
  }

  poolInfo(pool: string): WirePoolInfo {
    return poolInfoRecord(this.#options.reading, this.#options.operations.pool(pool));
  }

  poolPositions(parameters: PoolPositionsParameters): WirePoolPositions {
    return poolPositionRecords(this.#options.reading, this.#options.operations.pool(parameters.pool), parameters);
  }

  onchainStats(pool: string): WireOnchainStats {
    return onchainStatsRecord(this.#options.reading, this.#options.operations.pool(pool));
  }

  topLpers(parameters: TopLpersParameters): WireTopLpers {
    return topLperRecords(this.#options.reading, this.#options.operations.pool(parameters.pool), parameters);
  }

  tokenBalance(owner: Address, mints: readonly string[] | undefined): readonly WireTokenBalance[] {
    return tokenBalances(this.#options.reading, owner, mints);
  }

  decreaseQuote(positionId: string, bps: number): WireDecreaseQuote {
    const { operations, reading } = this.#options;
    const { pool, position } = operations.position(positionId);
    const part = partOf(position, bps, undefined);
    const plan = (output: DecreaseOutput): ZapOut => zapOutPlan(operations.context, pool, position, part, output);
    const plans = { both: plan('both'), allBaseToken: plan('allBaseToken'), allToken0: plan('allToken0'), allToken1: plan('allToken1') };
    return decreaseQuoteRecord(reading, pool, plans);
  }

  buildDecrease(parameters: DecreaseParameters): WireDecrease {
    const { operations } = this.#options;
    return operations.issueDecrease(operations.draftDecrease(parameters));
  }

  landDecrease(parameters: LandParameters): WireLanded {
    return this.#options.landing.land('decrease', parameters);
  }

  buildAdd(parameters: AddParameters): WireAdd {
    const { operations } = this.#options;
    return operations.issueAdd(operations.draftAdd(parameters));
  }

  landAdd(parameters: LandParameters): WireLanded {
    return this.#options.landing.land('add', parameters);
  }
}
