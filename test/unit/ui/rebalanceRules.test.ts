import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { UserError } from '../../../src/ui/shell/errors';
import { type RawSettings, REVIEW_SETTINGS, rulesOf as withRpc, termsOf } from '../../../src/ui/shell/settings/rebalanceRules';
import { ruleName } from '../../../src/ui/shell/settings/ruleWords';
import { areSameRules } from '../../../src/autoRebalance/types';
import { addressOf } from '../../support/portfolio/fixtures';
import { DECLARED_RULES } from '../../support/settings/declaredSettings';
import { settingsFor } from '../../support/ui/ruleSettings';

const rulesOf = (raw: RawSettings) => withRpc(raw, '');

describe('The rules of automation', () => {
  it('The default rules of auto-rebalance are the cautious ones', () => {
    const { reviewedBy, ...rules } = rulesOf(settingsFor());
    assert.match(reviewedBy ?? '', /^[0-9a-f]{16}$/);
    assert.deepEqual(rules, {
      mode: 'ask',
      checkEveryMs: 60_000,
      outOfRangeChecks: 3,
      leastValueUsd: 25,
      cooldownMs: 3_600_000,
      mostPerPositionAndDay: 3,
      mostPerDay: 10,
      mostClosingsPerDay: 3,
      mostCostPercentPerDay: 1,
      terms: { halfWidthBins: 34, strategy: undefined, slippageBps: 100, reserveLamports: 50_000_000n },
      stopLossPercent: undefined,
      takeProfitPercent: undefined,
      pnlIn: 'usd',
      poolsLeftAlone: [],
    });
  });

  it('The rules of auto-rebalance are the stored values', () => {
    const pools = [addressOf(2), addressOf(1), addressOf(2)];
    const changed = {
      ...{
        'binsight.autoRebalance.mode': 'automatic',
        'binsight.autoRebalance.checkIntervalSeconds': 15,
        'binsight.autoRebalance.stopLossPercent': 12.5,
        'binsight.autoRebalance.takeProfitPercent': 300,
        'binsight.autoRebalance.pnlCurrency': 'sol',
      },
      ...{
        'binsight.autoRebalance.excludedPools': pools,
        'binsight.rebalance.range': 'sameWidth',
        'binsight.rebalance.strategy': 'BidAsk',
        'binsight.rebalance.reserveSol': 0.000000001,
      },
    };
    const rules = rulesOf(settingsFor(changed));
    assert.deepEqual(
      [rules.mode, rules.checkEveryMs, rules.stopLossPercent, rules.takeProfitPercent, rules.pnlIn],
      ['automatic', 15_000, 12.5, 300, 'native'],
    );
    assert.deepEqual(rules.terms, { halfWidthBins: undefined, strategy: 'BidAsk', slippageBps: 100, reserveLamports: 1n });
    assert.deepEqual([...rules.poolsLeftAlone].sort(), [addressOf(1), addressOf(2)].sort());
    assert.ok(areSameRules(rules, rulesOf(settingsFor({ ...changed, 'binsight.autoRebalance.excludedPools': [...pools].reverse() }))));
  });

  it('Changed review settings and another RPC of the review change the rules', () => {
    const rules = withRpc(settingsFor(), 'one');
    assert.ok(areSameRules(rules, withRpc(settingsFor(), 'one')));
    for (const other of ['', 'other']) {
      assert.ok(!areSameRules(rules, withRpc(settingsFor(), other)));
    }
    for (const key of REVIEW_SETTINGS) {
      assert.ok(!areSameRules(rules, withRpc(settingsFor({ [key]: 'other' }), 'one')), key);
    }
  });

  it('Every rule changes the rules of auto-rebalance, so that its user confirms them again', () => {
    for (const { id, accepted } of DECLARED_RULES) {
      const usual = settingsFor();
      const other = accepted.find((value) => !isDeepStrictEqual(value, usual(id)));
      assert.ok(!areSameRules(rulesOf(usual), rulesOf(settingsFor({ [id]: other }))), id);
    }
  });

  it('One invalid rule makes all rules of auto-rebalance invalid', () => {
    for (const { id, rejected } of DECLARED_RULES) {
      for (const raw of rejected) {
        assert.throws(
          () => rulesOf(settingsFor({ [id]: raw })),
          (error) =>
            error instanceof UserError &&
            error.message.startsWith(`“${ruleName(id)}” `) &&
            error.message.endsWith('until you correct it.') &&
            error.remedies.length > 0,
        );
      }
    }
  });

  it('One invalid excluded pool makes all rules of auto-rebalance invalid', () => {
    assert.throws(
      () => rulesOf(settingsFor({ 'binsight.autoRebalance.excludedPools': [addressOf(1), 'BONK/SOL'] })),
      /contains invalid entries: #2 \("BONK\/SOL"\)\. Nothing is rebalanced until you correct it\.$/,
    );
  });

  it('A manual rebalance does not need the rules of auto-rebalance', () => {
    assert.equal(termsOf(settingsFor({ 'binsight.autoRebalance.mode': 'nonsense' })).slippageBps, 100);
    assert.throws(
      () => termsOf(settingsFor({ 'binsight.rebalance.slippageBps': '1%' })),
      /must be 0–10000 basis points, not "1%"\. Nothing is rebalanced/,
    );
  });
});
