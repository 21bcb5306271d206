import * as l10n from '@vscode/l10n';
import { titleOf } from '../../base/text';
import { type Address, parseAddress } from '../../base/solana/address';
import { errorMessageOf } from '../../transactions/errors';
import type { Pool } from '../../service/pools';
import type { LiquidityService } from '../../service/service';
import type { FoundItems, PickItem } from '../shell/prompts/prompts';
import { poolRow } from './poolRow';

/** Asks the service for pools by name or token address. */
export type FindPools = (text: string, signal: AbortSignal) => Promise<readonly Pool[]>;

/** A search of one letter would match nearly every pool. */
const SHORTEST_SEARCH = 2;
const MOST_FOUND = 20;

export function findPoolsBy(connect: () => Promise<LiquidityService>): FindPools {
  return async (text, signal) => {
    const service = await connect();
    const { items } = await service.discoverPools({ search: text, pageSize: MOST_FOUND, sortBy: 'tvl' }, { signal, pace: 'user' });
    return items;
  };
}

/** An entry for a pool. */
export function poolItem<Value>(pool: Pool, value: Value): PickItem<Value> {
  const { label, description, icon } = poolRow(pool);
  return { label, description, icon: icon.id, detail: pool.address, value };
}

/** The entry that asks for an address. */
export function pasteItem<Value>(value: Value): PickItem<Value> {
  return { label: l10n.t('Pool Address…'), icon: 'edit', alwaysShown: true, value };
}

/**
 * Searches pools for a list of choices.
 * @param valueOf the value of a pool's entry; `undefined`: it can't be chosen
 * @param ofAddress the value for a typed address
 */
export function poolSearch<Value>(
  find: FindPools,
  valueOf: (pool: Pool) => Value | undefined,
  ofAddress: (address: Address) => Value,
): (text: string, signal: AbortSignal) => Promise<FoundItems<Value>> {
  return async (text, signal) => {
    const address = parseAddress(text);
    const typed: readonly PickItem<Value>[] =
      address === undefined ? [] : [{ label: titleOf(l10n.t('Pool Address…')), icon: 'edit', detail: address, value: ofAddress(address) }];
    if (text.length < SHORTEST_SEARCH) {
      return { heading: l10n.t`Enter at least ${SHORTEST_SEARCH} characters.`, items: [] };
    }
    try {
      const found = await find(text, signal);
      const items = found.flatMap((pool) => {
        const value = valueOf(pool);
        return value === undefined ? [] : [poolItem(pool, value)];
      });
      const heading = items.length === 0 ? l10n.t('No pools match') : l10n.t('Pools');
      return { heading, items: [...items, ...(found.some((pool) => pool.address === address) ? [] : typed)] };
    } catch (error) {
      return { heading: errorMessageOf(error), items: typed };
    }
  };
}
