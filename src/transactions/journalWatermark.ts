import type { PortfolioControl, PortfolioSnapshot } from '../portfolio/types';
import type { Address } from '../base/solana/address';
import type { OperationJournal, OperationRecord } from './journal/types';
import { wasSubmitted } from './signedAttempts';

// What an operation does to a position shows by comparing lists. One that was read before another operation on the same position came
// to its end would have the effect of that one taken for its own. Clocks are set back and forth: that nothing has gone on since is told
// by what is written, not by when.

/** How far the operations of which something was sent for a position had come: their ids, each with how many events it had. */
export type JournalWatermark = ReadonlyMap<string, number>;

/** How far they have come by these records. */
export function watermarkOf(records: readonly OperationRecord[], owner: Address, position: Address): JournalWatermark {
  const own = records.filter((record) => {
    const { plan, owner: whose } = record.created;
    return plan.kind === 'zapOut' && plan.position === position && whose === owner && wasSubmitted(record);
  });
  return new Map(own.map(({ id, events }) => [id, events.length]));
}

/** Whether one of them has gone on, or another one was sent, since. Those that the journal has forgotten do not count. */
export function hasAdvanced(before: JournalWatermark, now: JournalWatermark): boolean {
  return [...now].some(([id, events]) => before.get(id) !== events);
}

/**
 * Makes sure that the list of positions is younger than what the journal has of one of them: reads it anew where it may not be.
 * Never rejects: what fails shows in the snapshot, and a journal that cannot be read stops the operation further on, with words.
 * @returns what the list is younger than
 */
export async function refreshListing(
  owner: Address,
  position: Address,
  { journal, portfolio }: { readonly journal: Pick<OperationJournal, 'read'>; readonly portfolio: PortfolioControl },
): Promise<JournalWatermark> {
  const records = await journal.read().then(
    (read) => read.records,
    () => [],
  );
  const progress = watermarkOf(records, owner, position);
  const listedAtMs = listedAt(portfolio.snapshot);
  const isOlder = (record: OperationRecord) => progress.has(record.id) && !(listedAtMs !== undefined && record.updatedAtMs < listedAtMs);
  if (records.some(isOlder)) {
    await portfolio.refresh('afterOperation', ['positions']);
  }
  return progress;
}

/** When the positions were read that a snapshot shows, milliseconds since 1970; `undefined`: they were not. */
function listedAt({ positionsState }: PortfolioSnapshot): number | undefined {
  return positionsState.kind === 'ready' || positionsState.kind === 'stale' ? positionsState.asOf.getTime() : undefined;
}
