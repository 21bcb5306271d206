import { type Address, parseAddress } from '../../base/solana/address';
import { dlmmBitmapExtension } from '../../base/solana/pda';
import { PROGRAMS } from '../../base/solana/programs';
import { EngineError } from '../../engine/engine';
import type { IssuedOperations } from '../landing/types';
import type { PriceSource } from '../prices/types';
import { snapshotOf } from '../rpc/snapshot';
import type { ChainRpc } from '../rpc/types';
import { addressOf, readAccounts } from './accounts';
import { LiveBinPool } from './binPool';
import { ChainTerms } from './chainTerms';
import { PoolSearch, type PoolSource } from './poolSearch';
import { CLOCK, LiveProductPool } from './productPool';
import { Simulator } from './simulation';
import { SwapApi } from './swapApi';
import type { BuilderOptions } from './types';

/** A pool of either program. */
export type AnyPool = LiveBinPool | LiveProductPool;

/** What building an operation needs. */
export interface ChainBuildContext {
  /** Reads accounts as they are at the beginning of the build. */
  readonly rpc: ChainRpc;
  readonly prices: PriceSource;
  readonly issued: IssuedOperations;
  readonly terms: ChainTerms;
  readonly simulator: Simulator;
  /** Pools through which swaps may go. */
  readonly source: PoolSource;
  readonly api: SwapApi | undefined;
  readonly random: (byteCount: number) => Uint8Array;
  readonly log: (text: string) => void;
  /** @throws EngineError if there is no such pool */
  pool(address: string): Promise<AnyPool>;
}

/** Creates what building operations needs. @returns gives it to one operation */
export function buildContexts(options: BuilderOptions): () => ChainBuildContext {
  const { rpc, prices, issued, swapApi, random, log } = options;
  const search = new PoolSearch(rpc, log);
  const shared = {
    prices,
    issued,
    random,
    log,
    terms: new ChainTerms(options),
    simulator: new Simulator(rpc, log),
    api: swapApi === undefined ? undefined : new SwapApi(swapApi, rpc),
  };
  return () => {
    const present = snapshotOf(rpc);
    return { ...shared, rpc: present, source: search.once(present), pool: (address) => readPool(present, address) };
  };
}

async function readPool(rpc: ChainRpc, text: string): Promise<AnyPool> {
  const none = (): never => {
    throw new EngineError('notFound', `There is no pool ${text}`);
  };
  const pool: Address = parseAddress(text) ?? none();
  // What the SDK reads first of a pool in bins.
  const account = (await readAccounts(rpc, [pool, dlmmBitmapExtension(pool), CLOCK])).get(pool);
  switch (account === undefined ? undefined : addressOf(account.owner)) {
    case PROGRAMS.dlmm:
      return LiveBinPool.read(rpc, pool);
    case PROGRAMS.dammV2: {
      const [read = none()] = await LiveProductPool.readAll(rpc, [pool]);
      return read;
    }
    default:
      return none();
  }
}
