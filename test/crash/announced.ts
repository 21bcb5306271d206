// Runs within a window: announces each point and waits there until it may continue.
import nodeFetch from 'node-fetch';
import type { OperationKind } from '../../src/base/operationKinds';
import type { Fetch } from '../../src/service/calls/transport';
import type { JournalEntry, OperationJournal } from '../../src/transactions/journal/types';
import type { Point } from './protocol';

/** Announces a point; resolves when the window may continue. */
export type At = (point: Point) => Promise<void>;

/** What this window has begun last: a deposit into a position lands at the address of zap-ins. */
let begunLast: OperationKind | undefined;

/** The journal, with a point before and after each event. */
export function announcedJournal(journal: OperationJournal, at: At): OperationJournal {
  return {
    ...{
      nowFor: (record) => journal.nowFor(record),
      read: () => journal.read(),
      onDidChange: (listener) => journal.onDidChange(listener),
      dispose: () => journal.dispose(),
    },
    resume: async (id) => {
      const entry = await journal.resume(id);
      return entry && announcedEntry(entry, at);
    },
    begin: async (created) => {
      await at(`before created of ${created.operation}`);
      const entry = await journal.begin(created);
      begunLast = created.operation;
      await at(`after created of ${created.operation}`);
      return announcedEntry(entry, at);
    },
  };
}

function announcedEntry(entry: JournalEntry, at: At): JournalEntry {
  const { operation } = entry.record.created;
  return {
    id: entry.id,
    get record() {
      return entry.record;
    },
    append: async (event) => {
      await at(`before ${event.kind} of ${operation}`);
      await entry.append(event);
      await at(`after ${event.kind} of ${operation}`);
    },
  };
}

/** What is landed, by a part of the address. */
const LANDINGS = [
  ['/landing-decrease-tx', 'zapOut'],
  ['/landing-add-tx', 'zapIn'],
  ['/landing-claim-tx', 'claim'],
  ['/landing-swap-tx', 'swap'],
] as const;

/** The network, with a point before and after each landing. */
export function announcedFetch(at: At): Fetch {
  return async (url, init) => {
    if (!url.includes('/landing-')) {
      return nodeFetch(url, init);
    }
    const [, known = 'zapOut'] = LANDINGS.find(([path]) => url.includes(path)) ?? [];
    const operation = known === 'zapIn' && begunLast === 'addLiquidity' ? begunLast : known;
    await at(`before landing of ${operation}`);
    const answer = await nodeFetch(url, init);
    await at(`after landing of ${operation}`);
    return answer;
  };
}
