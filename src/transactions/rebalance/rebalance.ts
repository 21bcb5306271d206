import * as l10n from '@vscode/l10n';
import { operationNoun } from '../../base/operationKinds';
import { WHOLE_BPS } from '../../base/basisPoints';
import { errorMessageOf, OperationError } from '../errors';
import { isEnd } from '../journal/states';
import type { OperationJournal, OperationRecord } from '../journal/types';
import type { OperationLocks } from '../locks/types';
import { lamportsBackOf, measured, SERVICE_PATIENCE_MS } from '../outcome/measure';
import { Recorder } from '../run/recorder';
import { confirmsRepetition } from '../run/repetition';
import { runZapOut } from '../run/zapOut';
import { wasSubmitted, withUnknownOutcome } from '../signedAttempts';
import { notMeasuredWords, reasonWords } from '../../base/reasons/reasonWords';
import type { OperationDependencies, OperationResult } from '../types';
import { incompleteMessage, positionChangedMessage } from './messages';
import { RebalanceContext } from './rebalanceContext';
import { checkRebalance } from './rebalancePlan';
import { childOperationsOf, type RebalanceStatus, rebalanceStatusOf } from './rebalanceStatus';
import { reenterPosition } from './reenterPosition';
import type { Proceeds, RebalanceHost, RebalancePlan, RebalanceResult } from './types';
import { onceResolved, switchBack, otherServiceWords, needsWalletWords, journalUnreadWords, stoppedWords } from '../words';

type AwaitsReentry = Extract<RebalanceStatus, { kind: 'awaitsReentry' }>;

/**
 * Re-centers a position: zaps all of it out to SOL, measures the proceeds, and zaps them in again, less costs and reserve, around the
 * active bin then. Both legs are operations with their own review and approval. The rebalance is their parent and stays open in the journal
 * until the outcome of both is known. If the re-entry fails, it is offered again ({@link resumeReentry}), here and after a restart.
 * @throws OperationError for failures of the zap-out; its message says what it means for the money
 * @example
 * const terms = { strategy: 'Spot', halfWidthBins: 34, slippageBps: 100, reserveLamports: 50_000_000n } as const;
 * const result = await runRebalance({ position, owner, terms }, dependencies, host, signal);
 */
export async function runRebalance(
  plan: RebalancePlan,
  dependencies: OperationDependencies,
  host: RebalanceHost,
  signal: AbortSignal,
): Promise<RebalanceResult> {
  const { position, owner } = plan;
  const { pool, plan: written } = checkRebalance(plan, dependencies.portfolio.snapshot);
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
  // Before anything begins, also about the pool: nothing may be withdrawn that can't be deposited again.
  const earlier = signal.aborted ? [] : withUnknownOutcome(await recordsOf(journal), created, journal.nowFor.bind(journal));
  if (signal.aborted || !(await confirmsRepetition(earlier, host))) {
    return { kind: 'declined' };
  }
  const recorder = await Recorder.begin(created, { journal, locks, noun: l10n.t('rebalance'), log: (message) => log('warn', message) });
  const context = new RebalanceContext(recorder, dependencies, host, signal, earlier, plan.mostReentryLamports);
  try {
    await assertNotEnded(context);
    context.reportBegan();
    return await run(context, plan);
  } finally {
    await context.close();
  }
}

/** @throws OperationError if the journal can't be read */
async function recordsOf(journal: OperationJournal): Promise<readonly OperationRecord[]> {
  try {
    return (await journal.read()).records;
  } catch (cause) {
    throw new OperationError({
      kind: 'notRecorded',
      what: stoppedWords(operationNoun('rebalance'), journalUnreadWords(cause)),
      advice: onceResolved(),
      cause,
    });
  }
}

/** Between its first line and its lock, another window may have taken it for an abandoned one and ended it. */
async function assertNotEnded({ id, dependencies }: RebalanceContext): Promise<void> {
  const entry = await dependencies.journal.resume(id).catch(() => undefined);
  if (entry?.record.state !== 'created') {
    throw new OperationError({
      kind: 'notRecorded',
      what: l10n.t('Another window has taken over this operation.'),
      advice: l10n.t('Start again.'),
    });
  }
}

async function run(context: RebalanceContext, { position, owner, terms }: RebalancePlan): Promise<RebalanceResult> {
  let result: OperationResult;
  try {
    const out = { position, owner, shareBps: WHOLE_BPS, output: 'allBaseToken', slippageBps: terms.slippageBps } as const;
    result = await runZapOut(
      out,
      context.partDependencies,
      context.partHost('zapOut', undefined, () => Promise.resolve()),
      context.signal,
    );
  } catch (error) {
    return await afterFailure(context, error);
  }
  switch (result.kind) {
    case 'declined':
    case 'blocked':
      await context.updateStatus();
      return result;
    case 'landedNotListed':
      return context.unconfirmed('zapOut', result.signature, result.stoppedWaiting);
    case 'settled':
      return afterZapOut(context, position, result.signature);
  }
}

/** The zap-out failed, or its outcome is unknown. */
async function afterFailure(context: RebalanceContext, error: unknown): Promise<RebalanceResult> {
  try {
    const status = await context.updateStatus();
    if (error instanceof OperationError && error.kind === 'mayHaveLanded' && status.kind === 'underWay') {
      return context.unconfirmed('zapOut', undefined, context.signal.aborted);
    }
  } catch (unread) {
    context.log('warn', `how it stands is not known: ${errorMessageOf(unread)}`);
  }
  throw error;
}

/** The position is closed: measures the proceeds and re-enters. */
async function afterZapOut(
  context: RebalanceContext,
  position: RebalancePlan['position'],
  signature: string | undefined,
): Promise<RebalanceResult> {
  context.report({ leg: 'between', step: 'measuring' });
  const status = await context.updateStatus().catch((error: unknown) => {
    context.log('warn', `how it stands is not known: ${errorMessageOf(error)}`);
    return { kind: 'underWay' } as const;
  });
  switch (status.kind) {
    case 'underWay':
      // It landed, and that could not be recorded: the watcher finds it and measures.
      return context.unconfirmed('zapOut', signature, false);
    case 'concluded': {
      const { event, why } = status;
      const reason = event.kind === 'settled' ? event.shortfall : event.reason;
      // Without a reason, another window has continued it while this one was suspended.
      return context.notReentered({
        reason: why ?? 'failed',
        words: reason === undefined ? positionChangedMessage() : reasonWords(reason),
        lamportsBack: event.kind === 'settled' ? event.lamportsBack : undefined,
        isOpen: false,
      });
    }
    case 'awaitsReentry':
      if (status.lamportsBack === undefined && !status.isPartiallyExecuted) {
        return context.notReentered({ reason: 'notMeasured', words: notMeasuredWords(), lamportsBack: undefined });
      }
      return status.isPartiallyExecuted || status.lamportsBack === undefined
        ? context.notReentered({
            reason: 'partiallyExecuted',
            words: incompleteMessage(status.lamportsBack, status.reason && reasonWords(status.reason)),
            lamportsBack: status.lamportsBack,
          })
        : reenterPosition(context, proceedsBy(status.lamportsBack, status.isProven), position);
  }
}

/**
 * Re-enters with the proceeds of an open rebalance (after a crash, a cancellation or a failed zap-in): the amount that the journal measured
 * less costs and reserve, around the current active bin, by the original terms. Holds the rebalance's lock meanwhile. Enters nothing if an
 * earlier attempt landed or still may.
 * @throws OperationError if there is nothing to re-enter, or not now.
 */
export async function resumeReentry(
  id: string,
  dependencies: OperationDependencies,
  host: RebalanceHost,
  signal: AbortSignal,
): Promise<RebalanceResult> {
  const { journal, locks, serviceId, log } = dependencies;
  const recorder = await acquireOpenRebalance(id, journal, locks, (message) => log('warn', message));
  const context = new RebalanceContext(recorder, dependencies, host, signal);
  try {
    const { owner, service } = context.record.created;
    if (service !== serviceId || owner !== dependencies.portfolio.snapshot.owner) {
      const what = service === serviceId ? needsWalletWords(owner) : otherServiceWords();
      throw new OperationError({ kind: 'invalidPlan', what, advice: switchBack() });
    }
    context.reportBegan();
    const status = await statusOfContext(context);
    switch (status.kind) {
      case 'underWay':
        throw partUnderWay();
      case 'concluded':
        throw hasEnded();
      case 'awaitsReentry':
        await readPositions(dependencies);
        return await reenterProceeds(context, status);
    }
  } finally {
    await context.close();
  }
}

/** Re-enters with the proceeds: as recorded, as measured now, or as entered by the user. */
async function reenterProceeds(context: RebalanceContext, status: AwaitsReentry): Promise<RebalanceResult> {
  const proceeds = await knownProceeds(context, status);
  if (proceeds !== undefined) {
    return reenterPosition(context, proceeds, undefined);
  }
  const lamports = await context.host.amount?.(await worthBefore(context));
  return lamports === undefined || context.signal.aborted
    ? context.notReentered({ reason: 'notMeasured', words: notMeasuredWords(), lamportsBack: undefined })
    : reenterPosition(context, { lamports, from: 'user' }, undefined);
}

/** An RPC measures by the transactions, which it may have by now: a difference of balances counts only without one. */
async function knownProceeds(context: RebalanceContext, { lamportsBack, isProven }: AwaitsReentry): Promise<Proceeds | undefined> {
  const { dependencies, signal } = context;
  if (lamportsBack !== undefined && (isProven || dependencies.rpc === undefined)) {
    return proceedsBy(lamportsBack, isProven);
  }
  context.report({ leg: 'between', step: 'measuring' });
  const out = await zapOutOf(context);
  const change = out && (await measured(out, dependencies, { landed: 'all', patienceMs: SERVICE_PATIENCE_MS, signal }));
  const lamports = out && lamportsBackOf(out, change);
  return lamports === undefined ? undefined : proceedsBy(lamports, change?.from === 'transactions');
}

function proceedsBy(lamports: bigint, isProven: boolean): Proceeds {
  return { lamports, from: isProven ? 'transactions' : 'balances' };
}

/** The position's value before the zap-out, in SOL. */
async function worthBefore(context: RebalanceContext): Promise<number | undefined> {
  const plan = (await zapOutOf(context))?.created.plan;
  return plan?.kind === 'zapOut' && plan.before.valueNative !== undefined ? Number(plan.before.valueNative) : undefined;
}

async function zapOutOf(context: RebalanceContext): Promise<OperationRecord | undefined> {
  return (await context.parts()).find(({ created, state }) => created.operation === 'zapOut' && state === 'settled');
}

/** After a start the portfolio may not be loaded yet, and the new position is recognized by comparison with it. */
async function readPositions({ portfolio }: OperationDependencies): Promise<void> {
  if (portfolio.snapshot.positionsState.kind !== 'ready') {
    await portfolio.refresh('afterOperation', ['positions']);
  }
}

/**
 * Ends an open rebalance without a re-entry: the proceeds stay in the wallet.
 * @returns the rebalance as it ended; if it has ended otherwise by now, that end
 * @throws OperationError if a part of it is in progress, or the end can't be written
 */
export async function declineReentry(
  id: string,
  { journal, locks, log }: Pick<OperationDependencies, 'journal' | 'locks' | 'log'>,
): Promise<OperationRecord> {
  const recorder = await acquireOpenRebalance(id, journal, locks, (message) => log('warn', message));
  try {
    const parts = childOperationsOf(id, (await journal.read()).records);
    const tries = parts.filter((part) => part.created.operation === 'zapIn' && wasSubmitted(part)).length;
    const status = rebalanceStatusOf(recorder.record, parts);
    switch (status.kind) {
      case 'underWay':
        throw partUnderWay();
      case 'concluded':
        await recorder.write(status.event);
        break;
      case 'awaitsReentry':
        await recorder.write({
          kind: 'settled',
          lamportsBack: status.lamportsBack,
          shortfall: { code: 'declinedReentry', lamportsBack: status.lamportsBack, tries },
        });
    }
    return recorder.record;
  } finally {
    await recorder.close();
  }
}

async function statusOfContext(context: RebalanceContext): Promise<RebalanceStatus> {
  try {
    return await context.updateStatus();
  } catch (cause) {
    throw new OperationError({
      kind: 'notRecorded',
      what: stoppedWords(operationNoun('rebalance'), errorMessageOf(cause)),
      advice: onceResolved(),
      cause,
    });
  }
}

/** Takes the lock of an open rebalance, so only this window works on it. */
async function acquireOpenRebalance(
  id: string,
  journal: OperationJournal,
  locks: OperationLocks,
  log: (message: string) => void,
): Promise<Recorder> {
  const recorder = await Recorder.resume(id, { journal, locks, noun: l10n.t('rebalance'), log });
  if (recorder === 'held') {
    throw new OperationError({
      kind: 'underWay',
      what: l10n.t('This rebalance is still in progress.'),
      advice: l10n.t('Check Activity. If that window was closed, try again in half a minute.'),
    });
  }
  if (recorder === undefined) {
    throw new OperationError({
      kind: 'invalidPlan',
      what: l10n.t('This operation is no longer in the journal.'),
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
    what: l10n.t('This rebalance is still in progress.'),
    advice: l10n.t('Activity shows the outcome within a few minutes.'),
  });
}

function hasEnded(): OperationError {
  return new OperationError({
    kind: 'invalidPlan',
    what: l10n.t('This rebalance has ended.'),
    advice: l10n.t('Activity shows how it ended.'),
  });
}
