import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { SETTING } from '../../../src/ui/shell/names';
import { UserError } from '../../../src/ui/shell/errors';
import { READ_RULES, READ_TERMS, REVIEW_SETTINGS, RULE_SETTINGS, rulesOf, termsOf } from '../../../src/ui/shell/settings/rebalanceRules';
import { areSameRules } from '../../../src/autoRebalance/types';
import { addressOf } from '../../support/portfolio/fixtures';
import { settingsFor } from '../../support/ui/ruleSettings';

describe('The rules of automation', () => {
  it('The default rules of auto-rebalance are those of the manifest', () => {
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

  it('The rules of auto-rebalance are the values of the settings', () => {
    const pools = [addressOf(2), addressOf(1), addressOf(2)];
    const changed = {
      ...{
        [SETTING.autoMode]: 'automatic',
        [SETTING.autoCheckIntervalSeconds]: 15,
        [SETTING.autoStopLossPercent]: 12.5,
        [SETTING.autoTakeProfitPercent]: 300,
        [SETTING.autoPnlCurrency]: 'sol',
      },
      ...{
        [SETTING.autoExcludedPools]: pools,
        [SETTING.rebalanceRange]: 'sameWidth',
        [SETTING.rebalanceStrategy]: 'BidAsk',
        [SETTING.rebalanceReserveSol]: 0.000000001,
      },
    };
    const rules = rulesOf(settingsFor(changed));
    assert.deepEqual(
      [rules.mode, rules.checkEveryMs, rules.stopLossPercent, rules.takeProfitPercent, rules.pnlIn],
      ['automatic', 15_000, 12.5, 300, 'native'],
    );
    assert.deepEqual(rules.terms, { halfWidthBins: undefined, strategy: 'BidAsk', slippageBps: 100, reserveLamports: 1n });
    assert.deepEqual([...rules.poolsLeftAlone].sort(), [addressOf(1), addressOf(2)].sort());
    assert.ok(areSameRules(rules, rulesOf(settingsFor({ ...changed, [SETTING.autoExcludedPools]: [...pools].reverse() }))));
  });

  it('Changed review settings change the rules, which never contain the RPC address', () => {
    assert.deepEqual(
      [...REVIEW_SETTINGS].sort(),
      [SETTING.rpcUrl, ...Object.values(SETTING).filter((name) => name.startsWith('binsight.review.'))].sort(),
    );
    const rpcUrl = 'https://rpc.example/?api-key=secret';
    const rules = rulesOf(settingsFor({ [SETTING.rpcUrl]: rpcUrl }));
    assert.ok(areSameRules(rules, rulesOf(settingsFor({ [SETTING.rpcUrl]: rpcUrl }))));
    assert.ok(!/secret|example/.test(JSON.stringify({ ...rules, terms: undefined })));
    for (const key of REVIEW_SETTINGS) {
      assert.ok(!areSameRules(rules, rulesOf(settingsFor({ [SETTING.rpcUrl]: rpcUrl, [key]: 'other' }))), key);
    }
  });

  it('The rules of auto-rebalance cover every setting of rebalancing', () => {
    assert.deepEqual(
      [...RULE_SETTINGS].sort(),
      Object.values(SETTING)
        .filter((name) => /\.(rebalance|autoRebalance)\./.test(name))
        .sort(),
    );
  });

  it('One invalid setting makes all rules of auto-rebalance invalid', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...RULE_SETTINGS),
        fc.constantFrom(null, '7', -1, NaN, 1e9, {}, 'other', [7], true, Infinity),
        (key, raw) => {
          const isRight =
            ({ ...READ_TERMS, ...READ_RULES } as Readonly<Record<string, (value: unknown) => { readonly ok: boolean }>>)[key]?.(raw).ok ===
              true && !(Array.isArray(raw) && raw.length > 0);
          fc.pre(!isRight);
          assert.throws(
            () => rulesOf(settingsFor({ [key]: raw })),
            (error) =>
              error instanceof UserError &&
              error.message.startsWith(`The setting ${key} `) &&
              error.message.endsWith('until you correct it.') &&
              error.remedies.length > 0,
          );
        },
      ),
    );
  });

  it('One invalid excluded pool makes all rules of auto-rebalance invalid', () => {
    assert.throws(
      () => rulesOf(settingsFor({ [SETTING.autoExcludedPools]: [addressOf(1), 'BONK/SOL'] })),
      /entry 2 \("BONK\/SOL"\) is not a Solana address\. Auto-rebalance does nothing until you correct it\.$/,
    );
  });

  it('A manual rebalance does not need the settings of auto-rebalance', () => {
    assert.equal(termsOf(settingsFor({ [SETTING.autoMode]: 'nonsense' })).slippageBps, 100);
    assert.throws(
      () => termsOf(settingsFor({ [SETTING.rebalanceSlippageBps]: '1%' })),
      /must be a whole number from 0 to 10000 \(basis points\), not "1%"\. Nothing is rebalanced/,
    );
  });
});
