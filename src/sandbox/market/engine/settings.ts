import * as z from 'zod';
import { TRANSACTION_FORMATS } from '../../../engine/assembly/types';
import type { Database } from '../../store/database';
import { readMeta, writeMeta } from '../../store/meta';

const NAME = 'settings';

const Values = z.object({
  /** Time after a landing during which lists show the old position. */
  indexingLagMs: z.number().min(0),
  /** Versions of the transactions that are built from now on. */
  transactions: z.enum(TRANSACTION_FORMATS),
});

/** Settings that can change while the sandbox runs. */
export type SettingValues = Readonly<z.output<typeof Values>>;

const DEFAULTS: SettingValues = { indexingLagMs: 0, transactions: 'service' };

/** The settings of a world, kept in its database. */
export class WorldSettings {
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
