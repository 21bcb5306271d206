import * as l10n from '@vscode/l10n';
import { titleOf } from '../../base/text';
import type { Interval, Pool } from '../../service/pools';
import type { PoolSort } from '../../service/service';
import { answered, type FoundItems, type PickItem, type Prompts, type Reading } from '../shell/prompts/prompts';
import { runSteps, type Step } from '../shell/prompts/steps';
import { joined } from '../shell/views/rows';
import { plainText } from '../shell/views/text';
import { type FilterDraft, filterItems, filterSteps, type FilterSubject, tokenName } from './filterPools';
import { filterSummary } from './poolFilters';
import type { PoolFilter, PoolOrder, PoolQuery } from './poolQuery';
import { poolOrderName, sortName } from './poolRow';
import { LONGEST_NAME, LONGEST_SEARCH, MOST_SAVED, type SavedSearch, type SavedSearches } from './savedSearches';

/** What the user wants of the *Pools* view. */
export type SearchChoice =
  | { readonly kind: 'search'; readonly text: string | undefined }
  | { readonly kind: 'filter'; readonly filter: PoolFilter }
  | { readonly kind: 'order'; readonly order: PoolOrder }
  | { readonly kind: 'apply' | 'save' | 'delete'; readonly search: SavedSearch };

export interface SearchMenuDependencies {
  readonly prompts: Pick<Prompts, 'pick' | 'input'>;
  readonly query: PoolQuery;
  readonly saved: SavedSearches;
  /** The listed pools, which name tokens. */
  readonly pools: readonly Pool[];
}

/** An entry of the menu. Those without a value open a further list or field. */
type MenuChoice =
  | Exclude<SearchChoice, { readonly kind: 'filter' | 'order' }>
  | { readonly kind: 'filterOf'; readonly subject: FilterSubject }
  | { readonly kind: 'chooseOrder' | 'name' | 'chooseDeleted' };

type OrderChoice = { readonly sortBy: PoolSort; readonly interval: Interval } | 'reverse';

interface Draft extends FilterDraft {
  readonly menu?: MenuChoice;
  readonly choice?: SearchChoice;
}

/**
 * Asks what the *Pools* view is to list: a text is typed; filters, the order and saved searches are chosen.
 * @returns `undefined`: the user cancelled
 */
export async function askForSearch(dependencies: SearchMenuDependencies): Promise<SearchChoice | undefined> {
  const { prompts, query, pools } = dependencies;
  const { filter } = query.shown;
  const draft = await runSteps<Draft>({ filter }, [
    menuStep(dependencies),
    ...filterSteps<Draft>(filter, pools, prompts),
    orderStep(dependencies),
    nameStep(dependencies),
    deletedStep(dependencies),
  ]);
  return draft?.menu?.kind === 'filterOf' ? { kind: 'filter', filter: draft.filter } : draft?.choice;
}

function menuStep({ prompts, query, saved, pools }: SearchMenuDependencies): Step<Draft> {
  const { filter } = query.shown;
  return {
    ask: async (draft, place) => {
      const answer = await prompts.pick<MenuChoice>({
        title: l10n.t('Search Pools'),
        place,
        placeholder: l10n.t('Pool name or address'),
        items: [
          ...searchItems(query),
          ...savedItems(saved.all, pools),
          ...filterItems(filter, pools).map((item) => ({ ...item, value: { kind: 'filterOf' as const, subject: item.value } })),
        ],
        isCurrent: (value) => isSame(value, draft.menu),
        search: (text) => Promise.resolve(typedSearch(text.trim())),
      });
      if (answer.kind !== 'value') {
        return answer;
      }
      const { value } = answer;
      switch (value.kind) {
        case 'filterOf':
          return answered({ filter: value.subject.kind === 'clear' ? {} : filter, menu: value, subject: value.subject });
        case 'chooseOrder':
        case 'name':
        case 'chooseDeleted':
          return answered({ filter, menu: value });
        default:
          return answered({ filter, menu: value, choice: value });
      }
    },
  };
}

function isSame(one: MenuChoice, other: MenuChoice | undefined): boolean {
  return (
    one.kind === other?.kind &&
    (one.kind !== 'filterOf' || other.kind !== 'filterOf' || subjectName(one.subject) === subjectName(other.subject))
  );
}

function subjectName(subject: FilterSubject): string {
  return subject.kind === 'bounds' ? subject.of.name : subject.kind;
}

function searchItems({ shown: { text }, order }: PoolQuery): readonly PickItem<MenuChoice>[] {
  return [
    ...(text === undefined
      ? []
      : [
          {
            label: l10n.t('Clear Search'),
            description: `“${plainText(text)}”`,
            icon: 'search-stop',
            value: { kind: 'search' as const, text: undefined },
          },
        ]),
    { label: l10n.t('Sort…'), description: poolOrderName(order), icon: 'list-ordered', value: { kind: 'chooseOrder' } },
  ];
}

function savedItems(all: readonly SavedSearch[], pools: readonly Pool[]): readonly PickItem<MenuChoice>[] {
  return [
    ...all.map((search, index) => ({
      label: plainText(search.name),
      description: describe(search, pools),
      icon: 'bookmark',
      value: { kind: 'apply' as const, search },
      ...(index === 0 ? savedHeading() : {}),
    })),
    { label: l10n.t('Save Search…'), icon: 'save', value: { kind: 'name' }, ...(all.length === 0 ? savedHeading() : {}) },
    ...(all.length === 0 ? [] : [{ label: l10n.t('Delete Saved Search…'), icon: 'trash', value: { kind: 'chooseDeleted' as const } }]),
  ];
}

function savedHeading(): { readonly heading: string } {
  return { heading: l10n.t('Saved searches') };
}

/** What is typed, as an entry. */
function typedSearch(text: string): FoundItems<MenuChoice> {
  return text.length > LONGEST_SEARCH
    ? { heading: l10n.t`At most ${LONGEST_SEARCH} characters.`, items: [] }
    : {
        heading: l10n.t('Search'),
        items: [{ label: l10n.t`Search for “${plainText(text)}”`, icon: 'search', value: { kind: 'search', text } }],
      };
}

function orderStep({ prompts, query }: SearchMenuDependencies): Step<Draft> {
  return {
    applies: ({ menu }) => menu?.kind === 'chooseOrder',
    ask: async (draft, place) => {
      const { order } = query;
      const answer = await prompts.pick<OrderChoice>({
        title: l10n.t('Sort Pools'),
        place,
        placeholder: l10n.t('Sort by'),
        items: orders(order),
        isCurrent: (value) => value !== 'reverse' && value.sortBy === order.sortBy && value.interval === order.interval,
      });
      if (answer.kind !== 'value') {
        return answer;
      }
      const { value } = answer;
      const chosen = value === 'reverse' ? { ...order, isReversed: !order.isReversed } : { ...value, isReversed: false };
      return answered({ ...draft, choice: { kind: 'order', order: chosen } });
    },
  };
}

function orders(order: PoolOrder): readonly PickItem<OrderChoice>[] {
  const by = (sortBy: PoolSort, interval: Interval = '24h'): PickItem<OrderChoice> => ({
    label: sortName(sortBy, interval),
    value: { sortBy, interval },
  });
  return [
    by('mcap'),
    by('tvl'),
    by('vol_24h'),
    by('fee_tvl_ratio'),
    by('fee_tvl_ratio', '6h'),
    by('fee_tvl_ratio', '1h'),
    by('fee_tvl_ratio', '5m'),
    by('volatility'),
    by('created_at'),
    {
      label: l10n.t('Reverse Order'),
      description: poolOrderName({ ...order, isReversed: !order.isReversed }),
      icon: 'arrow-swap',
      value: 'reverse',
    },
  ];
}

function nameStep({ prompts, query, saved, pools }: SearchMenuDependencies): Step<Draft> {
  return {
    applies: ({ menu }) => menu?.kind === 'name',
    ask: async (draft, place) => {
      const { shown, order } = query;
      const current = { ...(shown.text === undefined ? {} : { text: shown.text }), filter: shown.filter, order };
      const answer = await prompts.input({
        title: titleOf(l10n.t('Save Search…')),
        place,
        prompt: l10n.t`Name for: ${describe(current, pools)}`,
        initial: (shown.text ?? shown.filterText ?? '').slice(0, LONGEST_NAME),
        read: (text) => readName(text, saved.all),
      });
      return answer.kind === 'value'
        ? answered({ ...draft, choice: { kind: 'save', search: { ...current, name: answer.value } } })
        : answer;
    },
  };
}

function deletedStep({ prompts, saved, pools }: SearchMenuDependencies): Step<Draft> {
  return {
    applies: ({ menu }) => menu?.kind === 'chooseDeleted',
    ask: async (draft, place) => {
      const answer = await prompts.pick({
        title: titleOf(l10n.t('Delete Saved Search…')),
        place,
        placeholder: l10n.t('Saved searches'),
        items: saved.all.map((search) => ({ label: plainText(search.name), description: describe(search, pools), value: search })),
        matchDetails: true,
      });
      return answer.kind === 'value' ? answered({ ...draft, choice: { kind: 'delete', search: answer.value } }) : answer;
    },
  };
}

function readName(typed: string, all: readonly SavedSearch[]): Reading<string> {
  const name = typed.trim();
  if (name === '' || name.length > LONGEST_NAME) {
    return { ok: false, message: l10n.t`Enter a name of at most ${LONGEST_NAME} characters.` };
  }
  if (all.some((search) => search.name === name)) {
    return { ok: true, value: name, note: l10n.t('Replaces the saved search of this name.') };
  }
  return all.length < MOST_SAVED
    ? { ok: true, value: name }
    : { ok: false, message: l10n.t`At most ${MOST_SAVED} saved searches. Delete one first.` };
}

/** "“BONK” · TVL ≥ $10K · TVL ↓" */
function describe({ text, filter, order }: Omit<SavedSearch, 'name'>, pools: readonly Pool[]): string {
  return joined([
    text === undefined ? undefined : `“${plainText(text)}”`,
    filterSummary(filter, (mint) => tokenName(mint, pools)),
    poolOrderName(order),
  ]);
}
