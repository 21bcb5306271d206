import * as z from 'zod';
import { STRATEGIES } from '../../base/dlmm/strategy';
import type { Address } from '../../base/solana/address';
import type { SqlValue } from '../../engine/store/sqliteStore';
import type { Database } from '../store/database';
import { AddressRow, readJson, StoredAddress } from '../store/meta';
import type { UnitOfWork } from '../store/unitOfWork';
import { type Participant, WorkingSet } from '../store/workingSet';
import { decodeBinHolding, decodeProductHolding, encodeBinHolding, encodeProductHolding } from './pools/holdings';
import type { Holding, Position, Positions } from './types';

const Closing = z.object({ at: z.number(), activeBinId: z.int().nullable(), usdX: z.number(), usdY: z.number(), usdSol: z.number() });

const SHARED = {
  address: StoredAddress,
  id: z.string(),
  owner: StoredAddress,
  pool: StoredAddress,
  type: z.enum(['bins', 'product']),
  strategy: z.enum(STRATEGIES),
  lower_bin: z.int().nullable(),
  upper_bin: z.int().nullable(),
  nft_mint: StoredAddress.nullable(),
  opened_at: z.number(),
  updated_at: z.number(),
  input_usd: z.number(),
  input_native: z.number(),
  output_usd: z.number(),
  output_native: z.number(),
  fee_usd: z.number(),
  fee_native: z.number(),
  event_count: z.int(),
  closing: z.string().nullable(),
};

/** Columns of `position`, without the holding. */
export const POSITION_COLUMNS = Object.keys(SHARED).join(', ');

/** Reads {@link POSITION_COLUMNS} as a position without its holding. */
export const PositionRow = z.object(SHARED).transform((row): Position => positionOf(row, null));

/** A row with {@link POSITION_COLUMNS} and `holding`. */
const HoldingRow = z
  .object({ ...SHARED, holding: z.instanceof(Uint8Array).nullable() })
  .transform(({ holding, ...row }): Position => positionOf(row, holding));

/** The columns that {@link positionValues} fills, in its order. */
const WRITTEN = [...Object.keys(SHARED), 'closed_at', 'holding'];

/** Writes a position, new or known. */
export const SAVE_POSITION =
  `INSERT INTO position (${WRITTEN.join(', ')}) VALUES (${WRITTEN.map(() => '?').join(', ')}) ` +
  `ON CONFLICT (address) DO UPDATE SET ${WRITTEN.slice(1)
    .map((column) => `${column} = excluded.${column}`)
    .join(', ')}`;

/** Parameters of {@link SAVE_POSITION}. */
export function positionValues(position: Readonly<Position>): readonly SqlValue[] {
  const { input, output, collectedFee, closing, holding } = position;
  const shared: Readonly<Record<keyof typeof SHARED, SqlValue>> = {
    address: position.address,
    id: position.id,
    owner: position.owner,
    pool: position.pool,
    type: position.type,
    strategy: position.strategy,
    lower_bin: position.lowerBinId,
    upper_bin: position.upperBinId,
    nft_mint: position.nftMint,
    opened_at: position.openedAt,
    updated_at: position.updatedAt,
    input_usd: input.usd,
    input_native: input.native,
    output_usd: output.usd,
    output_native: output.native,
    fee_usd: collectedFee.usd,
    fee_native: collectedFee.native,
    event_count: position.eventCount,
    closing: closing === null ? null : JSON.stringify(closing),
  };
  return [...Object.values(shared), closing?.at ?? null, holding === null ? null : encoded(holding)];
}

/** An independent copy. */
function copyPosition(position: Position): Position {
  return {
    ...position,
    input: { ...position.input },
    output: { ...position.output },
    collectedFee: { ...position.collectedFee },
    holding: position.holding === null ? null : copyHolding(position.holding),
  };
}

function copyHolding(holding: Holding): Holding {
  return holding.type === 'bins' ? { ...holding, bins: holding.bins.map((bin) => ({ ...bin })) } : { ...holding };
}

function encoded(holding: Holding): Uint8Array {
  return holding.type === 'bins' ? encodeBinHolding(holding) : encodeProductHolding(holding);
}

function positionOf(row: z.output<z.ZodObject<typeof SHARED>>, holding: Uint8Array | null): Position {
  return {
    address: row.address,
    id: row.id,
    owner: row.owner,
    pool: row.pool,
    type: row.type,
    strategy: row.strategy,
    lowerBinId: row.lower_bin,
    upperBinId: row.upper_bin,
    nftMint: row.nft_mint,
    openedAt: row.opened_at,
    updatedAt: row.updated_at,
    input: { usd: row.input_usd, native: row.input_native },
    output: { usd: row.output_usd, native: row.output_native },
    collectedFee: { usd: row.fee_usd, native: row.fee_native },
    eventCount: row.event_count,
    closing: row.closing === null ? null : readJson(Closing, row.closing, `How the position ${row.address} was closed`),
    holding: holding === null ? null : row.type === 'bins' ? decodeBinHolding(holding) : decodeProductHolding(holding),
  };
}

const OPEN_OF = 'SELECT address FROM position WHERE owner = ? AND closed_at IS NULL ORDER BY opened_at, address';
const OPEN_IN = 'SELECT address FROM position WHERE pool = ? AND closed_at IS NULL ORDER BY opened_at, address';

/** The table `position`. Open positions stay in memory after reading; closed ones only until they are written. */
export class PositionStore implements Positions, Participant {
  readonly #rows: WorkingSet<Address, Position>;
  /** Positions that may have changed since the last flush. */
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

  release(): void {
    this.#rows.release();
  }

  rollBack(): void {
    this.#rows.rollBack();
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
