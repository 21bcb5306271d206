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
      meaning: l10n.t('What auto-rebalance does with positions that match the rules.'),
      choices: {
        ask: { label: l10n.t('Ask'), detail: l10n.t('Asks before each rebalance.') },
        automatic: {
          label: l10n.t('Automatic'),
          detail: l10n.t('Signs without asking if the review has no findings; anything else waits for you. Requires your own Solana RPC.'),
        },
      },
    },
    'binsight.autoRebalance.outOfRangeChecks': {
      name: l10n.t('Checks out of range'),
      meaning: l10n.t('So many checks in a row must find a position out of range before it is rebalanced. One check never does.'),
    },
    'binsight.autoRebalance.checkIntervalSeconds': {
      name: l10n.t('Time between checks'),
      meaning: l10n.t('How often positions are checked. Each check is one request to the service.'),
    },
    'binsight.autoRebalance.minPositionValueUsd': { name: l10n.t('Least value'), meaning: l10n.t('Positions worth less are left alone.') },
    'binsight.autoRebalance.excludedPools': {
      name: l10n.t('Excluded pools'),
      meaning: l10n.t('Addresses of pools whose positions are left alone, with spaces between them. Leave empty for none.'),
    },
    'binsight.rebalance.range': {
      name: l10n.t('New range'),
      meaning: l10n.t('The range of the new position, around the active bin. Also for rebalances that you start.'),
      choices: {
        halfWidth: { label: l10n.t('Half-width'), detail: l10n.t('As many bins on each side as the next rule says.') },
        sameWidth: { label: l10n.t('Same width'), detail: l10n.t('As many bins as the old position.') },
      },
    },
    'binsight.rebalance.halfWidthBins': {
      name: l10n.t('Half-width'),
      meaning: l10n.t('Bins on each side of the active bin. Above 34, opening the position takes several transactions.'),
    },
    'binsight.rebalance.strategy': {
      name: l10n.t('Strategy'),
      meaning: l10n.t('How liquidity is distributed over the new range. Also for rebalances that you start.'),
      choices: {
        same: { label: l10n.t('Same as before'), detail: l10n.t('The strategy of the old position, or Spot if it is not known.') },
        Spot: { label: 'Spot', detail: l10n.t('The same amount in every bin.') },
        Curve: { label: 'Curve', detail: l10n.t('Most around the price.') },
        BidAsk: { label: 'BidAsk', detail: l10n.t('Most at the ends of the range.') },
      },
    },
    'binsight.rebalance.slippageBps': {
      name: l10n.t('Slippage tolerance'),
      meaning: l10n.t('How much worse than its quote a trade may turn out, in the zap-out and in the zap-in, each. 100 is 1%.'),
    },
    'binsight.rebalance.reserveSol': {
      name: l10n.t('Reserve'),
      meaning: l10n.t('SOL that stays in the wallet. A re-entry is reduced as far as necessary to keep it.'),
    },
    'binsight.autoRebalance.cooldownMinutes': {
      name: l10n.t('Cooldown'),
      meaning: l10n.t('How long a position is left alone after a rebalance.'),
    },
    'binsight.autoRebalance.maxPerPositionPerDay': {
      name: l10n.t('Rebalances of a position in 24 hours'),
      meaning: l10n.t('At most so many, including those of the positions that it replaced.'),
    },
    'binsight.autoRebalance.maxPerDay': {
      name: l10n.t('Rebalances in 24 hours'),
      meaning: l10n.t('At most so many of all positions. Positions that it closes count, too.'),
    },
    'binsight.autoRebalance.maxCostPercentPerDay': {
      name: l10n.t('Costs in 24 hours'),
      meaning: l10n.t(
        'At most so much of what your positions were worth when you confirmed the rules, for what is signed without asking: fees, tips, rent that is lost, and what swaps give less than the price. 0: each action is a question.',
      ),
    },
    'binsight.autoRebalance.stopLossPercent': {
      name: l10n.t('Stop-loss'),
      meaning: l10n.t(
        'Closes a position, without re-entry, when its loss reaches this. 0: never. The loss must last five minutes and four checks; 90 seconds and two checks if the pool on the chain proves it.',
      ),
    },
    'binsight.autoRebalance.takeProfitPercent': {
      name: l10n.t('Take-profit'),
      meaning: l10n.t(
        'Closes a position, without re-entry, when its gain reaches this. 0: never. The gain must last five minutes and four checks.',
      ),
    },
    'binsight.autoRebalance.pnlCurrency': {
      name: l10n.t('Currency of stop-loss and take-profit'),
      meaning: l10n.t('In which gains and losses are measured.'),
      choices: { usd: { label: l10n.t('US dollars') }, sol: { label: 'SOL' } },
    },
    'binsight.autoRebalance.maxClosingsPerDay': {
      name: l10n.t('Closings in 24 hours'),
      meaning: l10n.t(
        'At most so many positions are closed by stop-loss and take-profit without asking you. More than two at once are a question, too. 0: each is a question.',
      ),
    },
  };
}
