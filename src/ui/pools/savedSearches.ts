import * as z from 'zod';
import { parseAddress } from '../../base/solana/address';
import type { StateStore } from '../shell/editorAccess';
import { SYNCED_STATE } from '../shell/names';
import type { PoolFilter, PoolOrder } from './poolQuery';

/** What a saved search lists, and in which order. */
export interface SavedSearch {
  readonly name: string;
  /** The search text; `undefined`: no search. */
  readonly text?: string | undefined;
  readonly filter: PoolFilter;
  readonly order: PoolOrder;
}

export const MOST_SAVED = 30;
export const LONGEST_NAME = 50;
/** Longest text of a search. */
export const LONGEST_SEARCH = 100;

const bounds = z.object({ min: z.number().nonnegative().exactOptional(), max: z.number().nonnegative().exactOptional() }).exactOptional();
const mint = z.string().transform((text, context) => {
  const address = parseAddress(text);
  if (address === undefined) {
    context.addIssue('not an address');
    return z.NEVER;
  }
  return address;
});

const savedSearch = z.object({
  name: z.string().min(1).max(LONGEST_NAME),
  text: z.string().max(LONGEST_SEARCH).exactOptional(),
  filter: z.object({
    quoteToken: mint.exactOptional(),
    poolType: z.enum(['dlmm', 'dammV2']).exactOptional(),
    marketCapUsd: bounds,
    binStepBps: bounds,
    organicScore: bounds,
    baseFeePercent: bounds,
    ageHours: bounds,
    liquidityUsd: bounds,
    fees24hUsd: bounds,
    volume24hUsd: bounds,
    volume1hUsd: bounds,
  }),
  order: z.object({
    sortBy: z.enum(['mcap', 'created_at', 'vol_24h', 'tvl', 'fee_tvl_ratio', 'volatility']),
    interval: z.enum(['5m', '1h', '6h', '24h']),
    isReversed: z.boolean(),
  }),
});

/** The searches that the user saved, by name. They are kept on this machine and shared by all windows and services. */
export class SavedSearches {
  readonly #state: StateStore;

  constructor(state: StateStore) {
    this.#state = state;
  }

  /** All that can be read, in the order of their names. */
  get all(): readonly SavedSearch[] {
    const stored = this.#state.get(SYNCED_STATE.searches);
    const entries: readonly unknown[] = Array.isArray(stored) ? stored : [];
    const read = entries.flatMap((entry) => savedSearch.safeParse(entry).data ?? []);
    const byName = new Map(read.map((search) => [search.name, search]));
    return [...byName.values()].slice(0, MOST_SAVED).sort((a, b) => a.name.localeCompare(b.name));
  }

  /** Saves a search. One of the same name is replaced. The caller sees to it that there is room. */
  async save(search: SavedSearch): Promise<void> {
    await this.#write([...this.all.filter(({ name }) => name !== search.name), search]);
  }

  async delete(name: string): Promise<void> {
    await this.#write(this.all.filter((search) => search.name !== name));
  }

  async #write(searches: readonly SavedSearch[]): Promise<void> {
    await this.#state.update(SYNCED_STATE.searches, searches);
  }
}
