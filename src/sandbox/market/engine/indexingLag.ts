import type { Address } from '../../../base/solana/address';
import type { WireOpenPosition } from '../../../engine/wire/positionRecord';
import type { UnitOfWork } from '../../store/unitOfWork';
import { openRecords } from '../records/positionLists';
import type { RecordContext } from '../records/recordContext';
import type { WorldSettings } from './settings';

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
  readonly #settings: WorldSettings;

  constructor(records: RecordContext, unit: UnitOfWork, settings: WorldSettings) {
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
