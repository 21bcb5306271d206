import type { SqliteStore } from '../../engine/store/sqliteStore';
import { openOrBegin } from '../../engine/store/storeDamage';
import { INDEX_MIGRATIONS } from './indexSchema';

/**
 * Opens the store of the index. Everything in it can be read from the chain again.
 * @param file in a folder that no other process uses
 */
export function openIndexStore(file: string, log: (line: string) => void): SqliteStore {
  return openOrBegin(file, INDEX_MIGRATIONS, 'The index could not be read and is built again', log);
}
