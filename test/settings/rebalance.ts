import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Inspection } from '../../src/ui/services';
import { answering, withSetting, withSettings } from '../support/editor/inspect';
import { movedOut } from './movedOut';
import type { Proof, ProofGroup } from './proof';

/** The summary with the defaults. */
let usual: string;

/** What *Rebalance Out-of-Range Positions…* would do, which is left. */
async function summary(inspection: Inspection): Promise<string> {
  const { asked } = await answering(inspection, [{ untick: [] }, 'escape'], async () => {
    await vscode.commands.executeCommand('binsight.rebalanceAll');
  });
  return asked.map(({ text }) => text).join('\n');
}

/** The summary says one thing by default, and another with the setting. */
function changes(title: string, id: string, value: unknown, before: RegExp, after: RegExp): Proof {
  return {
    title,
    prove: async (inspection) => {
      assert.match(usual, before);
      assert.doesNotMatch(usual, after);
      await withSetting(id, value, async () => assert.match(await summary(inspection), after));
    },
  };
}

/** The new position of a rebalance. */
export const REBALANCE: ProofGroup = {
  subject: 'Rebalance',
  setUp: async (inspection) => {
    const { moveBack } = await movedOut(inspection);
    usual = await summary(inspection);
    return moveBack;
  },
  proofs: {
    'binsight.rebalance.range': {
      title: 'The new range has the half-width of the settings, or the width of the old one',
      prove: async (inspection) => {
        await withSettings({ 'binsight.rebalance.halfWidthBins': 7 }, async () => {
          assert.match(await summary(inspection), /→ .+ \(15 bins\)/);
          await withSetting('binsight.rebalance.range', 'sameWidth', async () => {
            const widths = [...(await summary(inspection)).matchAll(/\((\d+) bins\) → .+? \((\d+) bins\)/g)];
            assert.ok(widths.length > 0 && widths.every(([, old, fresh]) => old === fresh));
          });
        });
      },
    },
    'binsight.rebalance.halfWidthBins': changes(
      'The new range has so many bins on each side',
      'binsight.rebalance.halfWidthBins',
      10,
      /→ .+ \(69 bins\)/,
      /→ .+ \(21 bins\)/,
    ),
    'binsight.rebalance.strategy': {
      title: 'The new position has the strategy of the setting, whatever the old one had',
      prove: async (inspection) => {
        for (const strategy of ['Curve', 'BidAsk']) {
          await withSetting('binsight.rebalance.strategy', strategy, async () => {
            const lines = (await summary(inspection)).split('\n').filter((line) => line.includes('→'));
            assert.ok(lines.length > 0 && lines.every((line) => line.includes(`· ${strategy}`)), lines.join('\n'));
          });
        }
      },
    },
    'binsight.rebalance.slippageBps': changes(
      'Both parts of a rebalance have the slippage of the setting',
      'binsight.rebalance.slippageBps',
      250,
      /Max slippage: 1%\. /,
      /Max slippage: 2\.5%\. /,
    ),
    'binsight.rebalance.reserveSol': changes(
      'So much SOL stays in the wallet',
      'binsight.rebalance.reserveSol',
      1.25,
      /At least 0\.05 SOL stay in the wallet\./,
      /At least 1\.25 SOL stay in the wallet\./,
    ),
  },
};
