import type { Incomplete } from '../common';
import { hasFields } from './envelope';
import { identifier, instant, integer, wireRecord } from './fields';

/** `incomplete` beside or in the data of an answer (src/chain/README.md). The published contract does not have it. */
const incompleteRecord = wireRecord({ reason: identifier, read: integer, left: integer, since: instant });

const REASONS: ReadonlySet<string> = new Set<Incomplete['reason']>(['indexing', 'failed', 'unreadable', 'pruned']);

/** Reads why an answer may lack records; `undefined`: the service says nothing of it. */
export function readIncomplete(of: unknown): Incomplete | undefined {
  const mark = hasFields(of) ? of['incomplete'] : undefined;
  if (mark === undefined || mark === null) {
    return undefined;
  }
  const { reason, read, left, since } = incompleteRecord.safeParse(mark).data ?? {};
  const known = read === undefined || left === undefined ? 0 : read + left;
  return { reason: isReason(reason) ? reason : 'other', readShare: known > 0 ? (read ?? 0) / known : undefined, since };
}

function isReason(reason: string | undefined): reason is Incomplete['reason'] {
  return reason !== undefined && REASONS.has(reason);
}
