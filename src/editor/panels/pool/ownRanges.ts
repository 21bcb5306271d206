import type { OpenPosition } from '../../../api/records/position';
import type { PortfolioSnapshot } from '../../../portfolio/types';
import type { Part } from '../../../protocol/parts';
import type { OwnRange } from '../../../protocol/pool';
import type { Address } from '../../../solana/address';
import { stateOfList } from '../partWords';

/** Each locks rent, so no wallet has so many in one pool; all of them are drawn at each movement, and thousands would make the panel stand still. */
const MOST_RANGES = 200;

/** The looked-at wallet's positions in a pool, of too many the first; none where no wallet is looked at. Stands as the list of positions does. */
export function ownRangesOf({ owner, positions, positionsState }: PortfolioSnapshot, pool: Address): Part<readonly OwnRange[]> {
  return owner === undefined ? { standing: 'ready', data: [] } : stateOfList(positionsState, positions.filter((position) => position.pool === pool).slice(0, MOST_RANGES).map(ownRange));
}

function ownRange({ key, address, lowerBinId, upperBinId, inRange, strategy, value, pnl, uncollectedFee }: OpenPosition): OwnRange {
  return { key, address, lowerBinId, upperBinId, inRange, strategy, value, pnl, uncollectedFee };
}
