import { join } from 'node:path';
import * as z from 'zod';
import { type Address, parseAddress } from '../../base/solana/address';
import { type Migration, SqliteStore } from '../../server/store/sqliteStore';

/**
 * Times are milliseconds since 1970. `issued_message` has the hashes of messages; signed bytes are in `landing_transaction` only.
 * `part`: number of the stage or the bundle.
 */
const SCHEMA = `
CREATE TABLE operation (
  number INTEGER PRIMARY KEY, kind TEXT NOT NULL CHECK (kind IN ('decrease', 'add')), owner TEXT NOT NULL,
  last_valid_block_height INTEGER NOT NULL, issued_at INTEGER NOT NULL
) STRICT;
CREATE INDEX operation_issued_at ON operation (issued_at);

CREATE TABLE issued_message (
  operation INTEGER NOT NULL, variant TEXT NOT NULL CHECK (variant IN ('plain', 'tipped')), place INTEGER NOT NULL, part INTEGER NOT NULL,
  hash TEXT NOT NULL, PRIMARY KEY (operation, variant, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX issued_message_hash ON issued_message (hash);

-- Operations that somebody wants landed. outcome: JSON; null while it is not known.
CREATE TABLE landing (
  operation INTEGER PRIMARY KEY, variant TEXT NOT NULL, began_at INTEGER NOT NULL, began_slot INTEGER NOT NULL, outcome TEXT
) STRICT;

-- Signed transactions, written before the first of them is sent.
CREATE TABLE landing_transaction (
  operation INTEGER NOT NULL, place INTEGER NOT NULL, part INTEGER NOT NULL, signature TEXT NOT NULL, bytes BLOB NOT NULL,
  PRIMARY KEY (operation, place)
) STRICT, WITHOUT ROWID;
`;

const MIGRATIONS: readonly Migration[] = [(database) => database.exec(SCHEMA)];

/** Without or with tips. */
const VARIANTS = ['plain', 'tipped'] as const;

const StoredAddress = z.custom<Address>((value) => typeof value === 'string' && parseAddress(value) !== undefined, 'not an address');

const OperationRow = z
  .object({ number: z.int(), kind: z.enum(['decrease', 'add']), owner: StoredAddress, last_valid_block_height: z.int() })
  .transform(({ last_valid_block_height: lastValidBlockHeight, ...rest }) => ({ ...rest, lastValidBlockHeight }));

/** An operation that was handed out. */
export type StoredOperation = z.output<typeof OperationRow>;

const MessageRow = z.object({ operation: z.int(), variant: z.enum(VARIANTS), place: z.int(), part: z.int() });

/** Where a message belongs. */
export type MessagePlace = z.output<typeof MessageRow>;

/** What became of an operation, for good. */
const Outcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('landed') }),
  /** Nothing of it took effect, and nothing will. */
  z.object({ kind: z.literal('notLanded'), reason: z.string() }),
  /** Only the transactions at these places took effect, and no others will be sent. */
  z.object({ kind: z.literal('partial'), landed: z.array(z.int()), reason: z.string() }),
]);
/** What became of an operation, for good. */
export type LandingOutcome = z.output<typeof Outcome>;

const LandingRow = z
  .object({ variant: z.enum(VARIANTS), began_at: z.number(), began_slot: z.int(), outcome: z.string().nullable() })
  .transform(({ began_at: beganAtMs, began_slot: beganSlot, outcome, variant }) => ({
    variant,
    beganAtMs,
    beganSlot,
    outcome: outcome === null ? undefined : Outcome.parse(JSON.parse(outcome)),
  }));

const TransactionRow = z.object({
  place: z.int(),
  part: z.int(),
  signature: z.string(),
  bytes: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
});

/** A signed transaction of a landing. */
export type LandingTransaction = z.output<typeof TransactionRow>;

/** A landing as it was written down. */
export interface StoredLanding extends z.output<typeof LandingRow> {
  readonly operation: StoredOperation;
  /** In the order in which they were handed out. */
  readonly transactions: readonly LandingTransaction[];
}

const Count = z.object({ count: z.int() }).transform(({ count }) => count);
const NumberRow = z.object({ number: z.int() }).transform(({ number }) => number);

const DAY_MS = 86_400_000;
/** Nobody lands an operation later than this: its blockhash is good for a minute. */
const KEPT_MS = DAY_MS;
/** For how long the same payload gets the same answer. */
const LANDED_KEPT_MS = 30 * DAY_MS;
const PRUNING_MS = DAY_MS / 24;

/** A message of an operation that is handed out. */
interface NewMessage {
  readonly hash: string;
  readonly part: number;
}

/** What was handed out and what became of it: `landing.sqlite` in the data folder, apart from the index, which may be made anew. */
export class LandingStore {
  readonly #store: SqliteStore;
  #prunedAtMs = -Infinity;

  /** @param folder of this process alone; `undefined`: in memory, for tests @throws StoreError */
  constructor(folder: string | undefined) {
    this.#store = new SqliteStore(folder === undefined ? undefined : join(folder, 'landing.sqlite'), MIGRATIONS);
  }

  /** Stores an operation. */
  issue(
    operation: Omit<StoredOperation, 'number'>,
    variants: Readonly<Record<(typeof VARIANTS)[number], readonly NewMessage[]>>,
    nowMs: number,
  ): void {
    this.#prune(nowMs);
    const store = this.#store;
    store.transaction(() => {
      const number = store.get(NumberRow, 'SELECT coalesce(max(number), 0) + 1 AS number FROM operation') ?? 1;
      store.run(
        'INSERT INTO operation (number, kind, owner, last_valid_block_height, issued_at) VALUES (?, ?, ?, ?, ?)',
        ...[number, operation.kind, operation.owner, operation.lastValidBlockHeight, nowMs],
      );
      for (const variant of VARIANTS) {
        variants[variant].forEach(({ hash, part }, place) =>
          store.run(
            'INSERT INTO issued_message (operation, variant, place, part, hash) VALUES (?, ?, ?, ?, ?)',
            ...[number, variant, place, part, hash],
          ),
        );
      }
    });
  }

  /** Where a message was handed out; more than once if operations share it. The newest operation comes first. */
  placesOf(hash: string): readonly MessagePlace[] {
    return this.#store.all(
      MessageRow,
      'SELECT operation, variant, place, part FROM issued_message WHERE hash = ? ORDER BY operation DESC, variant, place',
      hash,
    );
  }

  /** Number of messages of a variant. */
  sizeOf({ operation, variant }: Pick<MessagePlace, 'operation' | 'variant'>): number {
    return (
      this.#store.get(Count, 'SELECT count(*) AS count FROM issued_message WHERE operation = ? AND variant = ?', operation, variant) ?? 0
    );
  }

  operation(number: number): StoredOperation | undefined {
    return this.#store.get(OperationRow, 'SELECT number, kind, owner, last_valid_block_height FROM operation WHERE number = ?', number);
  }

  /** `undefined`: nobody has landed this operation. */
  landing(number: number): StoredLanding | undefined {
    const operation = this.operation(number);
    const row = this.#store.get(LandingRow, 'SELECT variant, began_at, began_slot, outcome FROM landing WHERE operation = ?', number);
    if (operation === undefined || row === undefined) {
      return undefined;
    }
    const transactions = this.#store.all(
      TransactionRow,
      'SELECT place, part, signature, bytes FROM landing_transaction WHERE operation = ? ORDER BY place',
      number,
    );
    return { ...row, operation, transactions };
  }

  /** Landings whose outcome is not known, oldest first. */
  unsettled(): readonly StoredLanding[] {
    const numbers = this.#store.all(NumberRow, 'SELECT operation AS number FROM landing WHERE outcome IS NULL ORDER BY operation');
    return numbers.flatMap((number) => this.landing(number) ?? []);
  }

  /** Writes a landing down, before anything of it is sent. */
  begin({ operation, variant, beganAtMs, beganSlot, transactions }: Omit<StoredLanding, 'outcome'>): void {
    const store = this.#store;
    store.transaction(() => {
      store.run(
        'INSERT INTO landing (operation, variant, began_at, began_slot) VALUES (?, ?, ?, ?)',
        ...[operation.number, variant, beganAtMs, beganSlot],
      );
      for (const { place, part, signature, bytes } of transactions) {
        store.run(
          'INSERT INTO landing_transaction (operation, place, part, signature, bytes) VALUES (?, ?, ?, ?, ?)',
          ...[operation.number, place, part, signature, bytes],
        );
      }
    });
  }

  /** Writes down what became of a landing. */
  settle(number: number, outcome: LandingOutcome): void {
    this.#store.transaction(() => this.#store.run('UPDATE landing SET outcome = ? WHERE operation = ?', JSON.stringify(outcome), number));
  }

  /** Forgets a landing of which nothing was sent, or nothing was taken: it may be tried again. */
  forget(number: number): void {
    this.#store.transaction(() => {
      this.#store.run('DELETE FROM landing_transaction WHERE operation = ?', number);
      this.#store.run('DELETE FROM landing WHERE operation = ?', number);
    });
  }

  close(): void {
    this.#store.close();
  }

  #prune(nowMs: number): void {
    if (nowMs - this.#prunedAtMs < PRUNING_MS) {
      return;
    }
    this.#prunedAtMs = nowMs;
    const old = `SELECT number FROM operation LEFT JOIN landing ON landing.operation = number
      WHERE issued_at < ? AND (landing.operation IS NULL OR (outcome IS NOT NULL AND issued_at < ?))`;
    const bounds = [nowMs - KEPT_MS, nowMs - LANDED_KEPT_MS];
    this.#store.transaction(() => {
      for (const table of ['issued_message', 'landing_transaction']) {
        this.#store.run(`DELETE FROM ${table} WHERE operation IN (${old})`, ...bounds);
      }
      // In this order: a landing says whether its operation is kept.
      this.#store.run(`DELETE FROM operation WHERE number IN (${old})`, ...bounds);
      this.#store.run('DELETE FROM landing WHERE operation NOT IN (SELECT number FROM operation)');
    });
  }
}
