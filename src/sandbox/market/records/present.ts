import type { Market, Pool } from '../types';

/**
 * A table expression of what open positions are worth now, from a JSON list that is bound as parameter 1: value, and fees
 * that are due (not collected). Positions that are not in the list (closed ones) have nothing more to come.
 */
export const PRESENT = `present AS MATERIALIZED (
  SELECT value ->> 0 AS position, value ->> 1 AS value_usd, value ->> 2 AS value_native, value ->> 3 AS due_usd, value ->> 4 AS due_native FROM json_each(?1)
)`;

/** A list for {@link PRESENT} that says nothing: for statements that do not ask. */
export const NO_PRESENT = '[]';

/** The list for {@link PRESENT} of all open positions in a pool. */
export function presentIn({ books, positions }: Market, pool: Pool): string {
  const rows = positions.openIn(pool.address).map((position) => {
    const value = books.worthOf(pool, books.amountsOf(pool, position));
    const fee = books.worthOf(pool, books.feesOf(pool, position));
    return [position.address, value.usd, value.native, fee.usd, fee.native];
  });
  return JSON.stringify(rows);
}
