import * as l10n from '@vscode/l10n';
import type { AutoRebalanceDecision, AutoRebalanceRules, PlannedPosition } from '../../autoRebalance/types';
import { usdToTheCent } from '../../base/format/money';
import { signedPercent } from '../../base/format/percent';
import { shortAddress } from '../../base/format/places';
import { exactTime } from '../../base/format/time';
import type { Address } from '../../base/solana/address';
import type { ServiceChoice } from '../shell/serviceChoice';
import { documentSentence, escapedMarkdown, paragraphs } from '../shell/views/text';
import { modeSentence, rulesSentences, serviceText } from './rulesMessages';

/** What the dry run is made from. */
export interface DryRunFacts {
  readonly planned: readonly PlannedPosition[];
  readonly rules: AutoRebalanceRules;
  readonly owner: Address | undefined;
  readonly service: ServiceChoice;
  /** How automation stands, as a sentence. */
  readonly standing: string;
  readonly at: Date;
}

export const dryRunTitle = (): string => l10n.t('What auto-rebalance would do');

/** Those that something happens to come first. */
const ORDER: readonly AutoRebalanceDecision['kind'][] = ['act', 'user', 'wait', 'fine', 'leftAlone'];

/** Writes the dry run: what automation would do now with each position, and why. Nothing in it is done by showing it. */
export function dryRunDocument({ planned, rules, owner, service, standing, at }: DryRunFacts): string {
  const inOrder = [...planned].sort((one, other) => ORDER.indexOf(one.decision.kind) - ORDER.indexOf(other.decision.kind));
  const positions = inOrder.length === 0 ? [l10n.t('This wallet has no open positions.')] : inOrder.map(positionText);
  return `${paragraphs([
    `# ${dryRunTitle()}`,
    l10n.t`${documentSentence(standing)} This is a dry run: nothing was signed or sent for it.`,
    l10n.t`Wallet ${shortAddress(owner)} · ${documentSentence(serviceText(service))} · ${exactTime(at)}`,
    '## Positions',
    ...positions,
    '## Rules',
    [modeSentence(rules), ...rulesSentences(rules)].map((line) => `- ${documentSentence(line)}`).join('\n'),
  ])}\n`;
}

function positionText({ position, decision }: PlannedPosition): string {
  const figures = [
    position.value.usd === undefined ? undefined : usdToTheCent(position.value.usd),
    position.pnlPercent.usd === undefined ? undefined : l10n.t`PnL ${signedPercent(position.pnlPercent.usd)}`,
    position.inRange === undefined ? undefined : position.inRange ? l10n.t('in range') : l10n.t('out of range'),
    position.address === undefined ? undefined : `\`${position.address}\``,
  ].filter((figure) => figure !== undefined);
  return paragraphs([
    `### ${escapedMarkdown(position.pairName)}: ${decisionName(decision)}`,
    figures.join(' · '),
    documentSentence(decision.why),
  ]);
}

/** What is done, in a few words: "rebalance". */
function decisionName(decision: AutoRebalanceDecision): string {
  switch (decision.kind) {
    case 'act':
      return decision.action === 'rebalance' ? l10n.t('rebalance now') : l10n.t('close for good now');
    case 'wait':
      return decision.untilMs === undefined ? 'wait' : l10n.t`wait until ${exactTime(new Date(decision.untilMs))}`;
    case 'user':
      return l10n.t('waits for you');
    case 'fine':
      return l10n.t('nothing to do');
    case 'leftAlone':
      return l10n.t('left alone');
  }
}
