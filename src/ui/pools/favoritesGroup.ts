import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { WarmLocale, displayLocale } from '../../base/format/locale';
import type { PortfolioReader } from '../../portfolio/types';
import type { CommandId } from '../../settings/generated/commandIds';
import { sameRow } from '../shell/views/rows';
import { type FavoritePool, favoriteRow } from './favoriteRow';
import { poolNames } from './poolNames';
import type { PoolQuery } from './poolQuery';
import type { LivePoolNode, MadeNode, PoolsTree, RowsAround } from './poolsTree';

export interface FavoritesGroupDependencies {
  readonly tree: Pick<PoolsTree, 'surround'>;
  readonly portfolio: PortfolioReader;
  readonly query: Pick<PoolQuery, 'order' | 'shown'>;
  readonly favorites: () => readonly FavoritePool[];
}

/** The group of favorites above the list of pools. */
export class FavoritesGroup {
  readonly #dependencies: FavoritesGroupDependencies;
  readonly #locale = new WarmLocale(displayLocale());
  #nodes: readonly LivePoolNode[] = [];
  #group: MadeNode | undefined;
  #last: MadeNode | undefined;

  constructor(dependencies: FavoritesGroupDependencies) {
    this.#dependencies = dependencies;
  }

  /** Shows the favorites as they are now. Rows that look the same are left alone. */
  show(): void {
    const { tree, favorites } = this.#dependencies;
    const touched = this.#sync(favorites());
    const group = this.#isShown ? (touched === undefined || this.#group === undefined ? groupOf(this.#nodes) : this.#group) : undefined;
    const last = group === undefined ? undefined : this.#lastRow();
    const isSame = group === this.#group && last?.item.description === this.#last?.item.description;
    this.#group = group;
    this.#last = isSame ? this.#last : last;
    const around: RowsAround = {
      above: group === undefined ? [] : [group],
      below: this.#last === undefined ? [] : [this.#last],
      favorites: new Set(this.#nodes.map(({ pool }) => pool.address)),
    };
    tree.surround(around, isSame ? touched : undefined);
  }

  /** @returns the nodes that look different; `undefined`: there are others, or in another order */
  #sync(favorites: readonly FavoritePool[]): readonly LivePoolNode[] | undefined {
    const before = this.#nodes;
    const known = new Map(before.map((node) => [node.pool.address, node]));
    const { sortBy } = this.#dependencies.query.order;
    // A pool that is listed as well has one name.
    const names = poolNames([...favorites.map(({ pool }) => pool), ...this.#dependencies.portfolio.snapshot.pools], this.#locale);
    const touched: LivePoolNode[] = [];
    this.#nodes = favorites.map((favorite): LivePoolNode => {
      const row = favoriteRow(favorite, sortBy, this.#locale, names.get(favorite.pool.address));
      const node = known.get(favorite.pool.address);
      if (node === undefined) {
        return { kind: 'pool', pool: favorite.pool, row };
      }
      if (!sameRow(node.row, row)) {
        touched.push(node);
      }
      return Object.assign(node, { pool: favorite.pool, row });
    });
    return before.length === this.#nodes.length && before.every((node, index) => node === this.#nodes[index]) ? touched : undefined;
  }

  /** Any row hides the welcome text, so there are none while the list of pools can't be read. */
  get #isShown(): boolean {
    const { pools, poolsState } = this.#dependencies.portfolio.snapshot;
    return this.#nodes.length > 0 && (pools.length > 0 || poolsState.kind === 'ready' || poolsState.kind === 'loading');
  }

  /** The row that replaces the welcome text if no pool matches. */
  #lastRow(): MadeNode | undefined {
    const { portfolio, query } = this.#dependencies;
    const { pools, poolsState } = portfolio.snapshot;
    const { text, filterText } = query.shown;
    return poolsState.kind !== 'ready' || pools.length > 0 || (text === undefined && filterText === undefined) ? undefined : noMatch();
  }
}

function groupOf(children: readonly LivePoolNode[]): MadeNode {
  const item = new vscode.TreeItem(l10n.t('Favorites'), vscode.TreeItemCollapsibleState.Expanded);
  item.id = 'favorites';
  item.description = String(children.length);
  item.iconPath = new vscode.ThemeIcon('star-full');
  item.accessibilityInformation = { label: `${l10n.t('Favorites')}: ${children.length}` };
  return { kind: 'made', item, children };
}

function noMatch(): MadeNode {
  const showAll = l10n.t('Show All Pools');
  const command: CommandId = 'binsight.showAllPools';
  const item = new vscode.TreeItem(l10n.t('No pools match'));
  item.id = 'noMatch';
  item.description = showAll;
  item.iconPath = new vscode.ThemeIcon('clear-all');
  item.command = { command, title: showAll };
  item.accessibilityInformation = { label: `${l10n.t('No pools match')}. ${showAll}`, role: 'button' };
  return { kind: 'made', item, children: [] };
}
