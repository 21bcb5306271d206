import * as l10n from '@vscode/l10n';
import type { Address } from '../../base/solana/address';
import type { Pool } from '../../service/pools';
import { answered, type PickItem, type Prompts, readAddress } from '../shell/prompts/prompts';
import { runSteps, type Step } from '../shell/prompts/steps';
import { poolRow } from './poolRow';

export interface PoolQuestion {
  readonly title: string;
  readonly among: readonly Pool[];
}

interface Draft {
  /** `own`: the user enters an address. */
  readonly chosen?: Address | 'own';
  readonly typed?: Address;
}

/** Lets the user choose a listed pool or paste the address of another one; `undefined`: the user cancelled. */
export async function pickPool({ title, among }: PoolQuestion, prompts: Pick<Prompts, 'pick' | 'input'>): Promise<Address | undefined> {
  const chosen: Step<Draft> = {
    ask: async (draft, place) => {
      const answer = await prompts.pick<Address | 'own'>({
        title,
        place,
        placeholder: l10n.t('Choose a pool'),
        items: [
          ...among.map(poolItem),
          { label: l10n.t('Paste a pool address…'), description: l10n.t('for a pool that is not listed'), icon: 'edit', value: 'own' },
        ],
        isCurrent: (value) => value === draft.chosen,
        matchDetails: true,
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
        prompt: l10n.t('Pool address'),
        ...(draft.typed === undefined ? {} : { initial: draft.typed }),
        read: readAddress,
      });
      return answer.kind === 'value' ? answered({ ...draft, typed: answer.value }) : answer;
    },
  };
  const draft = await runSteps<Draft>({}, [chosen, typed]);
  return draft?.chosen === 'own' ? draft.typed : draft?.chosen;
}

function poolItem(pool: Pool): PickItem<Address> {
  const { label, description, icon } = poolRow(pool);
  return { label, description, icon: icon.id, detail: pool.address, value: pool.address };
}
