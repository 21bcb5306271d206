import * as l10n from '@vscode/l10n';
import type { OperationRecord, JournalEvent } from './journal/types';

/** What only one operation may work on at a time: the position of a zap-out, or the pool of a zap-in. */
export interface Target {
  /** Name of its lock, the same in all windows. */
  readonly lock: string;
  /** "position"; part of sentences. */
  readonly noun: string;
}

/** The target of an operation; `undefined` for a rebalance, whose legs have their own. */
export function targetOf({ plan, pool }: Pick<OperationDescriptor, 'plan' | 'pool'>): Target | undefined {
  const [lock, ...others] = locksOf({ plan, pool });
  return lock === undefined || others.length > 0 ? undefined : { lock, noun: plan.kind === 'zapIn' ? l10n.t('pool') : l10n.t('position') };
}

/**
 * Whether a journaled zap-out or zap-in has the same owner and the same position or pool, on any service: all land on one chain. A rebalance
 * has both.
 */
export function isOnSame({ created }: OperationRecord, subject: OperationDescriptor): boolean {
  const target = targetOf(created)?.lock;
  return target !== undefined && created.owner === subject.owner && locksOf(subject).includes(target);
}

function locksOf({ plan, pool }: Pick<OperationDescriptor, 'plan' | 'pool'>): readonly string[] {
  switch (plan.kind) {
    case 'zapOut':
      return [`position:${plan.position}`];
    case 'zapIn':
      return [`pool:${pool}`];
    case 'rebalance':
      return [`position:${plan.position}`, `pool:${pool}`];
  }
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
