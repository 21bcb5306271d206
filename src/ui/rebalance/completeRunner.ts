import * as l10n from '@vscode/l10n';
import { percent } from '../../base/format/percent';
import { binRange } from '../../base/format/places';
import type { Address } from '../../base/solana/address';
import type { PortfolioReader } from '../../portfolio/types';
import type { OperationRecord } from '../../transactions/journal/types';
import type { FoundRemainder } from '../../transactions/recovery/complete';
import type { OperationResult, OperationStep } from '../../transactions/types';
import { plainText } from '../shell/views/text';
import type { ApprovalSubject } from '../zap/approval';
import { firstTryDidNotLandText } from '../zap/approvalText';
import { type RunnerDependencies, runWithinBudget } from '../zap/operationDependencies';
import { notifyOutcome, type OutcomeMessages } from '../zap/outcome';
import { zapInResult, zapOutResult } from '../zap/results';
import { runLegs } from './legRun';
import { namesInPool, stepMessageFor } from './rebalanceSteps';

const goOn = () => l10n.t('Go On');
const noMore = () => l10n.t("Don't Offer It Again");

/** What is to be run, of what is left to do. */
type Runnable = Exclude<FoundRemainder, { kind: 'told' }>;

/**
 * Looks what is left to do of an operation of which only a part landed, says so, and does it once the user agrees: as an operation of
 * its own, with its own review and approval.
 * @param operation its id in the journal
 * @param isAgain it was tried just before, and is proven not to have landed: the question says so
 * @throws OperationError and what else the operation throws; nothing has been told of it then.
 */
export async function completeInterrupted(
  operation: string,
  owner: Address,
  dependencies: RunnerDependencies,
  isAgain = false,
): Promise<void> {
  const { prompts, actions, portfolio, serviceInUse, records, log } = dependencies;
  const { findRemainder, completeOperation: finish, recordObservation: noteSeen } = await import('../../transactions/recovery/complete');
  const choice = serviceInUse();
  const title = l10n.t('Finish What Is Half Done');
  const found = await prompts.progress({ title, cancellable: true }, (show, cancelled) =>
    runWithinBudget(dependencies, choice, { title, show }, (parts, showStep) => {
      showStep(l10n.t('looking what is left to do …'));
      return findRemainder(operation, parts, cancelled);
    }),
  );
  if (found.kind === 'told') {
    const { words, then } = found;
    const parts = { journal: await records.journal(), locks: await records.locks(), log };
    const told = prompts.notify({ operation, severity: 'info', message: words, actions: then === 'asked' ? [noMore()] : [] });
    if (then === 'seen') {
      await noteSeen(operation, words, parts);
    } else if (then === 'asked') {
      void told.then((pressed) => (pressed === noMore() ? noteSeen(operation, words, parts) : undefined));
    }
    return;
  }
  const { subject, words } = questionOf(found, portfolio);
  if (
    (await prompts.confirm({
      severity: 'info',
      message: `${subject.title}?`,
      detail: l10n.t`${found.words}\n\nYou see what is signed before anything is.`,
      actions: [goOn()],
    })) !== goOn()
  ) {
    return;
  }
  const leg = found.kind;
  let settled: OperationRecord | undefined;
  let begun: string | undefined;
  const result = await runLegs<OperationStep, OperationResult>(
    {
      ...{
        request: { owner, consent: { kind: 'ask' } },
        doing: words.doing,
        subjects: (service) => ({
          tokens: namesInPool(found.of.created.pool, dependencies, service),
          [leg]: isAgain ? { ...subject, heed: [firstTryDidNotLandText()] } : subject,
        }),
        shown: stepMessageFor,
      },
      began: (id) => (begun = id),
      operation: ({ host, approvals, cancelled }, parts) =>
        finish(
          found,
          parts,
          {
            ...host,
            approve: (review, reason) => approvals.approve({ leg, review, reason, reentry: undefined }),
            settled: (record) => (settled = record),
          },
          cancelled,
        ),
    },
    dependencies,
  );
  notifyOutcome(result, words, { prompts, actions, isSandbox: choice.kind === 'sandbox' }, { record: settled, operation: begun });
}

/** What is asked about, and how its end is told. */
function questionOf(found: Runnable, portfolio: PortfolioReader): { readonly subject: ApprovalSubject; readonly words: OutcomeMessages } {
  const pair = plainText(found.of.created.pairName);
  const slippage = l10n.t`Slippage: at most ${percent(found.plan.slippageBps / 100)}`;
  if (found.kind === 'zapOut') {
    const { position, shareBps } = found.plan;
    return {
      subject: { title: l10n.t`Zap the rest out of ${pair}`, expectations: [slippage] },
      words: {
        doing: l10n.t`Zapping the rest out of ${pair}`,
        done: l10n.t`Zapped the rest out of ${pair}`,
        result: (_position, record) => zapOutResult(pair, position, shareBps, undefined, record),
      },
    };
  }
  const { fromBinId, toBinId, strategy } = found.plan;
  return {
    subject: {
      title: l10n.t`Put the rest into ${pair}`,
      expectations: [
        l10n.t('Goes in as it is: nothing is swapped'),
        ...(fromBinId === undefined ? [] : [l10n.t`Range: ${strategy ?? 'Spot'}, ${binRange(fromBinId, toBinId)}`]),
        slippage,
      ],
    },
    words: {
      doing: l10n.t`Putting the rest into ${pair}`,
      done: l10n.t`Put the rest into ${pair}`,
      result: (position) =>
        zapInResult(pair, position === undefined ? undefined : portfolio.snapshot.positions.find(({ address }) => address === position)),
    },
  };
}
