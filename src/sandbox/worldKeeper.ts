import { randomBytes } from 'node:crypto';
import { PRODUCT_ENDING, type Arguments } from './arguments';
import { Clock } from './clock';
import { keptIdentity, ownerOf, renewIdentity, type Identity } from './identity';
import { openWorld, type World } from './market/engine/world';
import type { Database } from './store/database';
import { CommitError } from './store/storeError';

/** A world and the time in it. */
interface Present {
  readonly world: World;
  readonly clock: Clock;
}

/** Has the world that is served at present, and knows who the sandbox is. */
export class WorldKeeper {
  private current: Identity;
  /** `undefined` only while the old one makes room for a new one. */
  private present: Present | undefined;

  /** Opens the world that is in the database, or makes a new one. @throws StoreError where it cannot be read */
  constructor(
    readonly database: Database,
    private readonly options: Arguments,
    private readonly log: (message: string) => void,
  ) {
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

  /**
   * Throws the world away and makes a new one, from that seed or from the same. Key, owner and settings stay. Killed meanwhile,
   * the next start makes the new one.
   * @throws CommitError where the old one is gone and the new one could not be made
   */
  reset(seed = this.current.seed): void {
    const { speed } = this.world.market;
    const { indexingLagMs } = this.world.settings.current;
    this.current = renewIdentity(this.database, { ...this.current, seed });
    this.present = undefined;
    try {
      this.present = this.open(speed, indexingLagMs);
    } catch (error) {
      throw new CommitError(`There is no world any more: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
  }

  /** @throws CommitError after a reset that failed: see there */
  private get served(): Present {
    if (this.present === undefined) {
      throw new CommitError('There is no world any more');
    }
    return this.present;
  }

  private open(priceSpeed: number, indexingLagMs: number): Present {
    const clock = new Clock(this.database);
    const { protocol } = this.options;
    const world = openWorld({
      database: this.database,
      seed: this.current.seed,
      now: clock.now,
      owner: ownerOf(this.current),
      random: (byteCount) => new Uint8Array(randomBytes(byteCount)),
      protocols: { bins: protocol, product: `${protocol}${PRODUCT_ENDING}` },
      priceSpeed,
      log: this.log,
    });
    world.settings.change({ indexingLagMs });
    return { world, clock };
  }
}
