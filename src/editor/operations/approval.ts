import type { Review } from '../../review/types';
import type { ReviewSummary, TokenNames } from '../../review/summary';
import type { EditorActions } from '../editorActions';
import type { Prompts } from '../prompts/prompts';

/** What the approval works with. */
export interface ApprovalDependencies {
  readonly prompts: Prompts;
  readonly actions: Pick<EditorActions, 'showDocument' | 'showLog'>;
}

/** What the approval is about, in words. */
export interface ApprovalSubject {
  /** "Zap out 100 % of BONK/SOL" */
  readonly title: string;
  /** What the user may expect of it, above what the transactions say; a line each. */
  readonly expectations: readonly string[];
}

const SIGN = 'Sign and Send';
const DECIDE = 'Decide…';
const DETAILS = 'Show Details';
const LOG = 'Show Log';

/**
 * Shows the user what the transactions do, and asks. What is as expected takes one click; every finding that needs a
 * decision has to be ticked beforehand; what is blocked is explained, and cannot be approved. Once the operation is cancelled
 * elsewhere, nothing more is asked.
 * @returns whether they may be signed.
 */
export async function askApproval(review: Review, tokens: TokenNames, { title, expectations }: ApprovalSubject, dependencies: ApprovalDependencies, cancelled: AbortSignal): Promise<boolean> {
  const { describeReview, summaryAsText } = await import('../../review/summary');
  const summary = { ...describeReview(review, tokens), title };
  const text = summaryAsText(summary, expectations);
  const showDetails = async () => {
    const { describeDetails } = await import('../../review/details');
    await dependencies.actions.showDocument(summary.title, describeDetails(review, tokens));
  };
  switch (review.verdict) {
    case 'block':
      await explainBlock(summary, showDetails, dependencies);
      return false;
    case 'confirm':
      return (await askUntilDecided(summary, text, DECIDE, showDetails, dependencies, cancelled)) && acceptFindings(review, summary, dependencies);
    case 'allow':
      return askUntilDecided(summary, text, SIGN, showDetails, dependencies, cancelled);
  }
}

/** Asks again after the details were looked at. */
async function askUntilDecided(summary: ReviewSummary, text: string, yes: string, showDetails: () => Promise<void>, { prompts }: ApprovalDependencies, cancelled: AbortSignal): Promise<boolean> {
  const needsDecision = summary.verdict === 'confirm';
  for (;;) {
    const action = await prompts.confirm({
      severity: needsDecision ? 'warning' : 'info',
      message: needsDecision ? `${summary.title}: not all of it is as expected` : `${summary.title}?`,
      detail: text,
      actions: [yes, DETAILS],
    });
    if (action !== DETAILS) {
      return action === yes;
    }
    await showDetails();
    // A modal would cover the document.
    const answer = await prompts.pick({
      title: summary.title,
      placeholder: 'The details are open in the editor. Nothing has been signed.',
      items: [
        { label: 'Back to the confirmation', icon: 'arrow-left', value: true },
        { label: 'Sign nothing', icon: 'close', value: false },
      ],
    });
    if (answer.kind !== 'value' || !answer.value || cancelled.aborted) {
      return false;
    }
  }
}

async function acceptFindings(review: Review, summary: ReviewSummary, { prompts }: ApprovalDependencies): Promise<boolean> {
  const answer = await prompts.acknowledge({
    title: summary.title,
    placeholder: 'Tick everything that you have read and accept, then press OK: it is signed and sent. Escape signs nothing.',
    entries: review.findings.filter(({ verdict }) => verdict === 'confirm').map(({ rule, message }) => ({ label: message, detail: `Rule ${rule}` })),
  });
  return answer.kind === 'value';
}

async function explainBlock(summary: ReviewSummary, showDetails: () => Promise<void>, { prompts, actions }: ApprovalDependencies): Promise<void> {
  const action = await prompts.confirm({
    severity: 'error',
    message: `${summary.title}: not signed`,
    detail: `The service's transactions do something that you did not ask for, or that Binsight cannot read. Nothing was signed, nothing was sent, your money is where it was.\n\n${summary.findings.join('\n')}`,
    actions: [DETAILS, LOG],
  });
  if (action === DETAILS) {
    await showDetails();
  } else if (action === LOG) {
    actions.showLog();
  }
}
