import type { PoolPositionsParameters, TopLpersParameters } from '../../../engine/engine';
import { lpersOf, topLpersRecord } from '../../../engine/records/lpers';
import { onchainStatsRecord, pageOfPositions, poolPositionsRecord } from '../../../engine/records/poolPositions';
import type { RecordedPosition } from '../../../engine/state/positionState';
import type { WireOnchainStats, WirePoolPositions, WireTopLpers } from '../../../engine/wire/pools';
import { POSITION_COLUMNS, PositionRow } from '../positionStore';
import type { MarketPool, Position } from '../types';
import { scaleOf } from './poolStates';
import { binsOf, closedStates, openStates } from './positionStates';
import type { RecordContext } from './recordContext';

/** Open and closed positions of a pool. Parameters: pool (1), owner (2), 1 for open and 0 for closed (3). A null matches everything. */
export const POSITIONS_OF_POOL = `SELECT ${POSITION_COLUMNS} FROM position p
WHERE p.pool = ?1 AND (?2 IS NULL OR p.owner = ?2) AND (?3 IS NULL OR (p.closed_at IS NULL) = ?3)`;

function positionsOf(
  context: RecordContext,
  pool: MarketPool,
  order: 'address' | 'owner',
  { owner, status }: Partial<Pick<PoolPositionsParameters, 'owner' | 'status'>> = {},
): readonly RecordedPosition[] {
  const isOpen = status === undefined ? null : status === 'Open' ? 1 : 0;
  const positions = context.database.all(PositionRow, `${POSITIONS_OF_POOL} ORDER BY ${order}`, pool.address, owner ?? null, isOpen);
  const held = openIn(context, pool);
  const open = openStates(
    context,
    positions.flatMap(({ address }) => held.get(address) ?? []),
  );
  const states = new Map(open.map((state) => [state.address, state]));
  return positions.flatMap(
    (position): RecordedPosition | readonly RecordedPosition[] => states.get(position.address) ?? closedStates(context, position),
  );
}

function openIn({ market }: RecordContext, pool: MarketPool): ReadonlyMap<string, Readonly<Position>> {
  return new Map(market.positions.openIn(pool.address).map((position) => [position.address, position]));
}

/** One page of the open and closed positions of a pool, ties by address; with the bins of open positions. */
export function poolPositionRecords(
  context: RecordContext,
  pool: MarketPool,
  parameters: Omit<PoolPositionsParameters, 'pool'>,
): WirePoolPositions {
  const { market } = context;
  const page = pageOfPositions(positionsOf(context, pool, 'address', parameters), parameters, market.now);
  const isBins = pool.type === 'bins';
  const open = openIn(context, pool);
  return poolPositionsRecord(
    page,
    {
      bins: isBins ? { ...scaleOf(pool), activeBinId: pool.activeBinId } : undefined,
      prices: new Map([pool.tokenX, pool.tokenY].map((token) => [token.mint, market.usd(token)])),
    },
    isBins ? page.open.flatMap(({ address }) => open.get(address) ?? []).flatMap((position) => binsOf(pool, position)) : [],
    parameters,
  );
}

/** One page of the liquidity providers of a pool; ties by address. */
export function topLperRecords(context: RecordContext, pool: MarketPool, parameters: Omit<TopLpersParameters, 'pool'>): WireTopLpers {
  return topLpersRecord(
    lpersOf(positionsOf(context, pool, 'owner'), () => 0, context.market.now),
    parameters,
  );
}

/** Number of open positions in a pool, their owners and their deposits. */
export function onchainStatsRecords({ market }: RecordContext, { address }: MarketPool): WireOnchainStats {
  const open = market.positions.openIn(address);
  return onchainStatsRecord({
    pool: address,
    positions: open.length,
    owners: new Set(open.map(({ owner }) => owner)).size,
    inputs: open.map(({ input }) => input),
  });
}
