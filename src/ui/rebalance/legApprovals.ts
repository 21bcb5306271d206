import * as l10n from '@vscode/l10n';
import { percent } from '../../base/format/percent';
import { binRange } from '../../base/format/identifiers';
import { lamportsToSol } from '../../base/solana/amounts';
import type { TokenNames } from '../../review/describe/summary';
import type { Finding, Review } from '../../review/types';
import type { LegApproval, RebalanceLeg, Reentry } from '../../transactions/rebalance/types';
import { plainText } from '../shell/views/text';
import { type ApprovalDependencies, type ApprovalSubject, askApproval } from '../zap/approval';
import { messageOf } from '../zap/approvalText';
import type { RebalanceApproval } from './request';

/**
 * Rules that report on every operation that could be decoded as a whole. LIM-3 states the most that can leave the wallet: a total, not
 * a finding. Every other message of the review is a finding, even one that only informs.
 */
const REPORTED_ALWAYS: ReadonlySet<string> = new Set(['LIM-3']);

/** Whether the review has no findings at all. Only then may it be signed without the user seeing these very transactions. */
export function isClean(review: Review): boolean {
  return review.verdict === 'allow' && found(review).length === 0;
}

/** The findings, worst first. */
export function found({ findings }: Pick<Review, 'findings'>): readonly Finding[] {
  return findings.filter(({ rule, verdict }) => !(verdict === 'info' && REPORTED_ALWAYS.has(rule)));
}

/** How long the approval of a zap-out also covers the re-entry. After that, the user is asked. */
const ZAP_OUT_APPROVAL_MS = 600_000;
/** How long the confirmation of a summary covers its zap-outs, which run one after the other. */
const SUMMARY_APPROVAL_MS = 1_800_000;
/** Characters of a finding in a message; the details have all of it. */
const LONGEST_FINDING = 300;

/** The subjects of the questions of one run. */
export interface LegSubjects {
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

  async #ask({ leg, review, reason, reentry }: LegApproval): Promise<boolean> {
    const tokens = await this.#subjects.tokens;
    this.#asking();
    const subject = (reentry === undefined ? this.#subjects[leg] : reentrySubject(reentry)) ?? {
      title: legTitles()[leg],
      expectations: [],
    };
    return askApproval({ review, reason, tokens, subject }, this.#dependencies, this.#cancelled);
  }
}

const legTitles = (): Readonly<Record<RebalanceLeg, string>> => ({ zapOut: l10n.t('Zap out'), zapIn: l10n.t('Zap in') });

/** The question whether to re-enter with the proceeds. */
function reentrySubject({
  pairName,
  lamportsBack,
  inputLamports,
  range,
  strategy,
  slippageBps,
  warnings: doubts,
}: Reentry): ApprovalSubject {
  return {
    title: l10n.t`Re-enter ${plainText(pairName)} with ${lamportsToSol(inputLamports)} SOL`,
    // The amount in the title is explained before the costs, which include refundable rent.
    expectations: [
      l10n.t`Deposit: ${lamportsToSol(inputLamports)} of the ${lamportsToSol(lamportsBack)} SOL returned (measured); the rest covers costs or stays in the wallet`,
      l10n.t`Range: ${strategy}, ${binRange(range.fromBinId, range.toBinId)}, around the active bin`,
      l10n.t`Max slippage: ${percent(slippageBps / 100)}`,
    ],
    heed: doubts,
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
 * @param doubts how a re-entry differs from what was shown, in sentences
 */
export function withheldMessage(leg: RebalanceLeg, review: Review, doubts: readonly string[] = []): string {
  const notSigned = leg === 'zapOut' ? l10n.t('The zap-out was not signed without you.') : l10n.t('The zap-in was not signed without you.');
  const [worst, ...others] = found(review);
  const [doubt] = doubts;
  const why =
    worst === undefined
      ? doubt === undefined
        ? l10n.t('Its effect changed after the review.')
        : l10n.t`It differs from what was shown before: ${sentence(shortened(doubt))}`
      : l10n.t`The review found: ${sentence(shortened(messageOf(worst)))}`;
  return [notSigned, why, ...(others.length === 0 ? [] : [l10n.t`More findings: ${others.length}.`])].join(' ');
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

function shortened(text: string): string {
  return text.length > LONGEST_FINDING ? `${text.slice(0, LONGEST_FINDING)}…` : text;
}
