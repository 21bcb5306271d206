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
  switch (plan.kind) {
    case 'zapOut':
      return { lock: `position:${plan.position}`, noun: l10n.t('position') };
    case 'zapIn':
      return { lock: `pool:${pool}`, noun: l10n.t('pool') };
    case 'rebalance':
      return undefined;
  }
}

/** Whether a journaled operation has the same owner and the same position or pool, on any service: all land on one chain. */
export function isOnSame({ created }: OperationRecord, subject: OperationDescriptor): boolean {
  const target = targetOf(subject)?.lock;
  return target !== undefined && created.owner === subject.owner && targetOf(created)?.lock === target;
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
