import * as l10n from '@vscode/l10n';
import { titleOf } from '../../base/text';
import type { Address } from '../../base/solana/address';
import type { Pool } from '../../service/pools';
import { answered, type PickItem, type Prompts, readAddress } from '../shell/prompts/prompts';
import { runSteps, type Step } from '../shell/prompts/steps';
import { type FindPools, pasteItem, poolItem, poolSearch } from './poolSearch';

export interface PoolQuestion {
  readonly title: string;
  readonly among: readonly Pool[];
  readonly find: FindPools;
  readonly isOffered: (pool: Pool) => boolean;
  /** Another Codicon than the usual one for a listed pool. */
  readonly iconOf?: (pool: Pool) => string | undefined;
}

interface Draft {
  /** `own`: the user enters an address. */
  readonly chosen?: Address | 'own';
  readonly typed?: Address;
}

/** Lets the user choose a listed pool, search all pools, or paste an address; `undefined`: the user cancelled. */
export async function pickPool(
  { title, among, find, isOffered, iconOf }: PoolQuestion,
  prompts: Pick<Prompts, 'pick' | 'input'>,
): Promise<Address | undefined> {
  const addressOf = (pool: Pool): Address | undefined => (isOffered(pool) ? pool.address : undefined);
  const itemOf = (pool: Pool): PickItem<Address | 'own'> => {
    const icon = iconOf?.(pool);
    return { ...poolItem<Address | 'own'>(pool, pool.address), ...(icon === undefined ? {} : { icon }) };
  };
  const chosen: Step<Draft> = {
    ask: async (draft, place) => {
      const answer = await prompts.pick<Address | 'own'>({
        title,
        place,
        placeholder: l10n.t('Pool name or address'),
        items: [...among.filter(isOffered).map(itemOf), pasteItem<Address | 'own'>('own')],
        isCurrent: (value) => value === draft.chosen,
        matchDetails: true,
        search: poolSearch(find, addressOf, (address) => address),
      });
      return answer.kind === 'value' ? answered({ ...draft, chosen: answer.value }) : answer;
    },
  };
  const typed: Step<Draft> = {
    applies: (draft) => draft.chosen === 'own',
    ask: async (draft, place) => {
      const answer = await prompts.input({
        title,
        place,
        prompt: titleOf(l10n.t('Pool Address…')),
        ...(draft.typed === undefined ? {} : { initial: draft.typed }),
        read: readAddress,
      });
      return answer.kind === 'value' ? answered({ ...draft, typed: answer.value }) : answer;
    },
  };
  const draft = await runSteps<Draft>({}, [chosen, typed]);
  return draft?.chosen === 'own' ? draft.typed : draft?.chosen;
}
