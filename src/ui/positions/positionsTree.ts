import * as vscode from 'vscode';
import { DisposableStore } from '../../base/async/disposables';
import { WarmLocale, displayLocale } from '../../base/format/locale';
import type { Address } from '../../base/solana/address';
import type { PortfolioChange, PortfolioReader } from '../../portfolio/types';
import type { OpenPosition } from '../../service/positions';
import type { Lineages } from '../shell/lineages';
import type { BusyPositions } from '../shell/busyPositions';
import { type Row, sameRow } from '../shell/views/rows';
import { markdownTooltip, treeItem } from '../shell/views/treeItems';
import { listPositions, type PositionGroup, type PositionList, PositionNames } from './positionList';
import type { PositionListControl } from './positionListControl';
import { groupRow, positionDetails, positionRow, totalsRow } from './positionRows';

/** An open position in the tree. Its object stays the same for as long as the position is listed. */
export interface PositionNode {
  readonly kind: 'position';
  readonly key: string;
  readonly position: OpenPosition;
  readonly row: Row;
}

/** A heading with positions below it. Its object stays the same for as long as the group has positions. */
interface GroupNode {
  readonly kind: 'group';
  readonly row: Row;
  readonly group: PositionGroup;
}

/** The sums over the listed positions. */
interface TotalsNode {
  readonly kind: 'totals';
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

type Node = PositionNode | GroupNode | TotalsNode | DetailNode;

/** A {@link PositionNode} that the tree updates in place. */
interface LivePositionNode extends PositionNode {
  position: OpenPosition;
  row: Row;
  /** The details that VS Code has been given since the row last changed; `undefined`: none, so there is nothing to compare. */
  details: readonly Row[] | undefined;
  /** VS Code hides the details, and keeps them for when the position is expanded again. */
  isCollapsed: boolean;
  /** The position changed while it was collapsed: VS Code may keep other details than the current ones. */
  isOutdated: boolean;
  group: LiveGroupNode | undefined;
}

interface LiveGroupNode extends GroupNode {
  row: Row;
  group: PositionGroup;
}

/** The tree of open positions. It only reads the snapshot, and fires only for rows that look different. */
export class PositionsTree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  readonly #nodes = new Map<string, LivePositionNode>();
  readonly #groups = new Map<string, LiveGroupNode>();
  readonly #changed = new vscode.EventEmitter<Node[] | undefined>();
  readonly #disposables = new DisposableStore();
  /** Creating formatters takes most of the time of thousands of rows. */
  readonly #locale: WarmLocale;
  readonly #names: PositionNames;
  #list: PositionList;
  #totals: { readonly kind: 'totals'; row: Row } | undefined;

  readonly onDidChangeTreeData = this.#changed.event;

  readonly #portfolio: PortfolioReader;
  readonly #control: PositionListControl;
  readonly #busy: BusyPositions;
  readonly #tooltip: (position: OpenPosition) => Promise<string>;
  readonly #lineages: Pick<Lineages, 'since' | 'onDidChange'>;

  /** @param tooltip returns the Markdown tooltip of a position */
  constructor(
    portfolio: PortfolioReader,
    control: PositionListControl,
    busy: BusyPositions,
    tooltip: (position: OpenPosition) => Promise<string>,
    lineages: Pick<Lineages, 'since' | 'onDidChange'>,
    locale = new WarmLocale(displayLocale()),
  ) {
    this.#portfolio = portfolio;
    this.#control = control;
    this.#busy = busy;
    this.#tooltip = tooltip;
    this.#lineages = lineages;
    this.#locale = locale;
    this.#names = new PositionNames(locale);

    this.#list = this.#arrange();
    this.#syncNodes();
    this.#disposables.add(
      this.#changed,
      portfolio.onDidChange((change) => this.#portfolioChanged(change)),
      control.onDidChange(() => this.#rebuild()),
      busy.onDidChange((key) => this.#refreshRows([key])),
      // Tooltips are made when they are shown.
      lineages.onDidChange(() => this.#refreshRows([])),
    );
  }

  get list(): PositionList {
    return this.#list;
  }

  getChildren(node?: Node): Node[] {
    if (node === undefined) {
      const top = this.#list.groups.length > 0 ? this.#groupNodes() : this.#nodesOf(this.#list.positions);
      return this.#totals === undefined ? top : [this.#totals, ...top];
    }
    switch (node.kind) {
      case 'group':
        return this.#nodesOf(node.group.positions);
      case 'position':
        return this.#detailsOf(node);
      case 'totals':
      case 'detail':
        return [];
    }
  }

  getTreeItem(node: Node): vscode.TreeItem {
    return treeItem(node.row, collapsible(node.kind));
  }

  getParent(node: Node): Node | undefined {
    switch (node.kind) {
      case 'detail':
        return node.parent;
      case 'position':
        return this.#nodes.get(node.key)?.group;
      case 'group':
      case 'totals':
        return undefined;
    }
  }

  async resolveTreeItem(item: vscode.TreeItem, node: Node): Promise<vscode.TreeItem> {
    switch (node.kind) {
      case 'position':
        item.tooltip = markdownTooltip(await this.#tooltip(node.position), true);
        break;
      case 'detail':
        item.tooltip = node.address ?? `${node.row.label}: ${node.row.description}`;
        break;
      case 'group':
      case 'totals':
        item.tooltip = node.row.spoken;
        break;
    }
    return item;
  }

  /** To be called when VS Code has collapsed a node. Details of collapsed positions are not formatted. */
  collapsed(node: { readonly kind: string }): void {
    const live = this.#liveNode(node);
    if (live !== undefined) {
      live.isCollapsed = true;
    }
  }

  /** To be called when VS Code has expanded a node. */
  expanded(node: { readonly kind: string }): void {
    const live = this.#liveNode(node);
    if (live === undefined) {
      return;
    }
    live.isCollapsed = false;
    if (live.isOutdated) {
      live.isOutdated = false;
      live.details = undefined;
      this.#changed.fire([live]);
    }
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #liveNode(node: { readonly kind: string; readonly key?: unknown }): LivePositionNode | undefined {
    return node.kind === 'position' && typeof node.key === 'string' ? this.#nodes.get(node.key) : undefined;
  }

  #detailsOf(node: PositionNode): Node[] {
    const details = positionDetails(node.position, this.#locale);
    const live = this.#nodes.get(node.key);
    if (live !== undefined) {
      live.details = details;
    }
    return details.map((row) => ({
      kind: 'detail',
      parent: node,
      row,
      address: row.contextValue.includes('addressed') ? node.position.address : undefined,
    }));
  }

  #nodesOf(positions: readonly OpenPosition[]): LivePositionNode[] {
    const nodes: LivePositionNode[] = [];
    for (const { key } of positions) {
      const node = this.#nodes.get(key);
      if (node !== undefined) {
        nodes.push(node);
      }
    }
    return nodes;
  }

  #groupNodes(): LiveGroupNode[] {
    return this.#list.groups.flatMap((group) => this.#groups.get(groupId(group)) ?? []);
  }

  #arrange(): PositionList {
    const { positions, totals } = this.#portfolio.snapshot;
    return listPositions(positions, this.#control.options, totals);
  }

  #portfolioChanged({ positions: { added, changed, removed, reordered } }: PortfolioChange): void {
    if (added.length > 0 || removed.length > 0 || reordered) {
      this.#rebuild();
    } else if (changed.length > 0) {
      this.#refreshRows(changed);
    }
  }

  /** Everything may be at another place. */
  #rebuild(): void {
    this.#list = this.#arrange();
    this.#syncNodes();
    this.#changed.fire(undefined);
  }

  /** Syncs the nodes with the list and keeps those that are still listed. */
  #syncNodes(): void {
    const { positions, groups } = this.#list;
    removeOthers(this.#nodes, new Set(positions.map(({ key }) => key)));
    removeOthers(this.#groups, new Set(groups.map(groupId)));
    const names = this.#names.of(positions);
    for (const position of positions) {
      this.#update(position, names.get(position.key));
    }
    for (const node of this.#nodes.values()) {
      node.group = undefined;
    }
    for (const group of groups) {
      this.#updateGroup(group);
    }
    this.#updateTotals();
  }

  /** Updates these positions, and fires for the rows that look different. */
  #refreshRows(keys: readonly string[]): void {
    const before = this.#list;
    this.#list = this.#arrange();
    if (!isSameOrder(before, this.#list)) {
      this.#syncNodes();
      this.#changed.fire(undefined);
      return;
    }
    const wanted = new Set(keys);
    const names = this.#names.of(this.#list.positions);
    const touched: Node[] = this.#list.positions
      .filter(({ key }) => wanted.has(key))
      .flatMap((position) => (this.#update(position, names.get(position.key)) ? (this.#nodes.get(position.key) ?? []) : []));
    touched.push(...this.#list.groups.flatMap((group) => this.#updateGroup(group) ?? []));
    if (this.#updateTotals() && this.#totals !== undefined) {
      touched.push(this.#totals);
    }
    if (touched.length > 0) {
      this.#changed.fire(touched);
    }
  }

  /** @returns true if the row, or details that VS Code has, look different now */
  #update(position: OpenPosition, name: string | undefined): boolean {
    const row = positionRow(position, this.#busy.has(position.key), name, this.#locale);
    const node = this.#nodes.get(position.key);
    if (node === undefined) {
      this.#nodes.set(position.key, {
        kind: 'position',
        key: position.key,
        position,
        row,
        details: undefined,
        isCollapsed: false,
        isOutdated: false,
        group: undefined,
      });
      return true;
    }
    const differs = !sameRow(node.row, row) || this.#haveDetailsChanged(node, position);
    node.position = position;
    node.row = row;
    if (differs) {
      // VS Code asks again for the details of a row that has changed.
      node.details = undefined;
      node.isOutdated = false;
    }
    return differs;
  }

  /** Whether details that VS Code shows look different now. */
  #haveDetailsChanged(node: LivePositionNode, position: OpenPosition): boolean {
    if (node.details === undefined) {
      return false;
    }
    if (node.isCollapsed) {
      node.isOutdated ||= position !== node.position;
      return false;
    }
    return !sameRows(node.details, positionDetails(position, this.#locale));
  }

  /** @returns the node if its row looks different now */
  #updateGroup(group: PositionGroup): LiveGroupNode | undefined {
    const id = groupId(group);
    const row = groupRow(group, this.#locale);
    const before = this.#groups.get(id);
    const node: LiveGroupNode = before ?? { kind: 'group', row, group };
    const differs = before === undefined || !sameRow(before.row, row);
    node.row = row;
    node.group = group;
    this.#groups.set(id, node);
    for (const { key } of group.positions) {
      const live = this.#nodes.get(key);
      if (live !== undefined) {
        live.group = node;
      }
    }
    return differs ? node : undefined;
  }

  /** @returns true if they look different now */
  #updateTotals(): boolean {
    // One position is its own sum.
    const row =
      this.#list.positions.length + this.#list.hidden > 1
        ? totalsRow(this.#list.totals, this.#list.hidden, this.#locale, this.#lineages.since(this.#list.positions))
        : undefined;
    if (row === undefined) {
      this.#totals = undefined;
      return false;
    }
    const differs = this.#totals === undefined || !sameRow(this.#totals.row, row);
    this.#totals ??= { kind: 'totals', row };
    this.#totals.row = row;
    return differs;
  }
}

function collapsible(kind: Node['kind']): vscode.TreeItemCollapsibleState {
  switch (kind) {
    case 'position':
      return vscode.TreeItemCollapsibleState.Collapsed;
    case 'group':
      return vscode.TreeItemCollapsibleState.Expanded;
    case 'totals':
    case 'detail':
      return vscode.TreeItemCollapsibleState.None;
  }
}

function groupId({ by, key }: PositionGroup): string {
  return `${by}/${key}`;
}

function removeOthers(nodes: Map<string, unknown>, listed: ReadonlySet<string>): void {
  // A map may be changed during its iteration.
  for (const key of nodes.keys()) {
    if (!listed.has(key)) {
      nodes.delete(key);
    }
  }
}

/** Whether all rows are at the same places. */
function isSameOrder(before: PositionList, now: PositionList): boolean {
  return (
    before.hidden === now.hidden &&
    areSameKeys(before.positions, now.positions) &&
    before.groups.length === now.groups.length &&
    before.groups.every((group, place) => {
      const other = now.groups[place];
      return other !== undefined && groupId(group) === groupId(other) && areSameKeys(group.positions, other.positions);
    })
  );
}

function areSameKeys(some: readonly OpenPosition[], others: readonly OpenPosition[]): boolean {
  return some.length === others.length && some.every(({ key }, place) => key === others[place]?.key);
}

function sameRows(some: readonly Row[], others: readonly Row[]): boolean {
  return some.length === others.length && some.every((row, index) => sameRow(row, others[index] ?? row));
}
