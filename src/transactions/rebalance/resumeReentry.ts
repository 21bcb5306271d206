import * as l10n from '@vscode/l10n';
import { OperationError, errorMessageOf } from '../errors';
import type { OperationJournal, OperationRecord } from '../journal/types';
import type { OperationLocks } from '../locks/types';
import { lamportsBackOf, measured, SERVICE_PATIENCE_MS } from '../outcome/measure';
import { Recorder } from '../run/recorder';
import { wasSubmitted } from '../signedAttempts';
import type { OperationDependencies } from '../types';
import { RebalanceContext } from './rebalanceContext';
import { reenterPosition } from './reenterPosition';
import { isEnd } from '../journal/states';
import { childOperationsOf, rebalanceStatusOf, type RebalanceStatus } from './rebalanceStatus';
import type { RebalanceHost, RebalanceResult } from './types';
import { declinedMessage, notMeasuredMessage } from './messages';

/**
 * Puts back what an open rebalance brought and did not put back yet (a crash, a cancellation, a zap-in that failed): just what the
 * journal measured then, less costs and reserve, around the active bin of now, by the terms that the rebalance was begun with.
 * Nobody else works on it meanwhile; nothing goes in where an earlier try has gone in or may still.
 * @throws OperationError where there is nothing to put back, or not now.
 */
export async function resumeReentry(
  id: string,
  dependencies: OperationDependencies,
  host: RebalanceHost,
  signal: AbortSignal,
): Promise<RebalanceResult> {
  const { journal, locks, serviceId, log } = dependencies;
  const recorder = await takenUp(id, journal, locks, (message) => log('warn', message));
  const course = new RebalanceContext(recorder, dependencies, host, signal);
  try {
    const { owner, service } = course.record.created;
    if (service !== serviceId || owner !== dependencies.portfolio.snapshot.owner) {
      const what =
        service === serviceId
          ? l10n.t`This rebalance belongs to the wallet ${owner}, but another one is selected.`
          : l10n.t`This rebalance was started with another service (${service}).`;
      throw new OperationError({ kind: 'invalidPlan', what, advice: l10n.t('Switch back, then try again.') });
    }
    course.reportBegan();
    const standing = await statusOfContext(course);
    switch (standing.kind) {
      case 'underWay':
        throw partUnderWay();
      case 'concluded':
        throw hasEnded();
      case 'awaitsReentry':
        await readPositions(dependencies);
        return await goOn(course, standing.lamportsBack);
    }
  } finally {
    await recorder.close();
  }
}

/** What came back goes back in: as measured, now if it was not before, or as much as the user says. */
async function goOn(course: RebalanceContext, measuredBefore: bigint | undefined): Promise<RebalanceResult> {
  const lamportsBack = measuredBefore ?? (await measuredNow(course));
  if (lamportsBack !== undefined) {
    return reenterPosition(course, lamportsBack, undefined);
  }
  const amount = await course.host.amount?.(await worthBefore(course));
  return amount === undefined || course.signal.aborted
    ? course.notReentered({ reason: 'notMeasured', words: notMeasuredMessage(), lamportsBack: undefined })
    : reenterPosition(course, amount, undefined, false);
}

/** By its transactions, which an RPC that was not there before may have. */
async function measuredNow(course: RebalanceContext): Promise<bigint | undefined> {
  course.report({ leg: 'between', step: 'measuring' });
  const { dependencies, signal } = course;
  const out = await zapOutOf(course);
  return out && lamportsBackOf(out, await measured(out, dependencies, { landed: 'all', patienceMs: SERVICE_PATIENCE_MS, signal }));
}

/** What the position was worth before, in SOL. */
async function worthBefore(course: RebalanceContext): Promise<number | undefined> {
  const plan = (await zapOutOf(course))?.created.plan;
  return plan?.kind === 'zapOut' && plan.before.valueNative !== undefined ? Number(plan.before.valueNative) : undefined;
}

async function zapOutOf(course: RebalanceContext): Promise<OperationRecord | undefined> {
  return (await course.parts()).find(({ created, state }) => created.operation === 'zapOut' && state === 'settled');
}

/** After a start, what is open may not have been read yet: by it the new position is told from the others. */
async function readPositions({ portfolio }: OperationDependencies): Promise<void> {
  if (portfolio.snapshot.positionsState.kind !== 'ready') {
    await portfolio.refresh('afterOperation', ['positions']);
  }
}

/**
 * Ends an open rebalance without putting anything back: the user wants what came out to stay in the wallet.
 * @returns the rebalance as it ended; where it turned out to have an end of its own by now, that one.
 * @throws OperationError where a part of it is under way, or it cannot be written.
 */
export async function declineReentry(
  id: string,
  { journal, locks, log }: Pick<OperationDependencies, 'journal' | 'locks' | 'log'>,
): Promise<OperationRecord> {
  const recorder = await takenUp(id, journal, locks, (message) => log('warn', message));
  try {
    const parts = childOperationsOf(id, (await journal.read()).records);
    const tries = parts.filter((part) => part.created.operation === 'zapIn' && wasSubmitted(part)).length;
    const standing = rebalanceStatusOf(recorder.record, parts);
    switch (standing.kind) {
      case 'underWay':
        throw partUnderWay();
      case 'concluded':
        await recorder.write(standing.event);
        break;
      case 'awaitsReentry':
        await recorder.write({
          kind: 'settled',
          lamportsBack: standing.lamportsBack,
          shortfall: declinedMessage(standing.lamportsBack, tries),
          code: 'declinedReentry',
        });
    }
    return recorder.record;
  } finally {
    await recorder.close();
  }
}

async function statusOfContext(course: RebalanceContext): Promise<RebalanceStatus> {
  try {
    return await course.standing();
  } catch (cause) {
    throw new OperationError({
      kind: 'notRecorded',
      what: l10n.t`The rebalance was not continued, because the operation journal can't be read. ${errorMessageOf(cause)}`,
      advice: l10n.t('Try again once this is resolved.'),
      cause,
    });
  }
}

/** Takes the lock of an open rebalance, so only this window works on it. */
async function takenUp(id: string, journal: OperationJournal, locks: OperationLocks, log: (message: string) => void): Promise<Recorder> {
  const recorder = await Recorder.resume(id, { journal, locks, noun: l10n.t('rebalance'), log });
  if (recorder === 'held') {
    throw new OperationError({
      kind: 'underWay',
      what: l10n.t('This rebalance is in progress, in this window or another one.'),
      advice: l10n.t('Check Activity. If that window was just closed, try again in half a minute.'),
    });
  }
  if (recorder === undefined) {
    throw new OperationError({
      kind: 'invalidPlan',
      what: l10n.t('This rebalance is no longer in the journal.'),
      advice: l10n.t('Check your positions and your wallet.'),
    });
  }
  if (recorder.record.created.operation !== 'rebalance' || isEnd(recorder.record.state)) {
    await recorder.close();
    throw hasEnded();
  }
  return recorder;
}

function partUnderWay(): OperationError {
  return new OperationError({
    kind: 'underWay',
    what: l10n.t('Part of this rebalance was sent or is being prepared, and its outcome is not known yet.'),
    advice: l10n.t('Activity shows the outcome within a few minutes, and then offers what is left to do.'),
  });
}

function hasEnded(): OperationError {
  return new OperationError({
    kind: 'invalidPlan',
    what: l10n.t('This rebalance has ended, so there is nothing to re-enter with.'),
    advice: l10n.t('Activity shows how it ended.'),
  });
}
