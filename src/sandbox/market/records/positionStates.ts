import * as z from 'zod';
import type { BinRange } from '../../../base/dlmm/bins';
import { STRATEGIES } from '../../../base/dlmm/strategy';
import { addressBytes, type Address } from '../../../base/solana/address';
import { NO_WORTH } from '../../../engine/state/figures';
import type { LoggedPosition } from '../../../engine/wire/logRecord';
import type {
  ClosedPositionState,
  EventFacts,
  OpenPositionState,
  PoolMoment,
  PositionBins,
  PositionFacts,
  RecordPool,
} from '../../../engine/state/positionState';
import type { BinPool, Closing, MarketPool, Position } from '../types';
import { wholePrice } from '../units';
import { type RecordContext, recordToken } from './recordContext';

/** Open positions with their events, in the given order. */
export function openStates(context: RecordContext, positions: readonly Readonly<Position>[]): readonly OpenPositionState[] {
  const { market, database } = context;
  const addresses = positions.map(({ address }) => address);
  const events = addresses.length === 0 ? [] : database.all(EventRow, LOGS_OF_POSITIONS, JSON.stringify(addresses));
  return positions.flatMap((position): readonly OpenPositionState[] => {
    const pool = market.poolAt(position.pool);
    return pool === undefined
      ? []
      : [openState(context, pool, position, events.filter((event) => event.position === position.address).map(eventOf))];
  });
}

function openState(
  context: RecordContext,
  pool: MarketPool,
  position: Readonly<Position>,
  events: readonly EventFacts[],
): OpenPositionState {
  const { books } = context.market;
  const { holding } = position;
  const amounts = books.amountsOf(pool, position);
  const fees = books.feesOf(pool, position);
  return {
    ...factsOf(context, pool, position),
    contents: {
      id: position.id,
      amounts,
      withdrawableShare: 1,
      fees,
      value: books.worthOf(pool, amounts),
      fee: books.worthOf(pool, fees),
      liquidity: holding?.type === 'product' ? holding.liquidity.toString() : '0',
    },
    moment: momentNow(context, pool),
    events,
  };
}

/** A closed position; empty if it is open. */
export function closedStates(context: RecordContext, position: Readonly<Position>): readonly ClosedPositionState[] {
  const pool = context.market.poolAt(position.pool);
  const { closing } = position;
  return pool === undefined || closing === null
    ? []
    : [
        {
          ...factsOf(context, pool, position),
          closedAt: closing.at,
          moment: momentOf(pool, closing),
          follows: followedBy(context, position),
        },
      ];
}

/** What an open position has in each bin. Settled fees are in the bin nearest to the active one, so that the bins add up to all collectable fees. */
export function binsOf(pool: BinPool, { address, holding }: Readonly<Position>): readonly PositionBins[] {
  if (holding?.type !== 'bins') {
    return [];
  }
  const { lowerBinId, bins, pendingX, pendingY } = holding;
  const nearest = Math.min(Math.max(pool.activeBinId, lowerBinId), lowerBinId + bins.length - 1);
  return [
    {
      position: address,
      bins: bins.map((_, place) => {
        const binId = lowerBinId + place;
        const { x, y } = pool.feesInBin(holding, binId);
        return {
          binId,
          all: pool.binAmounts(binId),
          own: pool.amountsInBin(holding, binId),
          fees: binId === nearest ? { x: x + pendingX, y: y + pendingY } : { x, y },
        };
      }),
    },
  ];
}

function factsOf(context: RecordContext, pool: MarketPool, position: Readonly<Position>): PositionFacts {
  const { address, owner, strategy, openedAt, updatedAt, input, output, collectedFee } = position;
  return {
    address,
    owner,
    pool: recordPool(context, pool),
    strategy,
    range: rangeOf(position),
    openedAt,
    updatedAt,
    input,
    output,
    collectedFee,
    collectedReward: NO_WORTH,
  };
}

function recordPool({ protocols }: RecordContext, pool: MarketPool): RecordPool {
  return {
    address: pool.address,
    protocol: protocols[pool.type],
    pairName: pool.pairName,
    token0: recordToken(pool.tokenX),
    token1: recordToken(pool.tokenY),
    bins: pool.type === 'bins' ? { kind: 'bins', stepBps: pool.spec.binStepBps } : { kind: 'none', baseFeeBps: pool.spec.baseFeeBps },
  };
}

/** Null in pools without bins. */
function rangeOf({ lowerBinId, upperBinId }: Pick<Position, 'lowerBinId' | 'upperBinId'>): BinRange | null {
  return lowerBinId === null || upperBinId === null ? null : { fromBinId: lowerBinId, toBinId: upperBinId };
}

/** Prices and active bin of a pool now. */
function momentNow({ market }: RecordContext, pool: MarketPool): PoolMoment {
  const uiPrice = pool.type === 'bins' ? pool.uiPriceOf(pool.activeBinId) : wholePrice(pool.price, pool.tokenX, pool.tokenY);
  const activeBinId = pool.type === 'bins' ? pool.activeBinId : null;
  return { usd0: market.usd(pool.tokenX), usd1: market.usd(pool.tokenY), uiPrice, activeBinId };
}

/** Prices and active bin of a pool when a position was closed. */
function momentOf(pool: MarketPool, { activeBinId, usdX, usdY }: Closing): PoolMoment {
  const uiPrice = pool.type === 'bins' && activeBinId !== null ? pool.uiPriceOf(activeBinId) : usdX / usdY;
  return { usd0: usdX, usd1: usdY, uiPrice, activeBinId };
}

/** Columns of {@link EventRow}, from `position_event` e and `position` p. */
const EVENT_COLUMNS =
  'e.position, e.owner, e.pool, e.action, e.at, e.amount_x, e.amount_y, e.usd_x, e.usd_y, e.usd_sol, e.bps, e.signature, p.strategy, p.lower_bin, p.upper_bin';

/** An event with some fields of its position. */
const EventRow = z.object({
  position: z.string(),
  owner: z.string(),
  pool: z.string(),
  action: z.enum(['add_liquidity', 'remove_liquidity', 'claim_fee', 'close_position']),
  at: z.number(),
  amount_x: z.string(),
  amount_y: z.string(),
  usd_x: z.number(),
  usd_y: z.number(),
  usd_sol: z.number(),
  bps: z.int().nullable(),
  signature: z.string().nullable(),
  strategy: z.enum(STRATEGIES),
  lower_bin: z.int().nullable(),
  upper_bin: z.int().nullable(),
});
type EventRow = z.output<typeof EventRow>;

const EVENTS = `SELECT ${EVENT_COLUMNS} FROM position_event e JOIN position p ON p.address = e.position`;

/** Events of positions (JSON list of addresses), each one's oldest first. */
export const LOGS_OF_POSITIONS = `${EVENTS} WHERE e.position IN (SELECT value FROM json_each(?)) ORDER BY e.position, e.number`;

/** Events of an owner, oldest first. */
export const LOGS_OF_OWNER = `${EVENTS} WHERE e.owner = ? ORDER BY e.at, e.position, e.number`;

/** The events that a statement of {@link EVENT_COLUMNS} finds, with their positions. */
export function loggedEvents(
  context: RecordContext,
  sql: string,
  of: string,
): readonly { readonly position: LoggedPosition; readonly event: EventFacts }[] {
  const { database, market } = context;
  return database.all(EventRow, sql, of).flatMap((row) => {
    const pool = market.poolAt(row.pool);
    const { position: address, owner, strategy } = row;
    const range = rangeOf({ lowerBinId: row.lower_bin, upperBinId: row.upper_bin });
    return pool === undefined
      ? []
      : [{ position: { address, owner, strategy, range, pool: recordPool(context, pool) }, event: eventOf(row) }];
  });
}

function eventOf(row: EventRow): EventFacts {
  return {
    action: row.action,
    at: row.at,
    amounts: { x: BigInt(row.amount_x), y: BigInt(row.amount_y) },
    usd0: row.usd_x,
    usd1: row.usd_y,
    usdSol: row.usd_sol,
    bps: row.bps,
    signature: row.signature,
  };
}

/** One position in this many counts as a copy. */
const COPIES_ONE_IN = 4;

/** The newest position of another owner at a moment. Parameters: pool (1), moment (2), follower (3). */
export const FOLLOWED_POSITION =
  'SELECT owner, address FROM position WHERE pool = ?1 AND opened_at < ?2 AND owner <> ?3 AND (closed_at IS NULL OR closed_at > ?2) ORDER BY opened_at DESC, address DESC LIMIT 1';

const FollowedRow = z.object({ owner: z.string(), address: z.string() });

/**
 * The position that a position copies, if any. The simulation has no copy trading; some positions, chosen by their address, count
 * as copies of the newest position of another wallet in the pool when they were opened. This never changes afterwards.
 */
function followedBy({ database }: RecordContext, { address, pool, openedAt, owner }: Readonly<Position>): ClosedPositionState['follows'] {
  const followed = isCopy(address) ? database.get(FollowedRow, FOLLOWED_POSITION, pool, openedAt, owner) : undefined;
  return followed === undefined
    ? undefined
    : { owner: followed.owner, label: `LP ${followed.owner.slice(0, 4)}`, position: followed.address };
}

function isCopy(address: Address): boolean {
  return (addressBytes(address).at(-1) ?? 0) % COPIES_ONE_IN === 0;
}
