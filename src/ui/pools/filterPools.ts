import * as l10n from '@vscode/l10n';
import { titleOf } from '../../base/text';
import type { Address } from '../../base/solana/address';
import { shortAddress } from '../../base/format/identifiers';
import { USDC_MINT, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import type { Pool } from '../../service/pools';
import { answered, type PickItem, type Prompts, readAddress } from '../shell/prompts/prompts';
import type { Step } from '../shell/prompts/steps';
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
export type FilterSubject = { readonly kind: 'bounds'; readonly of: BoundFilter } | { readonly kind: 'type' | 'quoteToken' | 'clear' };

export interface FilterDraft {
  readonly filter: PoolFilter;
  readonly subject?: FilterSubject | undefined;
  readonly min?: number | undefined;
  /** `own`: the user enters an address. */
  readonly token?: Address | 'own' | 'any';
}

/**
 * The steps that change the filter of a draft's subject.
 * @param pools the listed pools, whose quote tokens are offered
 */
export function filterSteps<Draft extends FilterDraft>(
  current: PoolFilter,
  pools: readonly Pool[],
  prompts: FilterPrompts,
): readonly Step<Draft>[] {
  return [
    minimumStep(prompts, current),
    maximumStep(prompts, current),
    typeStep(prompts, current),
    ...quoteTokenSteps<Draft>(prompts, pools, current),
  ];
}

/** The active filters first, under their own heading. */
export function filterItems(current: PoolFilter, pools: readonly Pool[]): readonly PickItem<FilterSubject>[] {
  const { poolType, quoteToken } = current;
  const all: readonly (PickItem<FilterSubject> & { readonly active: string | undefined })[] = [
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
      ...(index === 0 ? { heading: l10n.t('Filters') } : {}),
    })),
    ...(active.length === 0 ? [] : [{ label: l10n.t('Clear Filters'), icon: 'clear-all', value: { kind: 'clear' as const } }]),
    ...others.map(({ label, value }, index) => ({
      label,
      icon: 'filter',
      value,
      ...(index === 0 && active.length === 0 ? { heading: l10n.t('Filters') } : {}),
    })),
  ];
}

function minimumStep<Draft extends FilterDraft>(prompts: FilterPrompts, current: PoolFilter): Step<Draft> {
  return {
    applies: ({ subject }) => subject?.kind === 'bounds',
    ask: async (draft, place) => {
      const { name, label, unit } = boundsOf(draft);
      const answer = await prompts.input({
        title: title(label),
        place,
        prompt: l10n.t('Minimum. Leave empty for none.'),
        placeholder: boundExample(unit),
        initial: boundInput(draft.min ?? current[name]?.min),
        read: (text) => readBound(text, unit),
      });
      return answer.kind === 'value' ? answered({ ...draft, min: answer.value }) : answer;
    },
  };
}

function maximumStep<Draft extends FilterDraft>(prompts: FilterPrompts, current: PoolFilter): Step<Draft> {
  return {
    applies: ({ subject }) => subject?.kind === 'bounds',
    ask: async (draft, place) => {
      const { name, label, unit } = boundsOf(draft);
      const { min } = draft;
      const answer = await prompts.input({
        title: title(label),
        place,
        prompt: l10n.t('Maximum. Leave empty for none.'),
        placeholder: boundExample(unit),
        initial: boundInput(current[name]?.max),
        read: (text) => readBound(text, unit, { atLeast: min }),
      });
      return answer.kind === 'value' ? answered({ ...draft, filter: withBounds(current, name, { min, max: answer.value }) }) : answer;
    },
  };
}

function boundsOf({ subject }: FilterDraft): BoundFilter {
  if (subject?.kind !== 'bounds') {
    throw new Error('This filter has no minimum and maximum');
  }
  return subject.of;
}

function typeStep<Draft extends FilterDraft>(prompts: FilterPrompts, current: PoolFilter): Step<Draft> {
  return {
    applies: ({ subject }) => subject?.kind === 'type',
    ask: async (draft, place) => {
      const answer = await prompts.pick({
        title: title(l10n.t('Pool type')),
        place,
        placeholder: l10n.t('Pool type'),
        items: poolTypes(),
        isCurrent: (value) => value === (current.poolType ?? 'all'),
      });
      return answer.kind === 'value' ? answered({ ...draft, filter: withPoolType(current, answer.value) }) : answer;
    },
  };
}

function quoteTokenSteps<Draft extends FilterDraft>(
  prompts: FilterPrompts,
  pools: readonly Pool[],
  current: PoolFilter,
): readonly Step<Draft>[] {
  const chosen: Step<Draft> = {
    applies: ({ subject }) => subject?.kind === 'quoteToken',
    ask: async (draft, place) => {
      const answer = await prompts.pick<Address | 'own' | 'any'>({
        title: title(l10n.t('Quote token')),
        place,
        placeholder: l10n.t('Quote token'),
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
        prompt: titleOf(l10n.t('Token Address…')),
        read: readAddress,
      });
      return answer.kind === 'value' ? answered({ ...draft, filter: withQuoteToken(current, answer.value) }) : answer;
    },
  };
  return [chosen, typed];
}

function withToken<Draft extends FilterDraft>(draft: Draft, current: PoolFilter, token: Address | 'own' | 'any'): Draft {
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
    { label: l10n.t('Token Address…'), icon: 'edit', alwaysShown: true, value: 'own' },
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

function title(of: string): string {
  return l10n.t`Filter Pools: ${of}`;
}
