import * as l10n from '@vscode/l10n';
import type { AutoRebalanceDecision, AutoRebalanceRules, ConfirmedWorth, PlannedPosition } from '../../autoRebalance/types';
import { usdToTheCent } from '../../base/format/money';
import { signedPercent } from '../../base/format/percent';
import { shortAddress } from '../../base/format/identifiers';
import { exactTime } from '../../base/format/time';
import type { Address } from '../../base/solana/address';
import type { ServiceChoice } from '../shell/serviceChoice';
import { documentSentence, escapedMarkdown, paragraphs } from '../shell/views/text';
import { modeSentence, rulesSentences, serviceText, showDryRun } from './rulesMessages';

export interface DryRunFacts {
  readonly planned: readonly PlannedPosition[];
  readonly rules: AutoRebalanceRules;
  /** Of the positions when the rules were confirmed, or now. */
  readonly worths: readonly ConfirmedWorth[];
  readonly owner: Address | undefined;
  readonly service: ServiceChoice;
  /** The state of auto-rebalance, in sentences. */
  readonly standing: string;
  /** When the positions were read. */
  readonly at: Date;
}

/** Positions that something happens to come first. */
const ORDER: readonly AutoRebalanceDecision['kind'][] = ['act', 'user', 'wait', 'fine', 'leftAlone'];

/** Writes the dry run: one table with the decision about each position and its reason, then the rules. */
export function dryRunDocument({ planned, rules, worths, owner, service, standing, at }: DryRunFacts): string {
  const inOrder = [...planned].sort((one, other) => ORDER.indexOf(one.decision.kind) - ORDER.indexOf(other.decision.kind));
  return `${paragraphs([
    `# ${showDryRun()}`,
    `${documentSentence(standing)} ${l10n.t('Nothing was signed.')}`,
    [l10n.t`Wallet: ${shortAddress(owner)}`, documentSentence(serviceText(service)), exactTime(at)].join(' · '),
    `## ${l10n.t('Positions')}`,
    inOrder.length === 0 ? l10n.t('This wallet has no open positions.') : positionsTable(inOrder),
    `## ${l10n.t('Rules')}`,
    [modeSentence(rules), ...rulesSentences(rules, worths)].map((line) => `- ${documentSentence(line)}`).join('\n'),
  ])}\n`;
}

/** The Markdown table of the positions. Its columns are padded, since documents may also be read as plain text; the last two are not. */
function positionsTable(planned: readonly PlannedPosition[]): string {
  const head = [l10n.t('Position'), l10n.t('Action'), l10n.t('Value'), l10n.t('PnL'), l10n.t('Range'), l10n.t('Reason'), l10n.t('Address')];
  const padded = head.length - 2;
  const rows = [head, ...planned.map(cellsOf)];
  const widths = head.map((_, column) => (column < padded ? Math.max(...rows.map((cells) => cells[column]?.length ?? 0)) : 0));
  const line = (cells: readonly string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = `| ${head.map((_, column) => '-'.repeat(Math.max(widths[column] ?? 0, 3))).join(' | ')} |`;
  const [first = '', ...others] = rows.map(line);
  return [first, rule, ...others].join('\n');
}

/** The cells of a row. A cell has no line break, and nothing in it is markup. */
function cellsOf({ position, decision }: PlannedPosition): readonly string[] {
  const { pairName, value, pnlPercent, inRange, address } = position;
  return [
    escapedMarkdown(pairName),
    actionText(decision),
    usdToTheCent(value.usd),
    signedPercent(pnlPercent.usd),
    inRange === undefined ? '–' : inRange ? l10n.t('in range') : l10n.t('out of range'),
    documentSentence(decision.kind === 'act' && decision.asks !== undefined ? `${decision.why} ${decision.asks}` : decision.why).replace(
      /\s+/g,
      ' ',
    ),
    address === undefined ? '–' : `\`${address}\``,
  ];
}

function actionText(decision: AutoRebalanceDecision): string {
  switch (decision.kind) {
    case 'act': {
      const action = decision.action === 'rebalance' ? l10n.t('Rebalance') : l10n.t('Close');
      return decision.asks === undefined ? action : `${l10n.t('Ask')}: ${action}`;
    }
    case 'wait':
      return decision.untilMs === undefined ? l10n.t('Wait') : l10n.t`Wait until ${exactTime(new Date(decision.untilMs))}`;
    case 'user':
      return l10n.t('Needs you');
    case 'fine':
      return l10n.t('None');
    case 'leftAlone':
      return l10n.t('Left alone');
  }
}
