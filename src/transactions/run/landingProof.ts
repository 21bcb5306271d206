import { isEnd } from '../journal/states';
import { pause, startTimer } from '../../base/async/clock';
import { knownByMs } from '../outcome/reconcile';
import type { Recorder } from './recorder';
import { LandingProbe, type TakenFunds } from '../outcome/landingProbe';
import type { Steps } from './steps';

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
  const sightings = new LandingProbe(
    {
      ...{ journal, portfolio, clock, settleEveryMs },
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
  const taken: TakenFunds = { entry: recorder.entry, lock: recorder.lock, target: undefined };
  // By a monotonic clock: what may still land is not given up because the system's clock has jumped.
  const ageNowMs = (): number => journal.nowFor(recorder.record);
  const startMs = ageNowMs();
  const endMs = knownByMs(recorder.record, rpc !== undefined);
  for (let lateLooks = 0; ;) {
    steps.report('findingOut', Math.max(0, endMs - ageNowMs()));
    const dueInMs = await sightings.lookFor([taken]).catch((error: unknown) => {
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
