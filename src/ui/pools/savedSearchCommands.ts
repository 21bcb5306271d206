import * as l10n from '@vscode/l10n';
import type { Pool } from '../../service/pools';
import type { CommandHandlers } from '../shell/commands/runCommand';
import { UserError } from '../shell/errors';
import type { Prompts, Reading } from '../shell/prompts/prompts';
import { joined } from '../shell/views/rows';
import { plainText } from '../shell/views/text';
import { tokenName } from './filterPools';
import { filterSummary } from './poolFilters';
import type { PoolQuery } from './poolQuery';
import { poolOrderName } from './poolRow';
import { LONGEST_NAME, MOST_SAVED, type SavedSearch, type SavedSearches } from './savedSearches';

export interface SavedSearchDependencies {
  readonly prompts: Pick<Prompts, 'pick' | 'input'>;
  readonly query: PoolQuery;
  readonly saved: SavedSearches;
  /** The listed pools, which name tokens. */
  readonly pools: () => readonly Pool[];
}

/** The commands that save, apply and delete searches of the *Pools* view. */
export function savedSearchCommands({
  prompts,
  query,
  saved,
  pools,
}: SavedSearchDependencies): Pick<CommandHandlers, 'binsight.savePoolSearch' | 'binsight.applyPoolSearch' | 'binsight.deletePoolSearch'> {
  const pickSaved = async (title: string, placeholder: string): Promise<SavedSearch | undefined> => {
    const { all } = saved;
    if (all.length === 0) {
      throw new UserError(l10n.t('No pool searches are saved.'), {
        label: l10n.t('Save Current Search'),
        command: 'binsight.savePoolSearch',
      });
    }
    const answer = await prompts.pick({
      title,
      placeholder,
      items: all.map((search) => ({ label: plainText(search.name), description: describe(search, pools()), value: search })),
      matchDetails: true,
    });
    return answer.kind === 'value' ? answer.value : undefined;
  };
  return {
    'binsight.savePoolSearch': async () => {
      const current = currentOf(query);
      const answer = await prompts.input({
        title: l10n.t('Save Pool Search'),
        prompt: l10n.t`Name for: ${describe(current, pools())}`,
        initial: (query.shown.text ?? query.shown.filterText ?? '').slice(0, LONGEST_NAME),
        read: (text) => readName(text, saved.all),
      });
      if (answer.kind === 'value') {
        await saved.save({ ...current, name: answer.value });
      }
    },
    'binsight.applyPoolSearch': async () => {
      const search = await pickSaved(l10n.t('Saved Pool Searches'), l10n.t('List the pools of which search?'));
      if (search !== undefined) {
        const { text, filter, order } = search;
        await query.show({ text, filter, filterText: filterSummary(filter, (mint) => tokenName(mint, pools())) }, order);
      }
    },
    'binsight.deletePoolSearch': async () => {
      const search = await pickSaved(l10n.t('Delete Saved Pool Search'), l10n.t('Delete which search?'));
      if (search !== undefined) {
        await saved.delete(search.name);
      }
    },
  };
}

function currentOf({ shown: { text, filter }, order }: PoolQuery): SavedSearch {
  return { name: '', ...(text === undefined ? {} : { text }), filter, order };
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
    : {
        ok: false,
        message: l10n.t`${MOST_SAVED} searches are saved, which is the limit. Delete one first, or enter the name of one to replace.`,
      };
}

/** "“BONK” · TVL ≥ $10K · by TVL" */
function describe({ text, filter, order }: SavedSearch, pools: readonly Pool[]): string {
  return joined([
    text === undefined ? undefined : `“${plainText(text)}”`,
    filterSummary(filter, (mint) => tokenName(mint, pools)),
    poolOrderName(order),
  ]);
}
