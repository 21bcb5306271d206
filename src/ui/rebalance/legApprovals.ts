import * as l10n from '@vscode/l10n';
import { percent } from '../../base/format/percent';
import { binRange } from '../../base/format/places';
import { lamportsToSol } from '../../base/solana/amounts';
import type { TokenNames } from '../../review/describe/summary';
import type { Finding, Review } from '../../review/types';
import type { LegApproval, RebalanceLeg, Reentry } from '../../transactions/rebalance/types';
import { plainText } from '../shell/views/text';
import { type ApprovalDependencies, type ApprovalSubject, askApproval } from '../zap/approval';
import { messageOf } from '../zap/approvalText';
import type { RebalanceApproval } from './request';

/**
 * What the review says of every operation that it can read as a whole: the most that it can take from the wallet (LIM-3). It is a sum
 * and no finding; everything else that the review says is one, also where it is only mentioned.
 */
const SAID_OF_ALL: ReadonlySet<string> = new Set(['LIM-3']);

/** Whether the review finds nothing at all. Only what is clean is signed without the user having looked at just that. */
export function isClean(review: Review): boolean {
  return review.verdict === 'allow' && found(review).length === 0;
}

/** What the review has found, worst first; nothing where it is clean. */
export function found({ findings }: Pick<Review, 'findings'>): readonly Finding[] {
  return findings.filter(({ rule, verdict }) => !(verdict === 'info' && SAID_OF_ALL.has(rule)));
}

/** How long the yes to a zap-out is one to re-entering with what came out. Whoever comes back later is asked. */
const YES_COUNTS_MS = 600_000;
/** How long the yes to a summary is one to the zap-outs in it; they run one after the other. */
const SUMMARY_COUNTS_MS = 1_800_000;
/** Of what holds a part back, so much is said; the details of the approval have all of it. */
const LONGEST_FINDING = 300;

/** What the approvals of one run are about. */
export interface LegSubjects {
  /** May take its time: it is waited for when something is asked. */
  readonly tokens: TokenNames | Promise<TokenNames>;
  /** The zap-out, and a zap-in that is not the second part of a rebalance, as questions of their own; `undefined` where there is none in the run. */
  readonly zapOut?: ApprovalSubject | undefined;
  readonly zapIn?: ApprovalSubject | undefined;
}

/** Says yes or no to the parts of one rebalance, as the user has consented to: what is clean may go under an earlier yes, all else is asked in full. */
export class LegApprovals {
  /** When the zap-out was agreed to, in this run. */
  private agreedAtMs: number | undefined;

  constructor(
    private readonly subjects: LegSubjects,
    private readonly consent: RebalanceApproval,
    private readonly dependencies: ApprovalDependencies,
    private readonly cancelled: AbortSignal,
    /** Told when the user is asked. */
    private readonly asking: () => void,
  ) {}

  /** @returns whether it may be signed. */
  async approve(request: LegApproval): Promise<boolean> {
    const { consent, dependencies } = this;
    if (consent.kind === 'rules') {
      return allowedByRules(request, consent);
    }
    const isAgreed = this.isAgreedBefore(request) || (await this.ask(request));
    if (isAgreed && request.leg === 'zapOut') {
      this.agreedAtMs = dependencies.nowMs();
    }
    return isAgreed;
  }

  /** What is asked again was not agreed to: the yes before it was to something else. */
  private isAgreedBefore({ leg, review, reason, reentry }: LegApproval): boolean {
    const { consent, dependencies } = this;
    const [agreedAtMs, countsMs] =
      leg === 'zapIn' ? [this.agreedAtMs, YES_COUNTS_MS] : [consent.kind === 'summary' ? consent.atMs : undefined, SUMMARY_COUNTS_MS];
    const ageMs = dependencies.nowMs() - (agreedAtMs ?? Number.NEGATIVE_INFINITY);
    return reason === undefined && isClean(review) && isAsShown(leg, reentry) && ageMs >= 0 && ageMs <= countsMs;
  }

  private async ask({ leg, review, reason, reentry }: LegApproval): Promise<boolean> {
    const tokens = await this.subjects.tokens;
    this.asking();
    const subject = (reentry === undefined ? this.subjects[leg] : reentrySubject(reentry)) ?? { title: legTitles()[leg], expectations: [] };
    return askApproval({ review, reason, tokens, subject }, this.dependencies, this.cancelled);
  }
}

const legTitles = (): Readonly<Record<RebalanceLeg, string>> => ({ zapOut: l10n.t('Zap out'), zapIn: l10n.t('Zap in') });

/** The question whether to re-enter with what came out. */
function reentrySubject({ pairName, lamportsBack, inputLamports, range, strategy, slippageBps, doubts }: Reentry): ApprovalSubject {
  return {
    title: l10n.t`Re-enter ${plainText(pairName)} with ${lamportsToSol(inputLamports)} SOL`,
    // What the title says of the money is said before what the transactions spend, which has rent in it that comes back.
    expectations: [
      l10n.t`Goes in: ${lamportsToSol(inputLamports)} of the ${lamportsToSol(lamportsBack)} SOL that came back, as measured; the rest is for costs, or stays in the wallet`,
      l10n.t`Range: ${strategy}, ${binRange(range.fromBinId, range.toBinId)}, around the active bin`,
      l10n.t`Slippage: at most ${percent(slippageBps / 100)}`,
    ],
    heed: doubts,
  };
}

/** In automatic mode nobody is asked: what is not clean is not signed. Transactions that became worse after they were looked at are not, clean or not. */
function allowedByRules(
  { leg, review, reason, reentry }: LegApproval,
  { heldBack }: Extract<RebalanceApproval, { kind: 'rules' }>,
): boolean {
  const isAllowed = isClean(review) && isAsShown(leg, reentry) && reason !== 'changed';
  if (!isAllowed) {
    heldBack(withheldMessage(leg, review, reentry?.doubts));
  }
  return isAllowed;
}

/** Whether what is put back is what the user was shown when they agreed, as far as that can be told. Of a zap-out the review says it. */
function isAsShown(leg: RebalanceLeg, reentry: Reentry | undefined): boolean {
  return leg === 'zapOut' || reentry?.doubts.length === 0;
}

/** Why a part was not signed by the rules, in sentences. @param doubts what else speaks against it, though the review finds nothing */
export function withheldMessage(leg: RebalanceLeg, review: Review, doubts: readonly string[] = []): string {
  const noun = leg === 'zapOut' ? 'zap-out' : 'zap-in';
  const [worst, ...others] = found(review);
  const [doubt] = doubts;
  const what =
    worst === undefined
      ? doubt === undefined
        ? l10n.t('what it would do had changed since it was reviewed')
        : l10n.t`it is not what was shown before: ${shortened(doubt)}`
      : l10n.t`the review found something: ${shortened(messageOf(worst))}`;
  const more = others.length === 0 ? '' : l10n.t` There is more (${others.length}).`;
  return l10n.t`The ${noun} was not signed without you, because ${what}${/[.!?…]$/.test(what) ? '' : '.'}${more}`;
}

function shortened(text: string): string {
  return text.length > LONGEST_FINDING ? `${text.slice(0, LONGEST_FINDING)}…` : text;
}
