import { parseAddress, type Address } from '../../../base/solana/address';
import type { DecreaseOutput } from '../../../service/transactions';
import { WHOLE_BPS } from '../../../base/basisPoints';
import type { LookupTable } from '../../build/types';
import type { Chain } from '../../chain/types';
import {
  EngineError,
  type AddParameters,
  type DecreaseParameters,
  type DiscoverParameters,
  type Engine,
  type HistoricalParameters,
  type LandParameters,
  type PoolPositionsParameters,
  type ProtocolNames,
  type RevenueParameters,
  type TopLpersParameters,
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
import type { Market, Pool, Position } from '../types';
import { addTransactions } from './addTransactions';
import { wrongPosition } from './attacks';
import { decreaseTransactions } from './decreaseTransactions';
import type { PendingBuilds } from './pendingBuilds';
import type { Landing } from './landing';
import type { BuildContext } from './buildContext';
import { partOf, zapOutPlan, type ZapOut } from './zapOutPlan';

/** What the engine works with. */
export interface MarketEngineOptions {
  readonly reading: RecordContext;
  readonly unit: UnitOfWork;
  readonly issued: PendingBuilds;
  readonly landing: Landing;
  /** Of the router: what swaps take accounts from. */
  readonly lookupTable: LookupTable;
  /** Gives that many random bytes. */
  readonly random: (byteCount: number) => Uint8Array;
  /** Milliseconds since 1970; the world's own time. */
  readonly now: () => number;
}

/** The engine over the pretend market and its chain. Whatever changes is committed before it is answered. */
export class MarketEngine implements Engine {
  private readonly market: Market;
  private readonly chain: Chain;

  constructor(private readonly options: MarketEngineOptions) {
    this.market = options.reading.market;
    this.chain = options.reading.chain;
  }

  get protocols(): ProtocolNames {
    return this.options.reading.protocols;
  }

  advance(): void {
    const now = this.options.now();
    this.change(() => {
      this.market.advance(now);
      this.chain.advance(now);
    });
  }

  /** Changes market or chain, and commits; where it throws, nothing has changed. */
  change<Result>(run: () => Result): Result {
    const { unit } = this.options;
    const result = unit.attempt(() => {
      const done = run();
      this.market.settleVaults();
      return done;
    });
    unit.commit();
    return result;
  }

  opening(owner: Address): WireOpening {
    return openingRecords(this.options.reading, owner);
  }

  historical(parameters: HistoricalParameters): WireHistorical {
    return historicalRecords(this.options.reading, parameters);
  }

  overview(owner: Address, protocol: string): WireOverview {
    return overviewRecord(this.options.reading, owner, protocol) ?? notFound('Owner overview not found');
  }

  logs(of: { readonly position: string | undefined; readonly owner: Address | undefined }): WirePositionLogs {
    return positionLogs(this.options.reading, of) ?? notFound(`Position ${of.position ?? ''} not found`);
  }

  revenue(parameters: RevenueParameters): WireRevenue {
    return revenueRecords(this.options.reading, parameters);
  }

  discover(parameters: DiscoverParameters): WireDiscovered {
    return discoverRecords(this.options.reading, parameters);
  }

  poolInfo(pool: string): WirePoolInfo {
    return poolInfoRecord(this.options.reading, this.pool(pool));
  }

  poolPositions(parameters: PoolPositionsParameters): WirePoolPositions {
    return poolPositionRecords(this.options.reading, this.pool(parameters.pool), parameters);
  }

  onchainStats(pool: string): WireOnchainStats {
    return onchainStatsRecord(this.options.reading, this.pool(pool));
  }

  topLpers(parameters: TopLpersParameters): WireTopLpers {
    return topLperRecords(this.options.reading, this.pool(parameters.pool), parameters);
  }

  tokenBalance(owner: Address, mints: readonly string[] | undefined): readonly WireTokenBalance[] {
    return tokenBalances(this.options.reading, owner, mints);
  }

  decreaseQuote(positionId: string, bps: number): WireDecreaseQuote {
    const { pool, position } = this.position(positionId);
    const part = partOf(position, bps, undefined);
    const plan = (output: DecreaseOutput): ZapOut => zapOutPlan(this.workshop, pool, position, part, output);
    const plans = { both: plan('both'), allBaseToken: plan('allBaseToken'), allToken0: plan('allToken0'), allToken1: plan('allToken1') };
    return decreaseQuoteRecord(this.options.reading, pool, plans);
  }

  buildDecrease(parameters: DecreaseParameters): WireDecrease {
    const { pool, position } = this.position(parameters.positionId);
    const protocol = this.protocols[pool.type];
    if (parameters.protocol !== undefined && parameters.protocol !== protocol) {
      throw new EngineError('invalid', `type is ${parameters.protocol}, but the position is one of ${protocol}`);
    }
    if (parameters.attack === 'wrongPosition') {
      const wrong = wrongPosition(this.market, position);
      const all = { ...parameters, bps: WHOLE_BPS, fromBinId: undefined, toBinId: undefined };
      return this.kept(decreaseTransactions(this.workshop, this.pool(wrong.pool), wrong, all));
    }
    return this.kept(decreaseTransactions(this.workshop, pool, position, parameters));
  }

  landDecrease(parameters: LandParameters): WireLanded {
    return this.options.landing.land('decrease', parameters);
  }

  buildAdd(parameters: AddParameters): WireAdd {
    return this.kept(addTransactions(this.workshop, this.pool(parameters.pool), parameters));
  }

  landAdd(parameters: LandParameters): WireLanded {
    return this.options.landing.land('add', parameters);
  }

  private get workshop(): BuildContext {
    const { unit, issued, lookupTable, random } = this.options;
    return { market: this.market, chain: this.chain, unit, issued, lookupTable, random };
  }

  /** What was built is known to landing before anybody has it. */
  private kept<Built>(built: Built): Built {
    this.options.unit.commit();
    return built;
  }

  private pool(address: string): Pool {
    return this.market.poolAt(address) ?? notFound(`Pool ${address} not found`);
  }

  /** An open position, by its opaque id or its address. */
  private position(id: string): { readonly pool: Pool; readonly position: Readonly<Position> } {
    const { positions } = this.market;
    const address = positions.addressOf(id) ?? parseAddress(id);
    const position = address === undefined ? undefined : positions.at(address);
    if (position === undefined || position.closing !== null) {
      return notFound(`Position account ${id} not found`);
    }
    return { pool: this.pool(position.pool), position };
  }
}

function notFound(message: string): never {
  throw new EngineError('notFound', message);
}
