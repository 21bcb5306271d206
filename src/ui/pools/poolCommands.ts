import * as l10n from '@vscode/l10n';
import { type Address, parseAddress } from '../../base/solana/address';
import { ServiceError } from '../../service/errors';
import type { Interval } from '../../service/pools';
import type { LiquidityService, PoolSort } from '../../service/service';
import type { PortfolioControl } from '../../portfolio/types';
import type { CommandId } from '../../settings/generated/commandIds';
import type { CommandHandlers } from '../shell/commands/runCommand';
import type { PickItem, Prompts } from '../shell/prompts/prompts';
import { withRequestWaitNotification, type WaitingDependencies } from '../shell/requestWait';
import { askForFilter, tokenName } from './filterPools';
import { filterSummary } from './poolFilters';
import type { PoolOrder, PoolQuery } from './poolQuery';
import { LONGEST_SEARCH } from './savedSearches';

export interface PoolCommandDependencies {
  readonly prompts: Prompts;
  readonly portfolio: PortfolioControl;
  readonly query: PoolQuery;
  readonly connect: () => Promise<LiquidityService>;
  /** Runs a command of this extension. */
  readonly command: (id: CommandId, argument?: unknown) => Promise<void>;
  /** Shows progress in the *Pools* view while `work` runs. */
  readonly showProgress: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Lets a further page wait for the service's request limit. */
  readonly waiting: WaitingDependencies;
}

type OrderChoice = { readonly sortBy: PoolSort; readonly interval: Interval } | 'reverse';

export function poolCommands({
  prompts,
  portfolio,
  query,
  connect,
  command,
  showProgress,
  waiting,
}: PoolCommandDependencies): Pick<
  CommandHandlers,
  | 'binsight.sortPools'
  | 'binsight.searchPools'
  | 'binsight.clearPoolSearch'
  | 'binsight.filterPools'
  | 'binsight.clearPoolFilters'
  | 'binsight.loadMorePools'
> {
  return {
    'binsight.sortPools': async () => {
      const { order } = query;
      const answer = await prompts.pick<OrderChoice>({
        title: l10n.t('Sort Pools'),
        placeholder: l10n.t('Sort pools by'),
        items: orders(order),
        isCurrent: (value) => value !== 'reverse' && value.sortBy === order.sortBy && value.interval === order.interval,
      });
      if (answer.kind === 'value') {
        const { value } = answer;
        await query.sort(value === 'reverse' ? { ...order, isReversed: !order.isReversed } : { ...value, isReversed: false });
      }
    },
    'binsight.searchPools': async () => {
      const answer = await prompts.input({
        title: l10n.t('Search Pools'),
        prompt: l10n.t('Pool name, or address of a token or pool. Leave empty to show all pools.'),
        placeholder: 'BONK/SOL',
        initial: query.shown.text ?? '',
        read: (text) =>
          text.trim().length > LONGEST_SEARCH
            ? { ok: false, message: l10n.t`At most ${LONGEST_SEARCH} characters.` }
            : { ok: true, value: text.trim() },
      });
      if (answer.kind !== 'value') {
        return;
      }
      const address = parseAddress(answer.value);
      if (address !== undefined && (await showProgress(() => isPool(address, connect)))) {
        await command('binsight.openPool', { kind: 'pool', pool: { address } });
        return;
      }
      query.searchFor(answer.value === '' ? undefined : answer.value);
    },
    'binsight.clearPoolSearch': () => {
      query.searchFor(undefined);
      return Promise.resolve();
    },
    'binsight.filterPools': async () => {
      const { pools } = portfolio.snapshot;
      const filter = await askForFilter(query.shown.filter, pools, prompts);
      if (filter !== undefined) {
        query.filterBy(
          filter,
          filterSummary(filter, (mint) => tokenName(mint, pools)),
        );
      }
    },
    'binsight.clearPoolFilters': () => {
      query.filterBy({}, undefined);
      return Promise.resolve();
    },
    'binsight.loadMorePools': async () => {
      await showProgress(() =>
        withRequestWaitNotification(l10n.t('Loading more pools…'), prompts, waiting, (pace) => portfolio.loadMorePools(pace)),
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

function orders({ isReversed }: PoolOrder): readonly PickItem<OrderChoice>[] {
  const by = (sortBy: PoolSort, interval: Interval = '24h'): { readonly value: OrderChoice } => ({ value: { sortBy, interval } });
  return [
    { label: l10n.t('Market cap'), description: l10n.t('of the first token'), ...by('mcap') },
    { label: l10n.t('TVL'), description: l10n.t('total value locked'), ...by('tvl') },
    { label: l10n.t('24 h volume'), ...by('vol_24h') },
    { label: l10n.t('24 h fees / TVL'), description: l10n.t('daily yield per dollar in the pool'), ...by('fee_tvl_ratio') },
    { label: l10n.t('6 h fees / TVL'), ...by('fee_tvl_ratio', '6h') },
    { label: l10n.t('1 h fees / TVL'), ...by('fee_tvl_ratio', '1h') },
    { label: l10n.t('5 min fees / TVL'), ...by('fee_tvl_ratio', '5m') },
    { label: l10n.t('Volatility'), ...by('volatility') },
    { label: l10n.t('Age'), description: l10n.t('newest first'), ...by('created_at') },
    {
      label: isReversed ? l10n.t('Largest or Newest First') : l10n.t('Smallest or Oldest First'),
      description: l10n.t('reverses the order'),
      icon: 'arrow-swap',
      heading: l10n.t('Direction'),
      value: 'reverse',
    },
  ];
}
