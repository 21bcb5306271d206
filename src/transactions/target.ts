import * as l10n from '@vscode/l10n';
import type { OperationRecord, JournalEvent } from './journal/types';

/** What only one operation may work on at a time: the position that is withdrawn from, or the pool that is entered. */
export interface Target {
  /** The name of its lock, which is the same in all windows. */
  readonly lock: string;
  /** "position": in sentences. */
  readonly noun: string;
}

/** What an operation works on; `undefined` for a rebalance, whose parts each have their own. */
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

/** Whether an operation of the journal works for the same owner on the same position or pool. Services do not count: they land on one chain. */
export function isOnSame({ created }: OperationRecord, subject: OperationDescriptor): boolean {
  const target = targetOf(subject)?.lock;
  return target !== undefined && created.owner === subject.owner && targetOf(created)?.lock === target;
}

/** The lock of the one writer of an operation. */
export function operationLock(id: string): string {
  return `operation:${id}`;
}

/** The lock for signing and sending for a wallet. */
export function walletLock({ owner }: Pick<OperationDescriptor, 'owner'>): string {
  return `wallet:${owner}`;
}

/** What an operation is about, as the journal has it. */
export type OperationDescriptor = Pick<
  Extract<JournalEvent, { kind: 'created' }>,
  'operation' | 'owner' | 'pool' | 'poolType' | 'pairName' | 'plan' | 'tokens'
>;
