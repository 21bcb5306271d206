import type { Address } from '../../base/solana/address';
import { AddressRow } from '../store/meta';
import type { Database } from '../store/database';
import type { UnitOfWork } from '../store/unitOfWork';
import { WorkingSet, type Participant } from '../store/workingSet';
import { copyPosition, HoldingRow, POSITION_COLUMNS, positionValues, SAVE_POSITION } from './storedPosition';
import type { Position, Positions } from './types';

const OPEN_OF = 'SELECT address FROM position WHERE owner = ? AND closed_at IS NULL ORDER BY opened_at, address';
const OPEN_IN = 'SELECT address FROM position WHERE pool = ? AND closed_at IS NULL ORDER BY opened_at, address';

/** The table `position`. Open positions stay in memory once they were read; closed ones only until they are written. */
export class PositionStore implements Positions, Participant {
  readonly #rows: WorkingSet<Address, Position>;
  /** Handed out to be changed since the last flush. */
  readonly #edited = new Set<Address>();

  readonly #database: Database;

  constructor(database: Database, unit: UnitOfWork) {
    this.#database = database;

    this.#rows = new WorkingSet<Address, Position>({
      load: (address) => database.get(HoldingRow, `SELECT ${POSITION_COLUMNS}, holding FROM position WHERE address = ?`, address),
      save: (_, position) => database.run(SAVE_POSITION, ...positionValues(position)),
      remove: (address) => database.run('DELETE FROM position WHERE address = ?', address),
      copy: copyPosition,
    });
    unit.enlist(this);
  }

  at(address: Address): Readonly<Position> | undefined {
    const position = this.#rows.get(address);
    if (position === undefined || position.closing !== null) {
      this.#rows.forget(address);
    }
    return position;
  }

  addressOf(id: string): Address | undefined {
    return this.#database.get(AddressRow, 'SELECT address FROM position WHERE id = ? AND closed_at IS NULL', id);
  }

  edit(address: Address): Position | undefined {
    this.#edited.add(address);
    return this.#rows.edit(address);
  }

  add(position: Position): void {
    this.#edited.add(position.address);
    this.#rows.put(position.address, position);
  }

  openOf(owner: Address): readonly Readonly<Position>[] {
    return this.#openAt(OPEN_OF, owner);
  }

  openIn(pool: Address): readonly Readonly<Position>[] {
    return this.#openAt(OPEN_IN, pool);
  }

  begin(): void {
    this.#rows.begin();
  }

  keep(): void {
    this.#rows.keep();
  }

  takeBack(): void {
    this.#rows.takeBack();
  }

  flush(): void {
    this.#rows.flush();
    for (const address of this.#edited) {
      if (this.#rows.get(address)?.closing !== null) {
        this.#rows.forget(address);
      }
    }
    this.#edited.clear();
  }

  #openAt(sql: string, of: Address): readonly Readonly<Position>[] {
    return this.#database.all(AddressRow, sql, of).flatMap((address) => this.at(address) ?? []);
  }
}
