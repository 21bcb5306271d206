import * as z from 'zod';
import type { Database } from '../../../store/database';
import type { Market } from '../../types';
import type { Findings } from './findings';

/** The sums of a position, and which events they are of. */
const SUMS = [
  ['input', 'add_liquidity'],
  ['output', 'remove_liquidity'],
  ['fee', 'claim_fee'],
] as const;

/** Sums of doubles, added in another order: the same to this part, or to this much (US dollars or SOL). */
const SAME_PART = 1e-9;
const SAME = 1e-6;

const differs = (name: string): string => `abs(p.${name} - s.${name}) > ${SAME} + ${SAME_PART} * abs(p.${name})`;

/** Each position's row beside its events, and what is wrong with it. ?1: raw units of one whole token, [X, Y], by pool, as JSON. */
const WRONG = `
WITH unit AS MATERIALIZED (SELECT key AS pool, CAST(value ->> 0 AS REAL) AS x, CAST(value ->> 1 AS REAL) AS y FROM json_each(?1)),
worth AS (
  SELECT e.position, e.number, e.owner, e.pool, e.action, e.usd_sol, e.amount_x / unit.x * e.usd_x + e.amount_y / unit.y * e.usd_y AS usd
  FROM position_event e JOIN unit ON unit.pool = e.pool
),
summed AS MATERIALIZED (
  SELECT position, count(*) AS events, max(number) + 1 AS numbers, sum(action = 'close_position') AS closings,
    ${SUMS.map(([sum, action]) => `total(usd) FILTER (WHERE action = '${action}') AS ${sum}_usd, total(usd / usd_sol) FILTER (WHERE action = '${action}') AS ${sum}_native`).join(', ')},
    min(owner) AS owner, max(owner) AS other_owner, min(pool) AS pool, max(pool) AS other_pool
  FROM worth GROUP BY position
),
checked AS (
  SELECT p.address, CASE
    WHEN (p.closed_at IS NULL) = (p.holding IS NULL) THEN 'is open and closed at once'
    WHEN s.position IS NULL THEN iif(p.event_count = 0 AND p.closed_at IS NULL, NULL, 'has no events')
    WHEN s.events <> p.event_count OR s.numbers <> p.event_count THEN 'has ' || s.events || ' events, the last one number ' || s.numbers || ', but counts ' || p.event_count
    WHEN s.closings <> (p.closed_at IS NOT NULL) THEN 'was closed ' || s.closings || ' times, but is ' || iif(p.closed_at IS NULL, 'open', 'closed')
    WHEN s.owner <> p.owner OR s.other_owner <> p.owner OR s.pool <> p.pool OR s.other_pool <> p.pool THEN 'has events of another owner or pool'
    ${SUMS.flatMap(([sum]) => [`${sum}_usd`, `${sum}_native`])
      .map((name) => `WHEN ${differs(name)} THEN '${name} is ' || p.${name} || ', its events add up to ' || s.${name}`)
      .join('\n    ')}
  END AS problem
  FROM position p LEFT JOIN summed s ON s.position = p.address
)
SELECT address, problem FROM checked WHERE problem IS NOT NULL
UNION ALL
SELECT DISTINCT position, 'has events, but no row' FROM position_event WHERE position NOT IN (SELECT address FROM position)`;

const WrongRow = z.object({ address: z.string(), problem: z.string() });

/** Every position's sums are those of its events. */
export function auditEvents(database: Database, market: Market, findings: Findings): void {
  const units = Object.fromEntries(
    market.pools.map(({ address, tokenX, tokenY }) => [address, [10 ** tokenX.spec.decimals, 10 ** tokenY.spec.decimals]]),
  );
  for (const { address, problem } of database.all(WrongRow, WRONG, JSON.stringify(units))) {
    findings.check(false, () => `The position ${address} ${problem}`);
  }
}
