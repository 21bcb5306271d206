import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/async/disposables';
import { VIEW } from '../shell/names';
import { type RowAction, treeItem } from '../shell/views/treeItems';
import type { ProblemInViews } from '../shell/windowProblem';
import { setMessage } from '../shell/views/viewMessages';
import { WalletContents, type WalletContentsDependencies, type WalletViewState } from './walletContents';
import type { WalletNode } from './walletRows';

export interface WalletViewDependencies extends WalletContentsDependencies {
  readonly problemInViews: ProblemInViews;
  /** Called when the view is shown. */
  readonly shown: () => void;
  /** Sets the context key of the view's state. */
  readonly setState: (state: WalletViewState) => void;
}

export class WalletView implements vscode.TreeDataProvider<WalletNode>, vscode.Disposable {
  readonly #view: vscode.TreeView<WalletNode>;
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly #disposables = new DisposableStore();
  readonly #contents: WalletContents;
  readonly #setState: (state: WalletViewState) => void;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(dependencies: WalletViewDependencies) {
    this.#setState = dependencies.setState;

    this.#contents = new WalletContents(dependencies, (hasOtherRows) => this.#render(hasOtherRows));
    this.#view = vscode.window.createTreeView(VIEW.wallet, { treeDataProvider: this });
    const visibilityChanged = () => {
      dependencies.problemInViews.setVisible(VIEW.wallet, this.#view.visible);
      this.#contents.setVisible(this.#view.visible, vscode.window.state.focused);
      if (this.#view.visible) {
        dependencies.shown();
      }
    };
    this.#disposables.add(
      this.#changed,
      this.#contents,
      this.#view,
      this.#view.onDidChangeVisibility(visibilityChanged),
      vscode.window.onDidChangeWindowState(visibilityChanged),
    );
    visibilityChanged();
    this.#render(false);
  }

  getChildren(node?: WalletNode): WalletNode[] {
    return [...(node?.children ?? this.#contents.nodes)];
  }

  getTreeItem(node: WalletNode): vscode.TreeItem {
    return treeItem(node.row, collapsible(node), actionOf(node));
  }

  resolveTreeItem(item: vscode.TreeItem, { tooltip }: WalletNode): vscode.TreeItem {
    item.tooltip = tooltip;
    return item;
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #render(hasOtherRows: boolean): void {
    const { state, description, message } = this.#contents;
    this.#setState(state);
    this.#view.description = description;
    setMessage(this.#view, message);
    if (hasOtherRows) {
      this.#changed.fire(undefined);
    }
  }
}

function collapsible({ children, row }: WalletNode): vscode.TreeItemCollapsibleState {
  if (children.length === 0) {
    return vscode.TreeItemCollapsibleState.None;
  }
  // Tokens without a price are mostly unasked for.
  return row.id === 'group/unpriced' ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.Expanded;
}

/** The action of a click. */
function actionOf({ kind, address }: WalletNode): RowAction | undefined {
  switch (kind) {
    case 'wallet':
      return { command: 'binsight.switchWallet', title: l10n.t('Switch Wallet'), argument: { kind, address } };
    case 'retry':
      return { command: 'binsight.refresh', title: l10n.t('Try Again'), argument: undefined };
    case 'account':
    case 'group':
      return undefined;
  }
}
