import * as l10n from '@vscode/l10n';
import { counted } from '../../base/format/numbers';
import { timeOfDay } from '../../base/format/time';
import type { ReapprovalReason } from '../../transactions/types';
import type { ReviewSummary, SummaryLine } from '../../review/describe/summary';
import type { Finding, Review } from '../../review/types';
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

/** What the summary calls those. */
const tokensMoved = () => l10n.t('Tokens that move at most');
const expectedBySimulation = () => l10n.t('Expected (simulated)');

/** What a second question says first of all, after something was sent. */
export const firstTryDidNotLandText = (): string => l10n.t('Asked again: a first try was signed and sent. It did not land, and no longer can.');
const whyAgain = (): Readonly<Record<ReapprovalReason, string>> => ({
  tookTooLong: l10n.t('Asked again after more than a minute: built at the current price. The ones before were not signed.'),
  changed: l10n.t('Asked again: the transactions would do something else by now. They were not signed.'),
  firstTryDidNotLand: firstTryDidNotLandText(),
});
const whyAgainBriefly = (): Readonly<Record<ReapprovalReason, string>> => ({
  tookTooLong: l10n.t('Asked again: built at the current price.'),
  changed: l10n.t('Asked again: it would do something else by now.'),
  firstTryDidNotLand: firstTryDidNotLandText(),
});

/** What is asked about. */
export interface ApprovalText {
  readonly review: Review;
  readonly summary: ReviewSummary;
  /** What it brings and how long it takes: never left out. */
  readonly keyFigures: readonly string[];
  /** More lines of the caller's own about the money. */
  readonly expectations: readonly string[];
  /** What is not as it was said before: never left out. */
  readonly heed: readonly string[];
  /** What the yes is also a yes to: never left out. */
  readonly afterwards: readonly string[];
  /** Why the user is asked again; `undefined`: for the first time. */
  readonly reason: ReapprovalReason | undefined;
  /** Until when a signature can follow, ms since 1970. */
  readonly validUntilMs: number;
}

/** How much of each part a dialog shows. */
interface Extent {
  readonly findings: number;
  /** Characters of a finding. */
  readonly findingLength: number;
  /** What happens once the time is over. */
  readonly hasAfterwards: boolean;
  readonly hasPrograms: boolean;
  /** Whether the lines of the summary are in full, or in their brief form. */
  readonly isInFull: boolean;
  /** Which tokens go into swaps and positions, as they do in every operation; what others get is never left out. */
  readonly hasTokensMoved: boolean;
  readonly hasExpectations: boolean;
  /** No simulated amount beside the certain one, and fewer empty lines. */
  readonly isTight: boolean;
}

const ALL: Extent = {
  findings: MOST_FINDINGS,
  findingLength: LONGEST_LINE,
  hasAfterwards: true,
  hasPrograms: true,
  isInFull: true,
  hasTokensMoved: true,
  hasExpectations: true,
  isTight: false,
};
const BRIEF: Extent = { ...ALL, hasAfterwards: false };
const WITHOUT_NOTES: Extent = { ...BRIEF, findings: 0, hasPrograms: false };
const MONEY: Extent = { ...BRIEF, hasPrograms: false, isInFull: false, hasExpectations: false };
const LEAST: Extent = { ...MONEY, hasTokensMoved: false };

/** What is given up, one after the other, until the rest fits: advice before notes, notes before the money, and the money before what is to be decided. */
const EXTENTS: Readonly<Record<'allow' | 'confirm', readonly [Extent, ...Extent[]]>> = {
  allow: [
    ALL,
    BRIEF,
    ...[2, 1, 0].map((findings) => ({ ...BRIEF, findings })),
    WITHOUT_NOTES,
    // What should come back decides more than what the fees are made up of.
    { ...WITHOUT_NOTES, isInFull: false },
    { ...WITHOUT_NOTES, isInFull: false, hasTokensMoved: false },
    { ...LEAST, findings: 0 },
    { ...LEAST, findings: 0, isTight: true },
  ],
  confirm: [
    ALL,
    BRIEF,
    { ...BRIEF, hasExpectations: false },
    { ...BRIEF, hasExpectations: false, isInFull: false },
    ...[MOST_FINDINGS, 4, 3, 2, 1].map((findings) => ({ ...MONEY, findings })),
    ...[3, 2, 1].map((findings) => ({ ...LEAST, findings, findingLength: 120 })),
    // A finding that is decided about stands in full in the list where it is ticked.
    { ...LEAST, findings: 1, findingLength: 120, isTight: true },
    { ...LEAST, findings: 1, findingLength: 40, isTight: true },
  ],
};

/** The question whether to sign. What is as expected begins with the money, and what is not with what is to be decided. */
export function questionText(text: ApprovalText): string {
  const { verdict } = text.review;
  const [first, ...others] = EXTENTS[verdict === 'allow' ? 'allow' : 'confirm'];
  const write = (extent: Extent) => () => questionWithin(text, extent);
  return firstThatFits([write(first), ...others.map(write)]);
}

function questionWithin(
  { review, summary, heed, keyFigures, expectations, afterwards, reason, validUntilMs }: ApprovalText,
  extent: Extent,
): string {
  const { findings, findingLength, hasExpectations, isInFull, hasTokensMoved, isTight, hasPrograms, hasAfterwards } = extent;
  const lineText = ({ label, text, brief }: SummaryLine): string => `${label}: ${shortened(isInFull ? text : (brief ?? text))}`;
  const isShown = ({ label, text }: SummaryLine): boolean =>
    label === tokensMoved() ? hasTokensMoved || text.includes('to others') : label !== expectedBySimulation() || !isTight;
  const moneyLines = summary.lines.filter((line) => line.about === 'money' && isShown(line));
  const money = [...keyFigures, ...(hasExpectations ? expectations : []), ...moneyLines.map(lineText)];
  const told = findingLines(review.findings, findings, findingLength);
  // That there are notes is a line of its own, not a paragraph.
  const [found, leftOut] = findings === 0 ? [[], told] : [told, []];
  const checked = summary.lines.filter(({ label }) => label === 'Checked').map(lineText);
  const validUntil = timeOfDay(new Date(validUntilMs));
  const basis = isInFull
    ? [...checked, l10n.t`Valid: until ${validUntil}${hasAfterwards ? l10n.t('; later it is built again, and you are asked again') : ''}`]
    : [[...checked, l10n.t`valid to ${validUntil}`].join('; ')];
  const why = [...new Set([...(reason === undefined ? [] : [(isInFull ? whyAgain() : whyAgainBriefly())[reason]]), ...heed])];
  const last = [...leftOut, ...(hasPrograms ? [l10n.t`Programs: ${programText(review.programs)}`] : []), ...basis];
  const [before, after] = isTight
    ? [[[...why, ...found]], [[...afterwards, ...last]]]
    : [
        [why, found],
        [afterwards, last],
      ];
  return review.verdict === 'allow' ? paragraphs(why, money, found, ...after) : paragraphs(...before, money, ...after);
}

/** Why something is not signed, what that means for the money, and what to do. */
export function refusalText(review: Review, reason: ReapprovalReason | undefined): string {
  const blocked = review.findings.filter(({ verdict }) => verdict === 'block');
  const write = (findings: number) => () =>
    paragraphs(
      [
        reason === 'changed'
          ? l10n.t(
              'You had agreed to it, and the check right before signing found that the transactions would do something that you did not ask for.',
            )
          : l10n.t('The transactions that the service sent do something that you did not ask for, or that Binsight cannot read.'),
        reason === 'firstTryDidNotLand'
          ? l10n.t('They were not signed. The first try was sent, did not land and no longer can: your money is where it was.')
          : l10n.t('Nothing was signed and nothing was sent: your money is where it was.'),
      ],
      refusedLines(blocked, findings),
      [
        l10n.t(
          'Do not sign these transactions elsewhere either. Save the report for whoever runs the service, or for the makers of Binsight where you believe that Binsight is wrong. No key is in it.',
        ),
      ],
    );
  return firstThatFits([write(MOST_FINDINGS), write(4), write(3), write(2), write(1)]);
}

/** What a finding is called where it is ticked. */
export function findingPlace({ rule, transaction, instruction }: Finding): string {
  return [
    l10n.t`Rule ${rule}`,
    ...(transaction === undefined ? [] : [l10n.t`transaction ${transaction + 1}`]),
    ...(instruction === undefined ? [] : [l10n.t`instruction ${instruction + 1}`]),
  ].join(', ');
}

/** Whether a finding has to be accepted by itself. */
export function needsDecision({ verdict }: Finding): boolean {
  return verdict === 'confirm';
}

/** What a finding says, with the address that it is about: in full, since one is told from another by all of it. */
export function messageOf({ message, address }: Finding): string {
  return address === undefined || message.includes(address) ? message : l10n.t`${message} Address: ${address}`;
}

/**
 * The findings by weight, what is to be decided numbered as in the list that is ticked. What the line about the spending says
 * already (LIM-3) is not said twice.
 */
function findingLines(findings: readonly Finding[], most: number, longest: number): readonly string[] {
  const told = findings.filter(({ rule }) => rule !== 'LIM-3');
  const lines = told.map((finding, place) =>
    needsDecision(finding)
      ? `${place + 1}. ${shortened(messageOf(finding), longest)} (${findingPlace(finding)})`
      : l10n.t`Note: ${shortened(messageOf(finding), longest)}`,
  );
  return shownOf(lines, most);
}

/** What is blocked, each said once, with the first place where it stands. */
function refusedLines(findings: readonly Finding[], most: number): readonly string[] {
  const byMessage = new Map<string, Finding[]>();
  for (const finding of findings) {
    const message = messageOf(finding);
    byMessage.set(message, [...(byMessage.get(message) ?? []), finding]);
  }
  const lines = [...byMessage].map(
    ([message, [first, ...same]]) =>
      `• ${shortened(message)}${first === undefined ? '' : ` (${findingPlace(first)}${same.length === 0 ? '' : l10n.t`, and ${same.length} more`})`}`,
  );
  return shownOf(lines, most);
}

function shownOf(lines: readonly string[], most: number): readonly string[] {
  const rest = lines.length - most;
  if (rest <= 0) {
    return lines;
  }
  return [
    ...lines.slice(0, most),
    most === 0 ? l10n.t`The details have ${counted(rest, 'note')}.` : l10n.t`… and ${rest} more, which the details show.`,
  ];
}

function shortened(text: string, longest = LONGEST_LINE): string {
  return text.length > longest ? l10n.t`${text.slice(0, longest)}… (in full in the details)` : text;
}

function programText(programs: readonly string[]): string {
  const others = programs.filter((name) => !OF_SOLANA.includes(name));
  const rest = others.length - MOST_PROGRAMS;
  const named = [
    ...others.slice(0, MOST_PROGRAMS),
    ...(rest > 0 ? [l10n.t`${rest} more`] : []),
    ...(others.length < programs.length ? ["Solana's own"] : []),
  ];
  return named.length === 0 ? l10n.t('none that could be read') : named.join(', ');
}

function paragraphs(...parts: readonly (readonly string[])[]): string {
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}
