import type { Reason } from '../../base/reasons/reason';
import * as l10n from '@vscode/l10n';
import { exactAmount } from '../../base/format/amounts';
import { binRange } from '../../base/format/identifiers';
import { counted } from '../../base/format/counted';
import { percent } from '../../base/format/percent';
import { exactTime } from '../../base/format/time';
import { tickerText } from '../../base/solana/tickers';
import { oneLine } from '../../base/text';
import type { JournalPlan } from '../../transactions/journal/plans';
import type { OperationRecord } from '../../transactions/journal/types';
import { POOL_TYPE_NAMES } from '../positions/positionRows';
import type { OpenTask } from '../shell/openTasks';
import { hasExplorer, recordedServiceName, SANDBOX_ID } from '../shell/serviceChoice';
import { documentSentence, escapedSentence, paragraphs, plainText } from '../shell/views/text';
import { movedLines, pairText, tokensInText } from '../zap/movedTokens';
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
  eventMessages,
} from '../zap/operationMessages';
import { asSignature, explorerOfTransaction } from '../shell/explorer';

/** Escapes a text for a hover, or for a document. */
type Escape = (text: string) => string;

const outputNames = () =>
  ({
    allToken0: l10n.t('first token of the pair'),
    allToken1: l10n.t('second token of the pair'),
    allBaseToken: 'SOL',
    both: l10n.t('both tokens'),
  }) as const;

/** Summary of an operation and its meaning for the money, as Markdown with codicons. */
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

/** Of a rebalance: "New position: −782 to −714 (69 bins) · `8kiN…`" */
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

/** Related information from the journal. */
export interface DocumentContext {
  readonly left?: OpenTask | undefined;
  /** Of a rebalance, in the order of their start. */
  readonly parts?: readonly OperationRecord[];
}

/** The whole journal record of an operation, as Markdown that is also readable unrendered. */
export function operationDocument(
  record: OperationRecord,
  { left, parts = [] }: DocumentContext = {},
): { readonly title: string; readonly markdown: string } {
  const { created } = record;
  const name = operationName(record);
  const { position } = record.built ?? { position: created.plan.kind === 'zapIn' ? undefined : created.plan.position };
  const facts: readonly (readonly [string, string | undefined])[] = [
    [l10n.t('Started'), exactTime(new Date(created.atMs))],
    [l10n.t('Last updated'), exactTime(new Date(record.updatedAtMs))],
    [l10n.t('Service'), created.service === SANDBOX_ID ? l10n.t('sandbox (no real money)') : code(recordedServiceName(created.service))],
    [l10n.t('Wallet'), code(created.owner)],
    [l10n.t('Pool'), `${code(created.pool)} (${POOL_TYPE_NAMES[created.poolType]})`],
    [l10n.t('Position'), position === undefined ? undefined : code(position)],
    ...planFacts(created),
    ...(record.changes === undefined ? [[l10n.t('Returned'), backText(record, left)] as const] : []),
    ...reentryFacts(againOf(record, parts)),
    [l10n.t('Expires at block height'), isUnfinished(record) ? record.built?.lastValidBlockHeight?.toString() : undefined],
  ];
  const reason = quotedReason(reasonOf(record, left), documentSentence);
  const markdown = [
    `# ${documentSentence(name)}`,
    stateMessages(record, left, parts).meaning,
    ...(reason === undefined ? [] : [reason]),
    facts.flatMap(([label, text]) => (text === undefined ? [] : [`- ${label}: ${text}`])).join('\n'),
    ...movedSection([record, ...parts]),
    l10n.t('## Steps'),
    stepLines(record),
    ...parts.flatMap((part) => [`### ${documentSentence(operationName(part))}`, stepLines(part)]),
    l10n.t('## Signatures'),
    signatureLines([record, ...parts]),
  ].join('\n\n');
  return { title: l10n.t`${name}: details`, markdown: `${markdown}\n` };
}

/** Each token that moved, with its value and guaranteed minimum; of a rebalance those of both parts. */
function movedFacts(records: readonly OperationRecord[], escape: Escape): readonly (readonly [string, string])[] {
  const known = records.flatMap(({ created }) => created.tokens ?? []);
  return records.flatMap((record) => {
    const {
      created: { operation },
    } = record;
    const label = operation === 'zapIn' ? l10n.t('Zap-in') : l10n.t('Zap-out');
    if (areTokensUnknown(record)) {
      return [[label, l10n.t('tokens other than SOL are unknown without an RPC')] as const];
    }
    return (movedLines(record, known) ?? []).map((line) => [label, escapedAmounts(line, escape)] as const);
  });
}

function movedSection(records: readonly OperationRecord[]): readonly string[] {
  const facts = movedFacts(records, documentSentence);
  return facts.length === 0
    ? []
    : [
        l10n.t('## Wallet changes'),
        l10n.t('Read from the transactions. Values use the prices at the start of the operation.'),
        facts.map(([label, text]) => `- ${label}: ${text}`).join('\n'),
      ];
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

/** The tokens that a zap-out was asked to return, by ticker where the journal has them for certain. */
function outputText(output: keyof ReturnType<typeof outputNames>, { pairName, tokens = [] }: OperationRecord['created']): string {
  const [first, second] = tokens.map(({ symbol, mint }) =>
    symbol === undefined ? undefined : { symbol, ticker: tickerText(plainText(symbol), mint) },
  );
  // The list lacks a token whose mint was not reported: the next one must not be taken for it.
  if (first === undefined || second === undefined || pairName !== `${first.symbol}/${second.symbol}`) {
    return outputNames()[output];
  }
  const names = { ...outputNames(), allToken0: first.ticker, allToken1: second.ticker, both: pairText([first.ticker, second.ticker]) };
  return documentSentence(names[output]);
}

function planFacts(created: OperationRecord['created']): readonly (readonly [string, string | undefined])[] {
  const { plan } = created;
  const slippage = [l10n.t('Max slippage'), percent(plan.slippageBps / 100)] as const;
  switch (plan.kind) {
    case 'zapOut':
      return [[l10n.t('Share'), percent(plan.shareBps / 100)], [l10n.t('Received as'), outputText(plan.output, created)], slippage];
    case 'zapIn':
      return [
        [l10n.t('Deposited'), depositText(plan)],
        [l10n.t('Strategy'), plan.strategy],
        [l10n.t('Bins'), plan.fromBinId === undefined || plan.toBinId === undefined ? undefined : binRange(plan.fromBinId, plan.toBinId)],
        slippage,
      ];
    case 'rebalance':
      return [
        [l10n.t('Bins before'), binRange(plan.fromBinId, plan.toBinId)],
        [l10n.t('Strategy'), plan.strategy],
        [
          l10n.t('New range'),
          plan.halfWidthBins === undefined
            ? l10n.t('same number of bins')
            : l10n.t`±${counted(plan.halfWidthBins, 'bin')} around the active bin`,
        ],
        [l10n.t('SOL reserve in the wallet'), exactSolText(plan.reserveLamports)],
        slippage,
      ];
  }
}

/** The deposit with all digits. */
function depositText({ tokens, inputLamports }: Extract<JournalPlan, { kind: 'zapIn' }>): string {
  if (tokens === undefined) {
    return exactSolText(inputLamports);
  }
  const amounts = tokensInText(tokens, exactAmount);
  return amounts === undefined
    ? l10n.t('tokens of the pool from the wallet')
    : l10n.t`${escapedAmounts(amounts, documentSentence)} from the wallet`;
}

/** Escapes amounts with untrusted tickers for Markdown: no markup, no links, and numbers unchanged. */
function escapedAmounts(text: string, escape: Escape): string {
  return escape(text).replace(/(?<!\d)[.:]|[.:](?!\d)/g, '\\$&');
}

function reentryFacts(again: Reentered | undefined): readonly (readonly [string, string | undefined])[] {
  return again === undefined
    ? []
    : [
        [l10n.t('Re-entered with'), exactSolText(again.inputLamports)],
        [l10n.t('Bins after'), again.range === undefined ? undefined : binRange(again.range.fromBinId, again.range.toBinId)],
        [l10n.t('New position'), again.position === undefined ? undefined : code(again.position)],
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
    return l10n.t('None: nothing was signed.');
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
