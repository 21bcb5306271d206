import { createPublicKey, randomBytes } from 'node:crypto';
import bs58 from 'bs58';
import * as z from 'zod';
import { type Address, addressFromBytes } from '../base/solana/address';
import { RentRate } from '../base/solana/rent';
import { errorText } from '../base/thrown';
import { DAY_MS } from '../base/time';
import { type SandboxOptions, PRODUCT_PROTOCOL_SUFFIX } from './arguments';
import { ed25519PrivateKey } from '../base/solana/ed25519PrivateKey';
import { Stranger } from './hostile/stranger';
import type { SettingValues } from './market/engine/settings';
import { openWorld, type World } from './market/engine/world';
import { seededBytes } from './market/random';
import { isDamage, setStoreAside } from '../engine/store/storeDamage';
import { CommitError } from '../engine/store/sqliteStore';
import { Database, storeFile } from './store/database';
import { putMeta, readMeta, writeMeta } from './store/meta';

/** Identity of the sandbox, stored at the first start. */
const Identity = z.object({
  /** Seed of the world. */
  seed: z.int(),
  apiKey: z.string().min(1),
  /** 64 bytes, base58: the owner's key for pretend money. */
  secretKey: z.string().refine((text) => bs58.decodeUnsafe(text)?.length === KEY_BYTES, 'not a secret key'),
});
type Identity = z.output<typeof Identity>;

const Table = z.object({ name: z.string() });

const IDENTITY_KEY = 'identity';
const SEED_BYTES = 32;
const KEY_BYTES = 64;

/**
 * The stored identity, or a new one from `seed`, which is stored.
 * @param options `apiKey`: replaces the stored key
 * @throws StoreError if the stored identity can't be read
 */
function storedIdentity(database: Database, { seed, apiKey }: { readonly seed: number; readonly apiKey: string | undefined }): Identity {
  const kept = readMeta(database, IDENTITY_KEY, Identity);
  const identity = { ...(kept ?? newIdentity(seed)), ...(apiKey === undefined ? {} : { apiKey }) };
  if (kept?.apiKey !== identity.apiKey) {
    writeMeta(database, IDENTITY_KEY, identity);
  }
  return identity;
}

/** Deletes everything in the store and writes this identity, in one transaction. */
function replaceIdentity(database: Database, identity: Identity): Identity {
  const tables = database.all(Table, "SELECT name FROM sqlite_master WHERE type = 'table'");
  database.transaction(() => {
    tables.forEach(({ name }) => database.run(`DELETE FROM "${name}"`));
    putMeta(database, IDENTITY_KEY, identity);
  });
  return identity;
}

/** A new identity: the key of the owner is derived from the seed, the API key is random. */
function newIdentity(seed: number): Identity {
  const secret = seededBytes(seed, 'owner');
  const key = createPublicKey(ed25519PrivateKey(secret));
  const publicKey = key.export({ format: 'der', type: 'spki' }).subarray(-SEED_BYTES);
  return { seed, apiKey: `sandbox_${randomBytes(24).toString('hex')}`, secretKey: bs58.encode(Buffer.concat([secret, publicKey])) };
}

export function ownerOf(identity: Identity): Address {
  return addressFromBytes(bs58.decode(identity.secretKey).subarray(SEED_BYTES));
}

const Skipped = z.object({ skippedMs: z.number().min(0) });
const CLOCK_KEY = 'clock';

/** Time of the sandbox: real time plus the time skipped by the admin API, which is stored. */
class SandboxClock {
  #skippedMs: number;

  readonly #database: Database;
  readonly #realNow: () => number;

  constructor(database: Database, realNow: () => number = Date.now) {
    this.#database = database;
    this.#realNow = realNow;

    this.#skippedMs = readMeta(database, CLOCK_KEY, Skipped)?.skippedMs ?? 0;
  }

  /** Milliseconds since 1970. */
  readonly now = (): number => this.#realNow() + this.#skippedMs;

  /** Moves the clock, and stores that before anything uses the new time. */
  skip(ms: number): void {
    writeMeta(this.#database, CLOCK_KEY, { skippedMs: this.#skippedMs + ms });
    this.#skippedMs += ms;
  }
}

/** A world and its clock. */
interface HostedWorld {
  readonly world: World;
  readonly clock: SandboxClock;
}

/** Holds the present world and the identity of the sandbox. */
export class WorldHost {
  #store: Database;
  #isDamaged = false;
  #current: Identity;
  /** `undefined` only during a reset. */
  #present: HostedWorld | undefined;

  readonly #options: SandboxOptions;
  readonly #log: (message: string) => void;

  /** Opens the world in the database, or makes a new one. @throws StoreError if it can't be read */
  constructor(database: Database, options: SandboxOptions, log: (message: string) => void) {
    this.#options = options;
    this.#log = log;

    this.#store = database;
    this.#current = storedIdentity(database, options);
    if (this.#current.seed !== options.seed) {
      log(`The folder has a world with seed ${this.#current.seed}, which continues; seed ${options.seed} is ignored.`);
    }
    const rent = options.rentLamportsPerByte === undefined ? undefined : RentRate.ofLamportsPerByte(BigInt(options.rentLamportsPerByte));
    this.#present = this.#open(options.priceSpeed, options, options.slotMs, rent);
  }

  get world(): World {
    return this.#served.world;
  }

  get clock(): SandboxClock {
    return this.#served.clock;
  }

  get identity(): Identity {
    return this.#current;
  }

  /** The store of the present world. */
  get database(): Database {
    return this.#store;
  }

  /** Records that the store can't be read. @returns true the first time */
  noteDamage(): boolean {
    const isNew = !this.#isDamaged;
    this.#isDamaged = true;
    return isNew;
  }

  /**
   * Replaces the world by a new one, from that seed or from the same. Key, owner and settings stay. If the process is killed meanwhile,
   * the next start makes the new world. A store that can't be read is renamed, and a new one takes its place.
   * @throws CommitError if the old world is gone and the new one could not be made
   */
  reset(seed = this.#current.seed): void {
    const { speed } = this.world.market;
    const { slotMs, rent } = this.world.chain;
    const settings = this.world.settings.current;
    const identity = { ...this.#current, seed };
    const isEmpty = !this.#isDamaged && this.#isEmptied(identity);
    this.#present = undefined;
    try {
      if (!isEmpty) {
        this.#replaceStore(identity);
      }
      this.#current = identity;
      this.#present = this.#open(speed, settings, slotMs, rent);
    } catch (error) {
      throw new CommitError(`The old world is gone, and a new one could not be made: ${errorText(error)}`, { cause: error });
    }
  }

  /** Empties the store except for the identity. @returns false if the store is damaged */
  #isEmptied(identity: Identity): boolean {
    try {
      replaceIdentity(this.#store, identity);
      return true;
    } catch (error) {
      if (isDamage(error)) {
        return false;
      }
      throw error;
    }
  }

  #replaceStore(identity: Identity): void {
    const { data } = this.#options;
    try {
      this.#store.close();
    } catch (error) {
      // Unwritten changes are lost; the file stays unchanged.
      this.#log(`The damaged store could not be closed: ${firstLine(error)}`);
    }
    const aside = setStoreAside(storeFile(data), new Date());
    if (aside !== undefined) {
      this.#log(`The old world was set aside as ${aside}.`);
    }
    this.#store = Database.open(data);
    replaceIdentity(this.#store, identity);
    this.#isDamaged = false;
  }

  /** @throws CommitError after a failed {@link reset} */
  get #served(): HostedWorld {
    if (this.#present === undefined) {
      throw new CommitError('There is no world: the last reset failed');
    }
    return this.#present;
  }

  #open(priceSpeed: number, { indexingLagMs, transactions }: SettingValues, slotMs: number, rent: RentRate | undefined): HostedWorld {
    const clock = new SandboxClock(this.#store);
    const { protocol, pastDays } = this.#options;
    const world = openWorld({
      database: this.#store,
      seed: this.#current.seed,
      now: clock.now,
      owner: ownerOf(this.#current),
      random: (byteCount) => new Uint8Array(randomBytes(byteCount)),
      protocols: { bins: protocol, product: `${protocol}${PRODUCT_PROTOCOL_SUFFIX}` },
      priceSpeed,
      slotMs,
      rent,
      pastMs: pastDays * DAY_MS,
      outsider: (chain, vaultTransfers) => new Stranger(chain, vaultTransfers),
      log: this.#log,
    });
    world.settings.change({ indexingLagMs, transactions });
    const { lamportsPerByte } = world.chain.rent;
    if (rent !== undefined && rent.lamportsPerByte !== lamportsPerByte) {
      this.#log(
        `The world in the folder charges a rent of ${lamportsPerByte} lamports a byte, and keeps it; ${rent.lamportsPerByte} is ignored.`,
      );
    }
    return { world, clock };
  }
}

function firstLine(error: unknown): string {
  return errorText(error).split('\n', 1)[0] ?? '';
}
