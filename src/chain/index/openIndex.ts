import { SqliteStore } from '../../engine/store/sqliteStore';
import { isDamage, setStoreAside } from '../../engine/store/storeDamage';
import { INDEX_MIGRATIONS } from './indexSchema';

/**
 * Opens the store of the index. Everything in it can be read from the chain again, so one that can't be read is set aside for a new one.
 * @param file in a folder that no other process uses
 */
export function openIndexStore(file: string, log: (line: string) => void): SqliteStore {
  try {
    return new SqliteStore(file, INDEX_MIGRATIONS);
  } catch (error) {
    if (!isDamage(error)) {
      throw error;
    }
    const aside = setStoreAside(file, new Date());
    log(
      `The index could not be read and is built again. The old file is now ${aside ?? file}: ${error instanceof Error ? error.message : ''}`,
    );
    return new SqliteStore(file, INDEX_MIGRATIONS);
  }
}
