import { type Address, parseAddress } from '../../../base/solana/address';
import {
  type AddParameters,
  type DecreaseParameters,
  type DiscoverParameters,
  type Engine,
  EngineError,
  type HistoricalParameters,
  type LandParameters,
  type PoolPositionsParameters,
  type ProtocolNames,
  type RevenueParameters,
  type TopLpersParameters,
} from '../../../engine/engine';
import { discoveredRecord, matchingPools } from '../../../engine/records/discover';
import { poolInfoRecord } from '../../../engine/wire/poolRecord';
import type { WireDiscovered, WireOnchainStats, WirePoolPositions, WireTopLpers } from '../../../engine/wire/pools';
import type { WirePoolInfo } from '../../../engine/wire/poolRecord';
import type { WireHistorical, WireOpening, WirePositionLogs } from '../../../engine/wire/positions';
import type { WireTokenBalance } from '../../../engine/wire/balanceRecord';
import type { WireOverview, WireRevenue } from '../../../engine/wire/overviewRecord';
import type { WireAdd, WireDecrease, WireDecreaseQuote, WireLanded } from '../../../engine/wire/transactions';
import type { DecreaseOutput } from '../../../service/transactions';
import { buildAdd, buildDecrease } from '../../../engine/assembly/buildTransactions';
import type { AddPlan, AddTransactions, DecreasePlan, DecreaseTransactions } from '../../../engine/assembly/types';
import type { Chain } from '../../chain/types';
import type { UnitOfWork } from '../../store/unitOfWork';
import { ownerOverview, ownerRevenue, tokenBalances } from '../records/ownerRecords';
import { onchainStatsRecords, poolPositionRecords, topLperRecords } from '../records/poolPositions';
import { historicalRecords, openingRecords, positionLogs } from '../records/positionLists';
import { poolDetails, poolStates } from '../records/poolStates';
import type { RecordContext } from '../records/recordContext';
import type { Market, MarketPool, Position } from '../types';
import type { BuildContext } from './buildContext';
import type { Landing } from './landing';
import { type AddDraft, draftAdd, issueAdd, type ReviseZapIn } from './zapIn';
import { type DecreaseDraft, decreaseQuoteRecord, draftDecrease, issueDecrease, withdrawnPart, type ZapOut, zapOutPlan } from './zapOut';

/**
 * Builds operations in two stages: a draft at present prices, and its transactions, which are stored before anyone gets them, since landing
 * takes only what is stored.
 */
export class EngineOperations {
  readonly #protocols: ProtocolNames;

  constructor(
    readonly context: BuildContext,
    protocols: ProtocolNames,
  ) {
    this.#protocols = protocols;
  }

  /** @throws EngineError if the position is not open, not the owner's or of another protocol, or the parameters make no sense. */
  draftDecrease(parameters: DecreaseParameters): DecreaseDraft {
    const { pool, position } = this.position(parameters.positionId);
    const protocol = this.#protocols[pool.type];
    if (parameters.protocol !== undefined && parameters.protocol !== protocol) {
      throw new EngineError('invalid', `type is ${parameters.protocol}, but the position is one of ${protocol}`);
    }
    return draftDecrease(this.context, pool, position, parameters);
  }

  /** @throws EngineError if the draft cannot be built, or the owner has too little. */
  issueDecrease(draft: DecreaseDraft, build: (plan: DecreasePlan) => DecreaseTransactions = buildDecrease): WireDecrease {
    const issued = issueDecrease(this.context, draft, build);
    this.context.unit.commit();
    return issued;
  }

  /**
   * @param revise runs before the deposit is planned, at the prices after the swaps
   * @throws EngineError if the parameters make no sense
   */
  draftAdd(parameters: AddParameters, revise?: ReviseZapIn): AddDraft {
    return draftAdd(this.context, this.pool(parameters.pool), parameters, revise);
  }

  /** @throws EngineError if the draft cannot be built, or the owner has too little. */
  issueAdd(draft: AddDraft, build: (plan: AddPlan) => AddTransactions = buildAdd): WireAdd {
    const issued = issueAdd(this.context, draft, build);
    this.context.unit.commit();
    return issued;
  }

  /** @throws EngineError if there is no such pool. */
  pool(address: string): MarketPool {
    return this.context.market.poolAt(address) ?? notFound(`Pool ${address} not found`);
  }

  /** An open position, by its opaque id or its address. @throws EngineError if there is none. */
  position(id: string): { readonly pool: MarketPool; readonly position: Readonly<Position> } {
    const { positions } = this.context.market;
    const address = positions.addressOf(id) ?? parseAddress(id);
    const position = address === undefined ? undefined : positions.at(address);
    if (position === undefined || position.closing !== null) {
      return notFound(`Position account ${id} not found`);
    }
    return { pool: this.pool(position.pool), position };
  }
}

/** @throws EngineError */
function notFound(message: string): never {
  throw new EngineError('notFound', message);
}

/** Parts of the engine. */
export interface MarketEngineOptions {
  readonly records: RecordContext;
  readonly unit: UnitOfWork;
  readonly operations: EngineOperations;
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

    this.#market = options.records.market;
    this.#chain = options.records.chain;
  }

  get protocols(): ProtocolNames {
    return this.#options.records.protocols;
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
    return openingRecords(this.#options.records, owner);
  }

  historical(parameters: HistoricalParameters): WireHistorical {
    return historicalRecords(this.#options.records, parameters);
  }

  overview(owner: Address, protocol: string): WireOverview {
    return ownerOverview(this.#options.records, owner, protocol);
  }

  logs(of: { readonly position: string | undefined; readonly owner: Address | undefined }): WirePositionLogs {
    return positionLogs(this.#options.records, of) ?? notFound(`Position ${of.position ?? ''} not found`);
  }

  revenue(parameters: RevenueParameters): WireRevenue {
    return ownerRevenue(this.#options.records, parameters);
  }

  discover(parameters: DiscoverParameters): WireDiscovered {
    return discoveredRecord(matchingPools(poolStates(this.#options.records), parameters), parameters, this.#market.now);
  }

  poolInfo(pool: string): WirePoolInfo {
    return poolInfoRecord(poolDetails(this.#options.records, this.#options.operations.pool(pool)));
  }

  poolPositions(parameters: PoolPositionsParameters): WirePoolPositions {
    return poolPositionRecords(this.#options.records, this.#options.operations.pool(parameters.pool), parameters);
  }

  onchainStats(pool: string): WireOnchainStats {
    return onchainStatsRecords(this.#options.records, this.#options.operations.pool(pool));
  }

  topLpers(parameters: TopLpersParameters): WireTopLpers {
    return topLperRecords(this.#options.records, this.#options.operations.pool(parameters.pool), parameters);
  }

  tokenBalance(owner: Address, mints: readonly string[] | undefined): readonly WireTokenBalance[] {
    return tokenBalances(this.#options.records, owner, mints);
  }

  decreaseQuote(positionId: string, bps: number): WireDecreaseQuote {
    const { operations, records } = this.#options;
    const { pool, position } = operations.position(positionId);
    const part = withdrawnPart(position, bps, undefined);
    const plan = (output: DecreaseOutput): ZapOut => zapOutPlan(operations.context, pool, position, part, output);
    const plans = { both: plan('both'), allBaseToken: plan('allBaseToken'), allToken0: plan('allToken0'), allToken1: plan('allToken1') };
    return decreaseQuoteRecord(records, pool, plans);
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
