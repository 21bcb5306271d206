import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { OpenPosition } from '../../src/service/positions';
import type { Inspection } from '../../src/ui/services';
import { NOTICE_SETTING } from '../../src/ui/notices/noticeSettings';
import { answering, controlSandbox, readExtension, setSetting, until, withSetting } from '../support/editor/inspect';
import type { ScriptedPrompts } from '../support/editor/scriptedPrompts';

const BACK_IN_RANGE = /is back in range\./;
/** Far below any range. */
const CRASH_PERCENT = -50;

describe('Notices of positions', () => {
  let inspection: Inspection;
  let position: OpenPosition;

  before(async () => {
    inspection = await readExtension();
    await controlSandbox(inspection, 'pause');
    await read();
    const { positions } = inspection.portfolio.snapshot;
    position =
      positions.find(
        ({ poolType, inRange, pool }) =>
          poolType === 'dlmm' && inRange === true && positions.filter((one) => one.pool === pool).length === 1,
      ) ?? assert.fail('no position in range is alone in its pool');
    // The last notice of each test: none can follow it.
    await setSetting(NOTICE_SETTING.enteredRange, true);
  });

  after(async () => {
    await setSetting(NOTICE_SETTING.enteredRange, undefined);
    // As in the profile of these tests (test/host/editorTests.mjs).
    await setSetting(NOTICE_SETTING.leftRange, false);
    await moveTo(position.activeBinId);
    await controlSandbox(inspection, 'resume');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  /** Reads without prompts of its own, so that notices go to those in use. */
  const read = () => vscode.commands.executeCommand('binsight.refresh');
  const moveTo = (binId: number | undefined) => controlSandbox(inspection, 'active-bin', { pool: position.pool, binId });
  const crash = () => controlSandbox(inspection, 'shock', { pool: position.pool, percent: CRASH_PERCENT });

  /** PnL of the position as it is shown, percent. */
  function shownPnl(): number {
    const shown = inspection.portfolio.snapshot.positions.find(({ key }) => key === position.key);
    return shown?.pnlPercent.usd ?? assert.fail('no PnL');
  }

  async function comeBack(prompts: ScriptedPrompts): Promise<void> {
    await moveTo(position.activeBinId);
    await read();
    await read();
    await prompts.noticed(BACK_IN_RANGE);
  }

  it('A position that leaves its range is reported once, however long it stays out, and the button opens it', async () => {
    await setSetting(NOTICE_SETTING.leftRange, true);
    const work = async (prompts: ScriptedPrompts): Promise<void> => {
      await crash();
      await read();
      assert.deepEqual(prompts.notices, [], 'one read is not enough');
      await read();
      const { severity, actions } = await prompts.noticed(/left its range\./);
      assert.deepEqual([severity, actions], ['warning', ['Show Position']]);
      const { tabGroups } = vscode.window;
      await until(
        'the panel of the position',
        (listener) => tabGroups.onDidChangeTabs(listener),
        () => tabGroups.activeTabGroup.activeTab?.label.includes(position.pairName) === true,
      );
      await read();
      await read();
      await comeBack(prompts);
    };
    const { notices } = await answering(inspection, [], work, { 'left its range': 'Show Position' });
    const { pairName } = position;
    assert.deepEqual(
      notices.map(({ message }) => message),
      [`${pairName} left its range.`, `${pairName} is back in range.`],
    );
    await setSetting(NOTICE_SETTING.leftRange, false);
  });

  it('A PnL threshold is reported once when it is passed, and not because it was set', async () => {
    await read();
    const before = shownPnl();
    await crash();
    await read();
    const after = shownPnl();
    await moveTo(position.activeBinId);
    const threshold = Math.round((Math.min(before, 0) + after) / 2);
    assert.ok(after < threshold && threshold < Math.min(before, 0), `${threshold} between ${before} and ${after}`);
    await withSetting(NOTICE_SETTING.pnlBelowPercent, threshold, async () => {
      const { notices } = await answering(inspection, [], async (prompts) => {
        await read();
        await crash();
        await read();
        await prompts.noticed(/PnL/);
        await read();
        await comeBack(prompts);
      });
      const [passed, ...others] = notices.map(({ message }) => message);
      assert.match(passed ?? '', new RegExp(`^${position.pairName}: PnL −[\\d.]+%, below −${-threshold}%\\.$`));
      assert.deepEqual(others, [`${position.pairName} is back in range.`]);
    });
  });
});
