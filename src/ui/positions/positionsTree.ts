import * as vscode from 'vscode';
import { DisposableStore } from '../../base/async/disposables';
import type { Address } from '../../base/solana/address';
import type { PortfolioChange, PortfolioReader } from '../../portfolio/types';
import type { OpenPosition } from '../../service/positions';
import type { BusyPositions } from '../shell/busyPositions';
import { type Row, sameRow } from '../shell/views/rows';
import { markdownTooltip, treeItem } from '../shell/views/treeItems';
import { positionDetails, positionRow } from './positionRows';

/** An open position in the tree. Its object stays the same for as long as the position is listed. */
export interface PositionNode {
  readonly kind: 'position';
  readonly key: string;
  readonly position: OpenPosition;
  readonly row: Row;
}

/** A detail row below a position. */
interface DetailNode {
  readonly kind: 'detail';
  /** The address that *Copy Address* copies; `undefined` if the row has none. */
  readonly address: Address | undefined;
  readonly parent: PositionNode;
  readonly row: Row;
}

type Node = PositionNode | DetailNode;

/** A {@link PositionNode} that the tree updates in place. */
interface LivePositionNode extends PositionNode {
  position: OpenPosition;
  row: Row;
}

/** The tree of open positions. It only reads the snapshot, and fires only for rows that look different. */
export class PositionsTree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  readonly #nodes = new Map<string, LivePositionNode>();
  readonly #changed = new vscode.EventEmitter<Node[] | undefined>();
  readonly #disposables = new DisposableStore();

  readonly onDidChangeTreeData = this.#changed.event;

  readonly #portfolio: PortfolioReader;
  readonly #busy: BusyPositions;
  readonly #tooltip: (position: OpenPosition) => Promise<string>;

  /** @param tooltip returns the Markdown tooltip of a position */
  constructor(portfolio: PortfolioReader, busy: BusyPositions, tooltip: (position: OpenPosition) => Promise<string>) {
    this.#portfolio = portfolio;
    this.#busy = busy;
    this.#tooltip = tooltip;

    this.#syncNodes();
    this.#disposables.add(
      this.#changed,
      portfolio.onDidChange((change) => this.#portfolioChanged(change)),
      busy.onDidChange((key) => this.#refreshRows([key])),
    );
  }

  getChildren(node?: Node): Node[] {
    if (node === undefined) {
      return this.#portfolio.snapshot.positions.flatMap(({ key }) => this.#nodes.get(key) ?? []);
    }
    if (node.kind === 'detail') {
      return [];
    }
    return positionDetails(node.position).map((row) => ({
      kind: 'detail',
      parent: node,
      row,
      address: row.contextValue.includes('addressed') ? node.position.address : undefined,
    }));
  }

  getTreeItem(node: Node): vscode.TreeItem {
    return treeItem(node.row, node.kind === 'position' ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.None);
  }

  getParent(node: Node): Node | undefined {
    return node.kind === 'detail' ? node.parent : undefined;
  }

  async resolveTreeItem(item: vscode.TreeItem, node: Node): Promise<vscode.TreeItem> {
    if (node.kind === 'position') {
      item.tooltip = markdownTooltip(await this.#tooltip(node.position));
    } else {
      item.tooltip = node.address ?? `${node.row.label}: ${node.row.description}`;
    }
    return item;
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #portfolioChanged({ positions: { added, changed, removed, reordered } }: PortfolioChange): void {
    if (added.length > 0 || removed.length > 0 || reordered) {
      this.#syncNodes();
      this.#changed.fire(undefined);
    } else if (changed.length > 0) {
      this.#refreshRows(changed);
    }
  }

  /** Syncs the nodes with the snapshot and keeps those that are still listed. */
  #syncNodes(): void {
    const { positions } = this.#portfolio.snapshot;
    const listed = new Set(positions.map(({ key }) => key));
    for (const key of [...this.#nodes.keys()].filter((one) => !listed.has(one))) {
      this.#nodes.delete(key);
    }
    for (const position of positions) {
      this.#update(position);
    }
  }

  /** Updates these positions and fires for those whose row or details look different. */
  #refreshRows(keys: readonly string[]): void {
    const wanted = new Set(keys);
    const touched = this.#portfolio.snapshot.positions
      .filter(({ key }) => wanted.has(key))
      .flatMap((position) => (this.#update(position) ? (this.#nodes.get(position.key) ?? []) : []));
    if (touched.length > 0) {
      this.#changed.fire(touched);
    }
  }

  /** @returns true if the row or its details look different now */
  #update(position: OpenPosition): boolean {
    const row = positionRow(position, this.#busy.has(position.key));
    const node = this.#nodes.get(position.key);
    if (node === undefined) {
      this.#nodes.set(position.key, { kind: 'position', key: position.key, position, row });
      return true;
    }
    const differs = !sameRow(node.row, row) || !sameRows(positionDetails(node.position), positionDetails(position));
    node.position = position;
    node.row = row;
    return differs;
  }
}

function sameRows(some: readonly Row[], others: readonly Row[]): boolean {
  return some.length === others.length && some.every((row, index) => sameRow(row, others[index] ?? row));
}
