import * as z from 'zod';
import { addressBytes, type Address } from '../../../solana/address';
import type { WireClosedPosition } from '../../wire/positions';
import type { Position } from '../types';
import type { RecordContext } from './reading';

/** One position in so many copies another one. */
const COPIES_ONE_IN = 4;

/** The pool (1), the moment (2), who follows (3): whose position was the youngest there at that moment. */
export const FOLLOWED =
  'SELECT owner, address FROM position WHERE pool = ?1 AND opened_at < ?2 AND owner <> ?3 AND (closed_at IS NULL OR closed_at > ?2) ORDER BY opened_at DESC, address DESC LIMIT 1';

const FollowedRow = z.object({ owner: z.string(), address: z.string() });

/**
 * Whom a position copies. Nobody in the pretend market decides to follow somebody; but some positions (which ones, their
 * addresses say) count as copies of the youngest one that another wallet had in the pool when they were opened. That
 * never changes afterwards. `undefined`: nobody.
 */
export function followInfo({ database }: RecordContext, { address, pool, openedAt, owner }: Readonly<Position>): WireClosedPosition['followInfo'] {
  const followed = isCopy(address) ? database.get(FollowedRow, FOLLOWED, pool, openedAt, owner) : undefined;
  return followed === undefined ? undefined : { sourceOwner: followed.owner, sourceLabel: `LP ${followed.owner.slice(0, 4)}`, sourceTokenId: followed.address };
}

function isCopy(address: Address): boolean {
  return (addressBytes(address).at(-1) ?? 0) % COPIES_ONE_IN === 0;
}
