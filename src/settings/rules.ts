import { MAX_BINS_PER_POSITION } from '../base/dlmm/bins';
import type { RuleDeclaration } from './settingDeclaration';

/** A longer list is unlikely to have been checked by its user. */
export const MOST_ADDRESSES = 50;
const MOST_HALF_WIDTH_BINS = Math.floor((MAX_BINS_PER_POSITION - 1) / 2);

/**
 * The rules of rebalances and of auto-rebalance, in the order of the form that changes them (ui/autoRebalance/rulesForm.ts). They are no settings
 * of VS Code: other extensions could write those. ui/shell/settings/ruleWords.ts says what they mean.
 */
export const RULES: Readonly<Record<`binsight.${string}`, RuleDeclaration>> = {
  'binsight.autoRebalance.mode': { kind: 'choice', default: 'ask', choices: ['ask', 'automatic'] },
  'binsight.autoRebalance.outOfRangeChecks': { kind: 'integer', default: 3, minimum: 2, maximum: 1000, unit: 'checks' },
  'binsight.autoRebalance.checkIntervalSeconds': { kind: 'integer', default: 60, minimum: 15, maximum: 3600, unit: 'seconds' },
  'binsight.autoRebalance.minPositionValueUsd': { kind: 'number', default: 25, minimum: 0, maximum: 1_000_000_000, unit: 'US dollars' },
  'binsight.autoRebalance.excludedPools': { kind: 'addresses', maximum: MOST_ADDRESSES },
  'binsight.rebalance.range': { kind: 'choice', default: 'halfWidth', choices: ['halfWidth', 'sameWidth'] },
  'binsight.rebalance.halfWidthBins': { kind: 'integer', default: 34, minimum: 0, maximum: MOST_HALF_WIDTH_BINS, unit: 'bins' },
  'binsight.rebalance.strategy': { kind: 'choice', default: 'same', choices: ['same', 'Spot', 'Curve', 'BidAsk'] },
  'binsight.rebalance.slippageBps': { kind: 'integer', default: 100, minimum: 0, maximum: 10_000, unit: 'basis points' },
  'binsight.rebalance.reserveSol': { kind: 'sol', default: 0.05, maximum: 1000 },
  'binsight.autoRebalance.cooldownMinutes': { kind: 'integer', default: 60, minimum: 0, maximum: 10_080, unit: 'minutes' },
  'binsight.autoRebalance.maxPerPositionPerDay': { kind: 'integer', default: 3, minimum: 0, maximum: 100, unit: 'rebalances' },
  'binsight.autoRebalance.maxPerDay': { kind: 'integer', default: 10, minimum: 0, maximum: 1000, unit: 'rebalances' },
  'binsight.autoRebalance.maxCostPercentPerDay': { kind: 'number', default: 1, minimum: 0, maximum: 100, unit: 'percent' },
  'binsight.autoRebalance.stopLossPercent': { kind: 'number', default: 0, minimum: 0, maximum: 100, unit: 'percent' },
  'binsight.autoRebalance.takeProfitPercent': { kind: 'number', default: 0, minimum: 0, maximum: 10_000, unit: 'percent' },
  'binsight.autoRebalance.pnlCurrency': { kind: 'choice', default: 'usd', choices: ['usd', 'sol'] },
  'binsight.autoRebalance.maxClosingsPerDay': { kind: 'integer', default: 3, minimum: 0, maximum: 100, unit: 'positions' },
};
