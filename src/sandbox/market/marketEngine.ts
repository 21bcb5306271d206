import type { Address } from '../../solana/address';
import { bytesFromBase64, parseBase64Transaction } from '../../solana/base64Transaction';
import { readEffects } from '../build/readEffects';
import type { BundleResult } from '../chain/types';
import {
  EngineError,
  type AddParameters,
  type DecreaseParameters,
  type DiscoverParameters,
  type Engine,
  type HistoricalParameters,
  type TopLpersParameters,
} from '../engine';
import type { WireOverview } from '../wire/overview';
import type { WireDiscovered, WirePoolInfo, WireTopLpers } from '../wire/pools';
import type { WireHistorical, WireOpening } from '../wire/positions';
import type { WireTokenBalance } from '../wire/tokens';
import type { WireAdd, WireDecrease, WireDecreaseQuote, WireLanded } from '../wire/transactions';
import { applyEffect } from './effects';
import type { Issue } from './issued';
import type { Pool } from './pool';
import type { PositionState } from './position';
import { opaqueId, PROTOCOL } from './records/common';
import { discoverRecords } from './records/discover';
import { overviewRecord } from './records/overview';
import { poolInfoRecord } from './records/poolInfo';
import { historicalRecords, openingRecords } from './records/positionLists';
import { decreaseQuoteRecord, tokenBalances } from './records/tokens';
import { topLperRecords } from './records/topLpers';
import { addTransactions, decreaseTransactions, type Workshop } from './transactions';

/** What the engine works with besides. */
export interface MarketEngineOptions extends Workshop {
  /** Milliseconds since 1970; the market's own time. */
  readonly now: () => number;
  /** Keeps everything; called after a bundle has landed and before that is answered. */
  readonly keep: () => void;
}

/** The engine over the pretend market and its chain. */
export class MarketEngine implements Engine {
  constructor(private readonly options: MarketEngineOptions) {}

  advance(): void {
    const now = this.options.now();
    this.options.market.advance(now);
    this.options.chain.advance(now);
  }

  opening(owner: Address): WireOpening {
    return openingRecords(this.options.market, owner);
  }

  historical(parameters: HistoricalParameters): WireHistorical {
    return historicalRecords(this.options.market, parameters);
  }

  overview(owner: Address, protocol: string): WireOverview {
    const record = protocol === PROTOCOL ? overviewRecord(this.options.market, owner, protocol) : undefined;
    return record ?? notFound('Owner overview not found');
  }

  discover(parameters: DiscoverParameters): WireDiscovered {
    return discoverRecords(this.options.market, parameters);
  }

  poolInfo(pool: string): WirePoolInfo {
    return poolInfoRecord(this.options.market, this.pool(pool));
  }

  topLpers(parameters: TopLpersParameters): WireTopLpers {
    return topLperRecords(this.options.market, this.pool(parameters.pool), parameters);
  }

  tokenBalance(owner: Address, mints: readonly string[] | undefined): readonly WireTokenBalance[] {
    return tokenBalances(this.options.market, this.options.chain, owner, mints);
  }

  decreaseQuote(positionId: string, bps: number): WireDecreaseQuote {
    const { pool, position } = this.position(positionId);
    return decreaseQuoteRecord(this.options.market, pool, position, bps);
  }

  buildDecrease(parameters: DecreaseParameters): WireDecrease {
    const { pool, position } = this.position(parameters.positionId);
    if (position.owner !== parameters.owner) {
      throw new EngineError('invalid', `owner does not own the position: it belongs to ${position.owner}`);
    }
    const { fromBinId = position.lowerBinId, toBinId = position.upperBinId } = parameters;
    if (fromBinId > position.lowerBinId || toBinId < position.upperBinId) {
      throw new EngineError('invalid', `fromBinId and toBinId have to cover the position's range, ${position.lowerBinId} to ${position.upperBinId}: parts of it are not withdrawn`);
    }
    return decreaseTransactions(this.options, pool, position, parameters);
  }

  landDecrease(transactions: readonly string[]): WireLanded {
    return this.land('decrease', transactions);
  }

  buildAdd(parameters: AddParameters): WireAdd {
    return addTransactions(this.options, this.pool(parameters.pool), parameters);
  }

  landAdd(transactions: readonly string[]): WireLanded {
    return this.land('add', transactions);
  }

  private land(kind: Issue['kind'], transactions: readonly string[]): WireLanded {
    const { issued, keep } = this.options;
    const bytes = transactions.map(bytesOf);
    const issue = issued.find(kind, bytes);
    const result = this.execute(issue, bytes);
    if (result.kind === 'failed') {
      throw new EngineError('notLanded', `The bundle did not land, and nothing of it was executed. ${result.reason}`);
    }
    keep();
    return { method: 'JITO', signature: result.signatures.at(-1) ?? '' };
  }

  /** Chain and market change together or not at all. */
  private execute(issue: Issue, transactions: readonly Uint8Array[]): BundleResult {
    const { market, chain } = this.options;
    const undo = market.checkpoint();
    let landed = false;
    try {
      const result = chain.land(transactions, (transaction) => {
        for (const effect of readEffects(transaction)) {
          applyEffect({ market, chain }, issue, effect);
        }
      });
      landed = result.kind === 'landed';
      return result;
    } finally {
      if (!landed) {
        undo();
      }
    }
  }

  private pool(address: string): Pool {
    return this.options.market.poolAt(address) ?? notFound(`Pool ${address} not found`);
  }

  private position(id: string): { readonly pool: Pool; readonly position: PositionState } {
    const { market } = this.options;
    const position = market.positions.find((candidate) => candidate.closed === null && (candidate.address === id || opaqueId(market.seed, candidate.address) === id));
    if (position === undefined) {
      return notFound(`Position account ${id} not found`);
    }
    return { pool: this.pool(position.pool), position };
  }
}

function bytesOf(text: string, index: number): Uint8Array {
  const base64 = parseBase64Transaction(text);
  if (base64 === undefined) {
    throw new EngineError('invalid', `Transaction ${index + 1} is not base64`);
  }
  return bytesFromBase64(base64);
}

function notFound(message: string): never {
  throw new EngineError('notFound', message);
}
