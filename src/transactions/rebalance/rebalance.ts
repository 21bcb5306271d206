import * as l10n from '@vscode/l10n';
import { WHOLE_BPS } from '../../base/basisPoints';
import { errorMessageOf, OperationError } from '../errors';
import { isEnd } from '../journal/states';
import type { OperationJournal, OperationRecord } from '../journal/types';
import type { OperationLocks } from '../locks/types';
import { lamportsBackOf, measured, SERVICE_PATIENCE_MS } from '../outcome/measure';
import { Recorder } from '../run/recorder';
import { runZapOut } from '../run/zapOut';
import { wasSubmitted } from '../signedAttempts';
import type { OperationDependencies, OperationResult } from '../types';
import { declinedMessage, incompleteMessage, notMeasuredMessage, positionChangedMessage } from './messages';
import { RebalanceContext } from './rebalanceContext';
import { checkRebalance } from './rebalancePlan';
import { childOperationsOf, type RebalanceStatus, rebalanceStatusOf } from './rebalanceStatus';
import { reenterPosition } from './reenterPosition';
import type { RebalanceHost, RebalancePlan, RebalanceResult } from './types';

/**
 * Re-centres a position: all of it is zapped out to SOL, what came back is measured, and as much of that as costs and reserve leave
 * is zapped in again around the active bin of that moment. Both parts are operations of their own, with their own review and
 * approval; the rebalance is what they belong to, and stays open in the journal until it is known what became of both. Where the
 * second part does not come about, what came back is offered to be put back ({@link resumeReentry}), here and after a restart.
 * @throws OperationError for whatever fails before something came out; it says what that means for the money.
 */
export async function runRebalance(
  plan: RebalancePlan,
  dependencies: OperationDependencies,
  host: RebalanceHost,
  signal: AbortSignal,
): Promise<RebalanceResult> {
  const { position, owner } = plan;
  const { pool, plan: written } = checkRebalance(plan, dependencies.portfolio.snapshot);
  if (signal.aborted) {
    return { kind: 'declined' };
  }
  const { journal, locks, serviceId, log } = dependencies;
  const created = {
    operation: 'rebalance',
    service: serviceId,
    owner,
    pool,
    poolType: 'dlmm',
    pairName: position.pairName,
    plan: written,
    parent: undefined,
  } as const;
  const recorder = await Recorder.begin(created, { journal, locks, noun: l10n.t('rebalance'), log: (message) => log('warn', message) });
  const course = new RebalanceContext(recorder, dependencies, host, signal);
  try {
    await assertNotEnded(course);
    course.reportBegan();
    return await run(course, plan);
  } finally {
    await recorder.close();
  }
}

/** Between its first line and its lock, another window may have taken it for one that was left behind, and ended it. */
async function assertNotEnded({ id, dependencies }: RebalanceContext): Promise<void> {
  const entry = await dependencies.journal.resume(id).catch(() => undefined);
  if (entry?.record.state !== 'created') {
    throw new OperationError({
      kind: 'notRecorded',
      what: l10n.t('The rebalance was stopped: another window took it for an abandoned one.'),
      advice: l10n.t('Start again.'),
    });
  }
}

async function run(course: RebalanceContext, { position, owner, terms }: RebalancePlan): Promise<RebalanceResult> {
  let result: OperationResult;
  try {
    const out = { position, owner, shareBps: WHOLE_BPS, output: 'allBaseToken', slippageBps: terms.slippageBps } as const;
    result = await runZapOut(
      out,
      course.partDependencies,
      course.partHost('zapOut', undefined, () => Promise.resolve()),
      course.signal,
    );
  } catch (error) {
    return await afterFailure(course, error);
  }
  switch (result.kind) {
    case 'declined':
    case 'blocked':
      await course.standing();
      return result;
    case 'landedNotListed':
      return course.unconfirmed('zapOut', result.signature, result.stoppedWaiting);
    case 'settled':
      return afterZapOut(course, position, result.signature);
  }
}

/** The zap-out did not come about, or that is not known. */
async function afterFailure(course: RebalanceContext, error: unknown): Promise<RebalanceResult> {
  try {
    const standing = await course.standing();
    if (error instanceof OperationError && error.kind === 'mayHaveLanded' && standing.kind === 'underWay') {
      return course.unconfirmed('zapOut', undefined, course.signal.aborted);
    }
  } catch (unread) {
    course.log('warn', `how it stands is not known: ${errorMessageOf(unread)}`);
  }
  throw error;
}

/** The position is closed: what came back is measured, and put back. */
async function afterZapOut(
  course: RebalanceContext,
  position: RebalancePlan['position'],
  signature: string | undefined,
): Promise<RebalanceResult> {
  course.report({ leg: 'between', step: 'measuring' });
  const standing = await course.standing().catch((error: unknown) => {
    course.log('warn', `how it stands is not known: ${errorMessageOf(error)}`);
    return { kind: 'underWay' } as const;
  });
  switch (standing.kind) {
    case 'underWay':
      // It has landed, and that could not be recorded: the watcher finds out and measures.
      return course.unconfirmed('zapOut', signature, false);
    case 'concluded': {
      const { event, why } = standing;
      const words = event.kind === 'settled' ? event.shortfall : event.reason;
      // Without a word of why, another window has gone on with it while this one stood still.
      return course.notReentered({
        reason: why ?? 'failed',
        words: words ?? positionChangedMessage(),
        lamportsBack: event.kind === 'settled' ? event.lamportsBack : undefined,
        isOpen: false,
      });
    }
    case 'awaitsReentry':
      if (standing.lamportsBack === undefined && !standing.isPartiallyExecuted) {
        return course.notReentered({ reason: 'notMeasured', words: notMeasuredMessage(), lamportsBack: undefined });
      }
      return standing.isPartiallyExecuted || standing.lamportsBack === undefined
        ? course.notReentered({
            reason: 'halfDone',
            words: incompleteMessage(standing.lamportsBack, standing.reason),
            lamportsBack: standing.lamportsBack,
          })
        : reenterPosition(course, standing.lamportsBack, position);
  }
}

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
