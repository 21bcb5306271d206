import * as l10n from '@vscode/l10n';
import { pause, startTimer } from '../../base/async/clock';
import { errorMessageOf } from '../errors';
import { isEnd } from '../journal/states';
import { LandingProbe, type LockedOperation } from '../outcome/landingProbe';
import { knownByMs } from '../outcome/reconcile';
import { MAY_LAND_MS, openAttempts, priorSpends, stillUnderWay } from '../signedAttempts';
import type { Recorder } from './recorder';
import type { Steps } from './steps';

/** How often an RPC is asked whether an earlier attempt is over. */
const ASK_EVERY_MS = 3_000;
/** Between two looks without one. */
const LEAST_PAUSE_MS = 100;

/**
 * Waits until nothing that was signed earlier for the same position or pool can land any more: until its time is over or, sooner, the
 * RPC takes none of its blockhashes. Gives whether that is so; false after two minutes.
 * @throws Cancelled, and OperationError where the journal cannot be read or a lock was lost
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
 * For how long at most something may still land, milliseconds; `undefined`: nothing can any more, or something may have landed already,
 * which is not a matter of waiting here: it is refused.
 */
async function restOfEarlier(steps: Steps): Promise<number | undefined> {
  const { work, dependencies } = steps;
  const { journal, rpc } = dependencies;
  const nowFor = journal.nowFor.bind(journal);
  return steps.run(
    async (stopped) => {
      const { records } = await journal.read();
      const open = openAttempts(records, work.subject, nowFor);
      if (
        open.length === 0 ||
        stillUnderWay(records, work.subject, nowFor) !== undefined ||
        (await priorSpends(open, rpc, stopped)) === undefined
      ) {
        return undefined;
      }
      return Math.max(...open.map(({ ageMs }) => MAY_LAND_MS - ageMs()));
    },
    (cause) => ({
      kind: 'notRecorded',
      what: l10n.t`The ${work.noun} was stopped, because without the journal it is not known whether an earlier operation may still land. ${errorMessageOf(cause)}`,
      advice: l10n.t('Try again once this is resolved.'),
      cause,
    }),
  );
}

async function waited(steps: Steps, restMs: number): Promise<void> {
  const { rpc, clock } = steps.dependencies;
  const ms = Math.max(LEAST_PAUSE_MS, rpc === undefined ? restMs : Math.min(restMs, ASK_EVERY_MS));
  await steps.run(
    (stopped) => pause(ms, stopped, clock),
    (cause) => ({
      kind: 'interrupted',
      what: l10n.t`Waiting for an earlier attempt failed. ${errorMessageOf(cause)}`,
      advice: l10n.t('Try again.'),
      cause,
    }),
  );
}

/** How often positions are listed after the time that a landing usually takes to show: the service's requests are few. */
const LATER_EVERY_MS = 20_000;
/** How much longer than expected the run waits; after that the watcher goes on. */
const GRACE_MS = 60_000;
const MOST_LATE_LOOKS = 4;

/**
 * Waits until it is proven what became of something that was sent, by the rules of the watcher: its effect is listed twice, or the chain
 * says that it was carried out, that it failed, or that it can no longer land (without an RPC: two listings after the last moment at
 * which it could). What is found out is in the journal then, and in `recorder.record`; where it is not, the user stopped waiting, or it takes
 * longer than it should. Never rejects.
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
  const taken: LockedOperation = { entry: recorder.entry, lock: recorder.lock, target: undefined };
  // By a monotonic clock: what may still land is not given up because the system's clock has jumped.
  const ageNowMs = (): number => journal.nowFor(recorder.record);
  const startMs = ageNowMs();
  const endMs = knownByMs(recorder.record, rpc !== undefined);
  for (let lateLooks = 0; ;) {
    steps.report('findingOut', Math.max(0, endMs - ageNowMs()));
    const dueInMs = await probe.lookFor([taken]).catch((error: unknown) => {
      steps.log('warn', `what became of it cannot be looked for: ${String(error)}`);
      return undefined;
    });
    const waitedMs = ageNowMs() - startMs;
    // Where this machine has slept, the looks that prove something are still to come.
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
