import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandId } from '../shell/commands/registry';
import { markdownTooltip } from '../shell/views/treeItems';
import type { StatusBarModel } from './statusBarModel';

const ON_CLICK: CommandId = 'binsight.openOverview';

/** The status bar item of the portfolio. Users can hide it by its name in VS Code's status bar menu. */
export class StatusBarItem implements vscode.Disposable {
  readonly #item: vscode.StatusBarItem;
  #shown: StatusBarModel | undefined;

  constructor() {
    this.#item = vscode.window.createStatusBarItem('binsight.pnl', vscode.StatusBarAlignment.Left);
    this.#item.name = l10n.t('Binsight: PnL of Open Positions');
    this.#item.command = ON_CLICK;
  }

  /** The model that is shown; `undefined` before the first one. */
  get model(): StatusBarModel | undefined {
    return this.#shown;
  }

  /** Shows a model. Writes only what differs from the previous one. */
  show(model: StatusBarModel): void {
    const before = this.#shown;
    this.#shown = model;
    if (before?.text !== model.text) {
      this.#item.text = model.text;
    }
    if (before?.tooltip !== model.tooltip) {
      this.#item.tooltip = markdownTooltip(model.tooltip);
    }
    if (before?.spoken !== model.spoken) {
      this.#item.accessibilityInformation = { label: model.spoken, role: 'button' };
    }
    if (before?.warns !== model.warns) {
      this.#item.backgroundColor = model.warns ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    }
    if (before === undefined) {
      this.#item.show();
    }
  }

  dispose(): void {
    this.#item.dispose();
  }
}
