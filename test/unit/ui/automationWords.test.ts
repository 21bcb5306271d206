import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { menuOf } from '../../../src/ui/autoRebalance/autoRebalanceMenu';
import { dryRunDocument } from '../../../src/ui/autoRebalance/dryRunDocument';
import { duration, rulesSentences, startQuestion, stopKeys } from '../../../src/ui/autoRebalance/rulesMessages';
import { autoRebalanceStatusBarModel } from '../../../src/ui/autoRebalance/statusBarModel';
import { statusSentence } from '../../../src/ui/autoRebalance/windowStatus';
import { fitsDialog } from '../../../src/ui/zap/dialogSpace';
import { SANDBOX } from '../../../src/ui/shell/serviceChoice';
import type { AutoRebalanceRules, AutoRebalanceState, AutoRebalanceDecision } from '../../../src/autoRebalance/types';
import { addressOf, openPosition, OWNER } from '../portfolio/fixtures';
import { GRANT, RULES } from './automationFixtures';
import { REAL } from './walletDesk';

const AUTOMATIC: AutoRebalanceRules = {
  ...RULES,
  ...{
    mode: 'automatic',
    mostPerPositionAndDay: 2,
    stopLossPercent: 15,
    takeProfitPercent: 50,
    poolsLeftAlone: [addressOf(1), addressOf(2)],
  },
  terms: { halfWidthBins: undefined, strategy: 'Curve', slippageBps: 250, reserveLamports: 1_000_000_000n },
};

type On = Extract<AutoRebalanceState, { kind: 'on' }>;
const ON: On = { kind: 'on', grant: GRANT, role: 'active', lastCheckMs: GRANT.sinceMs + 60_000, acting: [], planned: [], doneToday: 0 };

describe('The words of the rules', () => {
  it('say what is done, when, how often, and what is left alone', () => {
    assert.deepEqual(rulesSentences(RULES), [
      'Every 60 seconds it looks at your positions. One that is out of range at 3 checks in a row, and worth $25.00 or more, is zapped out of and in again: 34 bins to either side of the active one, spread as before, at most 1% slippage each way.',
      'What goes in is what came out of that position, less costs; at least 0.05 SOL stay in the wallet.',
      'In 24 hours at most 3 times for a position, and not again within 1 hour; at most 10 times in all.',
      'It closes nothing for good: no stop-loss and no take-profit is set.',
    ]);
    assert.deepEqual(rulesSentences(AUTOMATIC).slice(2), [
      'In 24 hours at most twice for a position, and not again within 1 hour; at most 10 times in all.',
      'Closed for SOL, and not entered again: at −15% or worse, at +50% or better (PnL in US dollars).',
      '2 pools are left alone.',
    ]);
  });

  it('do not promise what is never done', () => {
    assert.match(rulesSentences({ ...RULES, mostPerDay: 0 }).join(' '), /It rebalances nothing: none is allowed in 24 hours\./);
    // It takes two checks whatever is set.
    assert.match(rulesSentences({ ...RULES, outOfRangeChecks: 1, leastValueUsd: 0 })[0] ?? '', /at 2 checks in a row is zapped out/);
  });

  it('write times in the unit that they are whole in', () => {
    assert.deepEqual([15_000, 60_000, 90_000, 300_000, 3_600_000, 0].map(duration), [
      '15 seconds',
      '60 seconds',
      '90 seconds',
      '5 minutes',
      '1 hour',
      '0 seconds',
    ]);
  });

  it('name the key that the manifest gives to stopping', () => {
    const { contributes } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      readonly contributes: {
        readonly keybindings: readonly { readonly command: string; readonly key: string; readonly mac: string; readonly when: string }[];
      };
    };
    const binding = contributes.keybindings.find(({ command }) => command === 'binsight.stopAllAutomation');
    // Apple calls the key Option, and VS Code's manifest calls it alt.
    assert.deepEqual(stopKeys().toLowerCase().replace('option', 'alt').split(', on a mac '), [binding?.key, binding?.mac]);
    assert.equal(binding?.when, 'binsight.isAutomationOn');
  });
});

describe('The question before automation is turned on', () => {
  const subject = { rules: RULES, owner: OWNER, service: SANDBOX, isAgain: false, locksAfterMinutes: undefined };

  it('never has signing without being asked as the button that is preselected', () => {
    assert.deepEqual(startQuestion(subject).actions, ['Start', 'Show What It Would Do']);
    const automatic = startQuestion({ ...subject, rules: AUTOMATIC });
    assert.deepEqual(automatic.actions, ['Show What It Would Do', 'Start, Sign by These Rules']);
    assert.deepEqual([automatic.severity, automatic.message], ['warning', 'Start auto-rebalance, and let it sign?']);
  });

  it('says whose money it is about, and that of the sandbox is pretended', () => {
    assert.match(startQuestion(subject).detail, /Sandbox \(pretend money\)/);
    assert.doesNotMatch(startQuestion({ ...subject, service: REAL }).detail, /pretend/);
  });

  it('can be read without scrolling, however much is set', () => {
    for (const rules of [RULES, AUTOMATIC]) {
      const { detail } = startQuestion({ ...subject, rules, isAgain: true, locksAfterMinutes: 1_440 });
      assert.ok(fitsDialog(detail), detail);
    }
  });

  it('says how long an unlocked wallet lets it sign', () => {
    assert.match(
      startQuestion({ ...subject, rules: AUTOMATIC, locksAfterMinutes: 15 }).detail,
      /while the wallet is unlocked: 15 minutes from now\. Then it waits for you\./,
    );
  });
});

describe('The sign in the status bar', () => {
  it('counts rebalances by hand as well, and says so', () => {
    assert.match(
      autoRebalanceStatusBarModel({ ...ON, doneToday: 2 })?.tooltip ?? '',
      /2 rebalances in the last 24 hours, by hand or by itself\./,
    );
    assert.match(statusSentence({ ...ON, doneToday: 1 }), /1 rebalance in the last 24 hours, by hand or by itself\.$/);
  });

  const decided = (decision: AutoRebalanceDecision) => ({ position: openPosition(1), decision });

  it('is not there while automation is off', () => {
    assert.equal(autoRebalanceStatusBarModel({ kind: 'off' }), undefined);
  });

  it('says that it asks, and waits for the answer, before it rebalances', () => {
    const model = autoRebalanceStatusBarModel(
      { ...ON, acting: [openPosition(1).key], planned: [decided({ kind: 'act', action: 'rebalance', why: 'So.' })] },
      true,
    );
    assert.deepEqual([model?.text, model?.warns], ['$(question) Auto-rebalance asks about BONK/SOL', true]);
    assert.match(model?.spoken ?? '', /asks about BONK\/SOL/);
  });

  it('says in words how automation stands', () => {
    const texts = [
      ON,
      { ...ON, grant: { ...GRANT, rules: AUTOMATIC } },
      { ...ON, acting: [openPosition(1).key], planned: [decided({ kind: 'act', action: 'rebalance', why: 'So.' })] },
      { ...ON, acting: [openPosition(1).key], planned: [decided({ kind: 'act', action: 'close', why: 'So.' })] },
      { ...ON, planned: [decided({ kind: 'user', why: 'So.' })] },
      { ...ON, role: 'standby' as const },
      { kind: 'paused', grant: GRANT, why: 'The rules differ.' } as const,
    ].map((state) => autoRebalanceStatusBarModel(state));
    assert.deepEqual(
      texts.map((model) => [model?.text, model?.warns]),
      [
        ['$(sync) Auto-rebalance: asks first', false],
        ['$(sync) Auto-rebalance: signs by the rules', false],
        ['$(sync~spin) Rebalancing BONK/SOL', false],
        ['$(sync~spin) Closing BONK/SOL', false],
        ['$(sync) Auto-rebalance: 1 waits for you', true],
        ['$(sync-ignored) Auto-rebalance: another window', false],
        ['$(debug-pause) Auto-rebalance is paused', true],
      ],
    );
    for (const model of texts) {
      assert.match(model?.spoken ?? '', /^Binsight: auto-rebalance is (on|paused)/);
      assert.ok(model?.tooltip.includes(`“Stop All Automation” (${stopKeys()}) stops it at once.`));
    }
  });

  it('takes nothing of what a service says for markup or an icon', () => {
    const position = openPosition(1, { pairName: '[x](command:evil) $(bug)' });
    const model = autoRebalanceStatusBarModel({
      ...ON,
      acting: [position.key],
      planned: [{ position, decision: { kind: 'user', why: '' } }],
    });
    assert.doesNotMatch(model?.text ?? '', /\$\(bug\)/);
    assert.doesNotMatch(model?.tooltip ?? '', /\[x\]\(|\$\(bug\)/);
    assert.doesNotMatch(
      autoRebalanceStatusBarModel({ kind: 'paused', grant: GRANT, why: '$(bug) [x](http://x)' })?.tooltip ?? '',
      /[^\\]\$\(bug\)|[^\\]\[x/,
    );
  });
});

describe('The dry run', () => {
  const at = new Date(Date.UTC(2026, 10, 20, 12));
  const facts = { rules: RULES, owner: OWNER, service: SANDBOX, standing: 'Auto-rebalance is off.', at };

  it('says what would be done with each position and why, what happens first', () => {
    const decisions: readonly AutoRebalanceDecision[] = [
      { kind: 'leftAlone', why: 'Its pool.' },
      { kind: 'fine', why: 'In range.' },
      { kind: 'wait', why: 'Soon.', untilMs: undefined },
      { kind: 'user', why: 'Yours.' },
      { kind: 'act', action: 'close', why: 'A loss.' },
      { kind: 'act', action: 'rebalance', why: 'Out.' },
    ];
    const text = dryRunDocument({
      ...facts,
      planned: decisions.map((decision, place) => ({ position: openPosition(place, { pairName: `P${place}/SOL` }), decision })),
    });
    assert.deepEqual(text.match(/^### .+$/gm), [
      '### P4/SOL: close for good now',
      '### P5/SOL: rebalance now',
      '### P3/SOL: waits for you',
      '### P2/SOL: wait',
      '### P1/SOL: nothing to do',
      '### P0/SOL: left alone',
    ]);
    for (const { why } of decisions) {
      assert.ok(text.includes(why));
    }
    assert.match(text, /Auto-rebalance is off\. This is a dry run: nothing was signed or sent for it\./);
    assert.match(text, /^- Every 60 seconds/m);
  });

  it('is there without positions too, and takes no foreign name for markup', () => {
    assert.match(dryRunDocument({ ...facts, planned: [] }), /This wallet has no open positions\./);
    const text = dryRunDocument({
      ...facts,
      planned: [{ position: openPosition(1, { pairName: '# x\n## y' }), decision: { kind: 'fine', why: '![x](http://x)' } }],
    });
    assert.doesNotMatch(text, /^## y/m);
    assert.doesNotMatch(text, /!\[x\]\(/);
  });
});

describe('The menu of automation', () => {
  const values = (state: AutoRebalanceState, isLocked = false) => menuOf(state, isLocked).items.map(({ value }) => value);

  it('offers what can be done, and stopping first', () => {
    assert.deepEqual(values({ kind: 'off' }, true), ['binsight.startAutoRebalance', 'binsight.showAutomationPlan', 'settings']);
    assert.deepEqual(values(ON), ['binsight.stopAllAutomation', 'binsight.showAutomationPlan', 'settings']);
    assert.deepEqual(values(ON, true), ['binsight.stopAllAutomation', 'unlock', 'binsight.showAutomationPlan', 'settings']);
    assert.deepEqual(values({ kind: 'paused', grant: GRANT, why: 'So.' }), [
      'binsight.stopAllAutomation',
      'binsight.startAutoRebalance',
      'binsight.showAutomationPlan',
      'settings',
    ]);
  });
});
