import * as l10n from '@vscode/l10n';
import { percent } from '../../base/format/percent';
import { sentence } from '../../base/format/sentence';
import type { Address } from '../../base/solana/address';
import { lamportsToSol } from '../../base/solana/amounts';
import type { TokenNames } from '../../review/describe/tokenNames';
import { deposits } from '../../review/intents';
import type { Review } from '../../review/types';
import type { LiquidityService } from '../../service/service';
import type { LegApproval, RebalanceLeg, Reentry } from '../../transactions/rebalance/types';
import type { OperationDependencies, OperationHost } from '../../transactions/types';
import { plainText } from '../shell/views/text';
import { type ApprovalDependencies, type ApprovalSubject, askApproval } from '../zap/approval';
import { messageOf } from '../zap/approvalText';
import { found, isClean } from '../zap/cleanReview';
import { askRepetition } from '../zap/repeatQuestion';
import { unusualSlippage } from '../zap/slippage';
import { pricedPoolOfMints, rangePlace } from '../zap/zapInRange';
import { declinedIfCancelled, type RunnerDependencies, runShown, runWithinBudget } from '../zap/operationDependencies';
import type { RebalanceApproval, RunRequest } from './request';
import { legTitle, reentryTitle } from '../zap/operationWords';

/** An operation of one leg or two, and how it is shown and approved. */
export interface LegRun<Step, Result> {
  readonly request: RunRequest;
  /** "Rebalance BONK/SOL" */
  readonly title: string;
  /** The subjects of the questions; given the service of the run if they need it. */
  readonly subjects: LegSubjects | ((service: LiquidityService) => LegSubjects);
  /** Progress text of a step. `isAsked`: the user is asked; under an earlier approval, the step "waiting for approval" is not shown. */
  readonly shown: (step: Step, isAsked: boolean, leftMs?: number) => string | undefined;
  readonly operation: (side: EditorSide<Step>, dependencies: OperationDependencies) => Promise<Result>;
  /** Called with the ids in the journal: of the operation first, then of its legs. */
  readonly began?: (operation: string) => void;
}

/** The editor's side of a run: shows, asks and signs. */
export interface EditorSide<Step> {
  readonly approvals: LegApprovals;
  readonly cancelled: AbortSignal;
  /** Common to a single operation and a rebalance. */
  readonly host: {
    readonly report: (step: Step, leftMs?: number) => void;
    readonly signer: OperationHost['signer'];
    /** Not in automatic mode, which asks nothing. */
    readonly repeat?: NonNullable<OperationHost['repeat']>;
    readonly began: (operation: string) => void;
    readonly leftOpen: (operation: string) => void;
    readonly approver: 'user' | 'automation';
  };
}

/** Runs an operation of one leg or two with one progress, the approvals that the consent does not cover, and the log. */
export async function runLegs<Step, Result extends { readonly kind: string }>(
  { request, title: of, subjects, shown, operation, began: onBegan }: LegRun<Step, Result>,
  dependencies: RunnerDependencies,
): Promise<Result | { readonly kind: 'declined' }> {
  const { prompts, log, serviceInUse, began, leftOpen } = dependencies;
  const { owner, consent, cancelled: outside, onCancel, lead, place } = request;
  const choice = serviceInUse();
  const title = `${lead === undefined ? '' : `${lead}: `}${of}${place === undefined ? '' : ` (${place})`}`;
  const result = await runShown<Result>(prompts, {
    title,
    outside,
    onCancel,
    run: (show, cancelled) =>
      runWithinBudget(dependencies, choice, { title, show, cancelled }, (parts, showStep) => {
        let at: Step | undefined;
        let logged: string | undefined;
        const showProgress = (step: Step | undefined, isAsked: boolean, leftMs?: number): void => {
          at = step;
          const words = step === undefined ? undefined : shown(step, isAsked, leftMs);
          if (words !== undefined) {
            // A countdown is logged once.
            const withoutFigures = words.replace(/\d+/g, '');
            if (withoutFigures !== logged) {
              log('info', `${title}: ${words}`);
            }
            logged = withoutFigures;
            showStep(words);
          }
        };
        let isAsking = false;
        const report = (step: Step, leftMs?: number): void => {
          // While the user is asked, the same step is reported again with the time for which the quote holds.
          isAsking &&= shown(step, false, leftMs) === undefined;
          showProgress(step, isAsking, leftMs);
        };
        const beganHere = (id: string): void => {
          onBegan?.(id);
          began(id);
        };
        const host: EditorSide<Step>['host'] = {
          report,
          began: beganHere,
          leftOpen,
          signer: signerFor(consent, owner, cancelled, dependencies),
          ...(consent.kind === 'rules' ? {} : { repeat: (earlier) => askRepetition(earlier, dependencies, cancelled) }),
          approver: consent.kind === 'rules' ? 'automation' : 'user',
        };
        return operation(
          {
            host,
            cancelled,
            approvals: new LegApprovals(
              typeof subjects === 'function' ? subjects(parts.service) : subjects,
              consent,
              { ...dependencies, serviceInUse: () => parts.builtBy },
              cancelled,
              () => {
                isAsking = true;
                showProgress(at, true);
              },
            ),
          },
          parts,
        );
      }),
  }).catch(declinedIfCancelled);
  log('info', `${title}: ${result.kind}`);
  return result;
}

function signerFor(
  consent: RebalanceApproval,
  owner: Address,
  cancelled: AbortSignal,
  { signer }: RunnerDependencies,
): OperationHost['signer'] {
  return consent.kind === 'rules' ? () => consent.signer() : () => signer(owner, cancelled);
}

/** How long the approval of a zap-out also covers the re-entry. After that, the user is asked. */
const ZAP_OUT_APPROVAL_MS = 600_000;
/** How long the confirmation of a summary covers its zap-outs, which run one after the other. */
const SUMMARY_APPROVAL_MS = 1_800_000;
/** Characters of a finding in a message; the details have all of it. */
const LONGEST_FINDING = 300;

/** The subjects of the questions of one run. */
interface LegSubjects {
  /** Awaited only when a question is shown. */
  readonly tokens: TokenNames | Promise<TokenNames>;
  /** The zap-out, and a zap-in that is not the second part of a rebalance; `undefined` if the run has none. */
  readonly zapOut?: ApprovalSubject | undefined;
  readonly zapIn?: ApprovalSubject | undefined;
}

/** Approves the legs of one rebalance: a clean one may be covered by an earlier approval, anything else is asked in full. */
export class LegApprovals {
  /** When the zap-out of this run was approved. */
  #agreedAtMs: number | undefined;

  readonly #subjects: LegSubjects;
  readonly #consent: RebalanceApproval;
  readonly #dependencies: ApprovalDependencies;
  readonly #cancelled: AbortSignal;
  readonly #asking: () => void;

  constructor(
    subjects: LegSubjects,
    consent: RebalanceApproval,
    dependencies: ApprovalDependencies,
    cancelled: AbortSignal,
    /** Called when the user is asked. */
    asking: () => void,
  ) {
    this.#subjects = subjects;
    this.#consent = consent;
    this.#dependencies = dependencies;
    this.#cancelled = cancelled;
    this.#asking = asking;
  }

  /** @returns whether it may be signed. */
  async approve(request: LegApproval): Promise<boolean> {
    const consent = this.#consent;
    const dependencies = this.#dependencies;
    if (consent.kind === 'rules') {
      return allowedByRules(request, consent);
    }
    const isAgreed = this.#isAgreedBefore(request) || (await this.#ask(request));
    if (isAgreed && request.leg === 'zapOut') {
      this.#agreedAtMs = dependencies.nowMs();
    }
    return isAgreed;
  }

  /** Whether an earlier approval covers the leg. Never where a leg is asked again: the approval was for other transactions. */
  #isAgreedBefore({ leg, review, reason, reentry }: LegApproval): boolean {
    const consent = this.#consent;
    const dependencies = this.#dependencies;
    const [agreedAtMs, countsMs] =
      leg === 'zapIn'
        ? [this.#agreedAtMs, ZAP_OUT_APPROVAL_MS]
        : [consent.kind === 'summary' ? consent.atMs : undefined, SUMMARY_APPROVAL_MS];
    const ageMs = dependencies.nowMs() - (agreedAtMs ?? Number.NEGATIVE_INFINITY);
    return reason === undefined && isClean(review) && isAsShown(leg, reentry) && ageMs >= 0 && ageMs <= countsMs;
  }

  async #ask({ leg, review, reason, details, reentry }: LegApproval): Promise<boolean> {
    const tokens = await this.#subjects.tokens;
    this.#asking();
    const subject = (reentry === undefined ? this.#subjects[leg] : reentrySubject(reentry, review, tokens)) ?? {
      title: legTitle(leg),
      expectations: [],
    };
    return askApproval({ review, reason, details, tokens, subject }, this.#dependencies, this.#cancelled);
  }
}

/** The question whether to re-enter with the proceeds. */
function reentrySubject(reentry: Reentry, { intent }: Review, tokens: TokenNames): ApprovalSubject {
  const { pairName, inputLamports, lamportsBack, range, strategy, slippageBps, warnings, activeBinId, binStepBps } = reentry;
  const pool = pricedPoolOfMints(deposits(intent) ? [intent.tokenX, intent.tokenY] : [], binStepBps, tokens);
  return {
    title: reentryTitle(plainText(pairName)),
    gets: l10n.t`a ${strategy} position, ${rangePlace(range, pool, activeBinId)}`,
    keyFigures: [l10n.t`Deposit: ${lamportsToSol(inputLamports)} of ${lamportsToSol(lamportsBack)} SOL; the rest covers costs or stays`],
    expectations: [l10n.t`Max slippage: ${percent(slippageBps / 100)}`],
    warnings: [...warnings, ...unusualSlippage(slippageBps)],
  };
}

/** Automatic mode never asks: only clean legs are signed, and none whose effect changed after its review, clean or not. */
function allowedByRules(
  { leg, review, reason, reentry }: LegApproval,
  { heldBack }: Extract<RebalanceApproval, { kind: 'rules' }>,
): boolean {
  const isAllowed = isClean(review) && isAsShown(leg, reentry) && reason !== 'changed';
  if (!isAllowed) {
    heldBack(withheldMessage(leg, review, reentry?.warnings));
  }
  return isAllowed;
}

/** Whether a re-entry is as the user was shown when they approved, as far as can be checked. For a zap-out, the review checks it. */
function isAsShown(leg: RebalanceLeg, reentry: Reentry | undefined): boolean {
  return leg === 'zapOut' || reentry?.warnings.length === 0;
}

/**
 * Why automatic mode did not sign a leg, in sentences.
 * @param warnings how a re-entry differs from what was shown, in sentences
 */
export function withheldMessage(leg: RebalanceLeg, review: Review, warnings: readonly string[] = []): string {
  const notSigned = sentence(l10n.t`${legTitle(leg)}: not signed`);
  const [worst, ...others] = found(review);
  const [warning] = warnings;
  const why =
    worst === undefined
      ? warning === undefined
        ? l10n.t('Its effect changed after the review.')
        : sentence(shortened(warning))
      : l10n.t`The review found: ${sentence(shortened(messageOf(worst)))}`;
  return [notSigned, why, ...(others.length === 0 ? [] : [l10n.t`More findings: ${others.length}.`])].join(' ');
}

function shortened(text: string): string {
  return text.length > LONGEST_FINDING ? `${text.slice(0, LONGEST_FINDING)}…` : text;
}
