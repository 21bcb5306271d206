import type { OperationRecord, JournalEvent } from './journal/types';
import { type Target, targetsOf } from './operations';

/** What an operation locks while it runs; nothing for a rebalance, whose legs have their own targets. */
export function lockedTargets({ plan, pool }: Pick<OperationDescriptor, 'plan' | 'pool'>): readonly Target[] {
  return plan.kind === 'rebalance' ? [] : targetsOf(plan, pool);
}

/**
 * Whether a journaled operation has the same owner and works on one of the same positions or pools, on any service: all land on one chain. A
 * rebalance works on a position and a pool.
 */
export function isOnSame({ created }: OperationRecord, subject: OperationDescriptor): boolean {
  const locked = new Set(lockedTargets(created).map(({ lock }) => lock));
  return created.owner === subject.owner && targetsOf(subject.plan, subject.pool).some(({ lock }) => locked.has(lock));
}

/** Held by the one writer of an operation. */
export function operationLock(id: string): string {
  return `operation:${id}`;
}

/** Held while signing and sending for a wallet. */
export function walletLock({ owner }: Pick<OperationDescriptor, 'owner'>): string {
  return `wallet:${owner}`;
}

/** The description of an operation in the journal. */
export type OperationDescriptor = Pick<
  Extract<JournalEvent, { kind: 'created' }>,
  'operation' | 'owner' | 'pool' | 'poolType' | 'pairName' | 'plan' | 'tokens'
>;
