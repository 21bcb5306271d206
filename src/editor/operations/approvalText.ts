import { counted } from '../../format/numbers';
import { timeOfDay } from '../../format/time';
import type { AskAgainReason } from '../../operations/types';
import type { ReviewSummary } from '../../review/summary';
import type { Finding, Review, Spends } from '../../review/types';
import { lamportsToSol } from '../../solana/amounts';
import { firstThatFits } from './dialogSpace';

// What the dialogs of the approval say. What runs out of a dialog is not read: they hold what decides, in the order in which it
// does, and leave out what decides least where there is no room. The details have all of it.

/** How many findings a dialog names at most. */
export const MOST_FINDINGS = 5;
/** A finding, or a line about the money, that is longer is cut. */
const LONGEST_LINE = 300;
/** Programs that are named; hostile transactions may call any number. */
const MOST_PROGRAMS = 6;
/** Programs that come with Solana: nearly every transaction calls them. */
const OF_SOLANA: readonly string[] = ['System', 'Compute Budget', 'Token', 'Token-2022', 'Associated Token Account'];

/** What the summary calls that. */
const TOKENS_MOVED = 'Tokens that move at most';

/** What a second question says first of all, after something was sent. */
export const FIRST_TRY_DID_NOT_LAND = 'Asked again: a first try was signed and sent. It was not carried out and no longer can be, so these new transactions cannot happen in addition to it.';
const WHY_AGAIN: Readonly<Record<AskAgainReason, string>> = {
  tookTooLong: 'Asked again: it took more than a minute, so the transactions were built again at the current price. The ones before were not signed.',
  changed: 'Asked again: what the transactions would do has changed since you looked. They were not signed.',
  firstTryDidNotLand: FIRST_TRY_DID_NOT_LAND,
};

/** What is asked about. */
export interface ApprovalText {
  readonly review: Review;
  readonly summary: ReviewSummary;
  /** Lines of the caller's own about the money. */
  readonly expectations: readonly string[];
  /** What is not as it was said before: never left out. */
  readonly heed: readonly string[];
  /** What the yes is also a yes to: never left out. */
  readonly afterwards: readonly string[];
  /** Why the user is asked again; `undefined`: for the first time. */
  readonly reason: AskAgainReason | undefined;
  /** Until when a signature can follow, ms since 1970. */
  readonly validUntilMs: number;
}

/** How much of each part a dialog shows. */
interface Extent {
  readonly findings: number;
  readonly hasExpectations: boolean;
  /** What the spending is made up of. */
  readonly hasBreakdown: boolean;
  /** Which tokens go into swaps and positions, as they do in every operation; what others get is never left out. */
  readonly hasTokensMoved: boolean;
  readonly hasPrograms: boolean;
  /** What happens once the time is over. */
  readonly hasAfterwards: boolean;
}

const ALL: Extent = { findings: MOST_FINDINGS, hasExpectations: true, hasBreakdown: true, hasTokensMoved: true, hasPrograms: true, hasAfterwards: true };
const BRIEF: Extent = { ...ALL, hasAfterwards: false };

/** What is given up, one after the other, until the rest fits: advice before notes, notes before the money, and the money before what is to be decided. */
const EXTENTS: Readonly<Record<'allow' | 'confirm', readonly [Extent, ...Extent[]]>> = {
  allow: [
    ALL,
    BRIEF,
    ...[2, 1, 0].map((findings) => ({ ...BRIEF, findings })),
    { ...BRIEF, findings: 0, hasPrograms: false },
    // What should come back decides more than what the fees are made up of.
    { ...BRIEF, findings: 0, hasPrograms: false, hasBreakdown: false },
    { ...BRIEF, findings: 0, hasPrograms: false, hasBreakdown: false, hasTokensMoved: false },
    { ...BRIEF, findings: 0, hasPrograms: false, hasBreakdown: false, hasTokensMoved: false, hasExpectations: false },
  ],
  confirm: [
    ALL,
    BRIEF,
    { ...BRIEF, hasExpectations: false },
    { ...BRIEF, hasExpectations: false, hasBreakdown: false },
    ...[MOST_FINDINGS, 4, 3, 2, 1].map((findings) => ({ ...BRIEF, findings, hasExpectations: false, hasBreakdown: false, hasPrograms: false })),
  ],
};

/** The question whether to sign. What is as expected begins with the money, and what is not with what is to be decided. */
export function questionText(text: ApprovalText): string {
  const { verdict } = text.review;
  const [first, ...others] = EXTENTS[verdict === 'allow' ? 'allow' : 'confirm'];
  const write = (extent: Extent) => () => questionWithin(text, extent);
  return firstThatFits([write(first), ...others.map(write)]);
}

function questionWithin({ review, summary, heed, expectations, afterwards, reason, validUntilMs }: ApprovalText, { findings, hasExpectations, hasBreakdown, hasTokensMoved, hasPrograms, hasAfterwards }: Extent): string {
  const moneyLines = summary.lines.filter(({ about, label, text }) => about === 'money' && (hasTokensMoved || label !== TOKENS_MOVED || text.includes('to others'))).map(({ label, text }) => `${label}: ${shortened(hasBreakdown ? text : withoutBreakdown(text, review.spends))}`);
  const money = [...(hasExpectations ? expectations : []), ...moneyLines];
  const found = findingLines(review.findings, findings);
  const checked = summary.lines.filter(({ label }) => label === 'Checked').map(({ label, text }) => `${label}: ${text}`);
  return paragraphs(
    reason === undefined ? [] : [WHY_AGAIN[reason]],
    heed,
    ...(review.verdict === 'allow' ? [money, found] : [found, money]),
    afterwards,
    [...(hasPrograms ? [`Programs: ${programText(review.programs)}`] : []), ...checked, `Valid: until ${timeOfDay(new Date(validUntilMs))}${hasAfterwards ? '; later it is made anew, and you are asked again' : ''}`],
  );
}

/** Why something is not signed, what that means for the money, and what to do. */
export function refusalText(review: Review, reason: AskAgainReason | undefined): string {
  const blocked = review.findings.filter(({ verdict }) => verdict === 'block');
  const write = (findings: number) => () =>
    paragraphs(
      [
        reason === 'changed'
          ? 'You had agreed to it, and the check right before signing found that the transactions would do something that you did not ask for.'
          : 'The transactions that the service sent do something that you did not ask for, or that Binsight cannot read.',
        reason === 'firstTryDidNotLand' ? 'They were not signed. The first try was sent, did not land and no longer can: your money is where it was.' : 'Nothing was signed and nothing was sent: your money is where it was.',
      ],
      refusedLines(blocked, findings),
      ['Do not sign these transactions elsewhere either. Save the report for whoever runs the service, or for the makers of Binsight where you believe that Binsight is wrong. No key is in it.'],
    );
  return firstThatFits([write(MOST_FINDINGS), write(4), write(3), write(2), write(1)]);
}

/** What a finding is called where it is ticked. */
export function findingPlace({ rule, transaction, instruction }: Finding): string {
  return [
    `Rule ${rule}`,
    ...(transaction === undefined ? [] : [`transaction ${transaction + 1}`]),
    ...(instruction === undefined ? [] : [`instruction ${instruction + 1}`]),
  ].join(', ');
}

/** Whether a finding has to be accepted by itself. */
export function needsDecision({ verdict }: Finding): boolean {
  return verdict === 'confirm';
}

/** What a finding says, with the address that it is about: in full, since one is told from another by all of it. */
export function messageOf({ message, address }: Finding): string {
  return address === undefined || message.includes(address) ? message : `${message} Address: ${address}`;
}

/**
 * The findings by weight, what is to be decided numbered as in the list that is ticked. What the line about the spending says
 * already (LIM-3) is not said twice.
 */
function findingLines(findings: readonly Finding[], most: number): readonly string[] {
  const told = findings.filter(({ rule }) => rule !== 'LIM-3');
  const lines = told.map((finding, place) => (needsDecision(finding) ? `${place + 1}. ${shortened(messageOf(finding))} (${findingPlace(finding)})` : `Note: ${shortened(messageOf(finding))}`));
  return shownOf(lines, most);
}

/** What is blocked, each said once, with the first place where it stands. */
function refusedLines(findings: readonly Finding[], most: number): readonly string[] {
  const byMessage = new Map<string, Finding[]>();
  for (const finding of findings) {
    const message = messageOf(finding);
    byMessage.set(message, [...(byMessage.get(message) ?? []), finding]);
  }
  const lines = [...byMessage].map(([message, [first, ...same]]) => `• ${shortened(message)}${first === undefined ? '' : ` (${findingPlace(first)}${same.length === 0 ? '' : `, and ${same.length} more`})`}`);
  return shownOf(lines, most);
}

function shownOf(lines: readonly string[], most: number): readonly string[] {
  const rest = lines.length - most;
  if (rest <= 0) {
    return lines;
  }
  return [...lines.slice(0, most), most === 0 ? `The details have ${counted(rest, 'note')}.` : `… and ${rest} more, which the details show.`];
}

function shortened(text: string): string {
  return text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)}… (all of it is in the details)` : text;
}

/**
 * "1.2 SOL (1 into swaps, …)" → "1.2 SOL, of which 0.07 SOL is rent that comes back": without that it looks as if it were gone. Only
 * sums are made up of something; names of tokens are in no brackets.
 */
function withoutBreakdown(text: string, { refundableRentLamports }: Spends): string {
  if (!/^[\d.]+ SOL \(/.test(text)) {
    return text;
  }
  return `${text.slice(0, text.indexOf(' ('))}${refundableRentLamports > 0n ? `, of which ${lamportsToSol(refundableRentLamports)} SOL is rent that comes back` : ''}`;
}

function programText(programs: readonly string[]): string {
  const others = programs.filter((name) => !OF_SOLANA.includes(name));
  const rest = others.length - MOST_PROGRAMS;
  const named = [...others.slice(0, MOST_PROGRAMS), ...(rest > 0 ? [`${rest} more`] : []), ...(others.length < programs.length ? ["Solana's own"] : [])];
  return named.length === 0 ? 'none that could be read' : named.join(', ');
}

function paragraphs(...parts: readonly (readonly string[])[]): string {
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}
