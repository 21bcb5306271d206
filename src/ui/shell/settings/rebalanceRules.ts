import * as l10n from '@vscode/l10n';
import { createHash } from 'node:crypto';
import { type AutoRebalanceRules, LEAST_CHECKS } from '../../../autoRebalance/types';
import { MAX_BINS_PER_POSITION } from '../../../base/dlmm/bins';
import { LAMPORTS_PER_SOL } from '../../../base/solana/programs';
import { quoted } from '../../../base/text';
import type { Strategy } from '../../../service/common';
import type { ReentryTerms } from '../../../transactions/rebalance/types';
import { SETTING } from '../names';
import { UserError } from '../userError';
import { MOST_SLIPPAGE_BPS, oneOf, type Read, readAddresses, solAsLamports, wholeNumber } from './values';

/** Gives what stands in a setting, unread: `Settings.raw`, or a test. */
export type RawSettings = (key: string) => unknown;

const MOST_HALF_WIDTH_BINS = Math.floor((MAX_BINS_PER_POSITION - 1) / 2);
const MOST_RESERVE_LAMPORTS = 1_000n * LAMPORTS_PER_SOL;
const LEAST_CHECK_SECONDS = 15;
const MOST_CHECK_SECONDS = 3_600;
const MOST_CHECKS = 1_000;
const MOST_COOLDOWN_MINUTES = 10_080;
const MOST_PER_POSITION = 100;
const MOST_PER_DAY = 1_000;
const MOST_STOP_LOSS_PERCENT = 100;
const MOST_TAKE_PROFIT_PERCENT = 10_000;

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

const SAME = 'same';
const STRATEGIES: readonly (Strategy | typeof SAME)[] = [SAME, 'Spot', 'Curve', 'BidAsk'];
const RANGES: readonly ('halfWidth' | 'sameWidth')[] = ['halfWidth', 'sameWidth'];
const MODES: readonly AutoRebalanceRules['mode'][] = ['ask', 'automatic'];
const CURRENCIES: readonly ('usd' | 'sol')[] = ['usd', 'sol'];

/** Reads the settings of rebalancing, by hand and automatic. The defaults stand in package.json alone. */
export const READ_TERMS = {
  [SETTING.rebalanceRange]: oneOf(RANGES),
  [SETTING.rebalanceHalfWidthBins]: wholeNumber(0, MOST_HALF_WIDTH_BINS, 'bins'),
  [SETTING.rebalanceStrategy]: oneOf(STRATEGIES),
  [SETTING.rebalanceSlippageBps]: wholeNumber(0, MOST_SLIPPAGE_BPS, 'basis points'),
  [SETTING.rebalanceReserveSol]: solAsLamports(MOST_RESERVE_LAMPORTS),
} as const;

/** Reads the settings of automation alone, likewise. */
export const READ_RULES = {
  [SETTING.autoMode]: oneOf(MODES),
  [SETTING.autoCheckIntervalSeconds]: wholeNumber(LEAST_CHECK_SECONDS, MOST_CHECK_SECONDS, 'seconds'),
  [SETTING.autoOutOfRangeChecks]: wholeNumber(LEAST_CHECKS, MOST_CHECKS, 'checks'),
  [SETTING.autoMinPositionValueUsd]: numberWithin(undefined, 'US dollars'),
  [SETTING.autoCooldownMinutes]: wholeNumber(0, MOST_COOLDOWN_MINUTES, 'minutes'),
  [SETTING.autoMaxPerPositionPerDay]: wholeNumber(0, MOST_PER_POSITION, 'rebalances'),
  [SETTING.autoMaxPerDay]: wholeNumber(0, MOST_PER_DAY, 'rebalances'),
  [SETTING.autoStopLossPercent]: numberWithin(MOST_STOP_LOSS_PERCENT, 'per cent'),
  [SETTING.autoTakeProfitPercent]: numberWithin(MOST_TAKE_PROFIT_PERCENT, 'per cent'),
  [SETTING.autoPnlCurrency]: oneOf(CURRENCIES),
  [SETTING.autoExcludedPools]: readAddresses,
} as const;

/** All settings by which automation goes. */
export const RULE_SETTINGS: readonly string[] = [...Object.keys(READ_TERMS), ...Object.keys(READ_RULES)];

/**
 * By what the review measures, and whom it asks. Automation signs what the review finds nothing in: a yes to its rules is one to no
 * other review than the one of then.
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
/** Hex digits of the digest that stands for them. The address of the RPC may have a key in it: of that nothing is to be read. */
const DIGEST_DIGITS = 16;

type TermsKey = keyof typeof READ_TERMS;
type RulesKey = keyof typeof READ_RULES;
type ValueBy<Reader> = Reader extends Read<infer Value> ? Value : never;

/**
 * Gives how what comes out of a position goes back in, as the settings say.
 * @throws Refusal where one of them cannot be read: the strictest that there is. No value in its place is safe, for another reserve,
 * slippage or range than was meant moves more money, or moves it elsewhere.
 */
export function termsOf(raw: RawSettings): ReentryTerms {
  const read = <Key extends TermsKey>(key: Key) =>
    exactly(key, READ_TERMS[key] as Read<ValueBy<(typeof READ_TERMS)[Key]>>, raw, l10n.t('Nothing is rebalanced until it is corrected.'));
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
 * Gives the rules of automation, as the settings say.
 * @throws Refusal where one of them cannot be read, in whole or in part (a pool of which nobody knows which one is to be left
 * alone): by rules that are not what was meant, automation does nothing.
 */
export function rulesOf(raw: RawSettings): AutoRebalanceRules {
  const read = <Key extends RulesKey>(key: Key) =>
    exactly(
      key,
      READ_RULES[key] as Read<ValueBy<(typeof READ_RULES)[Key]>>,
      raw,
      l10n.t('Auto-rebalance does nothing until it is corrected.'),
    );
  return {
    mode: read(SETTING.autoMode),
    checkEveryMs: read(SETTING.autoCheckIntervalSeconds) * SECOND_MS,
    outOfRangeChecks: read(SETTING.autoOutOfRangeChecks),
    leastValueUsd: read(SETTING.autoMinPositionValueUsd),
    cooldownMs: read(SETTING.autoCooldownMinutes) * MINUTE_MS,
    mostPerPositionAndDay: read(SETTING.autoMaxPerPositionPerDay),
    mostPerDay: read(SETTING.autoMaxPerDay),
    terms: termsOf(raw),
    stopLossPercent: aboveZero(read(SETTING.autoStopLossPercent)),
    takeProfitPercent: aboveZero(read(SETTING.autoTakeProfitPercent)),
    pnlIn: read(SETTING.autoPnlCurrency) === 'sol' ? 'native' : 'usd',
    // In an order of its own: the same pools are the same rule, however they are listed.
    poolsLeftAlone: [...read(SETTING.autoExcludedPools)].sort(),
    reviewedBy: createHash('sha256')
      .update(JSON.stringify(REVIEW_SETTINGS.map((key) => [key, raw(key)])))
      .digest('hex')
      .slice(0, DIGEST_DIGITS),
  };
}

/** Reads a setting that has to be right as a whole. */
function exactly<Value>(key: string, read: Read<Value>, raw: RawSettings, until: string): Value {
  const reading = read(raw(key));
  if (!reading.ok) {
    throw faulty(key, `${reading.message}. ${until}`);
  }
  if (reading.leftOut !== undefined) {
    throw faulty(key, l10n.t`has something in it that cannot be read: ${reading.leftOut}. ${until}`);
  }
  return reading.value;
}

function faulty(key: string, problem: string): UserError {
  return new UserError(l10n.t`The setting ${key} ${problem}`, { label: l10n.t('Open Settings'), command: 'workbench.action.openSettings' });
}

/** Reads a number from 0 on, with or without decimals. */
function numberWithin(most: number | undefined, unit: string): Read<number> {
  return (raw) =>
    typeof raw === 'number' && Number.isFinite(raw) && raw >= 0 && (most === undefined || raw <= most)
      ? { ok: true, value: raw }
      : {
          ok: false,
          message: l10n.t`has to be a number of ${unit} from 0 ${most === undefined ? 'on' : l10n.t`to ${most}`}, not ${quoted(raw)}`,
        };
}

function aboveZero(value: number): number | undefined {
  return value > 0 ? value : undefined;
}
