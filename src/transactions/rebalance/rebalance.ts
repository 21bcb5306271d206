import * as l10n from '@vscode/l10n';
import { WHOLE_BPS } from '../../base/basisPoints';
import { OperationError, errorMessageOf } from '../errors';
import { Recorder } from '../run/recorder';
import type { OperationDependencies, OperationResult } from '../types';
import { runZapOut } from '../run/zapOut';
import { checkRebalance } from './validation';
import { RebalanceContext } from './rebalanceContext';
import { reenterPosition } from './reenterPosition';
import type { RebalanceHost, RebalancePlan, RebalanceResult } from './types';
import { incompleteMessage, notMeasuredMessage, positionChangedMessage } from './messages';

/**
 * Re-centres a position: all of it is zapped out to SOL, what came back is measured, and as much of that as costs and reserve leave
 * is zapped in again around the active bin of that moment. Both parts are operations of their own, with their own review and
 * approval; the rebalance is what they belong to, and stays open in the journal until it is known what became of both. Where the
 * second part does not come about, what came back is offered to be put back (resumeReentry.ts), here and after a restart.
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
