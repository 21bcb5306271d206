import * as l10n from '@vscode/l10n';
import { errorMessageOf } from '../errors';
import { pause } from '../../base/async/clock';
import { MAY_LAND_MS, openAttempts, priorSpends, stillUnderWay } from '../signedAttempts';
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
  let isTold = false;
  for (const startMs = nowMs(); ;) {
    const restMs = await restOfEarlier(steps);
    if (restMs === undefined) {
      return true;
    }
    const waitedMs = nowMs() - startMs;
    if (!(waitedMs >= 0 && waitedMs < MAY_LAND_MS)) {
      return false;
    }
    if (!isTold) {
      isTold = true;
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
