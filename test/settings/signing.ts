import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Inspection } from '../../src/ui/services';
import { SANDBOX } from '../../src/ui/shell/serviceChoice';
import { answering, commandEnding, eventually, refresh, sandboxOf, withClock, withSetting, withSettings } from '../support/editor/inspect';
import type { ProofGroup } from './proof';

const PASSPHRASE = 'correct horse battery staple 47';
const MINUTE_MS = 60_000;

const tooltip = ({ views }: Inspection) => views.statusBar.model?.tooltip ?? '';

/** Suggested values, and how long keys stay unlocked. */
export const SIGNING: ProofGroup = {
  subject: 'Signing',
  proofs: {
    'binsight.slippageBps': {
      title: 'Zap Out and Zap In offer the slippage of the setting first, as the default',
      prove: async (inspection) => {
        const offered = async (): Promise<string> => {
          const node = inspection.views.positions.getChildren().find(({ kind }) => kind === 'position');
          const { asked } = await answering(inspection, [{ pick: '25%' }, { pick: 'SOL' }, 'escape'], async () => {
            await vscode.commands.executeCommand('binsight.zapOut', node);
          });
          return asked.at(-1)?.text ?? '';
        };
        assert.match(await offered(), /^1% · 100 bps · default$/m);
        await withSetting('binsight.slippageBps', 250, async () => {
          const text = await offered();
          assert.match(text, /^2\.5% · 250 bps · default$/m);
          assert.match(text, /^1% · 100 bps$/m);
        });
      },
    },
    'binsight.wallet.unlockMinutes': {
      title: 'A wallet is locked again when the minutes of the setting have passed',
      prove: async (inspection) => {
        const before = inspection.owners.known(SANDBOX);
        await commandEnding(inspection, 'binsight.newSandboxWallet', undefined, [{ press: 'Create Wallet' }], /^Sandbox wallet .+ created/);
        const made = inspection.owners.known(SANDBOX).find(({ address }) => !before.some((one) => one.address === address));
        assert.ok(made);
        try {
          await commandEnding(
            inspection,
            'binsight.manageWallets',
            undefined,
            [{ pick: 'Set Passphrase' }, { pick: made.address }, { type: PASSPHRASE }, { type: PASSPHRASE }, { press: 'Set Passphrase' }],
            /^Passphrase of .+ set\./,
          );
          await withSettings({ 'binsight.wallet.unlockMinutes': 3, 'binsight.autoRebalance.mode': 'automatic' }, () =>
            withClock(async (moveOn) => {
              const answers = [{ press: 'Start and Sign Automatically' }, { type: PASSPHRASE }] as const;
              const { asked } = await answering(inspection, answers, async () => {
                await vscode.commands.executeCommand('binsight.startAutoRebalance');
              });
              assert.match(asked[0]?.text ?? '', /It signs while the wallet is unlocked, for 3 minutes from now\./);
              assert.match(asked[1]?.text ?? '', /to unlock it for 3 minutes\./);
              await refresh(inspection);
              await eventually('the wallet is unlocked', () => /unlocked until/.test(tooltip(inspection)));
              moveOn(4 * MINUTE_MS);
              await refresh(inspection);
              await eventually('the wallet is locked', () => /can sign · locked/.test(tooltip(inspection)));
            }),
          );
        } finally {
          await answering(inspection, [], async () => {
            await vscode.commands.executeCommand('binsight.stopAllAutomation');
          });
          await inspection.owners.remove(made.address);
          await inspection.owners.activate(sandboxOf(inspection).owner, SANDBOX);
          await refresh(inspection);
        }
      },
    },
  },
};
