import { FavoritePools } from './pools/favoritePools';
import { FavoritesGroup } from './pools/favoritesGroup';
import { RecordedPools } from './pools/recordedPools';
import type { Services } from './services';
import type { ViewController } from './viewController';

/** Creates the favorite pools, shows them in the *Pools* view, and has them recorded. */
export function createFavorites(services: Services, { pools, poolsView, favoritesDrag }: ViewController): FavoritePools {
  const { disposables, context, connection, portfolio, poolQuery, log } = services;
  const favorites = disposables.add(new FavoritePools({ ...services, state: context.globalState, isVisible: () => poolsView.visible }));
  const rows = new FavoritesGroup({ tree: pools, portfolio, query: poolQuery, favorites: () => favorites.all });
  const recorded = new RecordedPools({ ...services, favorites: () => favorites.all, log: log.of('pools') });
  disposables.add(
    favorites.onDidChange(() => rows.show()),
    favorites.onDidChange(() => void recorded.look()),
    portfolio.onDidChange(() => void recorded.look()),
    connection.onDidChange(() => favorites.look()),
    poolsView.onDidChangeVisibility(() => favorites.look()),
  );
  favoritesDrag.moved = (addresses, before) => favorites.move(addresses, before);
  favorites.look();
  return favorites;
}
