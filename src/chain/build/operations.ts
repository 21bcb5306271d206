import { type Address, parseAddress } from '../../base/solana/address';
import { PROGRAMS } from '../../base/solana/programs';
import { EngineError } from '../../engine/engine';
import type { IssuedOperations } from '../landing/types';
import type { PriceSource } from '../prices/types';
import type { ChainRpc } from '../rpc/types';
import { addressOf, readAccounts } from './accounts';
import { LiveBinPool } from './binPool';
import { ChainTerms } from './chainTerms';
import { PoolSearch } from './poolSearch';
import { LiveProductPool } from './productPool';
import { Simulator } from './simulation';
import { SwapApi } from './swapApi';
import type { BuilderOptions } from './types';

/** A pool of either program. */
export type AnyPool = LiveBinPool | LiveProductPool;

/** What building operations needs. */
export interface ChainBuildContext {
  readonly rpc: ChainRpc;
  readonly prices: PriceSource;
  readonly issued: IssuedOperations;
  readonly terms: ChainTerms;
  readonly simulator: Simulator;
  readonly search: PoolSearch;
  readonly api: SwapApi | undefined;
  readonly random: (byteCount: number) => Uint8Array;
  readonly log: (text: string) => void;
  /** @throws EngineError if there is no such pool */
  pool(address: string): Promise<AnyPool>;
}

/** Creates what building operations needs. */
export function buildContext(options: BuilderOptions): ChainBuildContext {
  const { rpc, prices, issued, swapApi, random, log } = options;
  return {
    rpc,
    prices,
    issued,
    terms: new ChainTerms(options),
    simulator: new Simulator(rpc, log),
    search: new PoolSearch(rpc, log),
    api: swapApi === undefined ? undefined : new SwapApi(swapApi, rpc),
    random,
    log,
    pool: (address) => readPool(rpc, address),
  };
}

async function readPool(rpc: ChainRpc, text: string): Promise<AnyPool> {
  const none = (): never => {
    throw new EngineError('notFound', `There is no pool ${text}`);
  };
  const pool: Address = parseAddress(text) ?? none();
  const account = (await readAccounts(rpc, [pool])).get(pool);
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
