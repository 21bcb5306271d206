import * as l10n from '@vscode/l10n';
import type { PoolSort } from '../../service/service';
import type { PortfolioControl } from '../../portfolio/types';
import { withRequestWaitNotification, type WaitingDependencies } from '../shell/requestWait';
import type { PickItem, Prompts } from '../shell/prompts/prompts';
import type { PoolQuery } from './poolQuery';
import type { CommandHandlers } from '../shell/commands/runCommand';

export interface PoolCommandDependencies {
  readonly prompts: Prompts;
  readonly portfolio: PortfolioControl;
  readonly query: PoolQuery;
  /** Shows progress in the *Pools* view while `work` runs. */
  readonly showProgress: (work: () => Promise<void>) => Promise<void>;
  /** Lets a further page wait for the service's request limit. */
  readonly waiting: WaitingDependencies;
}

const sorts = (): readonly PickItem<PoolSort>[] => [
  { label: l10n.t('Market cap'), description: l10n.t('of the first token'), value: 'mcap' },
  { label: l10n.t('TVL'), description: l10n.t('total value locked'), value: 'tvl' },
  { label: l10n.t('24 h volume'), value: 'vol_24h' },
  { label: l10n.t('24 h fees / TVL'), description: l10n.t('daily yield per dollar in the pool'), value: 'fee_tvl_ratio' },
  { label: l10n.t('Volatility'), value: 'volatility' },
  { label: l10n.t('Age'), description: l10n.t('newest first'), value: 'created_at' },
];

export function poolCommands({
  prompts,
  portfolio,
  query,
  showProgress,
  waiting,
}: PoolCommandDependencies): Pick<
  CommandHandlers,
  'binsight.sortPools' | 'binsight.searchPools' | 'binsight.clearPoolSearch' | 'binsight.loadMorePools'
> {
  return {
    'binsight.sortPools': async () => {
      const answer = await prompts.pick({
        title: l10n.t('Sort Pools'),
        placeholder: l10n.t('Sort pools by'),
        items: sorts(),
        isCurrent: (value) => value === query.sortBy,
      });
      if (answer.kind === 'value') {
        await query.sort(answer.value);
      }
    },
    'binsight.searchPools': async () => {
      const answer = await prompts.input({
        title: l10n.t('Search Pools'),
        prompt: l10n.t('Pool name or token address. Leave empty to show all pools.'),
        placeholder: 'BONK/SOL',
        initial: query.search,
        read: (text) =>
          text.trim().length > LONGEST_SEARCH
            ? { ok: false, message: l10n.t`At most ${LONGEST_SEARCH} characters.` }
            : { ok: true, value: text.trim() },
      });
      if (answer.kind === 'value') {
        query.searchFor(answer.value === '' ? undefined : answer.value);
      }
    },
    'binsight.clearPoolSearch': () => {
      query.searchFor(undefined);
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

const LONGEST_SEARCH = 100;
