import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { STRANGER } from '../../src/sandbox/hostile/stranger';
import type { Inspection } from '../../src/ui/services';
import { answering, setFaults, withSetting, withSettings } from '../support/editor/inspect';
import type { Asked, ScriptedAnswer } from '../support/editor/scriptedPrompts';
import type { ProofGroup } from './proof';

/** The question that a command ends with, which is left. */
async function lastQuestion(inspection: Inspection, command: string, node: unknown, answers: readonly ScriptedAnswer[]): Promise<Asked> {
  const { asked } = await answering(inspection, [...answers, 'escape'], async () => {
    await vscode.commands.executeCommand(command, node);
  });
  return asked.at(-1) ?? assert.fail('nothing was asked');
}

/** The question about the transactions of a zap-out, whose tip and fees are honest. */
function zapOutQuestion(inspection: Inspection): Promise<Asked> {
  const node = inspection.views.positions.getChildren().find((one) => one.kind === 'position' && one.position.poolType === 'dlmm');
  return lastQuestion(inspection, 'binsight.zapOut', node, [{ pick: '25%' }, { pick: 'SOL' }, { pick: '3%' }]);
}

const isClean = ({ shown }: Asked) => shown.includes('Sign and Send');
const isUndecided = ({ shown }: Asked) => shown.includes('Decide…');
const isRefused = ({ shown, title }: Asked) => !shown.includes('Decide…') && !shown.includes('Sign and Send') && / not signed$/.test(title);

/** Which transactions are signed, asked about or refused. */
export const REVIEW: ProofGroup = {
  subject: 'Review',
  setUp: (inspection) => Promise.resolve(() => setFaults(inspection, [])),
  proofs: {
    'binsight.review.simulate': {
      title: 'The question says that the transactions were simulated, and does not if simulation is off',
      prove: async (inspection) => {
        assert.doesNotMatch((await zapOutQuestion(inspection)).text, /Checked offline/, 'it is simulated');
        await withSetting('binsight.review.simulate', false, async () => {
          const { text } = await zapOutQuestion(inspection);
          assert.match(text, /^Checked offline$/m);
          assert.doesNotMatch(text, /simulated/);
        });
      },
    },
    'binsight.review.trustedPrograms': {
      title: 'A program of the list is asked about instead of refused',
      prove: async (inspection) => {
        await setFaults(inspection, [{ kind: 'hostile', attack: 'unknownProgram' }]);
        try {
          const refused = await zapOutQuestion(inspection);
          assert.ok(isRefused(refused));
          const [, program] =
            /The transaction calls the program (\w+)\. Binsight does not know that program\. It gets your signature/.exec(refused.text) ??
            [];
          await withSetting('binsight.review.trustedPrograms', [program], async () => {
            const asked = await zapOutQuestion(inspection);
            assert.ok(isUndecided(asked));
            assert.match(asked.text, new RegExp(`The transaction calls the program ${program}\\. You trust it,`));
          });
        } finally {
          await setFaults(inspection, []);
        }
      },
    },
    'binsight.review.feeRecipients': {
      title: 'SOL for an address of the list counts as a fee, within the limit for fees',
      prove: async (inspection) => {
        await setFaults(inspection, [{ kind: 'hostile', attack: 'sendSol' }]);
        try {
          assert.match((await zapOutQuestion(inspection)).text, new RegExp(`SOL would go to ${STRANGER}\\. That is neither yours`));
          await withSetting('binsight.review.feeRecipients', [STRANGER], async () => {
            assert.match(
              (await zapOutQuestion(inspection)).text,
              /Fees to recipients that you approved: .+ SOL in total\. Binsight blocks more than 0\.05 SOL/,
            );
          });
        } finally {
          await setFaults(inspection, []);
        }
      },
    },
    'binsight.review.feeRecipientCapSol': {
      title: 'The limit for all fee recipients together is that of the setting',
      prove: async (inspection) => {
        await setFaults(inspection, [{ kind: 'hostile', attack: 'sendSol' }]);
        try {
          await withSettings({ 'binsight.review.feeRecipients': [STRANGER], 'binsight.review.feeRecipientCapSol': 0.7 }, async () => {
            assert.match((await zapOutQuestion(inspection)).text, /Binsight blocks more than 0\.7 SOL\./);
          });
        } finally {
          await setFaults(inspection, []);
        }
      },
    },
    'binsight.review.costCapSol': {
      title: 'A tip, and network and priority fees, above the limit are asked about',
      prove: async (inspection) => {
        assert.ok(isClean(await zapOutQuestion(inspection)));
        await withSetting('binsight.review.costCapSol', 0, async () => {
          const question = await zapOutQuestion(inspection);
          assert.ok(isUndecided(question));
          assert.match(question.text, /^\d\. .*tip/im);
          assert.match(question.text, /^\d\. .*fees/im);
        });
      },
    },
  },
};
