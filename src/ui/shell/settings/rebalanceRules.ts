import * as l10n from '@vscode/l10n';
import { createHash } from 'node:crypto';
import type { AutoRebalanceRules } from '../../../autoRebalance/types';
import { MINUTE_MS, SECOND_MS } from '../../../base/time';
import { type RuleId, type SettingId, settingsUnder, type SettingValue } from '../../../settings/settingTypes';
import type { CommandId } from '../../../settings/generated/commandIds';
import type { ReentryTerms } from '../../../transactions/rebalance/types';
import { UserError } from '../errors';
import { ruleName } from './ruleWords';
import { faultText, leftOutText, readerOf } from './values';

/** Returns the raw value of a setting or a rule. */
export type RawSettings = (id: SettingId | RuleId) => unknown;

/**
 * The settings of the review. Auto-rebalance signs what the review finds nothing in, so the user's consent to its rules covers only the
 * review settings at that time.
 */
export const REVIEW_SETTINGS: readonly SettingId[] = settingsUnder('binsight.review.');
const CORRECT: CommandId = 'binsight.automationMenu';
/** Length of the digest of them and the RPC, in hex digits. */
const DIGEST_DIGITS = 16;

/**
 * Reads the terms of re-entry from the rules.
 * @throws UserError if a rule is invalid. No fallback value is safe: another reserve, slippage or range than intended moves more money,
 * or moves it elsewhere.
 */
export function termsOf(raw: RawSettings): ReentryTerms {
  const read = <Id extends RuleId>(id: Id) => exactly(id, raw, l10n.t('Nothing is rebalanced until you correct it.'));
  const halfWidthBins = read('binsight.rebalance.halfWidthBins');
  const strategy = read('binsight.rebalance.strategy');
  return {
    halfWidthBins: read('binsight.rebalance.range') === 'sameWidth' ? undefined : halfWidthBins,
    strategy: strategy === 'same' ? undefined : strategy,
    slippageBps: read('binsight.rebalance.slippageBps'),
    reserveLamports: read('binsight.rebalance.reserveSol'),
  };
}

/**
 * Reads the rules of auto-rebalance.
 * @param reviewRpc tells the RPC of the review from any other; empty: none. No address: it can contain a key
 * @throws UserError if a rule is invalid in whole or in part, for example one excluded pool: auto-rebalance never runs with rules other
 * than the intended ones.
 */
export function rulesOf(raw: RawSettings, reviewRpc: string): AutoRebalanceRules {
  const read = <Id extends RuleId>(id: Id) => exactly(id, raw, l10n.t('Nothing is rebalanced until you correct it.'));
  return {
    mode: read('binsight.autoRebalance.mode'),
    checkEveryMs: read('binsight.autoRebalance.checkIntervalSeconds') * SECOND_MS,
    outOfRangeChecks: read('binsight.autoRebalance.outOfRangeChecks'),
    leastValueUsd: read('binsight.autoRebalance.minPositionValueUsd'),
    cooldownMs: read('binsight.autoRebalance.cooldownMinutes') * MINUTE_MS,
    mostPerPositionAndDay: read('binsight.autoRebalance.maxPerPositionPerDay'),
    mostPerDay: read('binsight.autoRebalance.maxPerDay'),
    mostClosingsPerDay: read('binsight.autoRebalance.maxClosingsPerDay'),
    mostCostPercentPerDay: read('binsight.autoRebalance.maxCostPercentPerDay'),
    terms: termsOf(raw),
    stopLossPercent: aboveZero(read('binsight.autoRebalance.stopLossPercent')),
    takeProfitPercent: aboveZero(read('binsight.autoRebalance.takeProfitPercent')),
    pnlIn: read('binsight.autoRebalance.pnlCurrency') === 'sol' ? 'native' : 'usd',
    // Sorted, so that the order in the list doesn't change the rule.
    poolsLeftAlone: [...read('binsight.autoRebalance.excludedPools')].sort(),
    reviewedBy: createHash('sha256')
      .update(JSON.stringify([reviewRpc, ...REVIEW_SETTINGS.map((key) => [key, raw(key)])]))
      .digest('hex')
      .slice(0, DIGEST_DIGITS),
  };
}

/** Reads a rule without ignoring any of its entries. @throws UserError */
function exactly<Id extends RuleId>(id: Id, raw: RawSettings, until: string): SettingValue<Id> {
  const reading = readerOf(id)(raw(id));
  if (!reading.ok) {
    throw faulty(faultText(quotedName(id), reading, until));
  }
  if (reading.leftOut !== undefined) {
    throw faulty(leftOutText(quotedName(id), reading.leftOut, until));
  }
  return reading.value;
}

function quotedName(id: RuleId): string {
  return `“${ruleName(id)}”`;
}

function faulty(message: string): UserError {
  return new UserError(message, { label: l10n.t('Auto-Rebalance…'), command: CORRECT });
}

function aboveZero(value: number): number | undefined {
  return value > 0 ? value : undefined;
}
