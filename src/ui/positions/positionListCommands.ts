import * as l10n from '@vscode/l10n';
import type { CommandHandlers } from '../shell/commands/runCommand';
import type { PickItem, Prompts } from '../shell/prompts/prompts';
import type { PositionGrouping, PositionSort } from '../shell/settings/values';
import type { PositionListFilter } from './positionList';
import type { PositionListControl } from './positionListControl';

export interface PositionListCommandDependencies {
  readonly prompts: Pick<Prompts, 'pick'>;
  readonly list: PositionListControl;
}

const sorts = (): readonly PickItem<PositionSort>[] => [
  { label: l10n.t('Needs attention'), description: l10n.t('out of range first, then by value'), value: 'attention' },
  { label: l10n.t('PnL percentage'), value: 'pnlPercent' },
  { label: l10n.t('PnL'), value: 'pnl' },
  { label: l10n.t('Value'), value: 'value' },
  { label: l10n.t('Unclaimed fees'), value: 'fees' },
  { label: l10n.t('Age'), description: l10n.t('oldest first'), value: 'age' },
  { label: l10n.t('Pair'), description: l10n.t('A to Z'), value: 'pair' },
];

const groupings = (): readonly PickItem<PositionGrouping>[] => [
  { label: l10n.t('No groups'), value: 'none' },
  { label: l10n.t('Range status'), description: l10n.t('out of range, in range'), value: 'range' },
  { label: l10n.t('Pool'), value: 'pool' },
  { label: l10n.t('Wallet'), description: l10n.t('also the positions of your other wallets'), value: 'wallet' },
];

const filters = (): readonly PickItem<PositionListFilter>[] => [
  { label: l10n.t('All positions'), value: 'all' },
  { label: l10n.t('Out of range'), value: 'outOfRange' },
  { label: l10n.t('In range'), value: 'inRange' },
  { label: l10n.t('With a profit'), value: 'profit' },
  { label: l10n.t('With a loss'), value: 'loss' },
];

/** Commands that change how the *Positions* view lists positions. */
export function positionListCommands({
  prompts,
  list,
}: PositionListCommandDependencies): Pick<
  CommandHandlers,
  'binsight.sortPositions' | 'binsight.groupPositions' | 'binsight.filterPositions' | 'binsight.clearPositionFilter'
> {
  return {
    'binsight.sortPositions': async () => {
      const answer = await prompts.pick({
        title: l10n.t('Sort Positions'),
        placeholder: l10n.t('Sort positions by'),
        items: sorts(),
        isCurrent: (value) => value === list.options.sortBy,
      });
      if (answer.kind === 'value') {
        await list.sort(answer.value);
      }
    },
    'binsight.groupPositions': async () => {
      const answer = await prompts.pick({
        title: l10n.t('Group Positions'),
        placeholder: l10n.t('Group positions by'),
        items: groupings(),
        isCurrent: (value) => value === list.options.groupBy,
      });
      if (answer.kind === 'value') {
        await list.group(answer.value);
      }
    },
    'binsight.filterPositions': async () => {
      const answer = await prompts.pick({
        title: l10n.t('Filter Positions'),
        placeholder: l10n.t('Show which positions?'),
        items: filters(),
        isCurrent: (value) => value === list.options.filter,
      });
      if (answer.kind === 'value') {
        list.filter(answer.value);
      }
    },
    'binsight.clearPositionFilter': () => {
      list.filter('all');
      return Promise.resolve();
    },
  };
}
