import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { WarmLocale, displayLocale } from '../../base/format/locale';
import { DisposableStore } from '../../base/async/disposables';
import type { Pool } from '../../service/pools';
import type { PoolSort } from '../../service/service';
import type { PortfolioChange, PortfolioReader } from '../../portfolio/types';
import type { CommandId } from '../../settings/generated/commandIds';
import { poolNames } from './poolNames';
import { poolRow } from './poolRow';
import { sameRow, type Row } from '../shell/views/rows';
import { markdownTooltip, treeItem } from '../shell/views/treeItems';

/** A listed pool in the tree. Its object stays the same for as long as the pool is listed. */
export interface PoolNode {
  readonly kind: 'pool';
  readonly pool: Pool;
  readonly row: Row;
}

/** The last row, which loads the next page. */
interface MoreNode {
  readonly kind: 'more';
}

/** A row that the favorites make (favoritesGroup.ts). */
export interface MadeNode {
  readonly kind: 'made';
  readonly item: vscode.TreeItem;
  readonly children: readonly PoolNode[];
}

type Node = PoolNode | MoreNode | MadeNode;

/** Rows above and below the list, and marks in it. */
export interface RowsAround {
  readonly above: readonly MadeNode[];
  readonly below: readonly MadeNode[];
  /** Addresses of the pools whose rows are those of favorites. */
  readonly favorites: ReadonlySet<string>;
}

export interface LivePoolNode extends PoolNode {
  pool: Pool;
  row: Row;
}

const MORE: MoreNode = { kind: 'more' };
const LOAD_MORE: CommandId = 'binsight.loadMorePools';

/** The tree of listed pools. It only reads the snapshot, and fires only for rows that look different. */
export class PoolsTree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  readonly #nodes = new Map<string, LivePoolNode>();
  readonly #changed = new vscode.EventEmitter<Node[] | undefined>();
  readonly #disposables = new DisposableStore();
  readonly #locale = new WarmLocale(displayLocale());
  #showsMore: boolean;
  #names: ReadonlyMap<string, string> = new Map();
  #around: RowsAround = { above: [], below: [], favorites: new Set() };

  readonly onDidChangeTreeData = this.#changed.event;

  readonly #portfolio: PortfolioReader;
  readonly #sortBy: () => PoolSort;
  readonly #tooltip: (pool: Pool) => Promise<string>;

  /** @param tooltip returns the Markdown tooltip of a pool */
  constructor(portfolio: PortfolioReader, sortBy: () => PoolSort, tooltip: (pool: Pool) => Promise<string>) {
    this.#portfolio = portfolio;
    this.#sortBy = sortBy;
    this.#tooltip = tooltip;

    this.#showsMore = portfolio.snapshot.poolsHaveMore;
    this.#syncNodes();
    this.#disposables.add(
      this.#changed,
      portfolio.onDidChange((change) => this.#portfolioChanged(change)),
    );
  }

  /** True if there are rows besides the list. They hide the welcome text. */
  get hasRowsAround(): boolean {
    return this.#around.above.length > 0;
  }

  /** Replaces the rows around the list. @param changed the only nodes that look different; `undefined`: any may */
  surround(around: RowsAround, changed?: readonly PoolNode[]): void {
    this.#around = around;
    if (changed === undefined) {
      this.#syncNodes();
    }
    if (changed === undefined || changed.length > 0) {
      this.#changed.fire(changed === undefined ? undefined : [...changed]);
    }
  }

  getChildren(node?: Node): Node[] {
    if (node !== undefined) {
      return node.kind === 'made' ? [...node.children] : [];
    }
    const pools = this.#portfolio.snapshot.pools.flatMap(({ address }) => this.#nodes.get(address) ?? []);
    return [...this.#around.above, ...pools, ...(this.#showsMore && pools.length > 0 ? [MORE] : []), ...this.#around.below];
  }

  getTreeItem(node: Node): vscode.TreeItem {
    if (node.kind === 'pool') {
      // Only the identity: commands accept nothing else of their argument.
      const argument = { kind: node.kind, pool: { address: node.pool.address } };
      return treeItem(node.row, vscode.TreeItemCollapsibleState.None, {
        command: 'binsight.openPool',
        title: l10n.t('Open Pool'),
        argument,
      });
    }
    if (node.kind === 'made') {
      return node.item;
    }
    const label = l10n.t('Load More');
    const item = new vscode.TreeItem(label);
    item.id = 'more';
    item.iconPath = new vscode.ThemeIcon('ellipsis');
    item.command = { command: LOAD_MORE, title: label };
    item.tooltip = label;
    item.accessibilityInformation = { label: `${label}: ${l10n.t('Pools')}`, role: 'button' };
    return item;
  }

  async resolveTreeItem(item: vscode.TreeItem, node: Node): Promise<vscode.TreeItem> {
    if (node.kind === 'pool') {
      item.tooltip = markdownTooltip(await this.#tooltip(node.pool));
    }
    return item;
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #portfolioChanged({ snapshot, pools: { added, changed, removed, reordered } }: PortfolioChange): void {
    const moreChanged = snapshot.poolsHaveMore !== this.#showsMore;
    this.#showsMore = snapshot.poolsHaveMore;
    if (added.length > 0 || removed.length > 0 || reordered || moreChanged) {
      this.#syncNodes();
      this.#changed.fire(undefined);
      return;
    }
    const wanted = new Set(changed);
    const names = poolNames(snapshot.pools, this.#locale);
    const differing = snapshot.pools.filter(({ address }) => wanted.has(address) || this.#names.get(address) !== names.get(address));
    this.#names = names;
    const touched = differing.flatMap((pool) => (this.#update(pool) ? (this.#nodes.get(pool.address) ?? []) : []));
    if (touched.length > 0) {
      this.#changed.fire(touched);
    }
  }

  /** Syncs the nodes with the snapshot and keeps those that are still listed. */
  #syncNodes(): void {
    const { pools } = this.#portfolio.snapshot;
    const listed = new Set<string>(pools.map(({ address }) => address));
    for (const address of [...this.#nodes.keys()].filter((one) => !listed.has(one))) {
      this.#nodes.delete(address);
    }
    this.#names = poolNames(pools, this.#locale);
    for (const pool of pools) {
      this.#update(pool);
    }
  }

  /** @returns true if the row looks different now */
  #update(pool: Pool): boolean {
    const row = poolRow(pool, this.#sortBy(), this.#locale, this.#around.favorites.has(pool.address), this.#names.get(pool.address));
    const node = this.#nodes.get(pool.address);
    if (node === undefined) {
      this.#nodes.set(pool.address, { kind: 'pool', pool, row });
      return true;
    }
    const differs = !sameRow(node.row, row);
    node.pool = pool;
    node.row = row;
    return differs;
  }
}
