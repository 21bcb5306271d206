import { join } from 'node:path';
import * as z from 'zod';
import { type Address, parseAddress } from '../../base/solana/address';
import { DAY_MS } from '../../base/time';
import { OPERATION_KINDS } from '../../engine/engine';
import { type Migration, SqliteStore } from '../../engine/store/sqliteStore';

/**
 * Times are milliseconds since 1970. `issued_message` has the hashes of messages; signed bytes are in `landing_transaction` only.
 * `group_number`: of the stage or the bundle.
 */
const SCHEMA = `
CREATE TABLE operation (
  number INTEGER PRIMARY KEY, kind TEXT NOT NULL CHECK (kind IN ('decrease', 'add')), owner TEXT NOT NULL,
  last_valid_block_height INTEGER NOT NULL, issued_at INTEGER NOT NULL
) STRICT;
CREATE INDEX operation_issued_at ON operation (issued_at);

CREATE TABLE issued_message (
  operation INTEGER NOT NULL, variant TEXT NOT NULL CHECK (variant IN ('plain', 'tipped')), place INTEGER NOT NULL,
  group_number INTEGER NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (operation, variant, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX issued_message_hash ON issued_message (hash);

-- Operations that a client has submitted. began_slot: nothing was sent before it. outcome: JSON; null while it is not known.
CREATE TABLE landing (operation INTEGER PRIMARY KEY, variant TEXT NOT NULL, began_slot INTEGER NOT NULL, outcome TEXT) STRICT;

-- Signed transactions, stored before the first of them is sent.
CREATE TABLE landing_transaction (
  operation INTEGER NOT NULL, place INTEGER NOT NULL, group_number INTEGER NOT NULL, signature TEXT NOT NULL, bytes BLOB NOT NULL,
  PRIMARY KEY (operation, place)
) STRICT, WITHOUT ROWID;
`;

const MIGRATIONS: readonly Migration[] = [
  (database) => database.exec(SCHEMA),
  // Version 1 refused claims. A check cannot be changed in place.
  (database) =>
    database.exec(`
      CREATE TABLE operation_of_any_kind (
        number INTEGER PRIMARY KEY, kind TEXT NOT NULL CHECK (kind IN ('decrease', 'add', 'claim')), owner TEXT NOT NULL,
        last_valid_block_height INTEGER NOT NULL, issued_at INTEGER NOT NULL
      ) STRICT;
      INSERT INTO operation_of_any_kind SELECT number, kind, owner, last_valid_block_height, issued_at FROM operation;
      DROP TABLE operation;
      ALTER TABLE operation_of_any_kind RENAME TO operation;
      CREATE INDEX operation_issued_at ON operation (issued_at);
    `),
  // Version 2 refused swaps.
  (database) =>
    database.exec(`
      CREATE TABLE operation_of_any_kind (
        number INTEGER PRIMARY KEY, kind TEXT NOT NULL CHECK (kind IN ('decrease', 'add', 'claim', 'swap')), owner TEXT NOT NULL, last_valid_block_height INTEGER NOT NULL, issued_at INTEGER NOT NULL
      ) STRICT;
      INSERT INTO operation_of_any_kind SELECT number, kind, owner, last_valid_block_height, issued_at FROM operation;
      DROP TABLE operation;
      ALTER TABLE operation_of_any_kind RENAME TO operation;
      CREATE INDEX operation_issued_at ON operation (issued_at);
    `),
];

/** Without or with tips. */
const VARIANTS = ['plain', 'tipped'] as const;

const StoredAddress = z.custom<Address>((value) => typeof value === 'string' && parseAddress(value) !== undefined, 'not an address');

const OperationRow = z
  .object({ number: z.int(), kind: z.enum(OPERATION_KINDS), owner: StoredAddress, last_valid_block_height: z.int() })
  .transform(({ last_valid_block_height: lastValidBlockHeight, ...rest }) => ({ ...rest, lastValidBlockHeight }));

/** An operation that was built and given to a client. */
export type StoredOperation = z.output<typeof OperationRow>;

const MessageRow = z
  .object({ operation: z.int(), variant: z.enum(VARIANTS), place: z.int(), group_number: z.int() })
  .transform(({ group_number: groupNumber, ...rest }) => ({ ...rest, groupNumber }));

/** The operation, the variant, the group and the place of a message. Places count from 0 over all groups. */
export type StoredMessagePlace = z.output<typeof MessageRow>;

const Outcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('landed') }),
  /** Nothing of it took effect, and nothing will. */
  z.object({ kind: z.literal('notLanded'), reason: z.string() }),
  /** Only the transactions at these places took effect. No others will. */
  z.object({ kind: z.literal('partial'), landed: z.array(z.int()), reason: z.string() }),
]);
/** The final outcome of an operation. */
export type LandingOutcome = z.output<typeof Outcome>;

const LandingRow = z
  .object({ variant: z.enum(VARIANTS), began_slot: z.int(), outcome: z.string().nullable() })
  .transform(({ began_slot: beganSlot, outcome, variant }) => ({
    variant,
    beganSlot,
    outcome: outcome === null ? undefined : Outcome.parse(JSON.parse(outcome)),
  }));

const TransactionRow = z
  .object({
    place: z.int(),
    group_number: z.int(),
    signature: z.string(),
    bytes: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
  })
  .transform(({ group_number: groupNumber, ...rest }) => ({ ...rest, groupNumber }));

/** A signed transaction of a landing. */
export type LandingTransaction = z.output<typeof TransactionRow>;

export interface StoredLanding extends z.output<typeof LandingRow> {
  readonly operation: StoredOperation;
  /** In the order in which they were built. */
  readonly transactions: readonly LandingTransaction[];
}

const Count = z.object({ count: z.int() }).transform(({ count }) => count);
const NumberRow = z.object({ number: z.int() }).transform(({ number }) => number);

/** How long operations are stored that no client has submitted. Their blockhashes are valid for about a minute. */
const UNSUBMITTED_RETENTION_MS = DAY_MS;
/** For how long the same payload gets the same answer. */
const OUTCOME_RETENTION_MS = 30 * DAY_MS;
const PRUNING_INTERVAL_MS = DAY_MS / 24;

/** A message of a new operation. */
interface NewMessage {
  readonly hash: string;
  readonly groupNumber: number;
}

/**
 * The operations that were built, and the outcome of their landings: `landing.sqlite` in the data folder. The index has a file of its own,
 * because it can be created again and this can't.
 */
export class LandingStore {
  readonly #store: SqliteStore;
  #prunedAtMs = -Infinity;

  /** @param folder that only this process uses; `undefined`: in memory, for tests @throws StoreError */
  constructor(folder: string | undefined) {
    this.#store = new SqliteStore(folder === undefined ? undefined : join(folder, 'landing.sqlite'), MIGRATIONS);
  }

  /** Stores an operation, before it is given to the client. */
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
        variants[variant].forEach(({ hash, groupNumber }, place) =>
          store.run(
            'INSERT INTO issued_message (operation, variant, place, group_number, hash) VALUES (?, ?, ?, ?, ?)',
            ...[number, variant, place, groupNumber, hash],
          ),
        );
      }
    });
  }

  /** The places of a message: several if operations share it. The newest operation comes first. */
  placesOf(hash: string): readonly StoredMessagePlace[] {
    return this.#store.all(
      MessageRow,
      'SELECT operation, variant, place, group_number FROM issued_message WHERE hash = ? ORDER BY operation DESC, variant, place',
      hash,
    );
  }

  /** Number of messages of a variant. */
  sizeOf({ operation, variant }: Pick<StoredMessagePlace, 'operation' | 'variant'>): number {
    return (
      this.#store.get(Count, 'SELECT count(*) AS count FROM issued_message WHERE operation = ? AND variant = ?', operation, variant) ?? 0
    );
  }

  operation(number: number): StoredOperation | undefined {
    return this.#store.get(OperationRow, 'SELECT number, kind, owner, last_valid_block_height FROM operation WHERE number = ?', number);
  }

  /** `undefined`: no client has submitted this operation. */
  landing(number: number): StoredLanding | undefined {
    const operation = this.operation(number);
    const row = this.#store.get(LandingRow, 'SELECT variant, began_slot, outcome FROM landing WHERE operation = ?', number);
    if (operation === undefined || row === undefined) {
      return undefined;
    }
    const transactions = this.#store.all(
      TransactionRow,
      'SELECT place, group_number, signature, bytes FROM landing_transaction WHERE operation = ? ORDER BY place',
      number,
    );
    return { ...row, operation, transactions };
  }

  /** Landings whose outcome is not known, oldest first. */
  openLandings(): readonly StoredLanding[] {
    const numbers = this.#store.all(NumberRow, 'SELECT operation AS number FROM landing WHERE outcome IS NULL ORDER BY operation');
    return numbers.flatMap((number) => this.landing(number) ?? []);
  }

  /** Stores a landing, before any of its transactions is sent. */
  begin({ operation, variant, beganSlot, transactions }: Omit<StoredLanding, 'outcome'>): void {
    const store = this.#store;
    store.transaction(() => {
      store.run('INSERT INTO landing (operation, variant, began_slot) VALUES (?, ?, ?)', ...[operation.number, variant, beganSlot]);
      for (const { place, groupNumber, signature, bytes } of transactions) {
        store.run(
          'INSERT INTO landing_transaction (operation, place, group_number, signature, bytes) VALUES (?, ?, ?, ?, ?)',
          ...[operation.number, place, groupNumber, signature, bytes],
        );
      }
    });
  }

  /** Stores the outcome of a landing. */
  setOutcome(number: number, outcome: LandingOutcome): void {
    this.#store.transaction(() => this.#store.run('UPDATE landing SET outcome = ? WHERE operation = ?', JSON.stringify(outcome), number));
  }

  /** Removes a landing of which nothing was accepted. The operation can be submitted again. */
  removeLanding(number: number): void {
    this.#store.transaction(() => {
      this.#store.run('DELETE FROM landing_transaction WHERE operation = ?', number);
      this.#store.run('DELETE FROM landing WHERE operation = ?', number);
    });
  }

  close(): void {
    this.#store.close();
  }

  #prune(nowMs: number): void {
    if (nowMs - this.#prunedAtMs < PRUNING_INTERVAL_MS) {
      return;
    }
    this.#prunedAtMs = nowMs;
    const old = `SELECT number FROM operation LEFT JOIN landing ON landing.operation = number
      WHERE issued_at < ? AND (landing.operation IS NULL OR (outcome IS NOT NULL AND issued_at < ?))`;
    const bounds = [nowMs - UNSUBMITTED_RETENTION_MS, nowMs - OUTCOME_RETENTION_MS];
    this.#store.transaction(() => {
      for (const table of ['issued_message', 'landing_transaction']) {
        this.#store.run(`DELETE FROM ${table} WHERE operation IN (${old})`, ...bounds);
      }
      // In this order: the query above needs the landings.
      this.#store.run(`DELETE FROM operation WHERE number IN (${old})`, ...bounds);
      this.#store.run('DELETE FROM landing WHERE operation NOT IN (SELECT number FROM operation)');
    });
  }
}
