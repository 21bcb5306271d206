import { dammPosition } from '../../base/solana/pda';
import type { Address } from '../../base/solana/address';
import type { OperationRecord } from '../journal/types';
import { isOpening, positionsOf } from '../operations';
import { wasSubmitted } from '../signedAttempts';

/** A position with those that rebalances turned into it, and those that they made of it. */
export interface PositionChain {
  /** Oldest first. */
  readonly positions: readonly Address[];
  /** Operations of the journal that were sent for them, oldest first. */
  readonly operations: readonly OperationRecord[];
}

/**
 * Follows the rebalances of the journal from a position in both directions. Only links that the journal proves count: nothing is guessed by time.
 * @param scope `position`: it alone, with the operations that opened it, worked on it and closed it; each operation belongs to one position
 */
export function chainOf(
  position: Address,
  { owner, pool, poolType }: Pick<OperationRecord['created'], 'owner' | 'pool'> & { readonly poolType: string },
  records: readonly OperationRecord[],
  scope: 'chain' | 'position' = 'chain',
): PositionChain {
  const own = records.filter(({ created }) => created.owner === owner).sort((one, other) => one.created.atMs - other.created.atMs);
  // A build names a position of DAMM v2 by its account or by the mint of its NFT.
  const account = (address: Address): Address =>
    poolType === 'dammV2' && address !== position && dammPosition(address) === position ? position : address;
  const rebalances = own.flatMap(({ id, created: { plan } }) => (plan.kind === 'rebalance' ? [{ id, from: account(plan.position) }] : []));
  const openings = own.flatMap((record) => {
    const made = record.created.pool === pool && mayHaveLanded(record) ? madeBy(record) : undefined;
    return made === undefined ? [] : [{ record, made: account(made) }];
  });
  const found = new Set([position]);
  for (let known = 0; scope === 'chain' && known < found.size;) {
    known = found.size;
    for (const { record, made } of openings) {
      const from = rebalances.find(({ id }) => id === record.created.parent)?.from;
      if (from !== undefined && (found.has(from) || found.has(made))) {
        found.add(from).add(made);
      }
    }
  }
  const parents = new Set(rebalances.flatMap(({ id, from }) => (found.has(from) ? [id] : [])));
  const concerns = ({ created: { plan, parent } }: OperationRecord): boolean =>
    (scope === 'chain' && parent !== undefined && parents.has(parent)) ||
    positionsOf(plan).some(({ address }) => found.has(account(address)));
  const opened = new Map(openings.map(({ record, made }) => [made, record]));
  const openers = new Set([...found].map((made) => opened.get(made)?.id));
  const openedAtMs = (made: Address): number => opened.get(made)?.created.atMs ?? -Infinity;
  return {
    positions: [...found].sort((one, other) => openedAtMs(one) - openedAtMs(other) || 0),
    operations: own.filter((record) => wasSubmitted(record) && (concerns(record) || openers.has(record.id))),
  };
}

/** The position that the last build of an entry opens. */
function madeBy({ created, built }: OperationRecord): Address | undefined {
  return isOpening(created.plan) ? built?.position : undefined;
}

/** Whether transactions of an operation may be on the chain. */
export function mayHaveLanded(record: OperationRecord): boolean {
  return wasSubmitted(record) && record.state !== 'expired' && record.state !== 'abandoned';
}
