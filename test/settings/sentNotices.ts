import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { notifierCall } from '../../src/ui/notices/systemNotification';
import type { OpenPosition } from '../../src/service/positions';
import type { Inspection } from '../../src/ui/services';
import {
  answering,
  commandEnding,
  controlSandbox,
  eventually,
  refresh,
  setFaults,
  withoutWaits,
  withSetting,
  withSettings,
} from '../support/editor/inspect';
import { NoticeWorld } from '../support/editor/noticeWorld';
import type { Proof, ProofGroup } from './proof';

/** It signs at the second check. */
const QUICK_RULES = {
  'binsight.autoRebalance.mode': 'automatic',
  'binsight.autoRebalance.checkIntervalSeconds': 15,
  'binsight.autoRebalance.outOfRangeChecks': 2,
  'binsight.autoRebalance.minPositionValueUsd': 0,
  'binsight.autoRebalance.cooldownMinutes': 0,
  'binsight.rebalance.slippageBps': 500,
};

const OPERATIONS = 'binsight.notifications.operations';

let world: NoticeWorld;

/** Zaps a little out of a position, which ends at once. */
async function zapOut(inspection: Inspection): Promise<void> {
  const node = inspection.views.positions.getChildren().find((one) => one.kind === 'position' && one.position.poolType === 'dlmm');
  const answers = [{ pick: 'Other' }, { type: '10' }, { pick: 'SOL' }, { pick: '3%' }, { press: 'Sign and Send' }] as const;
  await commandEnding(inspection, 'binsight.zapOut', node, answers, /^Zap out 10% of .+: done\..+ The position stays open/);
}

/** The webhook gets a notice of this kind with the setting, and none without it. */
function isSent(kind: string, cause: (inspection: Inspection) => Promise<void>): Proof['prove'] {
  return async (inspection) => {
    const from = world.received.length;
    await withSetting(OPERATIONS, false, () => cause(inspection));
    await withSetting(OPERATIONS, true, async () => {
      await cause(inspection);
      assert.equal((await world.receivedOf(kind, from)).length, 1, 'none without the setting');
    });
  };
}

/** Auto-rebalance pauses, because its rules differ from those that were confirmed. */
async function pausedAutomation(inspection: Inspection): Promise<void> {
  const { controller } = await inspection.automation.commands();
  await answering(inspection, [{ press: 'Start' }], async (prompts) => {
    await vscode.commands.executeCommand('binsight.startAutoRebalance');
    await eventually('it is on', () => controller.state.kind === 'on');
    await withSetting('binsight.autoRebalance.maxPerDay', 5, async () => {
      await prompts.noticed(/^Auto-rebalance is paused\. /);
    });
    await eventually('it goes on', () => controller.state.kind === 'on');
    await vscode.commands.executeCommand('binsight.stopAllAutomation');
  });
}

/** Moves positions that pair with SOL, each alone in its pool, out of their ranges. The price is just above them: there is liquidity. */
async function leaveRanges(inspection: Inspection): Promise<readonly OpenPosition[]> {
  const { positions } = inspection.portfolio.snapshot;
  const suitable = positions.filter(
    ({ poolType, token1, inRange, pool, value, ageHours }) =>
      poolType === 'dlmm' &&
      token1.symbol === 'SOL' &&
      inRange === true &&
      (value.usd ?? 0) > 50 &&
      (ageHours ?? 0) > 1 &&
      positions.filter((one) => one.pool === pool).length === 1,
  );
  for (const { pool, upperBinId = 0 } of suitable) {
    await controlSandbox(inspection, 'active-bin', { pool, binId: upperBinId + 3 });
  }
  await refresh(inspection);
  return suitable;
}

/** Leaves the work to auto-rebalance until it has rebalanced this position, by its rules and without a question. */
async function rebalanceByRules(inspection: Inspection, { pool }: OpenPosition): Promise<void> {
  const { controller } = await inspection.automation.commands();
  const others = inspection.portfolio.snapshot.positions.flatMap((one) => (one.pool === undefined || one.pool === pool ? [] : [one.pool]));
  // Without prices of the past it does not wait until re-centering is worth it.
  await setFaults(inspection, [{ kind: 'status', status: 501, path: `/pools/${pool ?? ''}/candles` }]);
  try {
    await withSettings({ ...QUICK_RULES, 'binsight.autoRebalance.excludedPools': [...new Set(others)] }, async () => {
      await answering(inspection, [{ press: 'Start and Sign Automatically' }], async (prompts) => {
        const rebalanced = async () => {
          await vscode.commands.executeCommand('binsight.startAutoRebalance');
          await prompts.noticed(/^Rebalance .+ re-entered over /);
        };
        await withoutWaits(inspection, rebalanced, 1);
        await vscode.commands.executeCommand('binsight.stopAllAutomation');
        await eventually('it is off', () => controller.state.kind === 'off');
      });
    });
  } finally {
    await setFaults(inspection, []);
  }
}

/** What is told outside the editor: by webhook, and by the system. */
export const SENT_NOTICES: ProofGroup = {
  subject: 'Notices outside the editor',
  setUp: async (inspection) => {
    world = await NoticeWorld.start(inspection);
    return () => world.stop();
  },
  proofs: {
    'binsight.notifications.system': {
      title: 'A test notice asks the system to show it, where this machine has notifications',
      prove: async (inspection) => {
        const tested = async (): Promise<string> => {
          const { notices } = await answering(inspection, [{ pick: 'Send Test Notice' }], async (prompts) => {
            await vscode.commands.executeCommand('binsight.webhookMenu');
            await prompts.noticed(/^Test notice sent to /);
          });
          return notices.map(({ message }) => message).join();
        };
        await withSetting('binsight.notifications.system', false, async () => assert.doesNotMatch(await tested(), /The system/));
        // In a browser the extension does not run where the user sits, and not every Linux has a program for it.
        const isAvailable =
          vscode.env.uiKind === vscode.UIKind.Desktop &&
          notifierCall('', '', { platform: process.platform, environment: process.env }) !== undefined;
        assert.equal(/The system (?:was asked to|could not) show it\./.test(await tested()), isAvailable);
      },
    },
    'binsight.notifications.quietHours': {
      title: 'In quiet hours the webhook gets nothing, and gets it when they end',
      prove: (inspection) =>
        withoutWaits(inspection, async () => {
          const hour = (ahead: number) => `${String((new Date().getHours() + 24 + ahead) % 24).padStart(2, '0')}:00`;
          const from = world.received.length;
          await withSetting('binsight.notifications.quietHours', `${hour(-1)}-${hour(2)}`, async () => {
            await world.toldDuring(async () => {
              await world.crash();
              await world.read(2);
            });
            // It is sent at once, also now.
            await answering(inspection, [{ pick: 'Send Test Notice' }], async (prompts) => {
              await vscode.commands.executeCommand('binsight.webhookMenu');
              await prompts.noticed(/^Test notice sent to /);
            });
            assert.deepEqual(
              world.received.slice(from).map(({ kind }) => kind),
              ['test'],
            );
          });
          await world.receivedOf('enteredRange', from);
        }),
    },
    'binsight.notifications.operations': {
      title: 'The webhook gets the end of an operation, and that auto-rebalance needs the user or acts',
      prove: async (inspection) => {
        // Time passes as it does: if only the clock of the extension moved on, a quote would be out of date, and the user asked again.
        await isSent('operationEnded', zapOut)(inspection);
        await withoutWaits(inspection, () => isSent('autoRebalanceAsks', pausedAutomation)(inspection), 1);
        const [first, second] = await leaveRanges(inspection);
        assert.ok(first !== undefined && second !== undefined, 'two positions to rebalance');
        const from = world.received.length;
        await withSetting(OPERATIONS, false, () => rebalanceByRules(inspection, first));
        await withSetting(OPERATIONS, true, () => rebalanceByRules(inspection, second));
        const [told, ...others] = await world.receivedOf('autoRebalanceActs', from);
        assert.ok(told?.text.endsWith(`Auto-rebalance began to rebalance ${second.pairName}.`), told?.text);
        assert.deepEqual(others, [], 'none without the setting');
      },
    },
  },
};
