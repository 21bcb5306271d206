import * as l10n from '@vscode/l10n';
import { exactAmount } from '../../base/format/amounts';
import { counted } from '../../base/format/numbers';
import { percent } from '../../base/format/percent';
import { binRange } from '../../base/format/places';
import { exactTime } from '../../base/format/time';
import { oneLine } from '../../base/text';
import type { JournalPlan, OperationRecord } from '../../transactions/journal/types';
import { POOL_TYPE_NAMES } from '../positions/positionDetails';
import type { OpenTask } from '../shell/openTasks';
import { SANDBOX_ID } from '../shell/serviceChoice';
import { documentSentence, escapedSentence, paragraphs } from '../shell/views/text';
import { movedLines, tokensInText } from '../zap/movedTokens';
import {
  amountsText,
  areTokensUnknown,
  exactSolText,
  isUnfinished,
  operationName,
  reasonText,
  type Reentered,
  reenteredIn,
  stateMessages,
  stepMessages,
} from '../zap/operationMessages';
import { explorerOfTransaction } from '../zap/outcome';
import { asSignature } from '../zap/signature';

/** Makes a text fit for a hover, or for a document, which is read as it is. */
type Escape = (text: string) => string;

const outputWords = () =>
  ({
    allToken0: l10n.t('the first token'),
    allToken1: l10n.t('the second token'),
    allBaseToken: 'SOL',
    both: l10n.t('both tokens'),
  }) as const;

/** What an operation is, and what it means for the money, as Markdown with codicons. */
export function operationTooltip(record: OperationRecord, left?: OpenTask, parts: readonly OperationRecord[] = []): string {
  const { created } = record;
  return paragraphs([
    `**${escapedSentence(operationName(record))}** · ${POOL_TYPE_NAMES[created.poolType]}`,
    [escapedAmounts(amountsText(record, parts), escapedSentence), exactTime(new Date(created.atMs))]
      .filter((part) => part !== '')
      .join(' · '),
    newPlace(record, parts),
    movedFacts([record, ...parts], escapedSentence)
      .map(([label, text]) => `${label}: ${text}`)
      .join('  \n'),
    stateMessages(record, left, parts).meaning,
    quotedReason(reasonOf(record, left), escapedSentence),
  ]);
}

/** Of a rebalance: "New position: −782 … −714 (69 bins) · `8kiN…`" */
function newPlace(record: OperationRecord, parts: readonly OperationRecord[]): string | undefined {
  const again = againOf(record, parts);
  const place = [
    ...(again?.range === undefined ? [] : [binRange(again.range.fromBinId, again.range.toBinId)]),
    ...(again?.position === undefined ? [] : [code(again.position)]),
  ];
  return place.length === 0 ? undefined : l10n.t`New position: ${place.join(' · ')}`;
}

function againOf({ created }: OperationRecord, parts: readonly OperationRecord[]): Reentered | undefined {
  return created.operation === 'rebalance' ? reenteredIn(parts) : undefined;
}

/** What the journal knows besides an operation itself. */
export interface DocumentContext {
  readonly left?: OpenTask | undefined;
  /** Of a rebalance, in the order in which they were begun. */
  readonly parts?: readonly OperationRecord[];
}

/** Everything that the journal says of an operation, as Markdown that is also readable as it is. */
export function operationDocument(
  record: OperationRecord,
  { left, parts = [] }: DocumentContext = {},
): { readonly title: string; readonly markdown: string } {
  const { created } = record;
  const name = operationName(record);
  const { position } = record.built ?? { position: created.plan.kind === 'zapIn' ? undefined : created.plan.position };
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Begun', exactTime(new Date(created.atMs))],
    [l10n.t('Last written'), exactTime(new Date(record.updatedAtMs))],
    ['Service', created.service === SANDBOX_ID ? l10n.t('the sandbox, with pretend money') : code(created.service)],
    ['Wallet', code(created.owner)],
    ['Pool', `${code(created.pool)} (${POOL_TYPE_NAMES[created.poolType]})`],
    ['Position', position === undefined ? undefined : code(position)],
    ...planFacts(created.plan),
    ...(record.changes === undefined ? [[l10n.t('Came back'), backText(record, left)] as const] : []),
    ...wentBackInFacts(againOf(record, parts)),
    [l10n.t('Can land up to block'), isUnfinished(record) ? record.built?.lastValidBlockHeight?.toString() : undefined],
  ];
  const reason = quotedReason(reasonOf(record, left), documentSentence);
  const markdown = [
    `# ${documentSentence(name)}`,
    stateMessages(record, left, parts).meaning,
    ...(reason === undefined ? [] : [reason]),
    facts.flatMap(([label, text]) => (text === undefined ? [] : [`- ${label}: ${text}`])).join('\n'),
    ...movedSection([record, ...parts]),
    '## Steps',
    stepLines(record),
    ...parts.flatMap((part) => [`### ${documentSentence(operationName(part))}`, stepLines(part)]),
    '## Signatures',
    signatureLines([record, ...parts]),
  ].join('\n\n');
  return { title: l10n.t`${name}: what happened`, markdown: `${markdown}\n` };
}

/** Each token that came or left, with its value and what was promised of it; of a rebalance those of both parts. */
function movedFacts(records: readonly OperationRecord[], escape: Escape): readonly (readonly [string, string])[] {
  const known = records.flatMap(({ created }) => created.tokens ?? []);
  return records.flatMap((record) => {
    const {
      created: { operation },
    } = record;
    const label = operation === 'zapIn' ? 'Zap-in' : 'Zap-out';
    if (areTokensUnknown(record)) {
      return [[label, l10n.t('other tokens than SOL are not known without an RPC')] as const];
    }
    return (movedLines(record, known) ?? []).map((line) => [label, escapedAmounts(line, escape)] as const);
  });
}

function movedSection(records: readonly OperationRecord[]): readonly string[] {
  const facts = movedFacts(records, documentSentence);
  return facts.length === 0
    ? []
    : [
        l10n.t('## Into and out of the wallet'),
        l10n.t('Read from the transactions. Values are at the prices when the operation was begun.'),
        facts.map(([label, text]) => `- ${label}: ${text}`).join('\n'),
      ];
}

function backText({ lamportsBack }: OperationRecord, left: OpenTask | undefined): string | undefined {
  const back = left?.kind === 'reenter' ? left.lamportsBack : lamportsBack;
  return back === undefined ? undefined : exactSolText(back);
}

function reasonOf({ reason }: OperationRecord, left: OpenTask | undefined): string | undefined {
  return left?.kind === 'reenter' ? left.reason : reason;
}

function stepLines({ events }: OperationRecord): string {
  const steps = events.map((event, index) => {
    const { label, detail } = stepMessages(event, event.kind === 'built' && events.slice(0, index).some(({ kind }) => kind === 'built'));
    return `- ${exactTime(new Date(event.atMs))}: ${label}${detail === '' ? '' : ` (${documentSentence(detail)})`}`;
  });
  return steps.join('\n');
}

function planFacts(plan: JournalPlan): readonly (readonly [string, string | undefined])[] {
  const slippage = ['Slippage', l10n.t`at most ${percent(plan.slippageBps / 100)}`] as const;
  switch (plan.kind) {
    case 'zapOut':
      return [['Share', percent(plan.shareBps / 100)], [l10n.t('To receive'), outputWords()[plan.output]], slippage];
    case 'zapIn':
      return [
        [l10n.t('Put in'), putIn(plan)],
        ['Spread', plan.strategy],
        ['Bins', plan.fromBinId === undefined || plan.toBinId === undefined ? undefined : binRange(plan.fromBinId, plan.toBinId)],
        slippage,
      ];
    case 'rebalance':
      return [
        [l10n.t('Bins before'), binRange(plan.fromBinId, plan.toBinId)],
        ['Spread', plan.strategy],
        [
          l10n.t('New range'),
          plan.halfWidthBins === undefined
            ? l10n.t('as many bins as before')
            : l10n.t`${counted(plan.halfWidthBins, 'bin')} to either side of the active one`,
        ],
        [l10n.t('Stays in the wallet'), exactSolText(plan.reserveLamports)],
        slippage,
      ];
  }
}

/** All digits of what went in. */
function putIn({ tokens, inputLamports }: Extract<JournalPlan, { kind: 'zapIn' }>): string {
  if (tokens === undefined) {
    return exactSolText(inputLamports);
  }
  const amounts = tokensInText(tokens, exactAmount);
  return amounts === undefined
    ? l10n.t('the tokens of the pool, as they were in the wallet')
    : l10n.t`${escapedAmounts(amounts, documentSentence)}, as they were in the wallet`;
}

/** Amounts with tickers, which are untrusted, fit for Markdown: nothing in them is markup or a link, and numbers stay as they are. */
function escapedAmounts(text: string, escape: Escape): string {
  return escape(text).replace(/(?<!\d)[.:]|[.:](?!\d)/g, '\\$&');
}

function wentBackInFacts(again: Reentered | undefined): readonly (readonly [string, string | undefined])[] {
  return again === undefined
    ? []
    : [
        [l10n.t('Went back in'), exactSolText(again.inputLamports)],
        [l10n.t('Bins now'), again.range === undefined ? undefined : binRange(again.range.fromBinId, again.range.toBinId)],
        [l10n.t('New position'), again.position === undefined ? undefined : code(again.position)],
      ];
}

function signatureLines(records: readonly OperationRecord[]): string {
  const isSandbox = records.some(({ created }) => created.service === SANDBOX_ID);
  const all = records.flatMap(({ signatures, landingSignature }) => [
    ...signatures,
    ...(landingSignature === undefined ? [] : [landingSignature]),
  ]);
  const known = [...new Set(all)].filter((one) => asSignature(one) !== undefined);
  if (known.length === 0) {
    return l10n.t('None: nothing was signed.');
  }
  return known.map((signature) => `- ${code(signature)}${isSandbox ? '' : `: <${explorerOfTransaction(signature)}>`}`).join('\n');
}

function quotedReason(reason: string | undefined, escape: Escape): string | undefined {
  const text = reasonText(reason);
  return text === undefined ? undefined : `> ${escape(text)}`;
}

/** A text from elsewhere as code: nothing in it is markup. */
function code(text: string): string {
  return `\`${oneLine(text, 200).replaceAll('`', '’')}\``;
}
