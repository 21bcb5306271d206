import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { OpenPosition } from '../../src/service/positions';
import type { Inspection } from '../../src/ui/services';
import { answering, documentOf, eventually, withSetting, withSettings } from '../support/editor/inspect';
import { movedOut } from './movedOut';
import type { Proof, ProofGroup } from './proof';

let position: OpenPosition;
/** The dry run and the question before the start, with the defaults. */
let usual: { readonly dryRun: string; readonly rules: string };

const dryRun = (inspection: Inspection) =>
  documentOf(inspection, async () => vscode.commands.executeCommand('binsight.showAutomationPlan'));

/** What the dry run says of the position that is out of range. */
function rowOf(document: string): string {
  return document.split('\n').find((line) => line.includes(`\`${position.address ?? ''}\``)) ?? assert.fail('the position has no row');
}

/** The question before a start that signs automatically, which is left. It has all rules. */
async function rules(inspection: Inspection): Promise<string> {
  let text = '';
  await withSetting('binsight.autoRebalance.mode', 'automatic', async () => {
    const { asked } = await answering(inspection, ['escape'], async () => {
      await vscode.commands.executeCommand('binsight.startAutoRebalance');
    });
    text = asked[0]?.text ?? '';
  });
  return text;
}

/** The dry run decides about the position as this says, and did not before. */
function decides(title: string, values: (moved: OpenPosition) => Readonly<Record<string, unknown>>, why: RegExp): Proof {
  return {
    title,
    prove: async (inspection) => {
      assert.doesNotMatch(rowOf(usual.dryRun), why);
      await withSettings(values(position), async () => assert.match(rowOf(await dryRun(inspection)), why));
    },
  };
}

/** The dry run decides about some position as this says, and did not before. */
function closes(title: string, id: string, why: RegExp): Proof {
  return {
    title,
    prove: async (inspection) => {
      assert.doesNotMatch(usual.dryRun, why);
      await withSetting(id, 0.5, async () => assert.match(await dryRun(inspection), why));
    },
  };
}

/** The question before the start has this rule, and did not before. */
function tells(title: string, id: string, value: unknown, rule: RegExp): Proof {
  return {
    title,
    prove: async (inspection) => {
      assert.doesNotMatch(usual.rules, rule);
      await withSetting(id, value, async () => assert.match(await rules(inspection), rule));
    },
  };
}

/** When auto-rebalance acts, and on what. */
export const AUTO_REBALANCE: ProofGroup = {
  subject: 'Auto-rebalance',
  setUp: async (inspection) => {
    const moved = await movedOut(inspection);
    ({ position } = moved);
    usual = { dryRun: await dryRun(inspection), rules: await rules(inspection) };
    return moved.moveBack;
  },
  proofs: {
    'binsight.autoRebalance.mode': {
      title: 'The start asks whether to ask first, or whether to sign automatically',
      prove: async (inspection) => {
        const started = async () => {
          const { asked } = await answering(inspection, ['escape'], async () => {
            await vscode.commands.executeCommand('binsight.startAutoRebalance');
          });
          return asked[0]?.shown;
        };
        assert.deepEqual(await started(), ['Start', 'Preview (Dry Run)', 'Change Rules…']);
        await withSetting('binsight.autoRebalance.mode', 'automatic', async () =>
          assert.deepEqual(await started(), ['Preview (Dry Run)', 'Start and Sign Automatically', 'Change Rules…']),
        );
      },
    },
    'binsight.autoRebalance.checkIntervalSeconds': {
      title: 'The positions are checked as often as the rule says',
      prove: async (inspection) => {
        const { controller } = await inspection.automation.commands();
        const lastCheckMs = () =>
          controller.state.kind === 'on' && controller.state.role === 'active' ? controller.state.lastCheckMs : undefined;
        // Nothing is due: two checks are too few.
        await withSettings(
          { 'binsight.autoRebalance.checkIntervalSeconds': 15, 'binsight.autoRebalance.outOfRangeChecks': 1000 },
          async () => {
            await answering(inspection, [{ press: 'Start' }], async () => {
              try {
                await vscode.commands.executeCommand('binsight.startAutoRebalance');
                await eventually('the first check', () => lastCheckMs() !== undefined);
                const first = lastCheckMs() ?? 0;
                await eventually('the next check', () => (lastCheckMs() ?? 0) > first);
                const betweenMs = (lastCheckMs() ?? 0) - first;
                // From end to end of the checks, which begin every 15 s: more or less by as much as they take. The default is 60 s.
                assert.ok(betweenMs >= 10_000 && betweenMs < 50_000, `${betweenMs} ms`);
              } finally {
                await vscode.commands.executeCommand('binsight.stopAllAutomation');
              }
            });
          },
        );
        assert.match(usual.rules, /^Every 60 seconds, /m);
      },
    },
    'binsight.autoRebalance.outOfRangeChecks': decides(
      'A position has to be out of range in so many checks',
      () => ({ 'binsight.autoRebalance.outOfRangeChecks': 5 }),
      /Out of range in 0 of 5 checks/,
    ),
    'binsight.autoRebalance.minPositionValueUsd': decides(
      'A position that is worth less is left alone',
      () => ({ 'binsight.autoRebalance.minPositionValueUsd': 1_000_000 }),
      /Left alone .+ is below the \$1,000,000\.00 minimum of your rules/,
    ),
    'binsight.autoRebalance.cooldownMinutes': tells(
      'The rules have the cooldown that is set',
      'binsight.autoRebalance.cooldownMinutes',
      180,
      /Cooldown: 3 hours\./,
    ),
    'binsight.autoRebalance.maxPerPositionPerDay': tells(
      'The rules limit the rebalances of a position',
      'binsight.autoRebalance.maxPerPositionPerDay',
      7,
      /Limits in 24 hours: 7 per position, 10 in all, /,
    ),
    'binsight.autoRebalance.maxPerDay': {
      title: 'The rules limit all rebalances, and auto-rebalance pauses if the limit is changed while it is on',
      prove: async (inspection) => {
        const { controller } = await inspection.automation.commands();
        assert.match(usual.rules, /Limits in 24 hours: 3 per position, 10 in all, /);
        await answering(inspection, [{ press: 'Start' }], async (prompts) => {
          await vscode.commands.executeCommand('binsight.startAutoRebalance');
          await eventually('it is on', () => controller.state.kind === 'on');
          await withSetting('binsight.autoRebalance.maxPerDay', 20, async () => {
            await prompts.noticed(/^Auto-rebalance is paused\. .*The rules, review settings or RPC differ/);
            await eventually('it is paused', () => controller.state.kind === 'paused');
          });
          await eventually('it goes on', () => controller.state.kind === 'on');
          await vscode.commands.executeCommand('binsight.stopAllAutomation');
        });
        await withSetting('binsight.autoRebalance.maxPerDay', 20, async () => assert.match(await rules(inspection), /, 20 in all, /));
      },
    },
    'binsight.autoRebalance.maxClosingsPerDay': {
      title: 'The rules limit the closings of 24 hours',
      prove: async (inspection) => {
        await withSettings({ 'binsight.autoRebalance.maxClosingsPerDay': 7, 'binsight.autoRebalance.stopLossPercent': 50 }, async () =>
          assert.match(await rules(inspection), /At most 2 at once, 7 in 24 hours\./),
        );
      },
    },
    'binsight.autoRebalance.maxCostPercentPerDay': tells(
      'The rules limit the costs of 24 hours',
      'binsight.autoRebalance.maxCostPercentPerDay',
      0,
      /10 in all, 0 SOL of costs\./,
    ),
    'binsight.autoRebalance.stopLossPercent': closes(
      'A position is closed at so much loss',
      'binsight.autoRebalance.stopLossPercent',
      /It is down [\d.,]+% in US dollars \(stop-loss: 0\.5%\)/,
    ),
    'binsight.autoRebalance.takeProfitPercent': closes(
      'A position is closed at so much gain',
      'binsight.autoRebalance.takeProfitPercent',
      /It is up [\d.,]+% in US dollars \(take-profit: 0\.5%\)/,
    ),
    'binsight.autoRebalance.pnlCurrency': decides(
      'Gains and losses are measured in the currency that is set',
      () => ({
        'binsight.autoRebalance.pnlCurrency': 'sol',
        'binsight.autoRebalance.stopLossPercent': 0.001,
        'binsight.autoRebalance.takeProfitPercent': 0.001,
      }),
      /It is (?:up|down) [\d.,]+% in SOL/,
    ),
    'binsight.autoRebalance.excludedPools': decides(
      'The positions of an excluded pool are left alone',
      ({ pool }) => ({ 'binsight.autoRebalance.excludedPools': [pool] }),
      /Left alone .+ Your rules exclude its pool\./,
    ),
  },
};
