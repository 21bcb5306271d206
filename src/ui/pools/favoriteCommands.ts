import * as l10n from '@vscode/l10n';
import { parseAddress } from '../../base/solana/address';
import type { PortfolioReader } from '../../portfolio/types';
import type { CommandHandlers } from '../shell/commands/runCommand';
import type { Prompts } from '../shell/prompts/prompts';
import type { FavoritePools } from './favoritePools';
import { pickPool } from './pickPool';
import type { FindPools } from './poolSearch';

export interface FavoriteCommandDependencies {
  readonly prompts: Pick<Prompts, 'pick' | 'input'>;
  readonly portfolio: PortfolioReader;
  readonly favorites: () => Promise<FavoritePools>;
  readonly find: FindPools;
  /** The pool of the panel in front; `undefined`: none. */
  readonly activePool: () => string | undefined;
}

/** The command that adds a pool to the favorites, or removes one. */
export function favoriteCommands({
  prompts,
  portfolio,
  favorites,
  find,
  activePool,
}: FavoriteCommandDependencies): Pick<CommandHandlers, 'binsight.toggleFavorite'> {
  return {
    'binsight.toggleFavorite': async (target) => {
      const all = await favorites();
      const inFront = target?.kind === 'pool' ? target.address : parseAddress(activePool() ?? '');
      const known = all.all.map(({ pool }) => pool);
      const pool =
        inFront ??
        (await pickPool(
          {
            title: l10n.t('Toggle Favorite'),
            among: [...known, ...portfolio.snapshot.pools.filter(({ address }) => !all.has(address))],
            find,
            isOffered: () => true,
            iconOf: ({ address }) => (all.has(address) ? 'star-full' : undefined),
          },
          prompts,
        ));
      if (pool !== undefined) {
        await (all.has(pool) ? all.remove(pool) : all.add(pool));
      }
    },
  };
}
