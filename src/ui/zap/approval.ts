import * as l10n from '@vscode/l10n';
import { describeDetails } from '../../review/describe/details';
import { changeText, tokenOf } from '../../review/approval/changeText';
import type { TermChange } from '../../review/approval/compareTerms';
import type { TokenNames } from '../../review/describe/tokenNames';
import { writeReport } from '../../review/report/report';
import { REVIEW_LIFETIME_MS } from '../../review/review';
import type { Review } from '../../review/types';
import type { QuestionDetails, ReapprovalReason } from '../../transactions/types';
import type { EditorActions } from '../shell/editorAccess';
import type { Prompts } from '../shell/prompts/prompts';
import { serviceLine, type ServiceChoice } from '../shell/serviceChoice';
import { documentSentence } from '../shell/views/text';
import { costLine, getLine, payLine } from './moneyLines';
import { findingPlace, messageOf, needsDecision, questionText, refusalText } from './approvalText';

export interface ApprovalDependencies {
  readonly prompts: Prompts;
  readonly actions: Pick<EditorActions, 'showDocument' | 'saveText'>;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  /** The service that has built the transactions; absent: it is not named. */
  readonly serviceInUse?: (() => ServiceChoice) | undefined;
}

/** The operation that is approved, in words. */
export interface ApprovalSubject {
  /** "Zap out 100% of BONK/SOL" */
  readonly title: string;
  /** What is given up besides the costs: "100% of the position, ≈ $102.00 with fees". */
  readonly pays?: string | undefined;
  /** What is received, without amounts: "SOL", "a Spot position in −386 to −376 (11 bins)". */
  readonly gets?: string | undefined;
  /** The duration and the like, one line each; never dropped for lack of room. */
  readonly keyFigures?: readonly string[] | undefined;
  /** What it is expected to cost in all, where the review sees only a part of it: "about $6 (0.39%)". Default: what the review sees. */
  readonly costs?: ((review: Review) => string) | undefined;
  /** What the user chose (slippage tolerance), one line each; only in the details where all is as expected. */
  readonly expectations: readonly string[];
  /** Lines that only the details have. */
  readonly details?: readonly string[] | undefined;
  /** What is to be expected of the position, one line each, as far as it is known by now; brief in the question, where it is the first that is dropped. */
  readonly outlook?: ((isBrief: boolean) => readonly string[]) | undefined;
  /** What differs from what was shown before, or is unusual, one line each; shown first and never dropped for lack of room. */
  readonly warnings?: readonly string[] | undefined;
  /** What the approval also covers once this is done, one line each; never dropped for lack of room. */
  readonly afterwards?: readonly string[] | undefined;
}

export interface ApprovalRequest {
  readonly review: Review;
  /** Why the user is asked again; `undefined` the first time. */
  readonly reason: ReapprovalReason | undefined;
  /** How long the quote holds, and what is worse than approved. */
  readonly details?: QuestionDetails | undefined;
  readonly tokens: TokenNames;
  readonly subject: ApprovalSubject;
}

const sign = () => l10n.t('Sign and Send');
const decide = () => l10n.t('Decide…');
const detailsText = () => l10n.t('Show Details');
const save = () => l10n.t('Save Report…');

/**
 * Shows what the transactions do and asks whether to sign them. Without open findings one click approves. Otherwise the user has to
 * tick every finding that needs a decision. The preselected button never approves. A blocked review is explained and cannot be
 * approved.
 * @param cancelled the operation was cancelled elsewhere: no further question is shown
 * @returns whether the transactions may be signed
 */
export async function askApproval(request: ApprovalRequest, dependencies: ApprovalDependencies, cancelled: AbortSignal): Promise<boolean> {
  const dialog = openDialog(request, dependencies, cancelled);
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

/** Shared by the questions about one review. */
interface Dialog {
  readonly request: ApprovalRequest;
  readonly prompts: Prompts;
  readonly validUntilMs: number;
  /** Names the service, one line; none: it is not named. */
  readonly serviceLines: readonly string[];
  readonly showDetails: () => Promise<void>;
  readonly saveReport: SaveReport;
  readonly cancelled: AbortSignal;
}

function openDialog(request: ApprovalRequest, dependencies: ApprovalDependencies, cancelled: AbortSignal): Dialog {
  const { review, tokens, subject, details } = request;
  const serviceLines = dependencies.serviceInUse === undefined ? [] : [serviceLine(dependencies.serviceInUse())];
  return {
    request,
    serviceLines,
    prompts: dependencies.prompts,
    validUntilMs: details?.holdsUntilMs ?? review.input.nowMs + REVIEW_LIFETIME_MS,
    showDetails: async () => {
      await dependencies.actions.showDocument(
        subject.title,
        describeDetails(
          review,
          tokens,
          [
            ...changeLines(request),
            ...(subject.warnings ?? []),
            ...(subject.pays === undefined ? [] : [payLine(subject.pays)]),
            ...(subject.gets === undefined ? [] : [getLine(subject.gets)]),
            ...(subject.costs === undefined ? [] : [costLine(subject.costs(review))]),
            ...(subject.keyFigures ?? []),
            ...subject.expectations,
            ...(subject.outlook?.(false) ?? []),
            ...(subject.details ?? []),
            ...serviceLines,
          ],
          documentSentence(subject.title),
        ),
        review.verdict === 'block' ? undefined : 'belowQuestion',
      );
    },
    saveReport: reportSaver(review, subject.title, dependencies),
    cancelled,
  };
}

/**
 * What is worse than approved, one line each. What the swaps guarantee is left out where the least that comes back says the same, and new
 * findings are left out where all that are to be decided are new: they follow in full.
 */
function changeLines({ review, details, tokens }: ApprovalRequest): readonly string[] {
  const changes = details?.changes ?? [];
  const added = new Set(changes.filter(isFinding).map(({ label }) => label));
  const areAllNew = review.findings.filter(needsDecision).every(({ message }) => added.has(message));
  const isSaid = (change: TermChange): boolean =>
    isFinding(change)
      ? areAllNew && review.findings.some((finding) => needsDecision(finding) && finding.message === change.label)
      : change.topic === 'guaranteedBySwaps' &&
        changes.some(
          ({ topic, of, approved, fresh }) =>
            topic === 'received' && of === tokenOf(change) && approved === change.approved && fresh === change.fresh,
        );
  return [...new Set(changes.filter((change) => !isSaid(change)).map((change) => changeText(change, tokens)))];
}

function isFinding({ topic }: TermChange): boolean {
  return topic === 'finding' || topic === 'findingSum';
}

/** Repeats the question after the user has read the details or saved the report. */
async function askUntilDecided(dialog: Dialog): Promise<boolean> {
  const { prompts, request, validUntilMs, cancelled } = dialog;
  const { review, reason, details, subject, tokens } = request;
  const isAsExpected = review.verdict === 'allow';
  const changes = changeLines(request);
  const text = questionText({
    review,
    tokens,
    changes,
    warnings: subject.warnings ?? [],
    pays: subject.pays,
    gets: subject.gets,
    costs: subject.costs?.(review),
    keyFigures: [...(subject.keyFigures ?? []), ...dialog.serviceLines],
    expectations: subject.expectations,
    outlook: subject.outlook?.(true) ?? [],
    afterwards: subject.afterwards ?? [],
    reason,
    validUntilMs,
    isRenewed: details?.isRenewed ?? false,
  });
  while (!cancelled.aborted) {
    const action = isAsExpected
      ? await prompts.confirm({
          severity: changes.length === 0 ? 'info' : 'warning',
          message: `${subject.title}?`,
          detail: text,
          // The first action is preselected. The question comes while the user does something else: an Enter for that must not sign.
          actions: [detailsText(), sign()],
        })
      : // The first action is preselected: it must not lead to signing.
        await prompts.confirm({
          severity: 'warning',
          message: l10n.t`${subject.title}: review found unexpected changes`,
          detail: text,
          actions: [detailsText(), decide(), save()],
        });
    switch (action) {
      case undefined:
        return false;
      case sign():
      case decide():
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

/** Leads back to the question with a list: a modal dialog would cover the document. */
async function isBackFromDetails({ prompts, request, cancelled }: Dialog): Promise<boolean> {
  const answer = await prompts.pick({
    title: request.subject.title,
    placeholder: l10n.t('Details opened. Nothing signed yet.'),
    items: [
      { label: l10n.t('Back to Confirmation'), icon: 'arrow-left', value: true },
      { label: l10n.t("Don't Sign"), icon: 'close', value: false },
    ],
    cancelled,
  });
  return answer.kind === 'value' && answer.value;
}

async function acceptFindings({ prompts, request, cancelled }: Dialog): Promise<boolean> {
  const answer = await prompts.acknowledge({
    title: request.subject.title,
    placeholder: l10n.t('Select every finding you accept. OK signs and sends.'),
    entries: request.review.findings.filter(needsDecision).map((finding, place) => ({
      // VS Code draws "$(name)" as an icon.
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
      // The operation has ended and does not wait for this notification.
      void prompts
        .notify({ severity: 'error', message: l10n.t`${subject.title}: not signed`, actions: [save()] })
        .then(async (pressed) => (pressed === save() ? saveReport() : undefined));
  }
}

/** Asks for a file, writes the report, and notifies. Never rejects: a failed report does not affect the operation. */
type SaveReport = () => Promise<void>;

/**
 * Returns the function that saves the report of a review: the request, the transactions as received, and the findings. It holds no key.
 * @param title the request in words
 */
function reportSaver(review: Review, title: string, { prompts, actions, nowMs }: ApprovalDependencies): SaveReport {
  return async () => {
    try {
      const name = await actions.saveText({
        title: l10n.t('Save Review Report'),
        name: fileName(nowMs()),
        text: writeReport(review, title),
      });
      if (name !== undefined) {
        void prompts.notify({
          severity: 'info',
          message: l10n.t`Report saved as ${name}. It holds your address, the transactions and balances, but no key.`,
        });
      }
    } catch (error) {
      void prompts.notify({
        severity: 'error',
        message: l10n.t`The report was not saved: ${error instanceof Error ? error.message : l10n.t('unknown reason')}.`,
      });
    }
  };
}

/** "binsight-review-2026-11-20-154407.json": sorts by time and is valid on every system. */
function fileName(nowMs: number): string {
  const [day = '', time = ''] = new Date(nowMs).toISOString().split('T');
  return `binsight-review-${day}-${time.slice(0, 8).replaceAll(':', '')}.json`;
}
