import * as l10n from '@vscode/l10n';
import { firstTry } from './outcome';
import { timeOfDay } from '../../base/format/time';
import type { TokenNames } from '../../review/describe/tokenNames';
import type { ReapprovalReason } from '../../transactions/types';
import type { Finding, Review } from '../../review/types';
import { isClean } from './cleanReview';
import { firstThatFits } from './dialogSpace';
import { moneyLines } from './moneyLines';

// Texts of the dialogs before signing. VS Code cuts off what does not fit into a dialog, so each text holds what decides first, and
// drops what decides least until it fits. The details have everything.

/** Findings that a dialog lists at most. */
const MOST_FINDINGS = 5;
/** Characters after which a finding, or a line about the money, is cut. */
const LONGEST_LINE = 300;
/** Lines about what is worse than approved that a dialog lists at most, and the characters of one. */
const MOST_CHANGES = 4;
const LONGEST_CHANGE = 120;

/** Opens a repeated question after the first attempt was sent. */
export const firstTryDidNotLandText = (): string => l10n.t('The first attempt did not land and no longer can.');
const whyAgain = (): Readonly<Record<ReapprovalReason, string>> => ({
  tookTooLong: l10n.t('Built again at the current price.'),
  otherTerms: l10n.t('The new quote is worse than what you approved:'),
  changed: l10n.t('The transactions would now do something else.'),
  firstTryDidNotLand: firstTryDidNotLandText(),
});

/** Content of the question whether to sign. */
export interface ApprovalText {
  readonly review: Review;
  /** Names of the tokens in it. */
  readonly tokens: TokenNames;
  /** What is given up besides the costs. */
  readonly pays: string | undefined;
  /** What is received, without amounts. */
  readonly gets: string | undefined;
  /** What it is expected to cost in all; `undefined`: what the review sees. */
  readonly costs: string | undefined;
  /** The duration and the like; never dropped. */
  readonly keyFigures: readonly string[];
  /** What the user chose (range, slippage tolerance). */
  readonly expectations: readonly string[];
  /** What is to be expected of the position. */
  readonly outlook: readonly string[];
  /** In which respects it is worse than what was approved; first, and never dropped. */
  readonly changes: readonly string[];
  /** What differs from what was shown before; never dropped. */
  readonly warnings: readonly string[];
  /** What the approval also covers; never dropped. */
  readonly afterwards: readonly string[];
  /** Why the user is asked again; `undefined` the first time. */
  readonly reason: ReapprovalReason | undefined;
  /** When the quote expires, ms since 1970. */
  readonly validUntilMs: number;
  /** Whether it is renewed while the question is open: then it does not say until when it holds. */
  readonly isRenewed: boolean;
}

/** How much of each part a dialog shows. */
interface Extent {
  readonly findings: number;
  /** Characters of a finding. */
  readonly findingLength: number;
  readonly hasExpectations: boolean;
  /** Tokens that go into swaps and positions, as in every operation; what others get is never dropped. */
  readonly hasTokensMoved: boolean;
  readonly hasCostParts: boolean;
  /** Short forms of the proceeds and of the reason for asking again. */
  readonly isBrief: boolean;
  /** The proceeds in a few words. */
  readonly isTerse?: boolean;
  /** What is to be expected of the position. */
  readonly hasOutlook?: boolean;
  /** Fewer empty lines. */
  readonly isTight: boolean;
}

const ALL: Extent = {
  findings: MOST_FINDINGS,
  findingLength: LONGEST_LINE,
  hasExpectations: true,
  hasTokensMoved: true,
  hasCostParts: true,
  isBrief: false,
  isTight: false,
};
const EXPECTED: Extent = { ...ALL, hasTokensMoved: false };
const MONEY: Extent = { ...ALL, hasExpectations: false, hasCostParts: false, isBrief: true };
const LEAST: Extent = { ...MONEY, hasTokensMoved: false };
/** Where all is as expected: what is paid, received and spent, and who receives it. The details have the rest. */
const FOUR_LINES: Extent = { ...LEAST, isBrief: false, isTerse: true };

const CLEAN: readonly [Extent, ...Extent[]] = [{ ...FOUR_LINES, hasOutlook: true }, FOUR_LINES, LEAST, { ...LEAST, isTight: true }];

/** What is dropped, step by step, until the rest fits: notes before what the user chose, that before the money, and the money before open findings. */
const EXTENTS: Readonly<Record<'allow' | 'confirm', readonly [Extent, ...Extent[]]>> = {
  // The review has allowed the swaps and the deposit: the details list their tokens.
  allow: [
    { ...EXPECTED, hasOutlook: true },
    EXPECTED,
    ...[2, 1, 0].map((findings) => ({ ...EXPECTED, findings })),
    { ...EXPECTED, findings: 0, hasCostParts: false, isBrief: true },
    { ...LEAST, findings: 0 },
    { ...LEAST, findings: 0, isTight: true },
  ],
  confirm: [
    { ...ALL, hasOutlook: true },
    ALL,
    { ...ALL, hasExpectations: false },
    ...[MOST_FINDINGS, 4, 3, 2, 1].map((findings) => ({ ...MONEY, findings })),
    ...[3, 2, 1].map((findings) => ({ ...LEAST, findings, findingLength: 120 })),
    // The list in which findings are accepted shows them in full.
    { ...LEAST, findings: 1, findingLength: 120, isTight: true },
    { ...LEAST, findings: 1, findingLength: 40, isTight: true },
  ],
};

/** The question whether to sign. It begins with the money where all is as expected, and with the findings where the user has to decide. */
export function questionText(text: ApprovalText): string {
  const { verdict } = text.review;
  const [first, ...others] = isAsExpected(text) ? CLEAN : EXTENTS[verdict === 'allow' ? 'allow' : 'confirm'];
  const write = (extent: Extent) => () => questionWithin(text, extent);
  return firstThatFits([write(first), ...others.map(write)]);
}

/** Whether nothing needs attention: the review has no findings, the user is asked for the first time, and nothing changed or is unusual. */
function isAsExpected({ review, reason, changes, warnings }: ApprovalText): boolean {
  return isClean(review) && reason === undefined && changes.length === 0 && warnings.length === 0;
}

function questionWithin(
  { review, tokens, pays, gets, costs, changes, warnings, keyFigures, expectations, outlook, afterwards, reason, ...time }: ApprovalText,
  { findings, findingLength, hasExpectations, hasOutlook = false, isBrief, isTight, ...extent }: Extent,
): string {
  const money = [...moneyLines(review, tokens, { ...extent, isBrief }, { pays, gets, costs }), ...keyFigures].map((line) =>
    shortened(line),
  );
  const chosen = hasExpectations ? expectations : [];
  const expected = hasOutlook ? outlook : [];
  const listed = findingLines(review.findings, findings, findingLength);
  // Without room for notes, a single line says that there are some.
  const [found, leftOut] = findings === 0 ? [[], listed] : [listed, []];
  const worse = shownOf(
    changes.map((line) => `• ${shortened(line, LONGEST_CHANGE)}`),
    MOST_CHANGES,
  );
  const why = [...new Set([...(reason === undefined ? [] : [whyAgain()[reason]]), ...worse, ...warnings])];
  const last = [...leftOut, ...checkedLines(review, time, extent.isTerse === true)];
  const [before, after] = isTight
    ? [[[...why, ...found]], [[...afterwards, ...last]]]
    : [
        [why, found],
        [afterwards, last],
      ];
  return review.verdict === 'allow'
    ? paragraphs(why, money, chosen, expected, found, ...after)
    : paragraphs(...before, money, chosen, expected, ...after);
}

/**
 * How the transactions were checked, and how long the approval can be given.
 * @param isTerse only what the user has to know: what was not checked, and an end that no renewal moves
 */
function checkedLines(
  { checked: { resolvedTables, usedTables, simulation }, transactions }: Review,
  { validUntilMs, isRenewed }: Pick<ApprovalText, 'validUntilMs' | 'isRenewed'>,
  isTerse: boolean,
): readonly string[] {
  const isSimulated = simulation !== undefined && simulation.transactions >= transactions.length;
  const checked =
    simulation === undefined
      ? l10n.t('Checked offline')
      : isSimulated
        ? l10n.t('Checked offline and simulated')
        : l10n.t`Checked offline; simulated: ${simulation.transactions} of ${transactions.length}`;
  return [
    ...(isRenewed
      ? isTerse && isSimulated
        ? []
        : [checked]
      : [`${checked}; ${l10n.t`valid until ${timeOfDay(new Date(validUntilMs))}`}`]),
    ...(usedTables > resolvedTables ? [l10n.t`Lookup tables that could not be read: ${usedTables - resolvedTables} of ${usedTables}`] : []),
  ];
}

/** Why the transactions are not signed, what that means for the money, and what to do. */
export function refusalText(review: Review, reason: ReapprovalReason | undefined): string {
  const blocked = review.findings.filter(({ verdict }) => verdict === 'block');
  const write = (findings: number) => () =>
    paragraphs(
      [
        l10n.t('The transactions from the service do something you did not ask for, or that Binsight cannot read.'),
        reason === 'firstTryDidNotLand' ? firstTry() : l10n.t('Nothing was signed or sent. Your money has not moved.'),
      ],
      refusedLines(blocked, findings),
      [
        l10n.t('Do not sign these transactions elsewhere either.'),
        l10n.t('Save the report for the operator of the service, or for Binsight. It holds no key.'),
      ],
    );
  return firstThatFits([write(MOST_FINDINGS), write(4), write(3), write(2), write(1)]);
}

/** Rule and place of a finding: "Rule SIG-4, transaction 2, instruction 1". */
export function findingPlace({ rule, transaction, instruction }: Finding): string {
  return [
    l10n.t`Rule ${rule}`,
    ...(transaction === undefined ? [] : [l10n.t`transaction ${transaction + 1}`]),
    ...(instruction === undefined ? [] : [l10n.t`instruction ${instruction + 1}`]),
  ].join(', ');
}

/** Whether the user has to accept a finding individually. */
export function needsDecision({ verdict }: Finding): boolean {
  return verdict === 'confirm';
}

/** The message of a finding with its address in full: a shortened one could stand for another. */
export function messageOf({ message, address }: Finding): string {
  return address === undefined || message.includes(address) ? message : `${message} ${address}`;
}

/** The findings, worst first; those to decide are numbered as in the list in which they are accepted. LIM-3 repeats the amounts above. */
function findingLines(findings: readonly Finding[], most: number, longest: number): readonly string[] {
  const shown = findings.filter(({ rule }) => rule !== 'LIM-3');
  const lines = shown.map((finding, place) =>
    needsDecision(finding)
      ? `${place + 1}. ${shortened(messageOf(finding), longest)} (${findingPlace(finding)})`
      : l10n.t`Note: ${shortened(messageOf(finding), longest)}`,
  );
  return shownOf(lines, most);
}

/** The blocking findings, one line per message with its first place. */
function refusedLines(findings: readonly Finding[], most: number): readonly string[] {
  const byMessage = new Map<string, Finding[]>();
  for (const finding of findings) {
    const message = messageOf(finding);
    byMessage.set(message, [...(byMessage.get(message) ?? []), finding]);
  }
  const lines = [...byMessage].map(
    ([message, [first, ...same]]) =>
      `• ${shortened(message)}${first === undefined ? '' : ` (${findingPlace(first)}${same.length === 0 ? '' : ` ${l10n.t`… and ${same.length} more`}`})`}`,
  );
  return shownOf(lines, most);
}

function shownOf(lines: readonly string[], most: number): readonly string[] {
  const rest = lines.length - most;
  if (rest <= 0) {
    return lines;
  }
  const more = most > 0 ? l10n.t`… and ${rest} more` : l10n.t`Notes under Show Details: ${rest}`;
  return [...lines.slice(0, most), more];
}

function shortened(text: string, longest = LONGEST_LINE): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

function paragraphs(...parts: readonly (readonly string[])[]): string {
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}
