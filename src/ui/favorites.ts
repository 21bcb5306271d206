import { FavoritePools } from './pools/favoritePools';
import { FavoritesGroup } from './pools/favoritesGroup';
import type { Services } from './services';
import type { ViewController } from './viewController';

/** Creates the favorite pools, and shows them in the *Pools* view. */
export function createFavorites(services: Services, { pools, poolsView }: ViewController): FavoritePools {
  const { disposables, context, connection, portfolio, poolQuery } = services;
  const favorites = disposables.add(new FavoritePools({ ...services, state: context.globalState, isVisible: () => poolsView.visible }));
  const rows = new FavoritesGroup({ tree: pools, portfolio, query: poolQuery, favorites: () => favorites.all });
  disposables.add(
    favorites.onDidChange(() => rows.show()),
    connection.onDidChange(() => favorites.look()),
    poolsView.onDidChangeVisibility(() => favorites.look()),
  );
  favorites.look();
  return favorites;
}
