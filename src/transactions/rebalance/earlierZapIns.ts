import * as l10n from '@vscode/l10n';
import { isEnd } from '../journal/states';
import type { OperationRecord } from '../journal/types';
import { readListing } from '../outcome/observations';
import { wasSubmitted } from '../signedAttempts';
import { Steps } from '../run/steps';
import { waitForEarlier } from '../run/earlierOperations';
import type { RebalanceContext } from './rebalanceContext';

/** An earlier zap-in of the rebalance that counted as failed is listed all the same: nothing more is to be put back. */
export class AlreadyReenteredError extends Error {}

/**
 * Makes sure that nothing of earlier tries to put it back is in the pool: checked before one more is begun, and again right
 * before it is signed, since the service may have landed an earlier one in the meantime.
 * @throws AlreadyReenteredError where one is listed, and Error where it cannot be told.
 */
export async function assertNotReentered(course: RebalanceContext): Promise<void> {
  const sent = await sentBefore(course);
  if (sent.length === 0) {
    return;
  }
  const { portfolio, isServiceInUse } = course.dependencies;
  const listing = await readListing(portfolio, course.record.created.owner, isServiceInUse);
  const found = sent.map((part) => listing?.evidence(part) ?? 'unclear');
  if (found.includes('shows')) {
    throw new AlreadyReenteredError(l10n.t('An earlier zap-in of this rebalance is listed.'));
  }
  if (found.includes('unclear')) {
    throw unclear(sent);
  }
}

/**
 * Waits until the earlier tries can no longer land (two minutes at most; without a try before, not at all): before the pool is read, so
 * that what goes in goes around the bin that is active then.
 */
export async function waitForEarlierZapIns(course: RebalanceContext): Promise<void> {
  const [last] = await sentBefore(course);
  if (last !== undefined) {
    const build = (): Promise<never> => Promise.reject(new Error('Nothing is built while something earlier is waited for.'));
    const work = { name: `Rebalance ${course.id}`, noun: l10n.t('zap-in'), subject: last.created, build };
    await waitForEarlier(
      new Steps(
        work,
        course.dependencies,
        course.partHost('zapIn', undefined, () => Promise.resolve()),
        course.signal,
      ),
    );
  }
}

/** Its zap-ins that were sent and have ended. */
async function sentBefore(course: RebalanceContext): Promise<readonly OperationRecord[]> {
  return (await course.parts()).filter((part) => part.created.operation === 'zapIn' && wasSubmitted(part) && isEnd(part.state));
}

function unclear(sent: readonly OperationRecord[]): Error {
  return new Error(
    sent.length === 1
      ? l10n.t(
          "An earlier re-entry was sent. Your positions could not be loaded completely, so it can't be ruled out that it landed: refresh them first.",
        )
      : l10n.t`${sent.length} earlier re-entries were sent. Your positions could not be loaded completely, so it can't be ruled out that one landed: refresh them first.`,
  );
}
