import * as z from 'zod';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../../base/solana/programs';
import type { RentRate } from '../../../base/solana/rent';
import { readMint, tokenAmount } from '../../../base/solana/tokenAccount';
import type { Database } from '../../store/database';
import { readMeta, StoredAddress, Whole } from '../../store/meta';
import type { Market } from '../types';

/** Collects violations as sentences for developers. */
export class Findings {
  readonly #sentences: string[] = [];

  get all(): readonly string[] {
    return this.#sentences;
  }

  /** Adds the sentence unless the condition holds. */
  check(holds: boolean, sentence: () => string): void {
    if (!holds) {
      this.#sentences.push(sentence());
    }
  }

  /** Adds a sentence if two values differ. */
  same(what: string, is: bigint | number | string, shouldBe: bigint | number | string): void {
    this.check(is === shouldBe, () => `${what}: ${is} instead of ${shouldBe}`);
  }
}

/** The sums of a position, and the events that they add up. */
const SUMS = [
  ['input', 'add_liquidity'],
  ['output', 'remove_liquidity'],
  ['fee', 'claim_fee'],
] as const;

/** Relative and absolute tolerance (US dollars or SOL): sums of doubles depend on the order of addition. */
const SAME_PART = 1e-9;
const SAME = 1e-6;

const differs = (name: string): string => `abs(p.${name} - s.${name}) > ${SAME} + ${SAME_PART} * abs(p.${name})`;

/** Compares each position with its events. ?1: raw units of one whole token, [X, Y], by pool, as JSON. */
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

/** Checks that the sums of each position are those of its events. */
export function auditEvents(database: Database, market: Market, findings: Findings): void {
  const units = Object.fromEntries(
    market.pools.map(({ address, tokenX, tokenY }) => [address, [10 ** tokenX.spec.decimals, 10 ** tokenY.spec.decimals]]),
  );
  for (const { address, problem } of database.all(WrongRow, WRONG, JSON.stringify(units))) {
    findings.check(false, () => `The position ${address} ${problem}`);
  }
}

const ChainMeta = z.object({ genesisLamports: Whole, feesBurntLamports: Whole });
const SumRow = z.object({ sum: Whole.nullable() });
const TokenAccountRow = z.object({ address: z.string(), mint: StoredAddress, lamports: Whole, data: z.instanceof(Uint8Array) });
const MintRow = z.object({ address: StoredAddress, program: StoredAddress, lamports: Whole, data: z.instanceof(Uint8Array) });

const TOKEN_PROGRAMS = [PROGRAMS.token, PROGRAMS.token2022] as const;

/** Checks that lamports are conserved except for burnt fees, and that the supply of each mint is accounted for. */
export function auditMoney(database: Database, rent: RentRate, findings: Findings): void {
  auditLamports(database, findings);
  auditTokens(database, rent, findings);
}

function auditLamports(database: Database, findings: Findings): void {
  const chain = readMeta(database, 'chain', ChainMeta);
  // The total supply of SOL fits into 63 bits.
  const sum = database.get(SumRow, 'SELECT CAST(sum(CAST(lamports AS INTEGER)) AS TEXT) AS sum FROM account')?.sum ?? 0n;
  findings.check(chain !== undefined, () => 'The chain has no state');
  if (chain !== undefined) {
    findings.same('Lamports of all accounts and fees burnt', sum + chain.feesBurntLamports, chain.genesisLamports);
  }
}

function auditTokens(database: Database, rent: RentRate, findings: Findings): void {
  const held = new Map<string, bigint>();
  for (const { address, mint, lamports, data } of database.all(
    TokenAccountRow,
    'SELECT address, mint, lamports, data FROM account WHERE mint IS NOT NULL',
  )) {
    const amount = tokenAmount(data);
    held.set(mint, (held.get(mint) ?? 0n) + amount);
    if (mint === WRAPPED_SOL_MINT) {
      findings.check(
        lamports >= amount + rent.tokenAccount,
        () => `The wrapped SOL account ${address} says ${amount}, but has ${lamports} lamports`,
      );
    }
  }
  held.delete(WRAPPED_SOL_MINT);
  for (const row of database.all(
    MintRow,
    'SELECT address, program, lamports, data FROM account WHERE mint IS NULL AND program IN (?, ?)',
    ...TOKEN_PROGRAMS,
  )) {
    const mint = readMint(row);
    findings.check(mint !== undefined, () => `The account ${row.address} of a token program is neither a mint nor a token account`);
    findings.same(`Tokens of mint ${row.address} in all accounts`, held.get(row.address) ?? 0n, mint?.supplyRaw ?? 0n);
    held.delete(row.address);
  }
  findings.check(held.size === 0, () => `Token accounts of mints that are not there: ${[...held.keys()].join(', ')}`);
}

/** Signatures of landed operations without a landed transaction; only operations built since the oldest stored transaction. */
const LOST = `
SELECT o.number, s.value AS signature
FROM operation o, json_each(o.landed_signatures) s
WHERE o.landed_signatures IS NOT NULL
  AND o.issued_at >= ifnull((SELECT block_time FROM landed_transaction ORDER BY slot LIMIT 1), 0)
  AND NOT EXISTS (SELECT 1 FROM landed_transaction l WHERE l.signature = s.value)`;

/** Landed transactions of operations that are not marked as landed. */
const UNMARKED = `
SELECT DISTINCT o.number, l.signature
FROM landed_transaction l JOIN issued_message m ON m.hash = l.message_hash JOIN operation o ON o.number = m.operation
WHERE o.landed_signatures IS NULL`;

const STRAY = 'SELECT DISTINCT operation AS number FROM issued_message WHERE operation NOT IN (SELECT number FROM operation)';

const SignedRow = z.object({ number: z.int(), signature: z.string() });
const NumberRow = z.object({ number: z.int() });

/** Checks that landed operations and landed transactions match. */
export function auditLandings(database: Database, findings: Findings): void {
  for (const { number, signature } of database.all(SignedRow, LOST)) {
    findings.check(false, () => `Operation ${number} has landed, but its transaction ${signature} is not there`);
  }
  for (const { number, signature } of database.all(SignedRow, UNMARKED)) {
    findings.check(false, () => `The transaction ${signature} of operation ${number} has landed, but the operation has not`);
  }
  for (const { number } of database.all(NumberRow, STRAY)) {
    findings.check(false, () => `Messages were issued of operation ${number}, which is not there`);
  }
}
