import * as z from 'zod';
import type { Address } from '../../base/solana/address';
import type { SqliteStore } from '../../engine/store/sqliteStore';
import { AddressText } from '../rpc/addressText';
import type { EventFact } from './facts';

const Position = z.object({ position: AddressText }).transform(({ position }) => position);

/** The stored facts of transactions, and the positions that follow from them. Each method is called within a transaction of the store. */
export class FactStore {
  readonly #store: SqliteStore;

  constructor(store: SqliteStore) {
    this.#store = store;
  }

  /** Stores the facts of a transaction that has none yet. @param touched receives the positions that they are about */
  add(tx: number, facts: readonly EventFact[], touched: Set<Address>): void {
    facts.forEach((fact, number) => {
      touched.add(fact.position);
      const curve = fact.price?.curve;
      this.#store.run(
        'INSERT INTO fact VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
        tx,
        number,
        fact.kind,
        fact.program,
        fact.position,
        fact.pool ?? null,
        fact.owner ?? null,
        fact.by ?? null,
        fact.amounts?.x.toString() ?? null,
        fact.amounts?.y.toString() ?? null,
        fact.price?.activeBinId ?? null,
        curve?.liquidity.toString() ?? null,
        curve?.x.toString() ?? null,
        curve?.y.toString() ?? null,
        fact.lower ?? null,
        fact.upper ?? null,
        fact.strategy ?? null,
      );
    });
  }

  /** Removes the facts of a transaction. @param touched receives the positions that they were about */
  remove(tx: number, touched: Set<Address>): void {
    this.#store.all(Position, 'SELECT DISTINCT position FROM fact WHERE tx = ?', tx).forEach((position) => touched.add(position));
    this.#store.run('DELETE FROM fact WHERE tx = ?', tx);
  }

  /** Rewrites the rows of positions. The owner is that of the newest event: the NFT of a DAMM v2 position may have changed hands. */
  derive(positions: ReadonlySet<Address>): void {
    for (const position of positions) {
      this.#store.run('DELETE FROM position WHERE address = ?', position);
      this.#store.run(
        `INSERT INTO position (address, program, pool, owner)
         SELECT position, program, pool, owner FROM (
           SELECT position, program,
             (SELECT pool FROM fact WHERE position = ?1 AND pool IS NOT NULL LIMIT 1) AS pool,
             (SELECT coalesce(f.owner, f.payer) FROM fact f JOIN chain_transaction t ON t.id = f.tx
              WHERE f.position = ?1 AND coalesce(f.owner, f.payer) IS NOT NULL
              ORDER BY f.owner IS NULL, t.slot DESC, t.pass DESC, t.place ASC, f.number DESC LIMIT 1) AS owner
           FROM fact WHERE position = ?1 LIMIT 1
         ) WHERE pool IS NOT NULL AND owner IS NOT NULL`,
        position,
      );
    }
  }
}
