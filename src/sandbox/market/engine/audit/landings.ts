import * as z from 'zod';
import type { Database } from '../../../store/database';
import type { Findings } from './findings';

/** Signatures of landed operations whose transactions are not there; only of those built since the oldest that is remembered has landed. */
const LOST = `
SELECT o.number, s.value AS signature
FROM operation o, json_each(o.landed_signatures) s
WHERE o.landed_signatures IS NOT NULL
  AND o.issued_at >= ifnull((SELECT block_time FROM landed_transaction ORDER BY slot LIMIT 1), 0)
  AND NOT EXISTS (SELECT 1 FROM landed_transaction l WHERE l.signature = s.value)`;

/** Landed transactions that were issued, of operations that are not marked as landed. */
const UNMARKED = `
SELECT DISTINCT o.number, l.signature
FROM landed_transaction l JOIN issued_message m ON m.hash = l.message_hash JOIN operation o ON o.number = m.operation
WHERE o.landed_signatures IS NULL`;

const STRAY = 'SELECT DISTINCT operation AS number FROM issued_message WHERE operation NOT IN (SELECT number FROM operation)';

const SignedRow = z.object({ number: z.int(), signature: z.string() });
const NumberRow = z.object({ number: z.int() });

/** Operations that have landed have their transactions on the chain, and the other way round. */
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
