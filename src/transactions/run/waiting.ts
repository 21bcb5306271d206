import * as l10n from '@vscode/l10n';
import { pause, startTimer } from '../../base/async/clock';
import { runWithin } from '../../base/http';
import { errorMessageOf } from '../errors';
import { expiresInMs, MAY_LAND_MS } from '../expiry';
import { isEnd } from '../journal/states';
import { LandingProbe, type LockedOperation } from '../outcome/landingProbe';
import { knownByMs, lifetimeOf } from '../outcome/reconcile';
import { attemptsThatMayLand, openAttempts, stillUnderWay } from '../signedAttempts';
import type { Recorder } from './recorder';
import type { Steps } from './steps';
import { onceResolved, journalUnreadWords, stoppedWords } from '../words';

/** How often an RPC is asked whether an earlier attempt has expired. */
const ASK_EVERY_MS = 3_000;
/** The shortest pause without an RPC. */
const LEAST_PAUSE_MS = 100;

/**
 * Waits until no earlier transaction for the same position or pool can land: until its time is over or, sooner, the RPC rejects its
 * blockhashes.
 * @returns whether that is so; false after two minutes
 * @throws CancelledError, and OperationError if the journal can't be read or a lock was lost
 */
export async function waitForEarlier(steps: Steps): Promise<boolean> {
  const { nowMs } = steps.dependencies;
  let isReported = false;
  for (const startMs = nowMs(); ;) {
    const restMs = await restOfEarlier(steps);
    if (restMs === undefined) {
      return true;
    }
    const waitedMs = nowMs() - startMs;
    if (!(waitedMs >= 0 && waitedMs < MAY_LAND_MS)) {
      return false;
    }
    if (!isReported) {
      isReported = true;
      steps.report('waitingForEarlier');
      steps.log('info', 'an earlier attempt is signed and may still land: it is waited for');
    }
    await waited(steps, Math.min(restMs, MAY_LAND_MS - waitedMs));
  }
}

/**
 * The longest time that an earlier transaction may still land by the clock, in milliseconds; negative: only by the RPC. `undefined`: none
 * can, or one may have landed, which the run refuses instead of waiting.
 */
async function restOfEarlier(steps: Steps): Promise<number | undefined> {
  const { work, dependencies } = steps;
  const { journal, rpc } = dependencies;
  const nowFor = journal.nowFor.bind(journal);
  return steps.run(
    async (stopped) => {
      const { records } = await journal.read();
      if (stillUnderWay(records, work.subject, nowFor) !== undefined) {
        return undefined;
      }
      const open = await attemptsThatMayLand(openAttempts(records, work.subject, nowFor), rpc, stopped);
      return open.length === 0 ? undefined : Math.max(...open.map(({ ageMs }) => MAY_LAND_MS - ageMs()));
    },
    (cause) => ({ kind: 'notRecorded', what: stoppedWords(work.noun, journalUnreadWords(cause)), advice: onceResolved(), cause }),
  );
}

async function waited(steps: Steps, restMs: number): Promise<void> {
  const { rpc, clock } = steps.dependencies;
  const ms = rpc === undefined || (restMs > 0 && restMs < ASK_EVERY_MS) ? Math.max(LEAST_PAUSE_MS, restMs) : ASK_EVERY_MS;
  await steps.run(
    (stopped) => pause(ms, stopped, clock),
    (cause) => ({ kind: 'interrupted', what: stoppedWords(steps.work.noun, errorMessageOf(cause)), advice: l10n.t('Try again.'), cause }),
  );
}

/** Interval between listings after the usual time of a landing: the service's requests are limited. */
const LATER_EVERY_MS = 20_000;
/** How much longer than expected the run waits before it leaves the operation to the watcher. */
const GRACE_MS = 60_000;
const MOST_LATE_LOOKS = 4;
/** Time limit for an estimate that is only shown. */
const ESTIMATE_BUDGET_MS = 3_000;
/** Part by which blocks may take longer than slots did: some slots have no block. */
const SLOWER_BY = 1.2;
/** Two observations, and what they take. */
const OBSERVATIONS_MS = 10_000;

/**
 * Waits until the outcome of a sent operation is proven, by the rules of the watcher: its effect is listed twice, or the chain says that it
 * was executed, failed, or can no longer land (without an RPC: two listings after the last moment at which it could). The outcome is then
 * in the journal and in `recorder.record`. Otherwise the user stopped waiting, or it takes too long. Never rejects.
 */
export async function determineOutcome(steps: Steps, recorder: Recorder): Promise<void> {
  const { dependencies } = steps;
  const { journal, portfolio, nowMs, rpc, service, serviceId, isServiceInUse, settleEveryMs, settleTimeoutMs } = dependencies;
  const clock = { now: nowMs, after: (ms: number, run: () => void) => startTimer(ms, run, dependencies.clock) };
  const probe = new LandingProbe(
    {
      journal,
      portfolio,
      clock,
      settleEveryMs,
      serviceId: () => (isServiceInUse() ? serviceId : undefined),
      rpc: () => Promise.resolve(rpc),
      service: () => Promise.resolve(service),
      log: (level, message) => dependencies.log(level, message),
    },
    async (_, conclusion) => {
      await recorder.note(conclusion);
      return recorder.record.state === conclusion.kind;
    },
  );
  const taken: LockedOperation = { entry: recorder.entry, lock: recorder.lock, targets: [] };
  // Monotonic: a jump of the system clock must not end the search for something that may still land.
  const ageNowMs = (): number => journal.nowFor(recorder.record);
  const startMs = ageNowMs();
  const endMs = knownByMs(recorder.record, rpc !== undefined);
  let shownMs = endMs;
  void expectedByMs(steps, recorder, ageNowMs).then((expectedMs) => (shownMs = Math.min(endMs, expectedMs ?? endMs)));
  for (let lateLooks = 0; ;) {
    steps.report('findingOut', Math.max(0, (ageNowMs() < shownMs ? shownMs : endMs) - ageNowMs()));
    const dueInMs = await probe.observe([taken]).catch((error: unknown) => {
      steps.log('warn', `what became of it cannot be looked for: ${String(error)}`);
      return undefined;
    });
    const waitedMs = ageNowMs() - startMs;
    // After a sleep of this machine, the decisive checks are still to come.
    lateLooks += ageNowMs() > endMs + GRACE_MS ? 1 : 0;
    const isLate = waitedMs < 0 || lateLooks >= MOST_LATE_LOOKS;
    if (isEnd(recorder.record.state) || steps.isCancelled() || recorder.lock.lost.aborted || isLate) {
      return;
    }
    await pause(
      Math.min(dueInMs ?? Number.POSITIVE_INFINITY, waitedMs < settleTimeoutMs ? settleEveryMs : LATER_EVERY_MS),
      steps.signal,
      dependencies.clock,
    );
  }
}

/** By when the outcome is expected to be known, by the height and the measured slot length of the RPC; `undefined`: unknown. Never rejects. */
async function expectedByMs(
  { dependencies: { rpc }, signal }: Steps,
  { record }: Recorder,
  nowMs: () => number,
): Promise<number | undefined> {
  if (rpc === undefined) {
    return undefined;
  }
  try {
    return await runWithin(signal, ESTIMATE_BUDGET_MS, async (limited) => {
      const [slotMs, blockHeight] = await Promise.all([rpc.slotMs({ signal: limited }), rpc.blockHeight({ signal: limited })]);
      const leftMs = slotMs === undefined ? undefined : expiresInMs(lifetimeOf(record, nowMs()), blockHeight, SLOWER_BY * slotMs);
      return leftMs === undefined ? undefined : nowMs() + leftMs + OBSERVATIONS_MS;
    });
  } catch {
    return undefined;
  }
}
