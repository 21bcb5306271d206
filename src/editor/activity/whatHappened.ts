import { oneLine } from '../../api/text';
import { percent } from '../../format/percent';
import { binRange } from '../../format/places';
import { exactTime } from '../../format/time';
import type { JournalPlan, OperationRecord } from '../../operations/journal/types';
import { explorerOfTransaction } from '../operations/outcome';
import { asSignature } from '../operations/signature';
import { SANDBOX_ID } from '../service/serviceChoice';
import { POOL_TYPE_NAMES } from '../views/positionDetails';
import { paragraphs } from '../views/tooltips';
import { amountsText, exactSolText, isUnfinished, operationName, reasonText, stateWords, stepWords } from './operationWords';

const OUTPUT_WORDS = { allToken0: 'the first token', allToken1: 'the second token', allBaseToken: 'SOL', both: 'both tokens' } as const;

/** What an operation is, and what it means for the money, as Markdown with codicons. */
export function operationTooltip(record: OperationRecord): string {
  const { created } = record;
  return paragraphs([
    `**${escapedSentence(operationName(record))}** · ${POOL_TYPE_NAMES[created.poolType]}`,
    [amountsText(record), exactTime(new Date(created.atMs))].filter((part) => part !== '').join(' · '),
    stateWords(record).meaning,
    quotedReason(record.reason),
  ]);
}

/** Everything that the journal says of an operation, as Markdown that is also readable as it is. */
export function whatHappened(record: OperationRecord): { readonly title: string; readonly markdown: string } {
  const { created, events } = record;
  const name = operationName(record);
  const { position } = record.built ?? { position: created.plan.kind === 'zapIn' ? undefined : created.plan.position };
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Begun', exactTime(new Date(created.atMs))],
    ['Last written', exactTime(new Date(record.updatedAtMs))],
    ['Service', created.service === SANDBOX_ID ? 'the sandbox, with pretend money' : code(created.service)],
    ['Wallet', code(created.owner)],
    ['Pool', `${code(created.pool)} (${POOL_TYPE_NAMES[created.poolType]})`],
    ['Position', position === undefined ? undefined : code(position)],
    ...planFacts(created.plan),
    ['Came back', record.lamportsBack === undefined ? undefined : exactSolText(record.lamportsBack)],
    ['Can land up to block', isUnfinished(record) ? record.built?.lastValidBlockHeight?.toString() : undefined],
  ];
  const steps = events.map((event, index) => {
    const { label, detail } = stepWords(event, event.kind === 'built' && events.slice(0, index).some(({ kind }) => kind === 'built'));
    return `- ${exactTime(new Date(event.atMs))}: ${label}${detail === '' ? '' : ` (${escapedSentence(detail)})`}`;
  });
  const markdown = [
    `# ${escapedSentence(name)}`,
    stateWords(record).meaning,
    ...(quotedReason(record.reason) === undefined ? [] : [quotedReason(record.reason)]),
    facts.flatMap(([label, text]) => (text === undefined ? [] : [`- ${label}: ${text}`])).join('\n'),
    '## Steps',
    steps.join('\n'),
    '## Signatures',
    signatureLines(record),
  ].join('\n\n');
  return { title: `${name}: what happened`, markdown: `${markdown}\n` };
}

function planFacts(plan: JournalPlan): readonly (readonly [string, string | undefined])[] {
  const slippage = ['Slippage', `at most ${percent(plan.slippageBps / 100)}`] as const;
  switch (plan.kind) {
    case 'zapOut':
      return [['Share', percent(plan.shareBps / 100)], ['To receive', OUTPUT_WORDS[plan.output]], slippage];
    case 'zapIn':
      return [
        ['Put in', exactSolText(plan.inputLamports)],
        ['Spread', plan.strategy],
        ['Bins', plan.fromBinId === undefined || plan.toBinId === undefined ? undefined : binRange(plan.fromBinId, plan.toBinId)],
        slippage,
      ];
    case 'rebalance':
      return [['Spread', plan.strategy], ['Half width', plan.halfWidthBins === undefined ? 'as before' : `${plan.halfWidthBins} bins`], slippage];
  }
}

function signatureLines({ created, signatures, landingSignature }: OperationRecord): string {
  const known = [...new Set([...signatures, ...(landingSignature === undefined ? [] : [landingSignature])])].filter((one) => asSignature(one) !== undefined);
  if (known.length === 0) {
    return 'None: nothing was signed.';
  }
  return known.map((signature) => `- ${code(signature)}${created.service === SANDBOX_ID ? '' : `: <${explorerOfTransaction(signature)}>`}`).join('\n');
}

function quotedReason(reason: string | undefined): string | undefined {
  const text = reasonText(reason);
  return text === undefined ? undefined : `> ${escapedSentence(text)}`;
}

/** A sentence in which nothing is markup; what reads the same without a backslash has none. */
function escapedSentence(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replace(/[\\`*_[\]#|>~$@]/g, '\\$&');
}

/** A text from elsewhere as code: nothing in it is markup. */
function code(text: string): string {
  return `\`${oneLine(text, 200).replaceAll('`', '’')}\``;
}
