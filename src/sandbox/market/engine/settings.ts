import * as z from 'zod';
import type { Database } from '../../store/database';
import { readMeta, writeMeta } from '../../store/meta';

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
