import * as l10n from '@vscode/l10n';
import { type Address, parseAddress } from '../../base/solana/address';
import type { PortfolioReader } from '../../portfolio/types';
import type { CommandHandlers, CommandTarget } from '../shell/commands/runCommand';
import { UserError } from '../shell/errors';
import type { Prompts } from '../shell/prompts/prompts';
import type { FavoritePools } from './favoritePools';
import { pickPool } from './pickPool';
import { favoriteRow } from './favoriteRow';
import type { FindPools } from './poolSearch';

export interface FavoriteCommandDependencies {
  readonly prompts: Pick<Prompts, 'pick' | 'input'>;
  readonly portfolio: PortfolioReader;
  readonly favorites: () => Promise<FavoritePools>;
  readonly find: FindPools;
  /** The pool of the panel in front; `undefined`: none. */
  readonly activePool: () => string | undefined;
}

/** The commands that add pools to the favorites and remove them. */
export function favoriteCommands({
  prompts,
  portfolio,
  favorites,
  find,
  activePool,
}: FavoriteCommandDependencies): Pick<CommandHandlers, 'binsight.addFavoritePool' | 'binsight.removeFavoritePool'> {
  const poolInFront = (target: CommandTarget | undefined): Address | undefined =>
    target?.kind === 'pool' ? target.address : parseAddress(activePool() ?? '');
  return {
    'binsight.addFavoritePool': async (target) => {
      const all = await favorites();
      const inFront = poolInFront(target);
      const pool =
        inFront !== undefined && !all.has(inFront)
          ? inFront
          : target === undefined
            ? await pickPool(
                {
                  title: l10n.t('Add Pool to Favorites'),
                  among: portfolio.snapshot.pools,
                  find,
                  isOffered: ({ address }) => !all.has(address),
                },
                prompts,
              )
            : undefined;
      if (pool !== undefined) {
        await all.add(pool);
      }
    },
    'binsight.removeFavoritePool': async (target) => {
      const all = await favorites();
      const inFront = poolInFront(target);
      const pool =
        inFront !== undefined && all.has(inFront) ? inFront : target === undefined ? await pickFavorite(all, prompts) : undefined;
      if (pool !== undefined) {
        await all.remove(pool);
      }
    },
  };
}

async function pickFavorite({ all }: FavoritePools, prompts: Pick<Prompts, 'pick'>): Promise<Address | undefined> {
  if (all.length === 0) {
    throw new UserError(l10n.t('There are no favorite pools.'));
  }
  const answer = await prompts.pick({
    title: l10n.t('Remove Pool from Favorites'),
    placeholder: l10n.t('Remove which pool?'),
    items: all.map((favorite) => {
      const { label, description, icon } = favoriteRow(favorite);
      return { label, description, icon: icon.id, detail: favorite.pool.address, value: favorite.pool.address };
    }),
    matchDetails: true,
  });
  return answer.kind === 'value' ? answer.value : undefined;
}
