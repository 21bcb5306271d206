import * as z from 'zod';
import { type Database, StoreError, StoreUseError } from '../store/database';
import { putMeta, readMeta, Whole } from '../store/meta';
import { WorkingSet } from '../store/workingSet';

const META_KEY = 'chain';

/** What a chain is besides its accounts: the value `chain` of the table `meta`. */
const ChainState = z.object({
  slot: z.int().nonnegative(),
  /** When the slot began, milliseconds since 1970. */
  slotBegan: z.number(),
  feesBurntLamports: Whole,
  genesisLamports: Whole,
  genesisHash: z.string(),
  transactionCount: z.int().nonnegative(),
});
export type ChainState = z.output<typeof ChainState>;

/** The state as a working set of one row, so that it is kept and taken back with everything else. */
export class ChainStateCell {
  readonly set: WorkingSet<typeof META_KEY, ChainState>;

  /** `initial`: gives what a chain begins with that is not in the database yet. */
  constructor(database: Database, initial: () => ChainState) {
    this.set = new WorkingSet({
      load: () => readMeta(database, META_KEY, ChainState),
      save: (_, state) => putMeta(database, META_KEY, z.encode(ChainState, state)),
      remove: () => {
        throw new StoreUseError('The state of the chain is never removed');
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
