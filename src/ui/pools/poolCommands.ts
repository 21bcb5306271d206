import * as l10n from '@vscode/l10n';
import { type Address, parseAddress } from '../../base/solana/address';
import { ServiceError } from '../../service/errors';
import type { LiquidityService } from '../../service/service';
import type { PortfolioControl } from '../../portfolio/types';
import type { CommandId } from '../../settings/generated/commandIds';
import type { CommandHandlers } from '../shell/commands/runCommand';
import type { Prompts } from '../shell/prompts/prompts';
import { withRequestWaitNotification, type WaitingDependencies } from '../shell/requestWait';
import { tokenName } from './filterPools';
import { filterSummary } from './poolFilters';
import type { PoolFilter, PoolQuery } from './poolQuery';
import type { SavedSearches } from './savedSearches';
import { askForSearch } from './searchMenu';

export interface PoolCommandDependencies {
  readonly prompts: Prompts;
  readonly portfolio: Pick<PortfolioControl, 'snapshot' | 'loadMorePools'>;
  readonly query: PoolQuery;
  readonly saved: SavedSearches;
  readonly connect: () => Promise<LiquidityService>;
  /** Runs a command of this extension. */
  readonly command: (id: CommandId, argument?: unknown) => Promise<void>;
  /** Shows progress in the *Pools* view while `work` runs. */
  readonly showProgress: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Lets a further page wait for the service's request limit. */
  readonly waiting: WaitingDependencies;
}

export function poolCommands({
  prompts,
  portfolio,
  query,
  saved,
  connect,
  command,
  showProgress,
  waiting,
}: PoolCommandDependencies): Pick<CommandHandlers, 'binsight.searchPools' | 'binsight.showAllPools' | 'binsight.loadMorePools'> {
  const named = (filter: PoolFilter): string | undefined => filterSummary(filter, (mint) => tokenName(mint, portfolio.snapshot.pools));
  const searchFor = async (text: string | undefined): Promise<void> => {
    const address = parseAddress(text ?? '');
    if (address !== undefined && (await showProgress(() => isPool(address, connect)))) {
      await command('binsight.openPool', { kind: 'pool', pool: { address } });
    } else {
      query.searchFor(text);
    }
  };
  return {
    'binsight.searchPools': async () => {
      const choice = await askForSearch({ prompts, query, saved, pools: portfolio.snapshot.pools });
      switch (choice?.kind) {
        case undefined:
          return;
        case 'search':
          return searchFor(choice.text);
        case 'filter':
          query.filterBy(choice.filter, named(choice.filter));
          return;
        case 'order':
          return query.sort(choice.order);
        case 'apply': {
          const { text, filter, order } = choice.search;
          return query.show({ text, filter, filterText: named(filter) }, order);
        }
        case 'save':
          return saved.save(choice.search);
        case 'delete':
          return saved.delete(choice.search.name);
      }
    },
    'binsight.showAllPools': () => query.show({ text: undefined, filter: {}, filterText: undefined }, query.order),
    'binsight.loadMorePools': async () => {
      await showProgress(() =>
        withRequestWaitNotification(l10n.t('Loading pools…'), prompts, waiting, (pace) => portfolio.loadMorePools(pace)),
      );
      const { poolsState } = portfolio.snapshot;
      if (poolsState.kind === 'failed' || poolsState.kind === 'stale') {
        // The view shows the error at its top, which is out of sight from its end.
        throw poolsState.error;
      }
    },
  };
}

/** Tells whether the service knows a pool of this address; it may as well be the address of a token. */
async function isPool(address: Address, connect: () => Promise<LiquidityService>): Promise<boolean> {
  try {
    await (await connect()).poolInfo(address, { pace: 'user' });
    return true;
  } catch (error) {
    if (error instanceof ServiceError && ['notFound', 'rejected', 'server', 'malformed'].includes(error.kind)) {
      return false;
    }
    throw error;
  }
}
