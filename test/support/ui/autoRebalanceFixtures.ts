import { rulesOf } from '../../../src/ui/shell/settings/rebalanceRules';
import type { AutoRebalanceConsent, AutoRebalanceRules } from '../../../src/autoRebalance/types';
import { OWNER } from '../portfolio/fixtures';
import { settingsFor } from './ruleSettings';

/** Rules as the defaults are. */
export const RULES: AutoRebalanceRules = {
  ...{
    mode: 'ask',
    checkEveryMs: 60_000,
    outOfRangeChecks: 3,
    leastValueUsd: 25,
    cooldownMs: 3_600_000,
    mostPerPositionAndDay: 3,
    mostPerDay: 10,
    mostClosingsPerDay: 3,
    mostCostPercentPerDay: 1,
  },
  terms: { halfWidthBins: 34, strategy: undefined, slippageBps: 100, reserveLamports: 50_000_000n },
  ...{
    stopLossPercent: undefined,
    takeProfitPercent: undefined,
    pnlIn: 'usd',
    poolsLeftAlone: [],
    reviewedBy: rulesOf(settingsFor(), '').reviewedBy,
  },
};

/** Consent to auto-rebalance. */
export const CONSENT: AutoRebalanceConsent = {
  service: 'sandbox',
  owner: OWNER,
  rules: RULES,
  sinceMs: Date.UTC(2026, 10, 20, 12),
  worths: [],
};
