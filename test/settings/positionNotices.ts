import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { answering, until, withSetting, withSettings } from '../support/editor/inspect';
import { NoticeWorld } from '../support/editor/noticeWorld';
import type { ScriptedPrompts } from '../support/editor/scriptedPrompts';
import type { Proof, ProofGroup } from './proof';

let world: NoticeWorld;

/** What brings a figure past a threshold that is between what it is now and what it is afterwards. */
interface Passing {
  readonly value: () => number;
  readonly repeat: () => Promise<void>;
}

/** A threshold is told once when it is passed, not because it was set, and not at all without it. */
function threshold(title: string, id: string, cause: () => Promise<Passing>, expected: (pair: string, value: number) => RegExp): Proof {
  return {
    title,
    prove: async () => {
      const { value, repeat } = await cause();
      const passed = async () => {
        await world.read();
        await repeat();
        // Two reads: it has left its range, so that it can come back.
        await world.read(2);
      };
      const back = `${world.position.pairName} is back in range.`;
      assert.deepEqual(
        (await world.toldDuring(passed)).filter((message) => message !== back),
        [],
        'without a threshold',
      );
      const limit = value();
      await withSetting(id, limit, async () => {
        const [first, ...others] = await world.toldDuring(async (prompts) => {
          await passed();
          await prompts.noticed(expected(world.position.pairName, limit));
        });
        assert.match(first ?? '', expected(world.position.pairName, limit));
        assert.deepEqual(others, [back]);
      });
    },
  };
}

/** A threshold of the PnL between that now and that after the price has moved. */
async function pnlThreshold(percent: number): Promise<Passing> {
  const { before, after, repeat } = await world.effectOf(percent, ({ pnlPercent }) => pnlPercent.usd);
  const value = Math.round((before + after) / 2);
  assert.ok(Math.sign(value) === Math.sign(percent), `${value} between ${before} and ${after}`);
  return { value: () => value, repeat };
}

/** A threshold above the unclaimed fees. Every trade adds to them: they do not come back with the price. */
async function feesThreshold(percent: number): Promise<Passing> {
  const { before, after, now, repeat } = await world.effectOf(percent, ({ uncollectedFee }) => uncollectedFee.usd);
  assert.ok(after > before, `fees of ${before}, and then of ${after}`);
  return { value: () => now() + (after - before) / 2, repeat };
}

/** What is told about positions. */
export const POSITION_NOTICES: ProofGroup = {
  subject: 'Notices of positions',
  setUp: async (inspection) => {
    world = await NoticeWorld.start(inspection);
    return () => world.stop();
  },
  proofs: {
    'binsight.notifications.leftRange': {
      title: 'A position that leaves its range is reported once, however long it stays out, and the button opens it',
      prove: (inspection) =>
        withSettings({ 'binsight.notifications.leftRange': true, 'binsight.notifications.enteredRange': true }, async () => {
          const { pairName } = world.position;
          const work = async (prompts: ScriptedPrompts): Promise<void> => {
            await world.crash();
            await world.read();
            assert.deepEqual(prompts.notices, [], 'one read is not enough');
            await world.read();
            const { severity, actions } = await prompts.noticed(/left its range\./);
            assert.deepEqual([severity, actions], ['warning', ['Open Position']]);
            const { tabGroups } = vscode.window;
            await until(
              'the panel of the position',
              (listener) => tabGroups.onDidChangeTabs(listener),
              () => tabGroups.activeTabGroup.activeTab?.label.includes(pairName) === true,
            );
            await world.read(2);
            await world.comeBackNoticed(prompts);
          };
          const { notices } = await answering(inspection, [], work, { 'left its range': 'Open Position' });
          assert.deepEqual(
            notices.map(({ message }) => message),
            [`${pairName} left its range.`, `${pairName} is back in range.`],
          );
        }),
    },
    'binsight.notifications.enteredRange': {
      title: 'A position that is back in its range is reported, and is not without the setting',
      prove: async (inspection) => {
        const { notices } = await answering(inspection, [], async (prompts) => {
          for (const isWanted of [false, true]) {
            await world.crash();
            await world.read(2);
            await withSetting('binsight.notifications.enteredRange', isWanted, async () => {
              await world.comeBack();
              await world.read(2);
            });
          }
          await prompts.noticed(/is back in range\./);
        });
        assert.equal(notices.length, 1);
      },
    },
    'binsight.notifications.pnlAbovePercent': threshold(
      'A gain is reported once when it passes the threshold, and not because that was set',
      'binsight.notifications.pnlAbovePercent',
      () => pnlThreshold(400),
      (pair, value) => new RegExp(`^${pair}: PnL \\+[\\d.,K]+% \\(threshold: ${value}%\\)\\.$`),
    ),
    'binsight.notifications.pnlBelowPercent': threshold(
      'A loss is reported once when it passes the threshold, and not because that was set',
      'binsight.notifications.pnlBelowPercent',
      () => pnlThreshold(-50),
      (pair, value) => new RegExp(`^${pair}: PnL −[\\d.]+% \\(threshold: −${-value}%\\)\\.$`),
    ),
    'binsight.notifications.feesAboveUsd': threshold(
      'Unclaimed fees are reported once when they pass the threshold, and not because that was set',
      'binsight.notifications.feesAboveUsd',
      () => feesThreshold(400),
      (pair) => new RegExp(`^${pair}: \\$[\\d.,K]+ of unclaimed fees\\.$`),
    ),
  },
};
