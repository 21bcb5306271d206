import * as l10n from '@vscode/l10n';
import { reasonWords } from '../../base/reasons/reasonWords';
import { shortAmount } from '../../base/format/amounts';
import { percent } from '../../base/format/percent';
import { binRange } from '../../base/format/identifiers';
import type { Address } from '../../base/solana/address';
import type { PortfolioReader } from '../../portfolio/types';
import type { OperationRecord } from '../../transactions/journal/types';
import { recordObservation } from '../../transactions/recovery/acknowledge';
import { completeOperation, findRemainder, type FoundRemainder } from '../../transactions/recovery/complete';
import type { OperationResult, OperationStep } from '../../transactions/types';
import { openTaskOf } from '../shell/openTasks';
import { hasExplorer, isOwnService } from '../shell/serviceChoice';
import { plainText } from '../shell/views/text';
import type { ApprovalSubject } from '../zap/approval';
import { firstTryDidNotLandText } from '../zap/approvalText';
import { tokenName, tokenText } from '../zap/movedTokens';
import { type RunnerDependencies, runWithinBudget } from '../zap/operationDependencies';
import { OperationRunner } from '../zap/operationRunner';
import { shortSol, swapTitle, unwrapTitle } from '../zap/operationWords';
import { nothingSignedYetText } from '../zap/proposals';
import { notifyOutcome, type OutcomeMessages } from '../zap/outcome';
import { zapInResult, zapOutResult } from '../zap/results';
import { unusualSlippage } from '../zap/slippage';
import { hasSlippage, outputName } from '../zap/zapOutDialog';
import { runLegs } from './legRun';
import { namesInPool, stepMessageFor } from './rebalanceMessages';

const continueText = () => l10n.t('Continue');
const doneText = () => l10n.t('Mark as Done');

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
  for (let hasMore = true, isFirst = true; hasMore; isFirst = false) {
    hasMore = await completeNext(operation, owner, dependencies, isAgain && isFirst);
  }
}

/** Does the next thing that is left to do. @returns whether it landed and left more to do */
async function completeNext(operation: string, owner: Address, dependencies: RunnerDependencies, isAgain: boolean): Promise<boolean> {
  const { prompts, actions, portfolio, serviceInUse, records, log } = dependencies;
  const choice = serviceInUse();
  const title = l10n.t('Complete Interrupted Operation');
  const found = await prompts.progress({ title, cancellable: true, onlyIfSlow: true }, (show, cancelled) =>
    runWithinBudget(dependencies, choice, { title, show, cancelled }, (parts, showStep) => {
      showStep(l10n.t('Loading…'));
      return findRemainder(operation, parts, cancelled);
    }),
  );
  const markDone = async (reason = found.reason): Promise<void> =>
    recordObservation(operation, reason, { journal: await records.journal(), locks: await records.locks(), log });
  const notify = (message: string, isAsked: boolean): Promise<void> =>
    prompts
      .notify({ operation, severity: 'info', message, actions: isAsked ? [doneText()] : [] })
      .then((pressed) => (pressed === doneText() ? markDone() : undefined));
  if (found.kind === 'noAction') {
    void notify(reasonWords(found.reason), found.then === 'asked');
    if (found.then === 'seen') {
      await markDone();
    }
    return false;
  }
  const isExchange = found.kind === 'swap' || found.kind === 'unwrap';
  if (isExchange && !isOwnService(choice)) {
    void notify(withoutSwapsText(found), true);
    return false;
  }
  const answer = await prompts.confirm({
    severity: 'info',
    // Another title than that of the confirmation that follows: an answer to this question must not look like one to that.
    message: l10n.t`Continue the interrupted operation on ${plainText(found.of.created.pairName)}?`,
    detail: [reasonWords(found.reason), nextText(found), nothingSignedYetText()].filter((part) => part !== undefined).join('\n\n'),
    actions: isExchange ? [continueText(), doneText()] : [continueText()],
  });
  if (answer === doneText()) {
    await markDone();
  }
  if (answer !== continueText()) {
    return false;
  }
  const { leavesMore = false } = 'leavesMore' in found.plan ? found.plan : {};
  const ended = async ({ kind }: OperationResult | { readonly kind: 'declined' }): Promise<boolean> => {
    if (kind === 'settled' && !leavesMore) {
      await markDone({ code: 'completed', isEnded: true });
    }
    return kind === 'settled' && leavesMore;
  };
  if (isExchange) {
    const runner = new OperationRunner(dependencies);
    const how = { isAgain, finishes: operation };
    const result = await (found.kind === 'swap' ? runner.swap(found.plan, how) : runner.unwrap(found.plan, how));
    return ended(result);
  }
  const { subject, words } = questionOf(found, portfolio);
  const leg = found.kind;
  let settled: OperationRecord | undefined;
  let begun: string | undefined;
  const result = await runLegs<OperationStep, OperationResult>(
    {
      request: { owner, consent: { kind: 'ask' } },
      title: words.title,
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
  notifyOutcome(
    result,
    words,
    { prompts, actions, hasExplorer: hasExplorer(choice.id) },
    { record: settled, left: openTaskOf(settled), operation: begun },
  );
  return ended(result);
}

/** What is swapped or unwrapped next; `undefined`: the reason says it. */
function nextText(found: Runnable): string | undefined {
  return found.kind === 'swap' || found.kind === 'unwrap' ? l10n.t`Next: ${exchangeTitle(found)}.` : undefined;
}

type Exchange = Extract<Runnable, { kind: 'swap' | 'unwrap' }>;

/** What the user can do with a service that swaps nothing; at most 40 words. */
function withoutSwapsText(found: Exchange): string {
  return l10n.t`${exchangeTitle(found)}: this service cannot do it. Use your wallet app, or switch to Solana RPC. Then choose ${doneText()}.`;
}

function exchangeTitle(found: Exchange): string {
  if (found.kind === 'unwrap') {
    return unwrapTitle(shortSol(found.plan.lamports));
  }
  const { sold, bought, amountRaw } = found.plan;
  return swapTitle(tokenText(amountRaw, sold, shortAmount), tokenName(bought));
}

/** The question, and the texts about its outcome. */
function questionOf(
  found: Extract<Runnable, { kind: 'zapOut' | 'zapIn' }>,
  portfolio: PortfolioReader,
): { readonly subject: ApprovalSubject; readonly words: OutcomeMessages } {
  const pair = plainText(found.of.created.pairName);
  const slippage = l10n.t`Max slippage: ${percent(found.plan.slippageBps / 100)}`;
  if (found.kind === 'zapOut') {
    const { position, shareBps, output, slippageBps } = found.plan;
    const title = l10n.t`Zap out the rest of ${pair}`;
    return {
      subject: {
        title,
        gets: outputName(position, output),
        expectations: [slippage],
        warnings: hasSlippage({ position, output }) ? unusualSlippage(slippageBps) : [],
      },
      words: { title, result: (_position, record) => zapOutResult(title, position, shareBps, undefined, record) },
    };
  }
  const { fromBinId, toBinId, strategy, slippageBps } = found.plan;
  const title = l10n.t`Deposit the rest into ${pair}`;
  return {
    subject: {
      title,
      gets: fromBinId === undefined ? undefined : l10n.t`a ${strategy ?? 'Spot'} position, ${binRange(fromBinId, toBinId)}`,
      warnings: unusualSlippage(slippageBps),
      expectations: [slippage],
    },
    words: {
      title,
      result: (position) =>
        zapInResult(title, position === undefined ? undefined : portfolio.snapshot.positions.find(({ address }) => address === position)),
    },
  };
}
