import type { PortfolioControl, PortfolioSnapshot } from '../portfolio/types';
import type { Address } from '../solana/address';
import type { OperationJournal, OperationRecord } from './journal/types';
import { wasSubmitted } from './signedAttempts';

// What an operation does to a position shows by comparing lists. One that was read before another operation on the same position came
// to its end would have the effect of that one taken for its own.

/** When the positions were read that a snapshot shows, milliseconds since 1970; `undefined`: they were not. */
export function listedAtMs({ positionsState }: PortfolioSnapshot): number | undefined {
  return positionsState.kind === 'ready' || positionsState.kind === 'stale' ? positionsState.asOf.getTime() : undefined;
}

/** Whether something that was sent for a position has gone on since a time. */
export function wentOnSince(records: readonly OperationRecord[], owner: Address, position: Address, sinceMs: number): boolean {
  return records.some((record) => {
    const { plan, owner: whose } = record.created;
    return plan.kind === 'zapOut' && plan.position === position && whose === owner && wasSubmitted(record) && record.updatedAtMs > sinceMs;
  });
}

/** Reads the positions anew where something went on with this one since they were read. Never rejects: what fails shows in the snapshot. */
export async function listAnew(owner: Address, position: Address, { journal, portfolio }: { readonly journal: Pick<OperationJournal, 'read'>; readonly portfolio: PortfolioControl }): Promise<void> {
  const atMs = listedAtMs(portfolio.snapshot);
  // A journal that cannot be read stops the operation further on, with words.
  const records = await journal.read().then((read) => read.records, () => []);
  if (atMs !== undefined && wentOnSince(records, owner, position, atMs)) {
    await portfolio.refresh('afterOperation', ['positions']);
  }
}
