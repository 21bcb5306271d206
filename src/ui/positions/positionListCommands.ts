import * as l10n from '@vscode/l10n';
import type { CommandHandlers } from '../shell/commands/runCommand';
import type { PickItem, Prompts } from '../shell/prompts/prompts';
import type { PositionGrouping, PositionListFilter, PositionListOptions, PositionSort } from './positionList';
import type { PositionListControl } from './positionListControl';

export interface PositionListCommandDependencies {
  readonly prompts: Pick<Prompts, 'pick'>;
  readonly list: PositionListControl;
}

/** One option of the list, with its new value. */
type ViewOption =
  | { readonly of: 'filter'; readonly value: PositionListFilter }
  | { readonly of: 'sortBy'; readonly value: PositionSort }
  | { readonly of: 'groupBy'; readonly value: PositionGrouping };

/** The command that changes how the *Positions* view lists positions. */
export function positionListCommands({ prompts, list }: PositionListCommandDependencies): Pick<CommandHandlers, 'binsight.viewOptions'> {
  return {
    'binsight.viewOptions': async () => {
      const answer = await prompts.pick({
        title: l10n.t('View Options'),
        placeholder: l10n.t('View Options'),
        items: viewOptions(list.options),
      });
      if (answer.kind !== 'value') {
        return;
      }
      const { value } = answer;
      switch (value.of) {
        case 'filter':
          list.filter(value.value);
          break;
        case 'sortBy':
          await list.sort(value.value);
          break;
        case 'groupBy':
          await list.group(value.value);
          break;
      }
    },
  };
}

/** All options under three headings. Those in use have a check mark. */
function viewOptions(current: PositionListOptions): readonly PickItem<ViewOption>[] {
  const options: readonly PickItem<ViewOption>[] = [
    { heading: l10n.t('Show'), label: l10n.t('All'), value: { of: 'filter', value: 'all' } },
    { label: l10n.t('Out of range'), value: { of: 'filter', value: 'outOfRange' } },
    { label: l10n.t('In range'), value: { of: 'filter', value: 'inRange' } },
    { label: l10n.t('Gains'), value: { of: 'filter', value: 'profit' } },
    { label: l10n.t('Losses'), value: { of: 'filter', value: 'loss' } },
    {
      heading: l10n.t('Sort by'),
      label: l10n.t('Needs attention'),
      description: l10n.t('out of range first, then by value'),
      value: { of: 'sortBy', value: 'attention' },
    },
    { label: l10n.t('PnL %'), value: { of: 'sortBy', value: 'pnlPercent' } },
    { label: l10n.t('PnL'), value: { of: 'sortBy', value: 'pnl' } },
    { label: l10n.t('Value'), value: { of: 'sortBy', value: 'value' } },
    { label: l10n.t('Unclaimed fees'), value: { of: 'sortBy', value: 'fees' } },
    { label: l10n.t('Age'), value: { of: 'sortBy', value: 'age' } },
    { label: l10n.t('Pair'), value: { of: 'sortBy', value: 'pair' } },
    { heading: l10n.t('Group by'), label: l10n.t('None'), value: { of: 'groupBy', value: 'none' } },
    { label: l10n.t('Range'), value: { of: 'groupBy', value: 'range' } },
    { label: l10n.t('Pool'), value: { of: 'groupBy', value: 'pool' } },
    { label: l10n.t('Wallet'), description: l10n.t('also of your other wallets'), value: { of: 'groupBy', value: 'wallet' } },
  ];
  return options.map((item) => ({ ...item, icon: current[item.value.of] === item.value.value ? 'check' : 'blank' }));
}
