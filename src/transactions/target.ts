import type { OperationRecord, JournalEvent } from './journal/types';
import { type Target, targetsOf } from './operations';

/** The target of an operation; `undefined` for a rebalance, whose legs have their own. */
export function targetOf({ plan, pool }: Pick<OperationDescriptor, 'plan' | 'pool'>): Target | undefined {
  const [target, ...others] = targetsOf(plan, pool);
  return others.length > 0 ? undefined : target;
}

/**
 * Whether a journaled operation has the same owner and the same position or pool, on any service: all land on one chain. A rebalance has both a
 * position and a pool.
 */
export function isOnSame({ created }: OperationRecord, subject: OperationDescriptor): boolean {
  const target = targetOf(created)?.lock;
  return (
    target !== undefined && created.owner === subject.owner && targetsOf(subject.plan, subject.pool).some(({ lock }) => lock === target)
  );
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
