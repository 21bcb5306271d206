import type { Address } from '../../../base/solana/address';
import {
  type CandlesParameters,
  type CountersParameters,
  type AddParameters,
  type ClaimParameters,
  type DecreaseParameters,
  type DepositParameters,
  type DiscoverParameters,
  type Engine,
  type HistoricalParameters,
  type LandParameters,
  type EngineOperationKind,
  type PoolPositionsParameters,
  type ProtocolNames,
  type RevenueParameters,
  type SwapParameters,
  type TopLpersParameters,
  type LogsParameters,
} from '../../../engine/engine';
import { discoveredRecord, matchingPools } from '../../../engine/records/discover';
import { poolInfoRecord } from '../../../engine/wire/poolRecord';
import type { WireDiscovered, WireOnchainStats, WirePoolPositions, WireTopLpers } from '../../../engine/wire/pools';
import type { WireCandles } from '../../../engine/wire/candles';
import type { WireCounters } from '../../../engine/wire/counters';
import type { CounterReadings } from '../../../engine/counters/readings';
import { recordedCandles } from '../records/candles';
import { poolCounters, recordCounters } from '../records/counters';
import type { WirePoolInfo } from '../../../engine/wire/poolRecord';
import type { WireHistorical, WireOpening, WirePositionLogs } from '../../../engine/wire/positions';
import type { WireTokenBalance } from '../../../engine/wire/balanceRecord';
import type { WireOverview, WireRevenue } from '../../../engine/wire/overviewRecord';
import type { WireAdd, WireClaim, WireDecrease, WireDecreaseQuote, WireLanded, WireSwap } from '../../../engine/wire/transactions';
import type { AddPlan, AddTransactions, DecreasePlan, DecreaseTransactions } from '../../../engine/assembly/types';
import { atOnce } from '../../../engine/build/build';
import { buildClaims } from '../../../engine/build/claims';
import { draftEntry, type EntryDraft, issueEntry, type ReviseFunds } from '../../../engine/build/entries';
import { quoteExit } from '../../../engine/build/exitQuotes';
import { draftExit, type ExitDraft, issueExit } from '../../../engine/build/exits';
import type { ReviseTransactions } from '../../../engine/build/handOut';
import { buildDeposit } from '../../../engine/build/positionDeposits';
import { buildSwap } from '../../../engine/build/walletSwaps';
import type { BuildService } from '../../../engine/build/ports';
import type { Chain } from '../../chain/types';
import type { UnitOfWork } from '../../store/unitOfWork';
import { ownerOverview, ownerRevenue, tokenBalances } from '../records/ownerRecords';
import { onchainStatsRecords, poolPositionRecords, topLperRecords } from '../records/poolPositions';
import { historicalRecords, openingRecords, positionLogs } from '../records/positionLists';
import { poolDetails, poolStates } from '../records/poolStates';
import type { RecordContext } from '../records/recordContext';
import type { Market } from '../types';
import type { BuildContext } from './buildContext';
import { marketBuildService, notFound, poolAt } from './buildService';
import type { Landing } from './landing';

/**
 * Builds operations in two stages: a draft at present prices, and its transactions, which are stored before anyone gets them, since landing
 * takes only what is stored.
 */
export class EngineOperations {
  readonly #service: BuildService;

  constructor(
    readonly context: BuildContext,
    protocols: ProtocolNames,
  ) {
    this.#service = marketBuildService(context, protocols);
  }

  /** @throws EngineError if the position is not open, not the owner's or of another protocol, or the parameters make no sense. */
  draftDecrease(parameters: DecreaseParameters): ExitDraft {
    return atOnce(draftExit(this.#service, parameters));
  }

  /** @throws EngineError if the draft cannot be built, or the owner has too little. */
  issueDecrease(draft: ExitDraft, build?: (plan: DecreasePlan) => DecreaseTransactions): WireDecrease {
    return atOnce(issueExit(this.#service, draft, build));
  }

  /**
   * @param revise runs before the deposit is planned, at the prices after the swaps
   * @throws EngineError if the parameters make no sense
   */
  draftAdd(parameters: AddParameters, revise?: ReviseFunds): EntryDraft {
    return atOnce(draftEntry(this.#service, parameters, revise));
  }

  /** @throws EngineError if the draft cannot be built, or the owner has too little. */
  issueAdd(draft: EntryDraft, build?: (plan: AddPlan) => AddTransactions): WireAdd {
    return atOnce(issueEntry(this.#service, draft, build));
  }

  /** @throws EngineError if there is no such position, it is not the owner's, or the deposit cannot be built. */
  deposit(parameters: DepositParameters, revise?: ReviseTransactions): WireAdd {
    return atOnce(buildDeposit(this.#service, parameters, revise));
  }

  /** @throws EngineError if there is no such position, it is not the owner's, or there is nothing to claim. */
  claim(parameters: ClaimParameters, revise?: ReviseTransactions): WireClaim {
    return atOnce(buildClaims(this.#service, parameters, revise));
  }

  /** @throws EngineError if a token or a way between them does not exist, or the owner has too little. */
  swap(parameters: SwapParameters, revise?: ReviseTransactions): WireSwap {
    return atOnce(buildSwap(this.#service, parameters, revise));
  }

  /** @throws EngineError if there is no such position. */
  quote(positionId: string, bps: number): WireDecreaseQuote {
    return atOnce(quoteExit(this.#service, positionId, bps));
  }
}

/** Parts of the engine. */
export interface MarketEngineOptions {
  readonly records: RecordContext;
  readonly unit: UnitOfWork;
  readonly operations: EngineOperations;
  readonly landing: Landing;
  readonly counters: CounterReadings;
  /** Milliseconds since 1970; the world's own time. */
  readonly now: () => number;
}

/** The engine over the simulated market and its chain. Every change is committed before it is answered. */
export class MarketEngine implements Engine {
  readonly #market: Market;
  readonly #chain: Chain;

  readonly #options: MarketEngineOptions;
  #recordedAtS = -Infinity;

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
    this.#recordedAtS = recordCounters(this.#options.records, this.#options.counters, this.#recordedAtS);
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

  logs(of: LogsParameters): WirePositionLogs {
    return positionLogs(this.#options.records, of) ?? notFound(`Position ${of.position ?? ''} not found`);
  }

  revenue(parameters: RevenueParameters): WireRevenue {
    return ownerRevenue(this.#options.records, parameters);
  }

  discover(parameters: DiscoverParameters): WireDiscovered {
    return discoveredRecord(matchingPools(poolStates(this.#options.records), parameters), parameters, this.#market.now);
  }

  poolInfo(pool: string): WirePoolInfo {
    return poolInfoRecord(poolDetails(this.#options.records, poolAt(this.#market, pool)));
  }

  candles({ pool, ...span }: CandlesParameters): WireCandles {
    return { timeframe: span.timeframe, candles: recordedCandles(this.#market, poolAt(this.#market, pool), span) };
  }

  counters({ pool, ...asked }: CountersParameters): WireCounters {
    return poolCounters(this.#options.records, this.#options.counters, poolAt(this.#market, pool), asked);
  }

  poolPositions(parameters: PoolPositionsParameters): WirePoolPositions {
    return poolPositionRecords(this.#options.records, poolAt(this.#market, parameters.pool), parameters);
  }

  onchainStats(pool: string): WireOnchainStats {
    return onchainStatsRecords(this.#options.records, poolAt(this.#market, pool));
  }

  topLpers(parameters: TopLpersParameters): WireTopLpers {
    return topLperRecords(this.#options.records, poolAt(this.#market, parameters.pool), parameters);
  }

  tokenBalance(owner: Address, mints: readonly string[] | undefined): readonly WireTokenBalance[] {
    return tokenBalances(this.#options.records, owner, mints);
  }

  decreaseQuote(positionId: string, bps: number): WireDecreaseQuote {
    return this.#options.operations.quote(positionId, bps);
  }

  buildDecrease(parameters: DecreaseParameters): WireDecrease {
    const { operations } = this.#options;
    return operations.issueDecrease(operations.draftDecrease(parameters));
  }

  buildAdd(parameters: AddParameters): WireAdd {
    const { operations } = this.#options;
    return operations.issueAdd(operations.draftAdd(parameters));
  }

  buildDeposit(parameters: DepositParameters): WireAdd {
    return this.#options.operations.deposit(parameters);
  }

  buildClaim(parameters: ClaimParameters): WireClaim {
    return this.#options.operations.claim(parameters);
  }

  buildSwap(parameters: SwapParameters): WireSwap {
    return this.#options.operations.swap(parameters);
  }

  land(kind: EngineOperationKind, parameters: LandParameters): WireLanded {
    return this.#options.landing.land(kind, parameters);
  }
}
