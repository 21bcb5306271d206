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
  /** For so long after a landing, lists show the position as it was before it. */
  indexingLagMs: z.number().min(0),
});

/** How a sandbox behaves, as far as it can be set while it runs. */
export type SettingValues = Readonly<z.output<typeof Values>>;

const DEFAULTS: SettingValues = { indexingLagMs: 0 };

/** The settings of a sandbox, kept in its database. */
export class Settings {
  #values: SettingValues;

  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;

    this.#values = { ...DEFAULTS, ...readMeta(database, NAME, Values.partial()) };
  }

  get current(): SettingValues {
    return this.#values;
  }

  /** Changes some of them, and keeps that before anything goes by it. @throws z.ZodError where a value is out of bounds. */
  change(some: Partial<SettingValues>): void {
    const values = Values.parse({ ...this.#values, ...some });
    writeMeta(this.#database, NAME, values);
    this.#values = values;
  }
}

/** How a position was listed before something landed. */
export interface ListedPosition {
  readonly position: Address;
  readonly owner: Address;
  /** `null`: it was not there. */
  readonly record: WireOpenPosition | null;
}

const KEEP_LISTED = `
  INSERT INTO lagging_record (position, owner, record, until) VALUES (?, ?, ?, ?)
  ON CONFLICT (position) DO UPDATE SET until = max(until, excluded.until)`;

/**
 * Makes lists show a position as it was, for a while after something has landed that changed it: the table
 * `lagging_record`, which the lists read. What lands meanwhile shows later still, together with what landed before.
 */
export class IndexingLag {
  readonly #records: RecordContext;
  readonly #unit: UnitOfWork;
  readonly #settings: Settings;

  constructor(records: RecordContext, unit: UnitOfWork, settings: Settings) {
    this.#records = records;
    this.#unit = unit;
    this.#settings = settings;
  }

  /** How a position is listed now; `undefined` where the index does not lag. */
  snapshot(position: Address, owner: Address): ListedPosition | undefined {
    if (this.#settings.current.indexingLagMs === 0) {
      return undefined;
    }
    const known = this.#records.market.positions.at(position);
    const [record = null] = known === undefined || known.closing !== null ? [] : openRecords(this.#records, [known]);
    return { position, owner, record };
  }

  /** Keeps it listed so from `now` on (milliseconds since 1970), with the next commit. */
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
