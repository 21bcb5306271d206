import * as l10n from '@vscode/l10n';
import { createHash } from 'node:crypto';
import { type AutoRebalanceRules, LEAST_CHECKS } from '../../../autoRebalance/types';
import { MAX_BINS_PER_POSITION } from '../../../base/dlmm/bins';
import { LAMPORTS_PER_SOL } from '../../../base/solana/programs';
import { quoted } from '../../../base/text';
import { MINUTE_MS, SECOND_MS } from '../../../base/time';
import type { Strategy } from '../../../service/common';
import type { ReentryTerms } from '../../../transactions/rebalance/types';
import { SETTING } from '../names';
import { UserError } from '../errors';
import { MOST_SLIPPAGE_BPS, oneOf, type Read, readAddresses, solAsLamports, wholeNumber } from './values';

/** Returns the raw value of a setting. */
export type RawSettings = (key: string) => unknown;

const MOST_HALF_WIDTH_BINS = Math.floor((MAX_BINS_PER_POSITION - 1) / 2);
const MOST_RESERVE_LAMPORTS = 1_000n * LAMPORTS_PER_SOL;
const LEAST_CHECK_SECONDS = 15;
const MOST_CHECK_SECONDS = 3_600;
const MOST_CHECKS = 1_000;
const MOST_VALUE_USD = 1_000_000_000;
const MOST_COOLDOWN_MINUTES = 10_080;
const MOST_PER_POSITION = 100;
const MOST_CLOSINGS = 100;
const MOST_COST_PERCENT = 100;
const MOST_PER_DAY = 1_000;
const MOST_STOP_LOSS_PERCENT = 100;
const MOST_TAKE_PROFIT_PERCENT = 10_000;

const SAME = 'same';
const STRATEGIES: readonly (Strategy | typeof SAME)[] = [SAME, 'Spot', 'Curve', 'BidAsk'];
const RANGES: readonly ('halfWidth' | 'sameWidth')[] = ['halfWidth', 'sameWidth'];
const MODES: readonly AutoRebalanceRules['mode'][] = ['ask', 'automatic'];
const CURRENCIES: readonly ('usd' | 'sol')[] = ['usd', 'sol'];

/** Readers of the settings of manual and automatic rebalancing. Only package.json has the defaults. */
export const READ_TERMS = {
  [SETTING.rebalanceRange]: oneOf(RANGES),
  [SETTING.rebalanceHalfWidthBins]: wholeNumber(0, MOST_HALF_WIDTH_BINS, () => l10n.t('bins')),
  [SETTING.rebalanceStrategy]: oneOf(STRATEGIES),
  [SETTING.rebalanceSlippageBps]: wholeNumber(0, MOST_SLIPPAGE_BPS, () => l10n.t('basis points')),
  [SETTING.rebalanceReserveSol]: solAsLamports(MOST_RESERVE_LAMPORTS),
} as const;

/** Readers of the settings of auto-rebalance. */
export const READ_RULES = {
  [SETTING.autoMode]: oneOf(MODES),
  [SETTING.autoCheckIntervalSeconds]: wholeNumber(LEAST_CHECK_SECONDS, MOST_CHECK_SECONDS, () => l10n.t('seconds')),
  [SETTING.autoOutOfRangeChecks]: wholeNumber(LEAST_CHECKS, MOST_CHECKS, () => l10n.t('checks')),
  [SETTING.autoMinPositionValueUsd]: numberWithin(MOST_VALUE_USD, () => l10n.t('US dollars')),
  [SETTING.autoCooldownMinutes]: wholeNumber(0, MOST_COOLDOWN_MINUTES, () => l10n.t('minutes')),
  [SETTING.autoMaxPerPositionPerDay]: wholeNumber(0, MOST_PER_POSITION, () => l10n.t('rebalances')),
  [SETTING.autoMaxPerDay]: wholeNumber(0, MOST_PER_DAY, () => l10n.t('rebalances')),
  [SETTING.autoMaxClosingsPerDay]: wholeNumber(0, MOST_CLOSINGS, () => l10n.t('positions')),
  [SETTING.autoMaxCostPercentPerDay]: numberWithin(MOST_COST_PERCENT, () => l10n.t('percent')),
  [SETTING.autoStopLossPercent]: numberWithin(MOST_STOP_LOSS_PERCENT, () => l10n.t('percent')),
  [SETTING.autoTakeProfitPercent]: numberWithin(MOST_TAKE_PROFIT_PERCENT, () => l10n.t('percent')),
  [SETTING.autoPnlCurrency]: oneOf(CURRENCIES),
  [SETTING.autoExcludedPools]: readAddresses,
} as const;

/** All settings that auto-rebalance uses. */
export const RULE_SETTINGS: readonly string[] = [...Object.keys(READ_TERMS), ...Object.keys(READ_RULES)];

/**
 * The settings of the review. Auto-rebalance signs what the review finds nothing in, so the user's consent to its rules covers only the
 * review settings at that time.
 */
export const REVIEW_SETTINGS: readonly string[] = [
  SETTING.rpcUrl,
  SETTING.simulate,
  SETTING.strictWithoutRpc,
  SETTING.trustedPrograms,
  SETTING.feeRecipients,
  SETTING.feeRecipientCapSol,
  SETTING.tipCapSol,
  SETTING.priorityFeeCapSol,
];
/** Length of their digest in hex digits. A digest, because the RPC address can contain a key. */
const DIGEST_DIGITS = 16;

type TermsKey = keyof typeof READ_TERMS;
type RulesKey = keyof typeof READ_RULES;
type ValueBy<Reader> = Reader extends Read<infer Value> ? Value : never;

/**
 * Reads the terms of re-entry from the settings.
 * @throws UserError if a setting is invalid. No fallback value is safe: another reserve, slippage or range than intended moves more money,
 * or moves it elsewhere.
 */
export function termsOf(raw: RawSettings): ReentryTerms {
  const read = <Key extends TermsKey>(key: Key) =>
    exactly(key, READ_TERMS[key] as Read<ValueBy<(typeof READ_TERMS)[Key]>>, raw, l10n.t('Nothing is rebalanced until you correct it.'));
  const halfWidthBins = read(SETTING.rebalanceHalfWidthBins);
  const strategy = read(SETTING.rebalanceStrategy);
  return {
    halfWidthBins: read(SETTING.rebalanceRange) === 'sameWidth' ? undefined : halfWidthBins,
    strategy: strategy === SAME ? undefined : strategy,
    slippageBps: read(SETTING.rebalanceSlippageBps),
    reserveLamports: read(SETTING.rebalanceReserveSol),
  };
}

/**
 * Reads the rules of auto-rebalance from the settings.
 * @throws UserError if a setting is invalid in whole or in part, for example one excluded pool: auto-rebalance never runs with rules other
 * than the intended ones.
 */
export function rulesOf(raw: RawSettings): AutoRebalanceRules {
  const read = <Key extends RulesKey>(key: Key) =>
    exactly(
      key,
      READ_RULES[key] as Read<ValueBy<(typeof READ_RULES)[Key]>>,
      raw,
      l10n.t('Auto-rebalance does nothing until you correct it.'),
    );
  return {
    mode: read(SETTING.autoMode),
    checkEveryMs: read(SETTING.autoCheckIntervalSeconds) * SECOND_MS,
    outOfRangeChecks: read(SETTING.autoOutOfRangeChecks),
    leastValueUsd: read(SETTING.autoMinPositionValueUsd),
    cooldownMs: read(SETTING.autoCooldownMinutes) * MINUTE_MS,
    mostPerPositionAndDay: read(SETTING.autoMaxPerPositionPerDay),
    mostPerDay: read(SETTING.autoMaxPerDay),
    mostClosingsPerDay: read(SETTING.autoMaxClosingsPerDay),
    mostCostPercentPerDay: read(SETTING.autoMaxCostPercentPerDay),
    terms: termsOf(raw),
    stopLossPercent: aboveZero(read(SETTING.autoStopLossPercent)),
    takeProfitPercent: aboveZero(read(SETTING.autoTakeProfitPercent)),
    pnlIn: read(SETTING.autoPnlCurrency) === 'sol' ? 'native' : 'usd',
    // Sorted, so that the order in the setting doesn't change the rule.
    poolsLeftAlone: [...read(SETTING.autoExcludedPools)].sort(),
    reviewedBy: createHash('sha256')
      .update(JSON.stringify(REVIEW_SETTINGS.map((key) => [key, raw(key)])))
      .digest('hex')
      .slice(0, DIGEST_DIGITS),
  };
}

/** Reads a setting without ignoring any of its entries. @throws UserError */
function exactly<Value>(key: string, read: Read<Value>, raw: RawSettings, until: string): Value {
  const reading = read(raw(key));
  if (!reading.ok) {
    throw faulty(key, `${reading.message}. ${until}`);
  }
  if (reading.leftOut !== undefined) {
    throw faulty(key, l10n.t`contains invalid entries: ${reading.leftOut}. ${until}`);
  }
  return reading.value;
}

function faulty(key: string, problem: string): UserError {
  return new UserError(l10n.t`The setting ${key} ${problem}`, { label: l10n.t('Open Settings'), command: 'workbench.action.openSettings' });
}

/** Reads a number from 0 to `most`, with or without decimals. `unit` is shown in messages. */
function numberWithin(most: number, unit: () => string): Read<number> {
  return (raw) =>
    typeof raw === 'number' && Number.isFinite(raw) && raw >= 0 && raw <= most
      ? { ok: true, value: raw }
      : { ok: false, message: l10n.t`must be a number from 0 to ${most} (${unit()}), not ${quoted(raw)}` };
}

function aboveZero(value: number): number | undefined {
  return value > 0 ? value : undefined;
}
