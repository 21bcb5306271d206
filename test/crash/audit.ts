import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isEnd } from '../../src/operations/journal/states';
import type { JournalEvent, JournalProblem, OperationRecord } from '../../src/operations/journal/types';
import { openLocks } from '../../src/operations/locks/locks';
import { stillUnderWay } from '../../src/operations/signedAttempts';
import { operationLock, targetOf, walletLock } from '../../src/operations/target';
import type { Estate, World } from './world';

/** What there is to be compared. */
export interface Outcome {
  readonly storage: string;
  readonly before: Estate;
  readonly after: Estate;
  readonly records: readonly OperationRecord[];
  readonly problems: readonly JournalProblem[];
}

/** What is wrong after an operation, and all that came of it, in words; empty where everything is as the journal says. */
export async function faultsOf(outcome: Outcome, world: World): Promise<readonly string[]> {
  const { records, problems } = outcome;
  return [
    ...problems.map(({ file, what }) => `the journal has a problem: ${what} (${file})`),
    ...records.filter(({ state }) => !isEnd(state)).map((record) => `${nameOf(record)} never came to an end`),
    ...(await faultsOfLanding(outcome, world)),
    ...faultsOfPositions(outcome),
    ...faultsOfRepeating(records),
    ...(await faultsOfLocks(outcome)),
    ...(await world.client.audit()).map((fault) => `the sandbox's books: ${fault}`),
  ];
}

function nameOf({ created, state, events }: OperationRecord): string {
  return `the ${created.operation} (${events.map(({ kind }) => kind).join(', ')}: ${state})`;
}

/** What landed is what the journal says has happened: all of it, nothing else, and nothing without an end that says so. */
async function faultsOfLanding({ before, after, records }: Outcome, world: World): Promise<readonly string[]> {
  const faults: string[] = [];
  let known = 0;
  let lamports = 0n;
  for (const record of records) {
    const attempts = record.events.flatMap((event) => (event.kind === 'signed' ? [event] : []));
    const signatures = attempts.flatMap((signed) => signed.signatures);
    const landed = await world.landedOf(signatures);
    known += landed.size;
    const brought = await Promise.all([...landed].map((signature) => world.lamportsOf(signature)));
    const sum = brought.reduce((total, one) => total + one, 0n);
    lamports += sum;
    const shouldLand = record.state === 'settled' ? record.signatures : [];
    if (landed.size !== shouldLand.length || !shouldLand.every((signature) => landed.has(signature))) {
      faults.push(`${nameOf(record)} has ${landed.size} landed transactions, not ${shouldLand.length}`);
    }
    if (record.state !== 'settled' && record.events.some(({ kind }) => kind === 'landed')) {
      faults.push(`${nameOf(record)} is said to have landed, and not to have settled`);
    }
    faults.push(...faultsOfMoney(record, attempts, sum));
  }
  const really = after.landedTransactions - before.landedTransactions;
  if (really !== known) {
    faults.push(`${really} transactions landed, and the journal knows of ${known}`);
  }
  if (after.lamports - before.lamports !== lamports) {
    faults.push(`the owner has ${after.lamports - before.lamports} lamports more than before, and what landed brought ${lamports}`);
  }
  if (known === 0 && !isSame(before.tokens, after.tokens)) {
    faults.push('nothing landed, and the owner has other tokens than before');
  }
  return faults;
}

/** @param lamports what its landed transactions brought the owner */
function faultsOfMoney(record: OperationRecord, signed: readonly Extract<JournalEvent, { kind: 'signed' }>[], lamports: bigint): readonly string[] {
  const { state, lamportsBack } = record;
  const spends = signed.at(-1)?.spends;
  if (state !== 'settled' || spends === undefined) {
    return lamportsBack === undefined ? [] : [`${nameOf(record)} says that ${lamportsBack} lamports came back`];
  }
  const most = Object.values(spends as unknown as Readonly<Record<string, bigint>>).reduce((sum, part) => sum + part, 0n);
  return [
    ...(lamportsBack === undefined || lamportsBack === lamports ? [] : [`${nameOf(record)} says that ${lamportsBack} lamports came back, and it were ${lamports}`]),
    ...(-lamports <= most ? [] : [`${nameOf(record)} cost ${-lamports} lamports, which is more than the ${most} that the journal says`]),
  ];
}

/** The positions that are open are those that were, but for what the journal says. */
function faultsOfPositions({ before, after, records }: Outcome): readonly string[] {
  const expected = new Set(before.open);
  for (const { state, created, built } of records) {
    if (state !== 'settled') {
      continue;
    }
    const { plan } = created;
    if (plan.kind === 'zapOut' && plan.shareBps === 10_000) {
      expected.delete(plan.position);
    } else if (plan.kind === 'zapIn' && built?.position !== undefined) {
      expected.add(built.position);
    }
  }
  return [
    ...[...expected].filter((position) => !after.open.has(position)).map((position) => `${position} should be open, and is not`),
    ...[...after.open].filter((position) => !expected.has(position)).map((position) => `${position} is open, and should not be`),
  ];
}

/** Nothing is begun where something earlier may still land, and nothing is handed over twice. */
function faultsOfRepeating(records: readonly OperationRecord[]): readonly string[] {
  return records.flatMap((record) => {
    const submitted = record.events.filter(({ kind }) => kind === 'submitted');
    const { atMs } = record.created;
    const earlier = records.filter((other) => other.id !== record.id && other.created.atMs <= atMs).map((other) => asOf(other, atMs));
    const open = submitted.length > 0 ? stillUnderWay(earlier, record.created, atMs) : undefined;
    return [
      ...(submitted.length <= 1 ? [] : [`${nameOf(record)} was handed over ${submitted.length} times`]),
      ...(open === undefined ? [] : [`${nameOf(record)} was begun while ${nameOf(open)} could still land`]),
    ];
  });
}

/** An operation as it stood at a time. */
function asOf(record: OperationRecord, atMs: number): OperationRecord {
  const events = record.events.filter((event) => event.atMs <= atMs);
  return { ...record, events, state: events.at(-1)?.kind ?? 'created' };
}

/** Everything that was locked is free for others at once, and nothing lies about after that. */
async function faultsOfLocks({ storage, records }: Outcome): Promise<readonly string[]> {
  const folder = join(storage, 'locks');
  const locks = openLocks({ folder, log: () => undefined });
  const names = new Set(records.flatMap(({ id, created }) => [operationLock(id), walletLock(created), ...[targetOf(created)?.lock ?? []].flat()]));
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

function isSame(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  return one.size === other.size && [...one].every(([name, value]) => other.get(name) === value);
}
