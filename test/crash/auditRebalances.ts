import { wordsOf } from '../support/transactions/words';
import type { OperationRecord } from '../../src/transactions/journal/types';
import { RentRate } from '../../src/base/solana/rent';
import { nameOf, solOf, type AuditedOperation } from './auditedOperation';
import type { Outcome } from './protocol';

/** A rebalance and the audit of its legs. */
interface Rebalance {
  readonly record: OperationRecord;
  readonly outs: readonly AuditedOperation[];
  readonly ins: readonly AuditedOperation[];
}

/**
 * Faults of the rebalances in the journal: each leg takes effect at most once, no deposit exceeds the proceeds, and the recorded end is
 * true.
 */
export function faultsOfRebalances({ records, before, after }: Outcome, operations: readonly AuditedOperation[]): readonly string[] {
  return records
    .filter(({ created }) => created.operation === 'rebalance')
    .flatMap((record) => {
      const parts = operations.filter((operation) => operation.record.created.parent === record.id);
      const of = (kind: 'zapOut' | 'zapIn'): readonly AuditedOperation[] => parts.filter((part) => part.record.created.operation === kind);
      const rebalance = { record, outs: of('zapOut'), ins: of('zapIn') };
      const isAlone = operations.every((operation) => operation.landed.size === 0 || parts.includes(operation));
      return [
        ...faultsOfEffects(rebalance),
        ...faultsOfAmounts(rebalance),
        ...faultsOfWord(rebalance),
        ...(isAlone ? faultsOfReserve(rebalance, before.lamports, after.lamports) : []),
      ];
    });
}

function landedOf(operations: readonly AuditedOperation[]): readonly AuditedOperation[] {
  return operations.filter(({ landed }) => landed.size > 0);
}

function isWhole({ record, landed }: AuditedOperation): boolean {
  return landed.size > 0 && landed.size === record.signatures.length;
}

function faultsOfEffects({ record, outs, ins }: Rebalance): readonly string[] {
  const counts = [
    ['zapped out', landedOf(outs).length],
    ['re-entered', landedOf(ins).length],
  ] as const;
  return [
    ...counts.filter(([, count]) => count > 1).map(([what, count]) => `${nameOf(record)} was ${what} ${count} times`),
    ...(landedOf(ins).length > 0 && landedOf(outs).length === 0 ? [`${nameOf(record)} was re-entered, and nothing had come out`] : []),
  ];
}

/**
 * Deposits don't exceed the proceeds, rent and fees of both legs included. If the end of the zap-in is missing, unused SOL is still wrapped
 * in an account whose rent is refundable.
 */
function faultsOfAmounts({ record, outs, ins }: Rebalance): readonly string[] {
  const back = landedOf(outs).reduce((sum, { change }) => sum + solOf(change), 0n);
  return ins.flatMap((operation) => {
    const { record: of, landed, change } = operation;
    const { plan } = of.created;
    const input = plan.kind === 'zapIn' ? plan.inputLamports : 0n;
    const lent = isWhole(operation) ? 0n : RentRate.highest.tokenAccount;
    const took = -solOf(change) - lent;
    return [
      ...(input <= back ? [] : [`${nameOf(record)} plans to re-enter with ${input} lamports; the proceeds are ${back}`]),
      ...(landed.size === 0 || took <= back ? [] : [`${nameOf(record)} spent ${took} lamports on the re-entry; the proceeds are ${back}`]),
    ];
  });
}

/** The end of the rebalance matches the outcome of its legs. */
function faultsOfWord({ record, outs, ins }: Rebalance): readonly string[] {
  const { state, lamportsBack, reason } = record;
  const end = record.events.at(-1);
  const back = landedOf(outs).map(({ change }) => change);
  const sums = [back.reduce((sum, { lamports }) => sum + lamports, 0n), back.reduce((sum, change) => sum + solOf(change), 0n)];
  const isOut = outs.some(({ record: { state: how } }) => how === 'settled');
  const isIn = ins.some(isWhole);
  const is = (what: string): readonly string[] => [`${nameOf(record)} ${what} (${wordsOf(reason) || 'no reason'})`];
  const amount =
    lamportsBack === undefined || sums.includes(lamportsBack)
      ? []
      : is(`records proceeds of ${lamportsBack} lamports; they are ${sums.join(', or with wrapped SOL ')}`);
  switch (state) {
    case 'settled':
      return [
        ...amount,
        ...(isOut ? [] : is('is settled, and its zap-out is not')),
        ...(end?.kind === 'settled' && end.shortfall === undefined && !ins.some((operation) => operation.record.state === 'settled')
          ? is('is settled without a word of what is missing, and nothing was re-entered')
          : []),
        ...(isIn && /as you chose/i.test(wordsOf(reason)) ? is('is said not to have been re-entered, and was') : []),
      ];
    case 'failed':
      return isOut && isIn && !ins.some(({ record: { isUnclear } }) => isUnclear)
        ? is('is said to have failed, and was re-entered')
        : amount;
    case 'abandoned':
      return landedOf([...outs, ...ins]).length === 0 ? [] : is('is said to have been abandoned, and something landed');
    default:
      return is(`ended as ${state}`);
  }
}

/** The wallet keeps its reserve, if it had that much before the re-entry. */
function faultsOfReserve({ record, outs, ins }: Rebalance, before: bigint, after: bigint): readonly string[] {
  const { plan } = record.created;
  const isIn = landedOf(ins).length > 0;
  const between = before + landedOf(outs).reduce((sum, { change }) => sum + change.lamports, 0n);
  if (plan.kind !== 'rebalance' || !isIn || after >= plan.reserveLamports) {
    return [];
  }
  return [
    `${nameOf(record)} left ${after} lamports in the wallet of the ${between} that were there, and ${plan.reserveLamports} were to stay`,
  ];
}
