import * as z from 'zod';
import type { Address } from '../../../base/solana/address';
import type { WireOpenPosition } from '../../../server/wire/positions';
import type { Database } from '../../store/database';
import { readMeta, writeMeta } from '../../store/meta';
import type { UnitOfWork } from '../../store/unitOfWork';
import { openRecords } from '../records/positionLists';
import type { RecordContext } from '../records/recordContext';

const NAME = 'settings';

const Values = z.object({
  /** Time after a landing during which lists show the old position. */
  indexingLagMs: z.number().min(0),
});

/** Settings that can change while the sandbox runs. */
export type SettingValues = Readonly<z.output<typeof Values>>;

const DEFAULTS: SettingValues = { indexingLagMs: 0 };

/** The settings of a sandbox, kept in its database. */
export class IndexingLagSettings {
  #values: SettingValues;

  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;

    this.#values = { ...DEFAULTS, ...readMeta(database, NAME, Values.partial()) };
  }

  get current(): SettingValues {
    return this.#values;
  }

  /** Stores and applies new values. @throws z.ZodError if a value is out of bounds */
  change(some: Partial<SettingValues>): void {
    const values = Values.parse({ ...this.#values, ...some });
    writeMeta(this.#database, NAME, values);
    this.#values = values;
  }
}

/** The record of a position before a landing. */
export interface ListedPosition {
  readonly position: Address;
  readonly owner: Address;
  /** `null` if the position was not open. */
  readonly record: WireOpenPosition | null;
}

const KEEP_LISTED = `
  INSERT INTO lagging_record (position, owner, record, until) VALUES (?, ?, ?, ?)
  ON CONFLICT (position) DO UPDATE SET until = max(until, excluded.until)`;

/**
 * Makes lists show the old record of a position for a while after a landing (table `lagging_record`). A further landing meanwhile
 * extends the delay for both.
 */
export class IndexingLag {
  readonly #records: RecordContext;
  readonly #unit: UnitOfWork;
  readonly #settings: IndexingLagSettings;

  constructor(records: RecordContext, unit: UnitOfWork, settings: IndexingLagSettings) {
    this.#records = records;
    this.#unit = unit;
    this.#settings = settings;
  }

  /** The present record of a position; `undefined` without a lag. */
  snapshot(position: Address, owner: Address): ListedPosition | undefined {
    if (this.#settings.current.indexingLagMs === 0) {
      return undefined;
    }
    const known = this.#records.market.positions.at(position);
    const [record = null] = known === undefined || known.closing !== null ? [] : openRecords(this.#records, [known]);
    return { position, owner, record };
  }

  /** Shows this record from `now` on (milliseconds since 1970), with the next commit. */
  hide(listed: ListedPosition | undefined, now: number): void {
    if (listed === undefined) {
      return;
    }
    const { position, owner, record } = listed;
    this.#unit.append('DELETE FROM lagging_record WHERE until <= ?', now);
    this.#unit.append(
      KEEP_LISTED,
      position,
      owner,
      record === null ? null : JSON.stringify(record),
      now + this.#settings.current.indexingLagMs,
    );
  }
}
