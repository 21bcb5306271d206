import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandId } from '../../settings/generated/commandIds';
import { markdownTooltip } from '../shell/views/treeItems';
import type { AutoRebalanceStatusBarModel } from './status';

const ON_CLICK: CommandId = 'binsight.automationMenu';

/** Shows the state of auto-rebalance in the status bar. */
export interface AutoRebalanceStatus {
  /** `undefined` hides the item: auto-rebalance is off. */
  show(model: AutoRebalanceStatusBarModel | undefined): void;
  dispose(): void;
}

/** The item in VS Code's status bar. */
export class AutoRebalanceStatusBarItem implements AutoRebalanceStatus {
  #item: vscode.StatusBarItem | undefined;
  #shown: AutoRebalanceStatusBarModel | undefined;

  show(model: AutoRebalanceStatusBarModel | undefined): void {
    const before = this.#shown;
    this.#shown = model;
    if (model === undefined) {
      this.dispose();
      return;
    }
    const item = (this.#item ??= newItem());
    if (before?.text !== model.text) {
      item.text = model.text;
    }
    if (before?.tooltip !== model.tooltip) {
      item.tooltip = markdownTooltip(model.tooltip);
    }
    if (before?.spoken !== model.spoken) {
      item.accessibilityInformation = { label: model.spoken, role: 'button' };
    }
    if (before?.warns !== model.warns) {
      item.backgroundColor = model.warns ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    }
    if (before === undefined) {
      item.show();
    }
  }

  dispose(): void {
    this.#item?.dispose();
    this.#item = undefined;
  }
}

function newItem(): vscode.StatusBarItem {
  const item = vscode.window.createStatusBarItem('binsight.automation', vscode.StatusBarAlignment.Left);
  item.name = l10n.t('Binsight: Auto-Rebalance');
  item.command = ON_CLICK;
  return item;
}
