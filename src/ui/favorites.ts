import type { PanelManager } from './panels/panelManager';
import { FavoritePools } from './pools/favoritePools';
import { FavoritesGroup } from './pools/favoritesGroup';
import type { Services } from './services';
import { CONTEXT } from './shell/names';
import type { ViewController } from './viewController';

/** Creates the favorite pools, and shows them in the *Pools* view and in the title of pool panels. */
export function createFavorites(
  services: Services,
  { pools, poolsView, contextKeys }: ViewController,
  panels: PanelManager,
): FavoritePools {
  const { disposables, context, connection, portfolio, poolQuery } = services;
  const favorites = disposables.add(new FavoritePools({ ...services, state: context.globalState, isVisible: () => poolsView.visible }));
  const showInTitle = () => contextKeys.set(CONTEXT.isFavoriteInFront, favorites.has(panels.activePool ?? ''));
  const rows = new FavoritesGroup({ tree: pools, portfolio, query: poolQuery, favorites: () => favorites.all });
  const show = () => {
    rows.show();
    showInTitle();
  };
  disposables.add(
    favorites.onDidChange(show),
    connection.onDidChange(() => favorites.look()),
    poolsView.onDidChangeVisibility(() => favorites.look()),
    panels.onDidChangeActivePool(showInTitle),
  );
  favorites.look();
  return favorites;
}
