import * as l10n from '@vscode/l10n';
import { reasonWords } from '../../base/reasons/reasonWords';
import { percent } from '../../base/format/percent';
import { binRange } from '../../base/format/identifiers';
import type { Address } from '../../base/solana/address';
import type { PortfolioReader } from '../../portfolio/types';
import type { OperationRecord } from '../../transactions/journal/types';
import { completeOperation, findRemainder, recordObservation, type FoundRemainder } from '../../transactions/recovery/complete';
import type { OperationResult, OperationStep } from '../../transactions/types';
import { hasExplorer } from '../shell/serviceChoice';
import { plainText } from '../shell/views/text';
import type { ApprovalSubject } from '../zap/approval';
import { firstTryDidNotLandText } from '../zap/approvalText';
import { type RunnerDependencies, runWithinBudget } from '../zap/operationDependencies';
import { notifyOutcome, type OutcomeMessages } from '../zap/outcome';
import { zapInResult, zapOutResult } from '../zap/results';
import { unusualSlippage } from '../zap/slippage';
import { hasSlippage, outputName } from '../zap/zapOutDialog';
import { runLegs } from './legRun';
import { namesInPool, stepMessageFor } from './rebalanceMessages';

const continueText = () => l10n.t('Continue');
const dontOfferText = () => l10n.t("Don't Offer Again");

/** A remainder that needs transactions. */
type Runnable = Exclude<FoundRemainder, { kind: 'noAction' }>;

/**
 * Completes a partially executed operation: finds out what is left to do, and does it once the user agrees, as an operation with its
 * own review and approval.
 * @param operation its id in the journal
 * @param isAgain a first attempt is proven not to have landed: the question says so
 * @throws OperationError and other errors of the operation; the user has not been notified of them
 */
export async function completeInterrupted(
  operation: string,
  owner: Address,
  dependencies: RunnerDependencies,
  isAgain = false,
): Promise<void> {
  const { prompts, actions, portfolio, serviceInUse, records, log } = dependencies;
  const choice = serviceInUse();
  const title = l10n.t('Complete Interrupted Operation');
  const found = await prompts.progress({ title, cancellable: true, onlyIfSlow: true }, (show, cancelled) =>
    runWithinBudget(dependencies, choice, { title, show, cancelled }, (parts, showStep) => {
      showStep(l10n.t('checking what is left to do…'));
      return findRemainder(operation, parts, cancelled);
    }),
  );
  if (found.kind === 'noAction') {
    const { reason, then } = found;
    const parts = { journal: await records.journal(), locks: await records.locks(), log };
    const shown = prompts.notify({
      operation,
      severity: 'info',
      message: reasonWords(reason),
      actions: then === 'asked' ? [dontOfferText()] : [],
    });
    if (then === 'seen') {
      await recordObservation(operation, reason, parts);
    } else if (then === 'asked') {
      void shown.then((pressed) => (pressed === dontOfferText() ? recordObservation(operation, reason, parts) : undefined));
    }
    return;
  }
  const { subject, words } = questionOf(found, portfolio);
  if (
    (await prompts.confirm({
      severity: 'info',
      // Another title than that of the confirmation that follows: an answer to this question must not look like one to that.
      message: l10n.t`Continue the interrupted operation on ${plainText(found.of.created.pairName)}?`,
      detail: `${reasonWords(found.reason)}\n\n${l10n.t('You review the transactions before anything is signed.')}`,
      actions: [continueText()],
    })) !== continueText()
  ) {
    return;
  }
  const leg = found.kind;
  let settled: OperationRecord | undefined;
  let begun: string | undefined;
  const result = await runLegs<OperationStep, OperationResult>(
    {
      request: { owner, consent: { kind: 'ask' } },
      doing: words.doing,
      subjects: (service) => ({
        tokens: namesInPool(found.of.created.pool, dependencies, service),
        [leg]: isAgain ? { ...subject, warnings: [firstTryDidNotLandText(), ...(subject.warnings ?? [])] } : subject,
      }),
      shown: stepMessageFor,
      began: (id) => (begun = id),
      operation: ({ host, approvals, cancelled }, parts) =>
        completeOperation(
          found,
          parts,
          {
            ...host,
            approve: (review, reason, details) => approvals.approve({ leg, review, reason, details, reentry: undefined }),
            settled: (record) => (settled = record),
          },
          cancelled,
        ),
    },
    dependencies,
  );
  notifyOutcome(result, words, { prompts, actions, hasExplorer: hasExplorer(choice.id) }, { record: settled, operation: begun });
}

/** The question, and the texts about its outcome. */
function questionOf(found: Runnable, portfolio: PortfolioReader): { readonly subject: ApprovalSubject; readonly words: OutcomeMessages } {
  const pair = plainText(found.of.created.pairName);
  const slippage = l10n.t`Max slippage: ${percent(found.plan.slippageBps / 100)}`;
  if (found.kind === 'zapOut') {
    const { position, shareBps, output, slippageBps } = found.plan;
    return {
      subject: {
        title: l10n.t`Zap out the rest of ${pair}`,
        gets: outputName(position, output),
        expectations: [slippage],
        warnings: hasSlippage({ position, output }) ? unusualSlippage(slippageBps) : [],
      },
      words: {
        doing: l10n.t`Zapping out the rest of ${pair}`,
        done: l10n.t`Zapped out the rest of ${pair}`,
        result: (_position, record) => zapOutResult(pair, position, shareBps, undefined, record),
      },
    };
  }
  const { fromBinId, toBinId, strategy, slippageBps } = found.plan;
  return {
    subject: {
      title: l10n.t`Deposit the rest into ${pair}`,
      gets: fromBinId === undefined ? undefined : l10n.t`a ${strategy ?? 'Spot'} position in ${binRange(fromBinId, toBinId)}`,
      warnings: unusualSlippage(slippageBps),
      expectations: [
        l10n.t('Deposited as it is: nothing is swapped'),
        ...(fromBinId === undefined ? [] : [l10n.t`Range: ${strategy ?? 'Spot'}, ${binRange(fromBinId, toBinId)}`]),
        slippage,
      ],
    },
    words: {
      doing: l10n.t`Depositing the rest into ${pair}`,
      done: l10n.t`Deposited the rest into ${pair}`,
      result: (position) =>
        zapInResult(pair, position === undefined ? undefined : portfolio.snapshot.positions.find(({ address }) => address === position)),
    },
  };
}
