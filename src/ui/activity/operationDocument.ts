import type { Reason } from '../../base/reasons/reason';
import * as l10n from '@vscode/l10n';
import { binRange } from '../../base/format/identifiers';
import type { AmountsByMint } from '../../base/insight/ledger';
import { exactTime } from '../../base/format/time';
import { oneLine } from '../../base/text';
import type { LinesNotKnown, OperationLines } from '../../transactions/earnings/operationLines';
import type { OperationRecord } from '../../transactions/journal/types';
import { POOL_TYPE_NAMES } from '../positions/positionRows';
import type { OpenTask } from '../shell/openTasks';
import { hasExplorer, recordedServiceName, SANDBOX_ID, sandboxText } from '../shell/serviceChoice';
import { documentSentence, escapedSentence, paragraphs } from '../shell/views/text';
import { amountsInLine, movedLines } from '../zap/movedTokens';
import { isUnfinished, reasonText, stateMessages, eventMessages } from '../zap/operationMessages';
import {
  amountsText,
  areTokensUnknown,
  escapedAmounts,
  exactSolText,
  type Fact,
  operationLabel,
  operationName,
  planFacts,
  positionIds,
  type Reentered,
  reenteredIn,
  tokensUnknownText,
} from '../zap/operationWords';
import { NO_NAMES, type NamesOfRecords } from './activity';
import { asSignature, explorerOfTransaction } from '../shell/explorer';
import { joined } from '../shell/views/rows';

/** Escapes a text for a hover, or for a document. */
type Escape = (text: string) => string;

/** Summary of an operation and its meaning for the money, as Markdown with codicons. */
export function operationTooltip(
  record: OperationRecord,
  left?: OpenTask,
  parts: readonly OperationRecord[] = [],
  position?: string,
): string {
  const { created } = record;
  return paragraphs([
    joined([`**${escapedSentence(operationName(record, position))}**`, created.poolType && POOL_TYPE_NAMES[created.poolType]]),
    [escapedAmounts(amountsText(record, parts), escapedSentence), exactTime(new Date(created.atMs))]
      .filter((part) => part !== '')
      .join(' · '),
    placeLine(record, parts),
    movedFacts([record, ...parts], escapedSentence)
      .map(([label, text]) => `${label}: ${text}`)
      .join('  \n'),
    stateMessages(record, left, parts).meaning,
    quotedReason(reasonOf(record, left), escapedSentence),
  ]);
}

/** Of a rebalance, its new position: "−782 to −714 (69 bins) · `8kiN…`" */
function newPlace(record: OperationRecord, parts: readonly OperationRecord[]): string | undefined {
  const again = againOf(record, parts);
  const place = [
    ...(again?.range === undefined ? [] : [binRange(again.range.fromBinId, again.range.toBinId)]),
    ...(again?.position === undefined ? [] : [code(again.position)]),
  ];
  return place.length === 0 ? undefined : place.join(' · ');
}

function placeLine(record: OperationRecord, parts: readonly OperationRecord[]): string | undefined {
  const place = newPlace(record, parts);
  return place === undefined ? undefined : `${newPositionLabel()}: ${place}`;
}

const newPositionLabel = (): string => l10n.t('New position');

function againOf({ created }: OperationRecord, parts: readonly OperationRecord[]): Reentered | undefined {
  return created.operation === 'rebalance' ? reenteredIn(parts) : undefined;
}

/** Related information from the journal. */
export interface DocumentContext {
  readonly left?: OpenTask | undefined;
  /** Of a rebalance, in the order of their start. */
  readonly parts?: readonly OperationRecord[];
  /** Of the operation and its parts, or why they are not known; `undefined`: nothing has landed, or another service was asked. */
  readonly lines?: OperationLines | LinesNotKnown | undefined;
  readonly names?: NamesOfRecords;
}

/** The whole journal record of an operation, as Markdown that is also readable unrendered. */
export function operationDocument(
  record: OperationRecord,
  { left, parts = [], lines, names = NO_NAMES }: DocumentContext = {},
): { readonly title: string; readonly markdown: string } {
  const { created } = record;
  const name = operationName(record, names.get(record.id));
  const { position } = record.built ?? { position: positionIds(created.plan)[0] };
  const facts: readonly (readonly [string, string | undefined])[] = [
    [l10n.t('Started'), exactTime(new Date(created.atMs))],
    [l10n.t('Last updated'), exactTime(new Date(record.updatedAtMs))],
    [l10n.t('Service'), created.service === SANDBOX_ID ? sandboxText() : code(recordedServiceName(created.service))],
    [l10n.t('Wallet'), code(created.owner)],
    [l10n.t('Pool'), created.pool && joined([code(created.pool), created.poolType && POOL_TYPE_NAMES[created.poolType]])],
    [l10n.t('Position'), position === undefined ? undefined : code(position)],
    ...planFacts(created),
    ...(record.changes === undefined ? [[l10n.t('Returned'), backText(record, left)] as const] : []),
    ...reentryFacts(record, parts),
    [l10n.t('Expires at block height'), isUnfinished(record) ? record.built?.lastValidBlockHeight?.toString() : undefined],
  ];
  const reason = quotedReason(reasonOf(record, left), documentSentence);
  const markdown = [
    `# ${documentSentence(name)}`,
    stateMessages(record, left, parts).meaning,
    ...(reason === undefined ? [] : [reason]),
    factLines(facts),
    ...movedSection([record, ...parts]),
    ...linesSection(lines, [record, ...parts]),
    `## ${l10n.t('History')}`,
    stepLines(record),
    ...parts.flatMap((part) => [`### ${documentSentence(operationName(part, names.get(part.id)))}`, stepLines(part)]),
    `## ${l10n.t('Transactions')}`,
    signatureLines([record, ...parts]),
  ].join('\n\n');
  return { title: name, markdown: `${markdown}\n` };
}

/** Each token that moved, with its value and guaranteed minimum; of a rebalance those of both parts. */
function movedFacts(records: readonly OperationRecord[], escape: Escape): readonly (readonly [string, string])[] {
  const known = records.flatMap(({ created }) => created.tokens ?? []);
  return records.flatMap((record) => {
    const label = operationLabel(record);
    if (areTokensUnknown(record)) {
      return [[label, tokensUnknownText()] as const];
    }
    return (movedLines(record, known) ?? []).map((line) => [label, escapedAmounts(line, escape)] as const);
  });
}

function movedSection(records: readonly OperationRecord[]): readonly string[] {
  const facts = movedFacts(records, documentSentence);
  return facts.length === 0
    ? []
    : [
        `## ${l10n.t('In your wallet')}`,
        l10n.t('At the prices when it started.'),
        facts.map(([label, text]) => `- ${label}: ${text}`).join('\n'),
      ];
}

/** What the changes of the wallet consist of. */
function linesSection(lines: OperationLines | LinesNotKnown | undefined, records: readonly OperationRecord[]): readonly string[] {
  if (lines === undefined) {
    return [];
  }
  const title = `## ${l10n.t('Summary')}`;
  if (typeof lines === 'string') {
    return [title, notKnownText(lines)];
  }
  const known = records.flatMap(({ created }) => created.tokens ?? []);
  const { movements, networkFees, tips, rentLocked, rentRefunded, rentNotRefunded } = lines;
  const amounts = (of: AmountsByMint, isChange = false): string | undefined => {
    const text = amountsInLine(of, known, isChange);
    return text === undefined ? undefined : escapedAmounts(text, documentSentence);
  };
  const sol = (lamports: bigint): string | undefined => (lamports === 0n ? undefined : exactSolText(lamports));
  const facts: readonly Fact[] = [
    ...(movements === undefined
      ? []
      : ([
          [l10n.t('Deposited'), amounts(movements.deposited)],
          [l10n.t('Withdrawn'), amounts(movements.withdrawn)],
          [l10n.t('Claimed fees'), amounts(movements.fees)],
          [l10n.t('Swapped'), amounts(movements.swapped, true)],
        ] as const)),
    [l10n.t('Network fee'), sol(networkFees)],
    [l10n.t('Tip'), sol(tips)],
    [l10n.t('Refundable rent'), sol(rentLocked)],
    [l10n.t('Rent returned'), sol(rentRefunded)],
    [l10n.t('Non-refundable rent'), sol(rentNotRefunded)],
  ];
  return [
    title,
    movements === undefined
      ? l10n.t('Swaps and flows of the pool look alike.')
      : l10n.t('What is neither pool, fee, tip nor rent was swapped.'),
    factLines(facts),
  ];
}

function notKnownText(why: LinesNotKnown): string {
  switch (why) {
    case 'noRpc':
      return l10n.t('Only the chain knows the transactions. Connect to a Solana RPC.');
    case 'notRead':
      return l10n.t('Unknown: a transaction could not be read.');
    case 'notUnderstood':
    case 'tooMany':
      return l10n.t('Unknown: a transaction did more than these lines can say.');
  }
}

function factLines(facts: readonly Fact[]): string {
  return facts.flatMap(([label, text]) => (text === undefined ? [] : [`- ${label}: ${text}`])).join('\n');
}

function backText({ lamportsBack }: OperationRecord, left: OpenTask | undefined): string | undefined {
  const back = left?.kind === 'reenter' ? left.lamportsBack : lamportsBack;
  return back === undefined ? undefined : exactSolText(back);
}

function reasonOf({ reason }: OperationRecord, left: OpenTask | undefined): Reason | undefined {
  return left?.kind === 'reenter' ? left.reason : reason;
}

function stepLines({ events }: OperationRecord): string {
  const steps = events.map((event, index) => {
    const { label, detail } = eventMessages(event, event.kind === 'built' && events.slice(0, index).some(({ kind }) => kind === 'built'));
    return `- ${exactTime(new Date(event.atMs))}: ${label}${detail === '' ? '' : ` (${documentSentence(detail)})`}`;
  });
  return steps.join('\n');
}

function reentryFacts(record: OperationRecord, parts: readonly OperationRecord[]): readonly Fact[] {
  const again = againOf(record, parts);
  return again === undefined
    ? []
    : [
        [l10n.t('Re-entered with'), exactSolText(again.inputLamports)],
        [newPositionLabel(), newPlace(record, parts)],
      ];
}

function signatureLines(records: readonly OperationRecord[]): string {
  const isListed = records.every(({ created }) => hasExplorer(created.service));
  const all = records.flatMap(({ signatures, landingSignature }) => [
    ...signatures,
    ...(landingSignature === undefined ? [] : [landingSignature]),
  ]);
  const known = [...new Set(all)].filter((one) => asSignature(one) !== undefined);
  if (known.length === 0) {
    return l10n.t('Nothing was signed.');
  }
  return known.map((signature) => `- ${code(signature)}${isListed ? `: <${explorerOfTransaction(signature)}>` : ''}`).join('\n');
}

function quotedReason(reason: Reason | undefined, escape: Escape): string | undefined {
  const text = reasonText(reason);
  return text === undefined ? undefined : `> ${escape(text)}`;
}

/** Writes an untrusted text as inline code, so nothing in it is markup. */
function code(text: string): string {
  return `\`${oneLine(text, 200).replaceAll('`', '’')}\``;
}
