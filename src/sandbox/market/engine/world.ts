import type { Address } from '../../../base/solana/address';
import type { RentRate } from '../../../base/solana/rent';
import type { ProtocolNames } from '../../../engine/engine';
import { passingReadings } from '../../../engine/counters/readings';
import { createChain } from '../../chain/chain';
import type { Chain, ChainAccount } from '../../chain/types';
import type { RpcNode } from '../../rpc/method';
import type { Database } from '../../store/database';
import { UnitOfWork } from '../../store/unitOfWork';
import { collectGarbage } from '../../heap';
import { poolAccount, shownData } from '../accounts';
import { foundChain, routerTable } from '../genesis';
import { SimulatedMarket } from '../market';
import { HISTORY_MS, playHistory } from '../simulation/history';
import { LiquidityProviders } from '../simulation/providers';
import type { Market } from '../types';
import { audit } from './audit';
import { IndexingLag } from './indexingLag';
import { Landing, type Outsider } from './landing';
import { MarketEngine, EngineOperations } from './marketEngine';
import { PendingBuilds } from './pendingBuilds';
import { WorldSettings } from './settings';
import { VaultTransfers } from './vaultTransfers';

/** Options of a world. An existing one keeps its seed and past. */
export interface WorldOptions {
  readonly database: Database;
  readonly seed: number;
  /** Milliseconds since 1970; the world's own time. */
  readonly now: () => number;
  /** The wallet of the user, with initial balances and a past. */
  readonly owner: Address;
  /** Returns random bytes. */
  readonly random: (byteCount: number) => Uint8Array;
  readonly protocols: ProtocolNames;
  /** Speed of prices and trading, times the usual; `undefined`: unchanged. */
  readonly priceSpeed?: number | undefined;
  /** Length of a slot; default: 400 ms. */
  readonly slotMs?: number | undefined;
  /** Rent of a new world; an existing one keeps its own. `undefined`: the highest known. */
  readonly rent?: RentRate | undefined;
  /** Length of the past of a new world, milliseconds; `undefined`: ninety days. */
  readonly pastMs?: number | undefined;
  /** Creates the outsider who sees bundles before they land; `undefined`: none. */
  readonly outsider?: ((chain: Chain, custody: VaultTransfers) => Outsider) | undefined;
  readonly log?: ((message: string) => void) | undefined;
}

/** A market and its chain in a database, with their engine and RPC node. */
export interface World {
  readonly engine: MarketEngine;
  /** Builds operations for the engine. */
  readonly operations: EngineOperations;
  readonly market: Market;
  readonly chain: Chain;
  readonly unit: UnitOfWork;
  readonly rpc: RpcNode;
  readonly settings: WorldSettings;
  /** Violated invariants as of the last commit, as sentences; empty if there are none. */
  audit(): readonly string[];
}

/**
 * Opens the world in the database, or makes a new one with its past in one commit: a process that dies meanwhile leaves
 * nothing. The world stays where it was until its engine advances.
 * @throws StoreError if the database can't be read.
 */
export function openWorld(options: WorldOptions): World {
  const { database, seed, owner, random, protocols, now, priceSpeed, slotMs, rent, pastMs = HISTORY_MS, outsider, log } = options;
  const unit = new UnitOfWork(database);
  const startedAt = now();
  const chain = createChain({ database, unit, now: startedAt, random, slotMs, rent });
  const market = SimulatedMarket.open({ database, unit, ledger: chain, seed, startedAt, playedFrom: startedAt - pastMs });
  const providers = new LiquidityProviders({ database, unit, market, ledger: chain });
  market.populate(providers);
  const { isNew } = market;
  if (isNew) {
    log?.('Making a new world, and playing its past.');
    foundChain(chain, market, owner);
    playHistory({ providers, owner, market, ledger: chain });
  }
  if (priceSpeed !== undefined) {
    market.speed = priceSpeed;
  }
  market.settleVaults();
  const lookupTable = routerTable(chain, market);
  if (isNew) {
    collectGarbage();
  }
  unit.commit();
  if (isNew) {
    collectGarbage();
  }

  const records = { database, market, chain, protocols };
  const settings = new WorldSettings(database);
  const issued = new PendingBuilds(database, unit);
  const lag = new IndexingLag(records, unit, settings);
  const custody = new VaultTransfers(chain, market.world);
  const landing = new Landing({ target: { market, custody }, chain, unit, issued, lag, outsider: outsider?.(chain, custody) });
  const operations = new EngineOperations({ market, chain, unit, issued, settings, lookupTable, random }, protocols);
  // They are recorded from the start of the process on: a world can be played again, and its past has no readings.
  const counters = passingReadings();
  const engine = new MarketEngine({ records, unit, operations, landing, counters, now });
  return {
    engine,
    operations,
    market,
    chain,
    unit,
    settings,
    rpc: {
      chain,
      account: (of) => shownAccount(chain.account(of)) ?? accountOfPool(market, of, chain.rent),
      faucet: market.world,
      advance: () => engine.advance(),
      effectsOf: (transactions) => landing.effectsOf(transactions),
      commit: () => unit.commit(),
    },
    audit: () => audit(database),
  };
}

function shownAccount(account: Readonly<ChainAccount> | undefined): Readonly<ChainAccount> | undefined {
  return account === undefined ? undefined : { ...account, data: shownData(account.program, account.data) };
}

/** The account of a pool as an RPC shows it; `undefined` if there is no pool. */
function accountOfPool(market: Market, of: Address, rent: RentRate): ChainAccount | undefined {
  const pool = market.poolAt(of);
  if (pool === undefined) {
    return undefined;
  }
  const { owner, lamports, data } = poolAccount(pool, rent);
  return { lamports, program: owner, data, executable: false };
}
