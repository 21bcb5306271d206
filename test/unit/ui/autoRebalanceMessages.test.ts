import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dryRunDocument } from '../../../src/ui/autoRebalance/dryRunDocument';
import { menuOf } from '../../../src/ui/autoRebalance/menu';
import { duration, rulesSentences, startQuestion, stopKeys } from '../../../src/ui/autoRebalance/rulesMessages';
import { autoRebalanceStatusBarModel, statusSentence } from '../../../src/ui/autoRebalance/status';
import { replacedText } from '../../../src/ui/shell/errors';
import { unansweredText } from '../../../src/ui/shell/secrets';
import { fitsDialog } from '../../../src/ui/zap/dialogSpace';
import { SANDBOX } from '../../../src/ui/shell/serviceChoice';
import type { ConfirmedWorth, AutoRebalanceRules, AutoRebalanceState, AutoRebalanceDecision } from '../../../src/autoRebalance/types';
import { addressOf, openPosition, OWNER } from '../../support/portfolio/fixtures';
import { CONSENT, RULES } from '../../support/ui/autoRebalanceFixtures';
import { REAL } from '../../support/ui/walletWindow';

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
/** No question is open. */
const QUIET = { asking: [], keys: 'Ctrl+Shift+F8' };
const ON: On = {
  kind: 'on',
  consent: CONSENT,
  role: 'active',
  lastCheckMs: CONSENT.sinceMs + 60_000,
  acting: [],
  planned: [],
  doneToday: 0,
};

/** One and a half SOL in all. */
const WORTHS: readonly ConfirmedWorth[] = [1_000_000_000n, 500_000_000n].map((lamports, at) => ({ position: addressOf(at), lamports }));

describe('Rules in sentences', () => {
  it('The rules in sentences state the action, its conditions, its limits and the excluded pools', () => {
    assert.deepEqual(rulesSentences(RULES, WORTHS), [
      'Every 60 seconds, checks your positions and rebalances those out of range in 3 checks in a row. Only those worth at least $25.00.',
      'New range around the active bin: 34 bins on each side. Strategy: unchanged. Max slippage: 1%.',
      'Re-enters with the proceeds, up to the confirmed worth plus 10%. At least 0.05 SOL stay in the wallet.',
      'Limits in 24 hours: 3 per position, 10 in all, 0.015 SOL of costs. Cooldown: 1 hour.',
      'No stop-loss or take-profit.',
    ]);
    assert.deepEqual(rulesSentences(AUTOMATIC, WORTHS).slice(3), [
      'Limits in 24 hours: 2 per position, 10 in all, 0.015 SOL of costs. Cooldown: 1 hour.',
      'Closes for SOL, without re-entering, at PnL ≤ −15%, ≥ +50% in USD for 5 minutes (90 seconds if the chain proves the loss). At most 2 at once, 3 in 24 hours.',
      'Excluded pools: 2.',
    ]);
  });

  it('The rules in sentences promise nothing that auto-rebalance never does', () => {
    assert.match(rulesSentences({ ...RULES, mostPerDay: 0 }, WORTHS).join(' '), /Your rules allow no rebalances\./);
    // It takes two checks whatever is set.
    assert.match(
      rulesSentences({ ...RULES, outOfRangeChecks: 1, leastValueUsd: 0 }, WORTHS)[0] ?? '',
      /out of range in 2 checks in a row\.$/,
    );
  });

  it('The rules in sentences give durations in whole hours, minutes or seconds', () => {
    assert.deepEqual([15_000, 60_000, 90_000, 300_000, 3_600_000, 0].map(duration), [
      '15 seconds',
      '60 seconds',
      '90 seconds',
      '5 minutes',
      '1 hour',
      '0 seconds',
    ]);
  });

  it('The stop shortcut in messages is the one in the manifest', () => {
    const { contributes } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      readonly contributes: {
        readonly keybindings: readonly { readonly command: string; readonly key: string; readonly mac: string; readonly when: string }[];
      };
    };
    const binding = contributes.keybindings.find(({ command }) => command === 'binsight.stopAllAutomation');
    const keys = [binding?.key, binding?.mac];
    assert.deepEqual(
      (['linux', 'darwin'] as const).map((platform) => stopKeys(platform).toLowerCase()),
      keys,
    );
    assert.equal(stopKeys('win32'), stopKeys('linux'));
    assert.deepEqual(stopKeys(undefined).toLowerCase().replace(' (macos)', '').split(', '), keys);
    assert.equal(binding?.when, 'binsight.isAutomationOn');
  });
});

describe('The question before the start', () => {
  const subject = {
    rules: RULES,
    worths: WORTHS,
    owner: { address: OWNER },
    service: SANDBOX,
    locksAfterMinutes: undefined,
    keys: 'Ctrl+Shift+F8',
  };

  it('The button that lets auto-rebalance sign is never the default', () => {
    assert.deepEqual(startQuestion(subject).actions, ['Start', 'Preview (Dry Run)', 'Change Rules…']);
    const automatic = startQuestion({ ...subject, rules: AUTOMATIC });
    assert.deepEqual(automatic.actions, ['Preview (Dry Run)', 'Start and Sign Automatically', 'Change Rules…']);
    assert.deepEqual([automatic.severity, automatic.message], ['warning', 'Start auto-rebalance, and let it sign?']);
  });

  it('The start question names the service and says that sandbox money is pretend money', () => {
    assert.match(startQuestion(subject).detail, /Sandbox \(pretend\)/);
    assert.doesNotMatch(startQuestion({ ...subject, service: REAL }).detail, /pretend/);
  });

  it('The start question has at most sixty words where each rebalance is a question, and every rule where it is not', () => {
    const { detail } = startQuestion(subject);
    assert.ok(detail.split(/\s+/).length <= 60, detail);
    const automatic = startQuestion({ ...subject, rules: AUTOMATIC }).detail;
    for (const sentence of rulesSentences(AUTOMATIC, WORTHS)) {
      assert.ok(automatic.includes(sentence), sentence);
    }
  });

  it('The start question fits a dialog, whatever the rules', () => {
    for (const rules of [RULES, AUTOMATIC]) {
      const { detail } = startQuestion({ ...subject, rules, locksAfterMinutes: 1_440 });
      assert.ok(fitsDialog(detail), detail);
    }
  });

  it('The start question says how long the wallet stays unlocked', () => {
    assert.match(
      startQuestion({ ...subject, rules: AUTOMATIC, locksAfterMinutes: 15 }).detail,
      /while the wallet is unlocked, for 15 minutes from now\. Then it waits for you\./,
    );
  });
});

describe('The status bar item', () => {
  it('The auto-rebalance tooltip counts manual rebalances too', () => {
    assert.match(
      autoRebalanceStatusBarModel({ ...ON, doneToday: 2 }, QUIET)?.tooltip ?? '',
      /Rebalances and closings in 24 hours: 2 \(limit: \d+\)\./,
    );
    assert.match(statusSentence({ ...ON, doneToday: 1 }), /Rebalances and closings in 24 hours: 1 \(limit: \d+\)\.$/);
  });

  const decided = (decision: AutoRebalanceDecision) => ({ position: openPosition(1), decision });

  it('The status bar has no item while auto-rebalance is off', () => {
    assert.equal(autoRebalanceStatusBarModel({ kind: 'off' }, QUIET), undefined);
  });

  it('The auto-rebalance status bar item names its wallet while the views show another one', () => {
    const wallet = 'Savings (7xKX…9fQ2)';
    const model = autoRebalanceStatusBarModel(ON, { ...QUIET, wallet });
    assert.match(model?.text ?? '', / · Savings \(7xKX…9fQ2\)$/);
    assert.match(model?.spoken ?? '', /It continues for Savings \(7xKX…9fQ2\), which the views do not show\.$/);
    assert.match(model?.tooltip ?? '', /It continues for Savings .*, which the views do not show\.$/);
    assert.doesNotMatch(autoRebalanceStatusBarModel(ON, QUIET)?.text ?? '', /·/);
  });

  it('The auto-rebalance status bar item says that it asks, and warns until the answer', () => {
    const acting = { ...ON, acting: [openPosition(1).key], planned: [decided({ kind: 'act', action: 'rebalance', why: 'So.' })] };
    // The second question is open, and nothing waits for its answer any more.
    for (const state of [acting, ON]) {
      const model = autoRebalanceStatusBarModel(state, { ...QUIET, asking: ['BONK/SOL'] });
      assert.deepEqual([model?.text, model?.warns], ['$(question) Auto-rebalance asks about BONK/SOL', true]);
      assert.match(model?.spoken ?? '', /asks about BONK\/SOL/);
      assert.match(model?.tooltip ?? '', /asks about BONK\/SOL\. Click to answer\./);
    }
  });

  it('The auto-rebalance status bar item states what auto-rebalance is doing', () => {
    const texts = [
      ON,
      { ...ON, consent: { ...CONSENT, rules: AUTOMATIC } },
      { ...ON, acting: [openPosition(1).key], planned: [decided({ kind: 'act', action: 'rebalance', why: 'So.' })] },
      { ...ON, acting: [openPosition(1).key], planned: [decided({ kind: 'act', action: 'close', why: 'So.' })] },
      { ...ON, planned: [decided({ kind: 'user', why: 'So.' })] },
      { ...ON, role: 'standby' as const },
      { kind: 'paused', consent: CONSENT, why: 'The rules differ.' } as const,
    ].map((state) => autoRebalanceStatusBarModel(state, QUIET));
    assert.deepEqual(
      texts.map((model) => [model?.text, model?.warns]),
      [
        ['$(sync) Auto-rebalance: asks first', false],
        ['$(sync) Auto-rebalance: signs automatically', false],
        ['$(sync~spin) Rebalancing BONK/SOL', false],
        ['$(sync~spin) Closing BONK/SOL', false],
        ['$(sync) Auto-rebalance: 1 waiting for you', true],
        ['$(sync-ignored) Auto-rebalance: another window', false],
        ['$(debug-pause) Auto-rebalance is paused', true],
      ],
    );
    for (const model of texts) {
      assert.match(model?.spoken ?? '', /^Binsight: Auto-rebalance is (on|paused)/);
      assert.ok(model?.tooltip.includes(`“Stop All Automation” (Ctrl+Shift+F8) stops it immediately.`));
    }
  });

  it('While the secret storage does not answer, the item says that auto-rebalance waits, why, and when it checked last', () => {
    const state = {
      kind: 'paused',
      consent: CONSENT,
      why: unansweredText(),
      cause: 'secretStorage',
      lastCheckMs: CONSENT.sinceMs,
    } as const;
    const model = autoRebalanceStatusBarModel(state, QUIET);
    assert.deepEqual([model?.text, model?.warns], ['$(debug-pause) Auto-rebalance waits for the secret storage', true]);
    assert.match(model?.tooltip ?? '', /secret storage does not answer[^]*Last check: /);
    assert.doesNotMatch(`${model?.text} ${statusSentence(state)}`, /is on/);
  });

  it('Once the extension was updated under the window, the item says that auto-rebalance is off until it is reloaded', () => {
    const state = { kind: 'paused', consent: CONSENT, why: replacedText(), cause: 'reload' } as const;
    const model = autoRebalanceStatusBarModel(state, QUIET);
    assert.deepEqual([model?.text, model?.warns], ['$(debug-pause) Auto-rebalance is off until the window is reloaded', true]);
    assert.doesNotMatch(`${model?.text} ${model?.spoken} ${statusSentence(state)}`, /is on/);
  });

  it('The auto-rebalance status bar item never renders text of a service as markup or an icon', () => {
    const position = openPosition(1, { pairName: '[x](command:evil) $(bug)' });
    const acting: On = { ...ON, acting: [position.key], planned: [{ position, decision: { kind: 'user', why: '' } }] };
    for (const asking of [[], [position.pairName]]) {
      const model = autoRebalanceStatusBarModel(acting, { ...QUIET, asking });
      assert.doesNotMatch(model?.text ?? '', /\$\(bug\)/);
      assert.doesNotMatch(model?.tooltip ?? '', /\[x\]\(|\$\(bug\)/);
    }
    assert.doesNotMatch(
      autoRebalanceStatusBarModel({ kind: 'paused', consent: CONSENT, why: '$(bug) [x](http://x)' }, QUIET)?.tooltip ?? '',
      /[^\\]\$\(bug\)|[^\\]\[x/,
    );
  });
});

describe('The dry run', () => {
  const at = new Date(Date.UTC(2026, 10, 20, 12));
  const facts = { rules: RULES, worths: WORTHS, owner: OWNER, service: SANDBOX, standing: 'Auto-rebalance is off.', at };

  it('The dry run lists the action and the reason for each position, actions first', () => {
    const decisions: readonly AutoRebalanceDecision[] = [
      { kind: 'leftAlone', why: 'Its pool.' },
      { kind: 'fine', why: 'In range.' },
      { kind: 'wait', why: 'Soon.', untilMs: undefined },
      { kind: 'user', why: 'Yours.' },
      { kind: 'act', action: 'close', why: 'A loss.' },
      { kind: 'act', action: 'rebalance', why: 'Out.' },
      { kind: 'act', action: 'close', why: 'A loss.', asks: 'It asks you.' },
    ];
    const text = dryRunDocument({
      ...facts,
      planned: decisions.map((decision, place) => ({ position: openPosition(place, { pairName: `P${place}/SOL` }), decision })),
    });
    const rows = text
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .map((line) => line.split('|').map((cell) => cell.trim()));
    assert.deepEqual(
      rows.map(([, pair, action, , , , why]) => [pair, action, why]),
      [
        ['Position', 'Action', 'Reason'],
        ['-'.repeat('Position'.length), '-'.repeat('Ask: Close'.length), '---'],
        ['P4/SOL', 'Close', 'A loss.'],
        ['P5/SOL', 'Rebalance', 'Out.'],
        ['P6/SOL', 'Ask: Close', 'A loss. It asks you.'],
        ['P3/SOL', 'Needs you', 'Yours.'],
        ['P2/SOL', 'Wait', 'Soon.'],
        ['P1/SOL', 'None', 'In range.'],
        ['P0/SOL', 'Left alone', 'Its pool.'],
      ],
    );
    assert.match(text, /Auto-rebalance is off\. Nothing was signed\./);
    assert.match(text, /^- Every 60 seconds/m);
  });

  it('The dry run works without positions and never renders text of a service as markup', () => {
    assert.match(dryRunDocument({ ...facts, planned: [] }), /This wallet has no open positions\./);
    const text = dryRunDocument({
      ...facts,
      planned: [{ position: openPosition(1, { pairName: '# x\n## y' }), decision: { kind: 'fine', why: '![x](http://x)' } }],
    });
    assert.doesNotMatch(text, /^## y/m);
    assert.doesNotMatch(text, /!\[x\]\(/);
  });
});

describe('The menu of auto-rebalance', () => {
  const values = (state: AutoRebalanceState, isLocked = false) =>
    menuOf(state, { isLocked, questions: [], keys: 'Ctrl+Shift+F8' }).items.map(({ value }) => value);

  it('The auto-rebalance menu offers what is possible, stopping first', () => {
    assert.deepEqual(values({ kind: 'off' }, true), ['binsight.startAutoRebalance', 'binsight.showAutomationPlan', 'rules']);
    assert.deepEqual(values(ON), ['binsight.stopAllAutomation', 'binsight.showAutomationPlan', 'rules']);
    assert.deepEqual(values(ON, true), ['binsight.stopAllAutomation', 'unlock', 'binsight.showAutomationPlan', 'rules']);
    assert.deepEqual(values({ kind: 'paused', consent: CONSENT, why: 'So.' }), [
      'binsight.stopAllAutomation',
      'binsight.startAutoRebalance',
      'binsight.showAutomationPlan',
      'rules',
    ]);
  });

  it('The auto-rebalance menu answers each open question', () => {
    const question = { id: 'close key', pair: 'BONK/SOL', action: 'close', why: 'The loss reached 15%.' } as const;
    const { items } = menuOf(ON, { isLocked: false, questions: [question], keys: 'Ctrl+Shift+F8' });
    assert.deepEqual(
      items.slice(0, 4).map(({ label, value }) => [label, value]),
      [
        ['Close BONK/SOL without re-entering…', { question: 'close key', answer: 'yes' }],
        ['Not Now', { question: 'close key', answer: 'notNow' }],
        ['Leave It Alone', { question: 'close key', answer: 'leaveAlone' }],
        ['Stop All Automation', 'binsight.stopAllAutomation'],
      ],
    );
    assert.equal(items[0]?.detail, 'The loss reached 15%.');
  });

  it('The palette has the menu of auto-rebalance, and stops it only while it is on', () => {
    const { contributes } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      readonly contributes: { readonly menus: { readonly commandPalette: readonly { readonly command: string; readonly when: string }[] } };
    };
    const whenOf = (id: string) => contributes.menus.commandPalette.find(({ command }) => command === id)?.when;
    assert.deepEqual(
      ['automationMenu', 'stopAllAutomation'].map((name) => whenOf(`binsight.${name}`)),
      [undefined, 'binsight.isAutomationOn'],
    );
  });
});
