import * as l10n from '@vscode/l10n';
import type { RuleId } from '../../../settings/settingTypes';

export interface RuleWords {
  readonly name: string;
  /** One or two sentences. */
  readonly meaning: string;
  /** The choices by their values, of a rule that is one. */
  readonly choices?: Readonly<Record<string, { readonly label: string; readonly detail?: string }>>;
}

export function ruleName(id: RuleId): string {
  return ruleWords()[id].name;
}

/** The rules in words. */
export function ruleWords(): Readonly<Record<RuleId, RuleWords>> {
  return {
    'binsight.autoRebalance.mode': {
      name: l10n.t('Mode'),
      meaning: l10n.t('What happens to positions that match the rules.'),
      choices: {
        ask: { label: l10n.t('Ask'), detail: l10n.t('Asks before each rebalance.') },
        automatic: {
          label: l10n.t('Automatic'),
          detail: l10n.t('Signs if the review has no findings, else waits for you. Requires your own Solana RPC.'),
        },
      },
    },
    'binsight.autoRebalance.outOfRangeChecks': {
      name: l10n.t('Checks out of range'),
      meaning: l10n.t('Checks in a row that must find a position out of range.'),
    },
    'binsight.autoRebalance.checkIntervalSeconds': {
      name: l10n.t('Time between checks'),
      meaning: l10n.t('Each check is one request to the service.'),
    },
    'binsight.autoRebalance.minPositionValueUsd': { name: l10n.t('Least value'), meaning: l10n.t('Positions worth less are left alone.') },
    'binsight.autoRebalance.excludedPools': { name: l10n.t('Excluded pools'), meaning: l10n.t('Pool addresses, separated by spaces.') },
    'binsight.rebalance.range': {
      name: l10n.t('New range'),
      meaning: l10n.t('Also for rebalances that you start.'),
      choices: { halfWidth: { label: l10n.t('Half-width') }, sameWidth: { label: l10n.t('Same width') } },
    },
    'binsight.rebalance.halfWidthBins': {
      name: l10n.t('Half-width'),
      meaning: l10n.t('Bins on each side of the active bin. Above 34, opening takes several transactions.'),
    },
    'binsight.rebalance.strategy': {
      name: l10n.t('Strategy'),
      meaning: l10n.t('Also for rebalances that you start.'),
      choices: {
        same: { label: l10n.t('Same as before'), detail: l10n.t('That of the old position, or Spot if unknown.') },
        Spot: { label: 'Spot', detail: l10n.t('The same amount in every bin.') },
        Curve: { label: 'Curve', detail: l10n.t('Most around the price.') },
        BidAsk: { label: 'BidAsk', detail: l10n.t('Most at the ends of the range.') },
      },
    },
    'binsight.rebalance.slippageBps': {
      name: l10n.t('Slippage tolerance'),
      meaning: l10n.t('How much worse than its quote each trade may turn out. 100 is 1%.'),
    },
    'binsight.rebalance.reserveSol': {
      name: l10n.t('Reserve'),
      meaning: l10n.t('SOL that stays in the wallet. Re-entries are reduced to keep it.'),
    },
    'binsight.autoRebalance.cooldownMinutes': {
      name: l10n.t('Cooldown'),
      meaning: l10n.t('How long a position is left alone after a rebalance.'),
    },
    'binsight.autoRebalance.maxPerPositionPerDay': {
      name: l10n.t('Rebalances of a position in 24 hours'),
      meaning: l10n.t('Includes those of the positions that it replaced.'),
    },
    'binsight.autoRebalance.maxPerDay': {
      name: l10n.t('Rebalances in 24 hours'),
      meaning: l10n.t('Of all positions. Closings count, too.'),
    },
    'binsight.autoRebalance.maxCostPercentPerDay': {
      name: l10n.t('Costs in 24 hours'),
      meaning: l10n.t(
        'Share of what your positions were worth when you confirmed the rules: fees, tips, lost rent and swap losses of what is signed without asking. 0: always ask.',
      ),
    },
    'binsight.autoRebalance.stopLossPercent': {
      name: l10n.t('Stop-loss'),
      meaning: l10n.t(
        'Closes a position, without re-entry, at this loss. 0: never. The loss must last five minutes and four checks, or 90 seconds and two if the chain proves it.',
      ),
    },
    'binsight.autoRebalance.takeProfitPercent': {
      name: l10n.t('Take-profit'),
      meaning: l10n.t('Closes a position, without re-entry, at this gain. 0: never. The gain must last five minutes and four checks.'),
    },
    'binsight.autoRebalance.pnlCurrency': {
      name: l10n.t('Currency of stop-loss and take-profit'),
      meaning: l10n.t('Measures gains and losses.'),
      choices: { usd: { label: l10n.t('US dollars') }, sol: { label: 'SOL' } },
    },
    'binsight.autoRebalance.maxClosingsPerDay': {
      name: l10n.t('Closings in 24 hours'),
      meaning: l10n.t(
        'Positions that stop-loss and take-profit close without asking. More than two at once are asked about, too. 0: always ask.',
      ),
    },
  };
}
