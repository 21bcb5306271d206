import * as vscode from 'vscode';
import { DisposableStore } from '../../base/async/disposables';
import { markdownTooltip, treeItem } from '../shell/views/treeItems';
import type { PositionsTree } from '../positions/positionsTree';
import { positionTooltip } from '../positions/tooltips';
import type { OtherPositionNode, WalletGroupNode } from './walletGroupRows';
import { WalletGroups, type WalletGroupsDependencies } from './walletGroups';

type InnerNode = ReturnType<PositionsTree['getChildren']>[number];
type Node = InnerNode | WalletGroupNode | OtherPositionNode;

/** The tree of open positions with groups of wallets, or as it is if the view shows no such groups. */
export class WalletGroupsTree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  readonly #positions: PositionsTree;
  readonly #groups: WalletGroups;
  readonly #changed = new vscode.EventEmitter<Node[] | undefined>();
  readonly #disposables = new DisposableStore();

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(positions: PositionsTree, dependencies: Omit<WalletGroupsDependencies, 'listed'>) {
    this.#positions = positions;
    this.#groups = new WalletGroups({ ...dependencies, listed: () => positions.list }, (what) => {
      this.#changed.fire(what === 'inUse' ? this.#groups.nodes.slice(0, 1) : undefined);
    });
    this.#disposables.add(
      this.#changed,
      this.#groups,
      positions.onDidChangeTreeData((nodes) => this.#changed.fire(nodes)),
    );
  }

  setVisible(isVisible: boolean): void {
    this.#groups.setVisible(isVisible);
  }

  getChildren(node?: Node): Node[] {
    if (node === undefined) {
      const { nodes } = this.#groups;
      return nodes.length > 0 ? [...nodes] : this.#positions.getChildren();
    }
    switch (node.kind) {
      case 'account':
        // Its heading has the sums.
        return this.#positions.getChildren().filter(({ kind }) => kind !== 'totals');
      case 'wallet':
        return [...node.children];
      case 'otherPosition':
        return [];
      default:
        return this.#positions.getChildren(node);
    }
  }

  getTreeItem(node: Node): vscode.TreeItem {
    const { Expanded, None } = vscode.TreeItemCollapsibleState;
    switch (node.kind) {
      case 'account':
        return treeItem(node.row, this.#positions.list.positions.length > 0 ? Expanded : None);
      case 'wallet':
        return treeItem(node.row, node.children.length > 0 ? Expanded : None);
      case 'otherPosition':
        return treeItem(node.row, None, {
          command: 'binsight.switchWallet',
          title: node.action,
          argument: { kind: 'wallet', address: node.wallet },
        });
      default:
        return this.#positions.getTreeItem(node);
    }
  }

  getParent(node: Node): Node | undefined {
    const { nodes } = this.#groups;
    switch (node.kind) {
      case 'account':
      case 'wallet':
        return undefined;
      case 'otherPosition':
        return nodes.find(({ address }) => address === node.wallet);
      default:
        return this.#positions.getParent(node) ?? (node.kind === 'position' ? nodes[0] : undefined);
    }
  }

  async resolveTreeItem(item: vscode.TreeItem, node: Node): Promise<vscode.TreeItem> {
    switch (node.kind) {
      case 'account':
      case 'wallet':
        item.tooltip = node.tooltip;
        return item;
      case 'otherPosition':
        item.tooltip = markdownTooltip(positionTooltip(node.position), true);
        return item;
      default:
        return this.#positions.resolveTreeItem(item, node);
    }
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}
