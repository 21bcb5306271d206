import * as l10n from '@vscode/l10n';
import { significant } from '../../base/format/numbers';
import { numberText, pointed } from '../../base/format/typedNumbers';
import { RULES } from '../../settings/generated/settings';
import { RULE_IDS, type RuleId } from '../../settings/settingTypes';
import type { PickItem, Prompts, Reading } from '../shell/prompts/prompts';
import type { RuleStore } from '../shell/settings/ruleStore';
import { type RuleWords, ruleWords } from '../shell/settings/ruleWords';
import { readerOf, UNITS } from '../shell/settings/values';

/** As many as the largest number with the most decimals has. */
const MOST_DIGITS = 12;

type FormPrompts = Pick<Prompts, 'pick' | 'input'>;

/** The first rule of each part of the form, with the heading of the part. */
const headings = (): { readonly [Id in RuleId]?: string } => ({
  'binsight.autoRebalance.mode': l10n.t('When it rebalances'),
  'binsight.rebalance.range': l10n.t('The new position'),
  'binsight.autoRebalance.cooldownMinutes': l10n.t('Limits'),
  'binsight.autoRebalance.stopLossPercent': l10n.t('Stop-loss and take-profit'),
});

/** A form of all rules: each can be changed as often as wanted, until the list is closed. What is stored meanwhile needs a new confirmation. */
export async function changeRules(prompts: FormPrompts, rules: RuleStore): Promise<void> {
  let last: RuleId | undefined;
  for (;;) {
    const answer = await prompts.pick<RuleId>({
      title: l10n.t('Rules of Rebalances'),
      placeholder: l10n.t('Choose a rule to change. Escape closes the list.'),
      items: RULE_IDS.map((id) => ruleItem(id, rules.get(id))),
      isCurrent: (id) => id === last,
      matchDetails: true,
    });
    if (answer.kind !== 'value') {
      return;
    }
    last = answer.value;
    const changed = await askValue(prompts, last, rules.get(last));
    if (changed !== undefined) {
      await rules.set(last, changed.value);
    }
  }
}

function ruleItem(id: RuleId, value: unknown): PickItem<RuleId> {
  const words = ruleWords()[id];
  const heading = headings()[id];
  return {
    label: words.name,
    description: valueText(id, words, value),
    detail: words.meaning,
    value: id,
    ...(heading === undefined ? {} : { heading }),
  };
}

/** "60 seconds", "Half-width". A value that the reader refuses is shown as it is. */
function valueText(id: RuleId, words: RuleWords, value: unknown): string {
  const rule = RULES[id];
  if (typeof value === 'string') {
    return words.choices?.[value]?.label ?? value;
  }
  if (Array.isArray(value)) {
    return String(value.length);
  }
  if (typeof value !== 'number') {
    return String(value);
  }
  return rule.kind === 'integer' || rule.kind === 'number'
    ? `${significant(value, MOST_DIGITS)} ${UNITS[rule.unit]()}`
    : `${significant(value, MOST_DIGITS)} SOL`;
}

/** @returns `undefined`: nothing is changed */
async function askValue(prompts: FormPrompts, id: RuleId, current: unknown): Promise<{ readonly value: unknown } | undefined> {
  const rule = RULES[id];
  const { name, meaning, choices = {} } = ruleWords()[id];
  if (rule.kind === 'choice') {
    const answer = await prompts.pick<string>({
      title: name,
      placeholder: meaning,
      items: rule.choices.map((value) => ({ ...(choices[value] ?? { label: value }), value })),
      isCurrent: (value) => value === current,
    });
    return answer.kind === 'value' ? { value: answer.value } : undefined;
  }
  const answer = await prompts.input<unknown>({
    title: name,
    prompt: meaning,
    initial: Array.isArray(current) ? current.join(' ') : typeof current === 'number' ? numberText(current) : '',
    read: (text) => (rule.kind === 'addresses' ? readPools(text) : readNumber(id, text)),
  });
  return answer.kind === 'value' ? { value: answer.value } : undefined;
}

function readPools(text: string): Reading<unknown> {
  const typed = text.split(/[\s,]+/).filter((entry) => entry !== '');
  const reading = readerOf('binsight.autoRebalance.excludedPools')(typed);
  return !reading.ok || reading.leftOut !== undefined
    ? { ok: false, message: l10n.t('Not a list of Solana addresses, or too long.') }
    : { ok: true, value: reading.value };
}

function readNumber(id: RuleId, text: string): Reading<unknown> {
  const rule = RULES[id];
  const plain = pointed(text.trim());
  if (!plain.ok && plain.message !== undefined) {
    return { ok: false, message: plain.message };
  }
  const value = plain.ok && plain.value !== '' ? Number(plain.value) : NaN;
  if (readerOf(id)(value).ok) {
    return { ok: true, value };
  }
  const [least, most] = 'minimum' in rule ? [rule.minimum, rule.maximum] : [0, rule.kind === 'sol' ? rule.maximum : 0];
  return {
    ok: false,
    message:
      rule.kind === 'integer' ? l10n.t`Enter a whole number from ${least} to ${most}.` : l10n.t`Enter a number from ${least} to ${most}.`,
  };
}
