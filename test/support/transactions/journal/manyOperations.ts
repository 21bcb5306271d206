import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileName, operationId } from '../../../../src/transactions/journal/files';
import { journalLine } from '../../../../src/transactions/journal/codec';
import type { JournalEvent } from '../../../../src/transactions/journal/types';
import { beginning, GOING_WELL, HAPPENINGS, POOL } from './events';

const HOUR_MS = 3_600_000;
/** All of them happened within this time: nothing of it is old enough to be taken away. */
const WITHIN_MS = 40 * HOUR_MS;

/** Writes the files of so many finished operations, as versions without an index write them. @returns their ids, oldest first */
export function writeOperations(folder: string, count: number, nowMs: number): readonly string[] {
  mkdirSync(folder, { recursive: true });
  const text = (bytes: number): string => randomBytes(bytes).toString('hex');
  return Array.from({ length: count }, (_, place) => {
    const atMs = Math.floor(nowMs - WITHIN_MS + (place * WITHIN_MS) / count);
    const id = operationId(atMs, text(6));
    const events: JournalEvent[] = [{ atMs, kind: 'created', ...beginning({ operation: place % 2 === 0 ? 'zapOut' : 'zapIn' }) }];
    for (const kind of GOING_WELL) {
      const happening = { atMs: atMs + events.length * 500, ...HAPPENINGS[kind] };
      events.push(
        happening.kind === 'built'
          ? { ...happening, messageHashes: [text(32), text(32), text(32)] }
          : happening.kind === 'signed'
            ? { ...happening, signatures: [text(44), text(44), text(44)] }
            : happening.kind === 'reviewed'
              ? { ...happening, promised: [{ mint: POOL, leastRaw: 1_900_000n }] }
              : happening.kind === 'settled'
                ? { ...happening, changes: { lamports: 1_999_000_000n, tokens: [{ mint: POOL, changeRaw: 2_000_000n }] } }
                : happening,
      );
    }
    const by = text(6);
    writeFileSync(join(folder, fileName(id)), events.map((event, n) => journalLine(event, n, by).line).join(''));
    return id;
  });
}
