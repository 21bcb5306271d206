import * as z from 'zod';
import { readJson } from '../store/meta';
import type { Database } from '../store/database';
import { WorkingSet } from '../store/workingSet';
import { mintOf, TOKENS, tokenSpec, type TokenSpec } from './catalog';
import { startingStates, TokenState } from './prices';
import type { PoolToken } from './types';

const StateRow = z.object({ state: z.string() });

/** The catalogue's tokens with the mints that they have in the market of that seed, in the catalogue's order. */
export function tokensOf(seed: number): readonly PoolToken[] {
  return TOKENS.map((spec) => ({ spec, mint: mintOf(seed, spec) }));
}

/** Whole tokens of a raw amount; for display and valuation. */
export function wholeTokens(raw: bigint, { spec }: { readonly spec: Pick<TokenSpec, 'decimals'> }): number {
  return Number(raw) / 10 ** spec.decimals;
}

/** The raw amount nearest to an amount of whole tokens, exact to about 15 digits; never negative. */
export function rawTokens(whole: number, { spec }: { readonly spec: Pick<TokenSpec, 'decimals'> }): bigint {
  return BigInt(Math.round(Math.max(0, whole) * 10 ** spec.decimals));
}

/** Raw Y for one raw X, from the price in whole Y for one whole X. */
export function rawPrice(whole: number, tokenX: PoolToken, tokenY: PoolToken): number {
  return whole * 10 ** (tokenY.spec.decimals - tokenX.spec.decimals);
}

/** Whole Y for one whole X, from the price in raw Y for one raw X. */
export function wholePrice(raw: number, tokenX: PoolToken, tokenY: PoolToken): number {
  return raw * 10 ** (tokenX.spec.decimals - tokenY.spec.decimals);
}

/** The table `token`: what prices go on from, by key of the catalogue. A token that has no row yet starts as the seed has it. */
export function tokenStates(database: Database, seed: number): WorkingSet<string, TokenState> {
  const starting = startingStates(seed);
  return new WorkingSet<string, TokenState>({
    load: (key) => stored(database, key) ?? starting.get(key),
    save: (key, state) =>
      database.run(
        'INSERT INTO token (key, mint, state) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET state = excluded.state',
        key,
        mintOf(seed, tokenSpec(key)),
        JSON.stringify(state),
      ),
    remove: (key) => database.run('DELETE FROM token WHERE key = ?', key),
    copy: (state) => ({ ...state }),
  });
}

function stored(database: Database, key: string): TokenState | undefined {
  const row = database.get(StateRow, 'SELECT state FROM token WHERE key = ?', key);
  return row === undefined ? undefined : readJson(TokenState, row.state, `The price of ${key}`);
}
