import * as l10n from '@vscode/l10n';
import type { ReapprovalReason } from '../../transactions/types';
import type { ReviewSummary, TokenNames } from '../../review/describe/summary';
import type { Review } from '../../review/types';
import type { EditorActions } from '../shell/editorActions';
import type { Prompts } from '../shell/prompts/prompts';
import { findingPlace, messageOf, needsDecision, questionText, refusalText } from './approvalText';
import { reportSaver, type SaveReport } from './savedReport';

/** What the approval works with. */
export interface ApprovalDependencies {
  readonly prompts: Prompts;
  readonly actions: Pick<EditorActions, 'showDocument' | 'saveText'>;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
}

/** What the approval is about, in words. */
export interface ApprovalSubject {
  /** "Zap out 100 % of BONK/SOL" */
  readonly title: string;
  /** What it brings and how long it takes; a line each, and shown whatever else there is no room for. */
  readonly keyFigures?: readonly string[] | undefined;
  /** What else the user may expect of it, above what the transactions say; a line each. */
  readonly expectations: readonly string[];
  /** What is not as it was said before: a line each, first of all, and shown whatever else there is no room for. */
  readonly heed?: readonly string[] | undefined;
  /** What the yes is also a yes to, once this is done; a line each, and shown whatever else there is no room for. */
  readonly afterwards?: readonly string[] | undefined;
}

/** What is asked. */
export interface ApprovalRequest {
  readonly review: Review;
  /** Why it is asked again; `undefined`: for the first time. */
  readonly reason: ReapprovalReason | undefined;
  readonly tokens: TokenNames;
  readonly subject: ApprovalSubject;
}

const sign = () => l10n.t('Sign and Send');
const DECIDE = 'Decide…';
const detailsText = () => l10n.t('Show Details');
const save = () => l10n.t('Save Report…');

/**
 * Shows the user what the transactions do, and asks. What is as expected takes one click; every finding that needs a
 * decision has to be ticked beforehand, and no button that is preselected leads there; what is blocked is explained, and cannot
 * be approved. Once the operation is cancelled elsewhere, nothing more is asked.
 * @returns whether they may be signed.
 */
export async function askApproval(request: ApprovalRequest, dependencies: ApprovalDependencies, cancelled: AbortSignal): Promise<boolean> {
  const dialog = await openDialog(request, dependencies, cancelled);
  switch (request.review.verdict) {
    case 'block':
      await explainBlock(dialog);
      return false;
    case 'confirm':
      return (await askUntilDecided(dialog)) && acceptFindings(dialog);
    case 'allow':
      return askUntilDecided(dialog);
  }
}

/** What the questions about one review share. */
interface Dialog {
  readonly request: ApprovalRequest;
  readonly prompts: Prompts;
  readonly summary: ReviewSummary;
  readonly validUntilMs: number;
  readonly showDetails: () => Promise<void>;
  readonly saveReport: SaveReport;
  readonly cancelled: AbortSignal;
}

async function openDialog(request: ApprovalRequest, dependencies: ApprovalDependencies, cancelled: AbortSignal): Promise<Dialog> {
  const { review, tokens, subject } = request;
  const [{ describeReview }, { REVIEW_LIFETIME_MS }] = await Promise.all([
    import('../../review/describe/summary'),
    import('../../review/review'),
  ]);
  return {
    request,
    prompts: dependencies.prompts,
    summary: { ...describeReview(review, tokens), title: subject.title },
    validUntilMs: review.input.nowMs + REVIEW_LIFETIME_MS,
    showDetails: async () => {
      const { describeDetails } = await import('../../review/describe/details');
      await dependencies.actions.showDocument(
        subject.title,
        describeDetails(review, tokens, [...(subject.keyFigures ?? []), ...subject.expectations]),
      );
    },
    saveReport: reportSaver(review, subject.title, dependencies),
    cancelled,
  };
}

/** Asks again after the details were looked at, or the report was saved. */
async function askUntilDecided(dialog: Dialog): Promise<boolean> {
  const { prompts, summary, request, validUntilMs, cancelled } = dialog;
  const { review, reason, subject } = request;
  const isAsExpected = review.verdict === 'allow';
  const text = questionText({
    review,
    summary,
    heed: subject.heed ?? [],
    keyFigures: subject.keyFigures ?? [],
    expectations: subject.expectations,
    afterwards: subject.afterwards ?? [],
    reason,
    validUntilMs,
  });
  while (!cancelled.aborted) {
    const action = isAsExpected
      ? await prompts.confirm({ severity: 'info', message: `${subject.title}?`, detail: text, actions: [sign(), detailsText()] })
      : // The first one is preselected: it must not be the way on.
        await prompts.confirm({
          severity: 'warning',
          message: l10n.t`${subject.title}: not all of it is as expected`,
          detail: text,
          actions: [detailsText(), DECIDE, save()],
        });
    switch (action) {
      case undefined:
        return false;
      case sign():
      case DECIDE:
        return true;
      case save():
        await dialog.saveReport();
        break;
      case detailsText():
        await dialog.showDetails();
        if (!(await isBackFromDetails(dialog))) {
          return false;
        }
    }
  }
  return false;
}

/** A modal would cover the document: the way back to it is a list above. */
async function isBackFromDetails({ prompts, request, cancelled }: Dialog): Promise<boolean> {
  const answer = await prompts.pick({
    title: request.subject.title,
    placeholder: l10n.t('The details are open in the editor. Nothing has been signed.'),
    items: [
      { label: l10n.t('Back to the confirmation'), icon: 'arrow-left', value: true },
      { label: l10n.t('Sign nothing'), icon: 'close', value: false },
    ],
    cancelled,
  });
  return answer.kind === 'value' && answer.value;
}

async function acceptFindings({ prompts, request, cancelled }: Dialog): Promise<boolean> {
  const answer = await prompts.acknowledge({
    title: request.subject.title,
    placeholder: l10n.t('Tick each that you accept; OK then signs and sends'),
    entries: request.review.findings.filter(needsDecision).map((finding, place) => ({
      // "$(" would be drawn as an icon.
      label: `${place + 1}. ${messageOf(finding)}`.replaceAll('$(', '$ ('),
      detail: findingPlace(finding),
    })),
    cancelled,
  });
  return answer.kind === 'value';
}

async function explainBlock({ prompts, request, showDetails, saveReport }: Dialog): Promise<void> {
  const { review, reason, subject } = request;
  const action = await prompts.confirm({
    severity: 'error',
    message: l10n.t`${subject.title}: not signed`,
    detail: refusalText(review, reason),
    actions: [detailsText(), save()],
  });
  switch (action) {
    case undefined:
      return;
    case save():
      await saveReport();
      return;
    case detailsText():
      await showDetails();
      // The operation has ended: what is left to do does not hold it up.
      void prompts
        .notify({ severity: 'error', message: l10n.t`${subject.title}: not signed. The details say what was found.`, actions: [save()] })
        .then(async (pressed) => (pressed === save() ? saveReport() : undefined));
  }
}
