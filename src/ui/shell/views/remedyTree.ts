import * as vscode from 'vscode';
import type { RemedyNode } from './remedies';
import { treeItem } from './treeItems';

type InnerTree<Node> = Omit<vscode.TreeDataProvider<Node>, 'onDidChangeTreeData'> & {
  readonly onDidChangeTreeData: vscode.Event<Node[] | undefined>;
};

/** A tree that shows what helps while another tree is empty. */
export class RemedyTree<Node extends { readonly kind: string }> implements vscode.TreeDataProvider<Node | RemedyNode>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<(Node | RemedyNode)[] | undefined>();
  #subscription: vscode.Disposable;
  #tree: InnerTree<Node>;
  #remedies: readonly RemedyNode[] = [];

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(tree: InnerTree<Node>) {
    this.#tree = tree;
    this.#subscription = tree.onDidChangeTreeData((nodes) => this.#changed.fire(nodes));
  }

  /** Shows another tree from now on. */
  use(tree: InnerTree<Node>): void {
    this.#subscription.dispose();
    this.#tree = tree;
    this.#subscription = tree.onDidChangeTreeData((nodes) => this.#changed.fire(nodes));
    this.#changed.fire(undefined);
  }

  /** @param remedies empty: nothing has failed */
  show(remedies: readonly RemedyNode[]): void {
    const isSame = remedies.map(({ row }) => row.id).join() === this.#remedies.map(({ row }) => row.id).join();
    this.#remedies = remedies;
    if (!isSame) {
      this.#changed.fire(undefined);
    }
  }

  async getChildren(node?: Node | RemedyNode): Promise<(Node | RemedyNode)[]> {
    if (node !== undefined && isRemedy(node)) {
      return [];
    }
    const nodes = (await this.#tree.getChildren(node)) ?? [];
    return node === undefined && nodes.length === 0 ? [...this.#remedies] : nodes;
  }

  getTreeItem(node: Node | RemedyNode): vscode.TreeItem | Thenable<vscode.TreeItem> {
    if (!isRemedy(node)) {
      return this.#tree.getTreeItem(node);
    }
    const { command, row } = node;
    return treeItem(row, vscode.TreeItemCollapsibleState.None, { command, title: row.label, argument: undefined });
  }

  getParent(node: Node | RemedyNode): vscode.ProviderResult<Node> {
    return isRemedy(node) ? undefined : this.#tree.getParent?.(node);
  }

  resolveTreeItem(item: vscode.TreeItem, node: Node | RemedyNode, token: vscode.CancellationToken): vscode.ProviderResult<vscode.TreeItem> {
    if (isRemedy(node)) {
      item.tooltip = node.row.label;
      return item;
    }
    return this.#tree.resolveTreeItem?.(item, node, token);
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }
}

function isRemedy(node: { readonly kind: string }): node is RemedyNode {
  return node.kind === 'remedy';
}
