import { wordsOf } from '../support/transactions/words';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isEnd, recordOf } from '../../src/transactions/journal/states';
import type { JournalEvent, OperationRecord } from '../../src/transactions/journal/types';
import { openLocks } from '../../src/transactions/locks/locks';
import { stillUnderWay } from '../../src/transactions/signedAttempts';
import { isOnSame, lockedTargets, operationLock, walletLock } from '../../src/transactions/target';
import { faultsOfRebalances } from './auditRebalances';
import { claimOf, nameOf, solOf, type AuditedOperation } from './auditedOperation';
import type { Outcome } from './protocol';
import { together, type Change, type World } from './world';

/** Tolerance for rounding, raw units. */
const DUST_RAW = 1_000n;

/** Messages that promise that the money has not moved. */
const SAFE = /your money (?:is where it was|has not moved)|nothing (?:was signed|was sent|landed)|did not land/i;

/** Compares everything after an operation with the journal. @returns the faults, as text; none if all is consistent */
export async function faultsOf(outcome: Outcome, world: World): Promise<readonly string[]> {
  const { records, problems } = outcome;
  const operations = await auditedOperations(records, world);
  return [
    ...problems.map(({ file, what }) => `the journal has a problem: ${what} (${file})`),
    ...records.filter(({ state }) => !isEnd(state)).map((record) => `${nameOf(record)} never came to an end`),
    ...operations.flatMap((operation) => [...faultsOfLanding(operation, outcome), ...faultsOfMoney(operation)]),
    ...faultsOfEstate(outcome, operations),
    ...faultsOfPositions(outcome, operations),
    ...faultsOfRepeating(records),
    ...faultsOfFinishing(operations),
    ...faultsOfNoAction(outcome),
    ...faultsOfSafety(outcome, operations),
    ...faultsOfRebalances(outcome, operations),
    ...(await faultsOfLocks(outcome)),
    ...(await world.client.audit()).map((fault) => `the sandbox's books: ${fault}`),
  ];
}

/** What the chain has of each operation that was sent. */
async function auditedOperations(records: readonly OperationRecord[], world: World): Promise<readonly AuditedOperation[]> {
  return Promise.all(
    records
      .filter(({ created }) => created.operation !== 'rebalance')
      .map(async (record) => {
        const attempts = record.events.flatMap((event) => (event.kind === 'signed' ? [event] : []));
        const landed = await world.landedOf(attempts.flatMap(({ signatures }) => signatures));
        return { record, landed, change: together(await Promise.all([...landed].map((signature) => world.changeBy(signature)))) };
      }),
  );
}

/** The journal is right about what landed: everything, nothing else, and each operation has a matching end. */
function faultsOfLanding({ record, landed }: AuditedOperation, { hasRpc }: Outcome): readonly string[] {
  const { signatures, state, events } = record;
  const claim = claimOf(record);
  const inOrder = signatures.slice(0, landed.size).every((signature) => landed.has(signature));
  const isHalf = landed.size > 0 && landed.size < signatures.length;
  // Without an RPC a partial landing, or one that lists don't show in time, can't be recognized; the journal only must not claim that nothing
  // happened.
  const isUnknowable = !hasRpc && !claim.claimsNothingHappened && ((isHalf && state === 'settled') || claim.isUncertain);
  const wasSent = events.some(({ kind }) => kind === 'submitted');
  return [
    ...((landed.size === claim.landed && inOrder) || isUnknowable
      ? []
      : [
          `${nameOf(record)} has ${landed.size} landed transactions of ${signatures.length}, and is said to have ${claim.landed} (${wordsOf(record.reason) || 'no reason'})`,
        ]),
    ...(!hasRpc && wasSent && claim.claimsNothingHappened ? [`${nameOf(record)} is said not to have landed, and no chain proved it`] : []),
    ...(landed.size === 0 && record.events.some(({ kind }) => kind === 'landed')
      ? [`${nameOf(record)} is said to have landed, and has not`]
      : []),
  ];
}

/** Recorded proceeds are the real ones, and spends stay within the announced limits. */
function faultsOfMoney({ record, landed, change }: AuditedOperation): readonly string[] {
  const { lamports } = change;
  const { lamportsBack } = record;
  const spends = record.events.findLast((event): event is Extract<JournalEvent, { kind: 'signed' }> => event.kind === 'signed')?.spends;
  const most =
    spends === undefined ? 0n : Object.values(spends as unknown as Readonly<Record<string, bigint>>).reduce((sum, part) => sum + part, 0n);
  return [
    ...(lamportsBack === undefined || lamportsBack === solOf(change)
      ? []
      : [`${nameOf(record)} records proceeds of ${lamportsBack} lamports; they are ${solOf(change)}`]),
    ...(landed.size === 0 || -lamports <= most
      ? []
      : [`${nameOf(record)} cost ${-lamports} lamports, which is more than the ${most} that the journal says`]),
  ];
}

/** The owner has the previous balances plus the changes by the journaled operations: to the lamport, and to the raw unit. */
function faultsOfEstate({ before, after }: Outcome, operations: readonly AuditedOperation[]): readonly string[] {
  const known = operations.reduce((sum, { landed }) => sum + landed.size, 0);
  const really = after.landedTransactions - before.landedTransactions;
  const brought = together(operations.map(({ change }) => change));
  const has = together([after, negative(before)]);
  const mints = [...new Set([...brought.tokens.keys(), ...has.tokens.keys()])];
  return [
    ...(really === known ? [] : [`${really} transactions landed, and the journal knows of ${known}`]),
    ...(has.lamports === brought.lamports
      ? []
      : [`the owner has ${has.lamports} lamports more than before, and what landed brought ${brought.lamports}`]),
    ...mints
      .filter((mint) => has.tokens.get(mint) !== brought.tokens.get(mint))
      .map(
        (mint) =>
          `the owner has ${has.tokens.get(mint) ?? 0n} of ${mint} more than before, and what landed brought ${brought.tokens.get(mint) ?? 0n}`,
      ),
  ];
}

function negative({ lamports, tokens }: Change): Change {
  return { lamports: -lamports, tokens: new Map([...tokens].map(([mint, amount]) => [mint, -amount])) };
}

/** The open positions are the previous ones, changed as journaled. After a partial execution or an unclear end both are allowed. */
function faultsOfPositions({ before, after }: Outcome, operations: readonly AuditedOperation[]): readonly string[] {
  const expected = new Set(before.open);
  const either = new Set<string>();
  for (const { record, landed } of operations) {
    const { state, created, built, signatures } = record;
    const { plan } = created;
    const position = plan.kind === 'zapOut' ? plan.position : built?.position;
    const isHalf = landed.size > 0 && landed.size < signatures.length;
    if (position === undefined || (state !== 'settled' && !isHalf && !record.isUnclear)) {
      continue;
    }
    if (state !== 'settled') {
      either.add(position);
    } else if (plan.kind === 'zapIn') {
      expected.add(position);
    } else if (plan.kind === 'zapOut' && plan.shareBps === 10_000) {
      expected.delete(position);
    }
  }
  return [
    ...[...expected]
      .filter((position) => !after.open.has(position) && !either.has(position))
      .map((position) => `${position} should be open, and is not`),
    ...[...after.open]
      .filter((position) => !expected.has(position) && !either.has(position))
      .map((position) => `${position} is open, and should not be`),
  ];
}

/** Nothing begins while an earlier operation may still land, and nothing is sent twice. */
function faultsOfRepeating(records: readonly OperationRecord[]): readonly string[] {
  return records.flatMap((record) => {
    const submitted = record.events.filter(({ kind }) => kind === 'submitted');
    const { atMs } = record.created;
    const earlier = records
      .filter((other) => other.id !== record.id && other.created.atMs <= atMs && isOnSame(other, record.created))
      .map((other) => asOf(other, atMs));
    const open = submitted.length > 0 ? stillUnderWay(earlier, record.created, () => atMs) : undefined;
    return [
      ...(areAllAskedFor(record) ? [] : [`${nameOf(record)} was handed over ${submitted.length} times`]),
      ...(open === undefined ? [] : [`${nameOf(record)} was begun while ${nameOf(open)} could still land`]),
    ];
  });
}

/** Whether it was sent once, or again only after the service asked to wait: with the same signatures, since it was signed once. */
function areAllAskedFor({ events }: OperationRecord): boolean {
  return events.every((event, index) => {
    const before = events[index - 1];
    return (
      event.kind !== 'submitted' ||
      before?.kind === 'signed' ||
      (before?.kind === 'unconfirmed' && /The same signed transactions are sent again/.test(wordsOf(before.reason)))
    );
  });
}

/** An operation as it was at a time. */
function asOf(record: OperationRecord, atMs: number): OperationRecord {
  // A copy of the record would lack what records from the journal's index decode on access.
  return recordOf(
    record.id,
    record.events.filter((event) => event.atMs <= atMs),
  );
}

/** Only partial executions are completed, and only once, after what left more to do. */
function faultsOfFinishing(operations: readonly AuditedOperation[]): readonly string[] {
  return operations.flatMap((of) => {
    const finishers = operations.filter(
      ({ record: { created }, landed }) =>
        created.finishes === of.record.id && landed.size > 0 && !('leavesMore' in created.plan && created.plan.leavesMore === true),
    );
    const isHalf = of.landed.size > 0 && of.landed.size < of.record.signatures.length;
    return [
      ...(finishers.length <= 1 ? [] : [`${nameOf(of.record)} was completed ${finishers.length} times`]),
      ...(finishers.length === 0 || isHalf ? [] : [`${nameOf(of.record)} was not partially executed, and was completed`]),
    ];
  });
}

/** If the user reads that nothing is left to do, no tokens of the operation are left in the wallet, including wrapped SOL. */
function faultsOfNoAction({ answers, before, after }: Outcome): readonly string[] {
  const noAction = answers.find((one) => one.kind === 'noAction' && /Nothing is left to swap/.test(one.words));
  const left = [...together([after, negative(before)]).tokens].filter(([, amount]) => amount > DUST_RAW);
  return noAction === undefined || left.length === 0
    ? []
    : [
        `the user read that nothing is left to do, but these tokens are left: ${left.map(([mint, amount]) => `${amount} of ${mint}`).join(', ')}`,
      ];
}

/** No false promise of safety: if a live window says that nothing happened, nothing was lost or spent. */
function faultsOfSafety(
  { firstWindow: { ending, operations: begun } }: Outcome,
  operations: readonly AuditedOperation[],
): readonly string[] {
  const isSafe =
    ending?.kind === 'declined' ||
    ending?.kind === 'blocked' ||
    (ending?.kind === 'error' && ending.error !== 'mayHaveLanded' && ending.error !== 'landedInPart' && SAFE.test(ending.words));
  return isSafe
    ? operations
        .filter(({ record, landed }) => begun.has(record.id) && landed.size > 0)
        .map(
          ({ record }) =>
            `${nameOf(record)} has landed, and its user was told that nothing happened (${ending.kind === 'error' ? ending.words : ending.kind})`,
        )
    : [];
}

/** All locks are free for others at once, and no lock files are left. */
async function faultsOfLocks({ storage, records }: Outcome): Promise<readonly string[]> {
  const folder = join(storage, 'locks');
  const locks = openLocks({ folder, log: () => undefined });
  const names = new Set(
    records.flatMap(({ id, created }) => [operationLock(id), walletLock(created), ...lockedTargets(created).map(({ lock }) => lock)]),
  );
  const faults: string[] = [];
  try {
    for (const name of names) {
      const held = await locks.tryAcquire(name);
      if (held === undefined) {
        faults.push(`the lock ${name} is not free`);
      }
      await held?.release();
    }
  } finally {
    await locks.dispose();
  }
  const left = names.size === 0 ? [] : await readdir(folder);
  return [...faults, ...left.map((name) => `a lock is left: ${name}`)];
}
