import * as z from 'zod';
import type { Database } from '../store/database';
import { StoreError } from '../store/storeError';
import { WorkingSet } from '../store/workingSet';

const META_KEY = 'chain';

const lamportsText = z.string().regex(/^\d+$/);

const SavedState = z.object({
  slot: z.int().nonnegative(),
  slotBegan: z.number(),
  feesBurntLamports: lamportsText,
  genesisLamports: lamportsText,
  genesisHash: z.string(),
  transactionCount: z.int().nonnegative(),
});
const MetaRow = z.object({ value: z.string() });

/** What a chain is besides its accounts: the value `chain` of the table `meta`. */
export interface ChainState {
  slot: number;
  /** When the slot began, milliseconds since 1970. */
  slotBegan: number;
  feesBurntLamports: bigint;
  genesisLamports: bigint;
  genesisHash: string;
  transactionCount: number;
}

/** The state as a working set of one row, so that it is kept and taken back with everything else. */
export class ChainStateCell {
  readonly set: WorkingSet<typeof META_KEY, ChainState>;

  /** `initial`: gives what a chain begins with that is not in the database yet. */
  constructor(database: Database, initial: () => ChainState) {
    this.set = new WorkingSet({
      load: () => load(database),
      save: (_, state) => save(database, state),
      remove: () => {
        throw new StoreError('The state of the chain is never removed');
      },
      copy: (state) => ({ ...state }),
    });
    if (this.set.get(META_KEY) === undefined) {
      this.set.put(META_KEY, initial());
    }
  }

  get value(): Readonly<ChainState> {
    return present(this.set.get(META_KEY));
  }

  /** To be changed in place. */
  edit(): ChainState {
    return present(this.set.edit(META_KEY));
  }
}

function present<State>(state: State | undefined): State {
  if (state === undefined) {
    throw new StoreError('The state of the chain is not there');
  }
  return state;
}

function load(database: Database): ChainState | undefined {
  const row = database.get(MetaRow, 'SELECT value FROM meta WHERE key = ?', META_KEY);
  if (row === undefined) {
    return undefined;
  }
  const { feesBurntLamports, genesisLamports, ...rest } = SavedState.parse(JSON.parse(row.value));
  return { ...rest, feesBurntLamports: BigInt(feesBurntLamports), genesisLamports: BigInt(genesisLamports) };
}

function save(database: Database, { feesBurntLamports, genesisLamports, ...rest }: ChainState): void {
  const saved: z.input<typeof SavedState> = { ...rest, feesBurntLamports: feesBurntLamports.toString(), genesisLamports: genesisLamports.toString() };
  database.run('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value', META_KEY, JSON.stringify(saved));
}
