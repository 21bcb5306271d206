import * as z from 'zod';
import { createChain } from './chain/chain';
import { parseChainState } from './chain/savedState';
import type { Chain } from './chain/types';
import { Clock } from './clock';
import { Identity, newIdentity, ownerOf } from './identity';
import { fundChain } from './market/funding';
import { marketWithPast } from './market/history';
import { Issue, Issued } from './market/issued';
import { Market, MarketState } from './market/market';
import { PoolState } from './market/pool';
import { PositionState } from './market/position';
import { StoreError } from './store';

/** Everything that outlives the process. */
export interface Contents {
  readonly identity: Identity;
  readonly clock: Clock;
  readonly market: Market;
  readonly chain: Chain;
  readonly issued: Issued;
}

/** What a sandbox begins with or goes on with. */
export interface ContentsOptions {
  readonly seed: number;
  readonly priceSpeed: number;
  readonly random: (byteCount: number) => Uint8Array;
}

const MarketCore = MarketState.omit({ pools: true, positions: true });
const Skipped = z.object({ skippedMs: z.number() });
const Issues = z.array(Issue);
const POOL = 'pool/';
const POSITION = 'position/';

/** A new world. */
export function newContents({ seed, priceSpeed, random }: ContentsOptions): Contents {
  const clock = new Clock(0);
  const identity = newIdentity(seed);
  const owner = ownerOf(identity);
  const now = clock.now();
  const market = marketWithPast(seed, now, owner, priceSpeed);
  const chain = createChain({ now, random });
  fundChain(chain, market, owner);
  return { identity, clock, market, chain, issued: new Issued() };
}

/** Everything as named JSON documents, small enough that what did not change need not be written. */
export function documentsOf({ identity, clock, market, chain, issued }: Contents): ReadonlyMap<string, string> {
  const { pools, positions, ...core } = market.save();
  return new Map([
    ['identity', JSON.stringify(z.encode(Identity, identity))],
    ['clock', JSON.stringify({ skippedMs: clock.skippedMs })],
    ['market', JSON.stringify(z.encode(MarketCore, core))],
    ...Object.entries(pools).map(([key, pool]): [string, string] => [`${POOL}${key}`, JSON.stringify(z.encode(PoolState, pool))]),
    ...positions.map((position): [string, string] => [`${POSITION}${position.address}`, JSON.stringify(z.encode(PositionState, position))]),
    ['chain', JSON.stringify(chain.save())],
    ['issued', JSON.stringify(z.encode(Issues, [...issued.save()]))],
  ]);
}

/**
 * Reads what {@link documentsOf} wrote.
 * @throws StoreError where it is something else.
 */
export function savedContents(documents: ReadonlyMap<string, string>, { priceSpeed, random }: Omit<ContentsOptions, 'seed'>): Contents {
  try {
    const identity = read(Identity, documents, 'identity');
    const clock = new Clock(read(Skipped, documents, 'clock').skippedMs);
    const state: MarketState = {
      ...read(MarketCore, documents, 'market'),
      pools: Object.fromEntries(namesUnder(documents, POOL).map((name) => [name.slice(POOL.length), read(PoolState, documents, name)])),
      positions: namesUnder(documents, POSITION).map((name) => read(PositionState, documents, name)),
    };
    return {
      identity,
      clock,
      market: Market.restored(state, priceSpeed),
      chain: createChain({ now: clock.now(), random, state: parseChainState(read(z.unknown(), documents, 'chain')) }),
      issued: new Issued(read(Issues, documents, 'issued')),
    };
  } catch (error) {
    if (error instanceof z.ZodError || error instanceof SyntaxError || error instanceof RangeError) {
      throw new StoreError(`It is not what a sandbox writes: ${error.message}`, { cause: error });
    }
    throw error;
  }
}

function read<Schema extends z.ZodType>(schema: Schema, documents: ReadonlyMap<string, string>, name: string): z.output<Schema> {
  return z.decode(schema, JSON.parse(documents.get(name) ?? 'null') as z.input<Schema>);
}

function namesUnder(documents: ReadonlyMap<string, string>, prefix: string): string[] {
  return [...documents.keys()].filter((name) => name.startsWith(prefix));
}
