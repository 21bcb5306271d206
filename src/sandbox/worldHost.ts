import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { type Arguments, PRODUCT_ENDING } from './arguments';
import { Stranger } from './hostile/stranger';
import { type Identity, keptIdentity, ownerOf, renewIdentity } from './identity';
import { openWorld, type World } from './market/engine/world';
import { isDamage, setStoreAside } from './store/damage';
import { CommitError, Database, storeFile } from './store/database';
import { readMeta, writeMeta } from './store/meta';

const Skipped = z.object({ skippedMs: z.number().min(0) });
const NAME = 'clock';

/** The sandbox's own time: real time, and what was skipped by hand, which is kept. */
export class Clock {
  private skippedMs: number;

  constructor(
    private readonly database: Database,
    private readonly realNow: () => number = Date.now,
  ) {
    this.skippedMs = readMeta(database, NAME, Skipped)?.skippedMs ?? 0;
  }

  /** Milliseconds since 1970. */
  readonly now = (): number => this.realNow() + this.skippedMs;

  /** Moves on, and keeps that before anything goes by it. */
  skip(ms: number): void {
    writeMeta(this.database, NAME, { skippedMs: this.skippedMs + ms });
    this.skippedMs += ms;
  }
}

/** A world and the time in it. */
interface Present {
  readonly world: World;
  readonly clock: Clock;
}

/** Has the world that is served at present, and knows who the sandbox is. */
export class WorldHost {
  private store: Database;
  private isDamaged = false;
  private current: Identity;
  /** `undefined` only while the old one makes room for a new one. */
  private present: Present | undefined;

  /** Opens the world that is in the database, or makes a new one. @throws StoreError where it cannot be read */
  constructor(
    database: Database,
    private readonly options: Arguments,
    private readonly log: (message: string) => void,
  ) {
    this.store = database;
    this.current = keptIdentity(database, options);
    if (this.current.seed !== options.seed) {
      log(`The folder holds a world made from seed ${this.current.seed}; it goes on, and seed ${options.seed} counts for nothing.`);
    }
    this.present = this.open(options.priceSpeed, options.indexingLagMs);
  }

  get world(): World {
    return this.served.world;
  }

  get clock(): Clock {
    return this.served.clock;
  }

  get identity(): Identity {
    return this.current;
  }

  /** The store of the present world. */
  get database(): Database {
    return this.store;
  }

  /** Takes note that the store cannot be read. Says whether that is new. */
  noteDamage(): boolean {
    const isNew = !this.isDamaged;
    this.isDamaged = true;
    return isNew;
  }

  /**
   * Throws the world away and makes a new one, from that seed or from the same. Key, owner and settings stay. Killed meanwhile,
   * the next start makes the new one. A store that cannot be read is set aside, and another one takes its place.
   * @throws CommitError where the old one is gone and the new one could not be made
   */
  reset(seed = this.current.seed): void {
    const { speed } = this.world.market;
    const { indexingLagMs } = this.world.settings.current;
    const identity = { ...this.current, seed };
    const isEmpty = !this.isDamaged && this.isEmptied(identity);
    this.present = undefined;
    try {
      if (!isEmpty) {
        this.replaceStore(identity);
      }
      this.current = identity;
      this.present = this.open(speed, indexingLagMs);
    } catch (error) {
      throw new CommitError(`There is no world any more: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
  }

  /** Empties the store but for the identity; says whether it could: one that is damaged may not take that. */
  private isEmptied(identity: Identity): boolean {
    try {
      renewIdentity(this.store, identity);
      return true;
    } catch (error) {
      if (isDamage(error)) {
        return false;
      }
      throw error;
    }
  }

  private replaceStore(identity: Identity): void {
    const { data } = this.options;
    try {
      this.store.close();
    } catch (error) {
      // What was to be written before it is closed has no place to go; the file is kept as it is.
      this.log(`The damaged store could not be closed: ${firstLine(error)}`);
    }
    const aside = setStoreAside(storeFile(data), new Date());
    if (aside !== undefined) {
      this.log(`The old world was set aside as ${aside}.`);
    }
    this.store = Database.open(data);
    renewIdentity(this.store, identity);
    this.isDamaged = false;
  }

  /** @throws CommitError after a reset that failed: see there */
  private get served(): Present {
    if (this.present === undefined) {
      throw new CommitError('There is no world any more');
    }
    return this.present;
  }

  private open(priceSpeed: number, indexingLagMs: number): Present {
    const clock = new Clock(this.store);
    const { protocol } = this.options;
    const world = openWorld({
      database: this.store,
      seed: this.current.seed,
      now: clock.now,
      owner: ownerOf(this.current),
      random: (byteCount) => new Uint8Array(randomBytes(byteCount)),
      protocols: { bins: protocol, product: `${protocol}${PRODUCT_ENDING}` },
      priceSpeed,
      outsider: (chain, custody) => new Stranger(chain, custody),
      log: this.log,
    });
    world.settings.change({ indexingLagMs });
    return { world, clock };
  }
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
}
