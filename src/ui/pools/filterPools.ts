import * as l10n from '@vscode/l10n';
import type { Address } from '../../base/solana/address';
import { shortAddress } from '../../base/format/identifiers';
import { USDC_MINT, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import type { Pool } from '../../service/pools';
import { answered, type PickItem, type Prompts, readAddress } from '../shell/prompts/prompts';
import { runSteps, type Step } from '../shell/prompts/steps';
import { plainText } from '../shell/views/text';
import {
  boundExample,
  type BoundFilter,
  boundFilters,
  boundInput,
  boundsText,
  poolTypes,
  readBound,
  withBounds,
  withPoolType,
  withQuoteToken,
} from './poolFilters';
import type { PoolFilter } from './poolQuery';

type FilterPrompts = Pick<Prompts, 'pick' | 'input'>;

/** The filter that is being changed. */
type Subject = { readonly kind: 'bounds'; readonly of: BoundFilter } | { readonly kind: 'type' | 'quoteToken' | 'clear' };

interface Draft {
  readonly filter: PoolFilter;
  readonly subject?: Subject;
  readonly min?: number | undefined;
  /** `own`: the user enters an address. */
  readonly token?: Address | 'own' | 'any';
}

/**
 * Lets the user change one filter, or clear all.
 * @param pools the listed pools, whose quote tokens are offered
 * @returns the filters as they are to be; `undefined`: the user cancelled
 */
export async function askForFilter(current: PoolFilter, pools: readonly Pool[], prompts: FilterPrompts): Promise<PoolFilter | undefined> {
  const draft = await runSteps<Draft>({ filter: current }, [
    subjectStep(prompts, pools, current),
    minimumStep(prompts, current),
    maximumStep(prompts, current),
    typeStep(prompts, current),
    ...quoteTokenSteps(prompts, pools, current),
  ]);
  return draft?.filter;
}

function subjectStep(prompts: FilterPrompts, pools: readonly Pool[], current: PoolFilter): Step<Draft> {
  return {
    ask: async (draft, place) => {
      const answer = await prompts.pick<Subject>({
        title: title(),
        place,
        placeholder: l10n.t('Choose a filter to set, change or remove'),
        items: subjects(current, pools),
        isCurrent: (value) => keyOf(value) === keyOf(draft.subject),
      });
      return answer.kind === 'value' ? answered({ filter: answer.value.kind === 'clear' ? {} : current, subject: answer.value }) : answer;
    },
  };
}

/** The active filters first, under their own heading. */
function subjects(current: PoolFilter, pools: readonly Pool[]): readonly PickItem<Subject>[] {
  const { poolType, quoteToken } = current;
  const all: readonly (PickItem<Subject> & { readonly active: string | undefined })[] = [
    ...boundFilters().map((of) => ({
      label: of.label,
      active: boundsText(current[of.name], of.unit),
      value: { kind: 'bounds' as const, of },
    })),
    { label: l10n.t('Pool type'), active: poolTypes().find(({ value }) => value === poolType)?.label, value: { kind: 'type' } },
    {
      label: l10n.t('Quote token'),
      active: quoteToken === undefined ? undefined : tokenName(quoteToken, pools),
      value: { kind: 'quoteToken' },
    },
  ];
  const active = all.filter((item) => item.active !== undefined);
  const others = all.filter((item) => item.active === undefined);
  return [
    ...active.map(({ label, active: text, value }, index) => ({
      label,
      description: text ?? '',
      icon: 'filter-filled',
      value,
      ...(index === 0 ? { heading: l10n.t('Active filters') } : {}),
    })),
    ...(active.length === 0 ? [] : [{ label: l10n.t('Clear Filters'), icon: 'clear-all', value: { kind: 'clear' as const } }]),
    ...others.map(({ label, value }, index) => ({
      label,
      icon: 'filter',
      value,
      ...(index === 0 && active.length > 0 ? { heading: l10n.t('Other filters') } : {}),
    })),
  ];
}

function keyOf(subject: Subject | undefined): string | undefined {
  return subject?.kind === 'bounds' ? subject.of.name : subject?.kind;
}

function minimumStep(prompts: FilterPrompts, current: PoolFilter): Step<Draft> {
  return {
    applies: ({ subject }) => subject?.kind === 'bounds',
    ask: async (draft, place) => {
      const { name, label, unit } = boundsOf(draft);
      const answer = await prompts.input({
        title: title(label),
        place,
        prompt: l10n.t`Minimum. Leave empty for no minimum.`,
        placeholder: boundExample(unit),
        initial: boundInput(draft.min ?? current[name]?.min),
        read: (text) => readBound(text, unit),
      });
      return answer.kind === 'value' ? answered({ ...draft, min: answer.value }) : answer;
    },
  };
}

function maximumStep(prompts: FilterPrompts, current: PoolFilter): Step<Draft> {
  return {
    applies: ({ subject }) => subject?.kind === 'bounds',
    ask: async (draft, place) => {
      const { name, label, unit } = boundsOf(draft);
      const { min } = draft;
      const answer = await prompts.input({
        title: title(label),
        place,
        prompt: l10n.t`Maximum. Leave empty for no maximum.`,
        placeholder: boundExample(unit),
        initial: boundInput(current[name]?.max),
        read: (text) => readBound(text, unit, { atLeast: min }),
      });
      return answer.kind === 'value' ? answered({ ...draft, filter: withBounds(current, name, { min, max: answer.value }) }) : answer;
    },
  };
}

function boundsOf({ subject }: Draft): BoundFilter {
  if (subject?.kind !== 'bounds') {
    throw new Error('This filter has no minimum and maximum');
  }
  return subject.of;
}

function typeStep(prompts: FilterPrompts, current: PoolFilter): Step<Draft> {
  return {
    applies: ({ subject }) => subject?.kind === 'type',
    ask: async (draft, place) => {
      const answer = await prompts.pick({
        title: title(l10n.t('Pool type')),
        place,
        placeholder: l10n.t('Show pools of which type?'),
        items: poolTypes(),
        isCurrent: (value) => value === (current.poolType ?? 'all'),
      });
      return answer.kind === 'value' ? answered({ ...draft, filter: withPoolType(current, answer.value) }) : answer;
    },
  };
}

function quoteTokenSteps(prompts: FilterPrompts, pools: readonly Pool[], current: PoolFilter): readonly Step<Draft>[] {
  const chosen: Step<Draft> = {
    applies: ({ subject }) => subject?.kind === 'quoteToken',
    ask: async (draft, place) => {
      const answer = await prompts.pick<Address | 'own' | 'any'>({
        title: title(l10n.t('Quote token')),
        place,
        placeholder: l10n.t('Show pools that quote prices in which token?'),
        items: quoteTokens(pools, current.quoteToken),
        isCurrent: (value) => value === (current.quoteToken ?? 'any'),
        matchDetails: true,
      });
      return answer.kind === 'value' ? answered(withToken(draft, current, answer.value)) : answer;
    },
  };
  const typed: Step<Draft> = {
    applies: ({ subject, token }) => subject?.kind === 'quoteToken' && token === 'own',
    ask: async (draft, place) => {
      const answer = await prompts.input({
        title: title(l10n.t('Quote token')),
        place,
        prompt: l10n.t('Token address'),
        read: readAddress,
      });
      return answer.kind === 'value' ? answered({ ...draft, filter: withQuoteToken(current, answer.value) }) : answer;
    },
  };
  return [chosen, typed];
}

function withToken(draft: Draft, current: PoolFilter, token: Address | 'own' | 'any'): Draft {
  return { ...draft, token, filter: token === 'own' ? current : withQuoteToken(current, token === 'any' ? undefined : token) };
}

/** The quote tokens of the listed pools, each once, and SOL and USDC where no listed token has their symbol. */
function quoteTokens(pools: readonly Pool[], current: Address | undefined): readonly PickItem<Address | 'own' | 'any'>[] {
  const listed = new Set([...(current === undefined ? [] : [current]), ...pools.flatMap(({ token1 }) => token1.address ?? [])]);
  const names = new Set([...listed].map((mint) => tokenName(mint, pools)));
  const usual = [WRAPPED_SOL_MINT, USDC_MINT].filter((mint) => !names.has(tokenName(mint, pools)));
  return [
    { label: l10n.t('Any token'), value: 'any' },
    ...[...listed, ...usual].map((mint) => ({ label: tokenName(mint, pools), detail: mint, value: mint })),
    { label: l10n.t('Paste a token address…'), icon: 'edit', alwaysShown: true, value: 'own' },
  ];
}

/** The symbol of a token, as far as it is known; else its short address. */
export function tokenName(mint: Address, pools: readonly Pool[]): string {
  if (mint === WRAPPED_SOL_MINT || mint === USDC_MINT) {
    return mint === USDC_MINT ? 'USDC' : 'SOL';
  }
  const token = pools.flatMap(({ token0, token1 }) => [token1, token0]).find(({ address }) => address === mint);
  return token === undefined ? shortAddress(mint) : plainText(token.symbol);
}

function title(of?: string): string {
  return of === undefined ? l10n.t('Filter Pools') : l10n.t`Filter Pools: ${of}`;
}
