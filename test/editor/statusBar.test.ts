import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Inspection } from '../../src/ui/services';
import { PANEL } from '../../src/ui/shell/names';
import { signedUsd } from '../../src/base/format/money';
import { signedPercent } from '../../src/base/format/percent';
import { readExtension, until } from '../support/editor/inspect';

describe('The status bar item', () => {
  let inspection: Inspection;
  before(async () => {
    inspection = await readExtension();
  });

  const model = () => {
    const shown = inspection.views.statusBar.model;
    assert.ok(shown);
    return shown;
  };

  it('The status bar item shows the sums of what the views list', () => {
    const { positions } = inspection.portfolio.snapshot;
    const pnl = positions.reduce((sum, position) => sum + (position.pnl.usd ?? 0), 0);
    const input = positions.reduce((sum, position) => sum + (position.input.usd ?? 0), 0);
    const outOfRange = positions.filter(({ inRange }) => inRange === false).length;
    assert.equal(model().text, `$(beaker) Sandbox ${signedUsd(pnl)} (${signedPercent((100 * pnl) / input)}) · ${outOfRange} out of range`);
    assert.equal(model().warns, inspection.views.activityView.badge !== undefined);
  });

  it('The status bar tooltip says that the money is pretend and what the figures count', () => {
    assert.match(model().tooltip, /Sandbox \(pretend\)/);
    assert.match(model().tooltip, /Unrealized PnL/);
    assert.match(model().tooltip, /As of /);
  });

  it('The status bar item opens the overview', async () => {
    await vscode.commands.executeCommand('binsight.openOverview');
    const isOverview = ({ input }: vscode.Tab) => input instanceof vscode.TabInputWebview && input.viewType.endsWith(PANEL.overview);
    const { tabGroups } = vscode.window;
    await until(
      'the overview is seen',
      (listener) => tabGroups.onDidChangeTabs(listener),
      () => tabGroups.all.some(({ activeTab }) => activeTab !== undefined && isOverview(activeTab)),
    );
    await tabGroups.close(tabGroups.all.flatMap(({ tabs }) => tabs.filter(isOverview)));
  });
});
