import { createPrivateKey, createPublicKey, randomBytes } from 'node:crypto';
import bs58 from 'bs58';
import * as z from 'zod';
import { addressFromBytes, type Address } from '../base/solana/address';
import { seededBytes } from './market/random';
import type { Database } from './store/database';
import { putMeta, readMeta, writeMeta } from './store/meta';

/** Who the sandbox is: kept from the first start on. */
const Identity = z.object({
  /** What its world was made from. */
  seed: z.int(),
  apiKey: z.string().min(1),
  /** 64 bytes, base58: the owner's key for pretend money. */
  secretKey: z.string().refine((text) => bs58.decodeUnsafe(text)?.length === KEY_BYTES, 'not a secret key'),
});
export type Identity = z.output<typeof Identity>;

const Table = z.object({ name: z.string() });

const NAME = 'identity';
const SEED_BYTES = 32;
const KEY_BYTES = 64;
/** What stands before an ed25519 seed in PKCS 8 (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The identity that is kept; where there is none, a new one from `seed`, kept from now on. `apiKey`: to be used from now on. @throws StoreError */
export function keptIdentity(
  database: Database,
  { seed, apiKey }: { readonly seed: number; readonly apiKey: string | undefined },
): Identity {
  const kept = readMeta(database, NAME, Identity);
  const identity = { ...(kept ?? newIdentity(seed)), ...(apiKey === undefined ? {} : { apiKey }) };
  if (kept?.apiKey !== identity.apiKey) {
    writeMeta(database, NAME, identity);
  }
  return identity;
}

/** Empties the database but for who the sandbox is from now on: all of that, or nothing of it. Gives that identity. */
export function renewIdentity(database: Database, identity: Identity): Identity {
  const tables = database.all(Table, "SELECT name FROM sqlite_master WHERE type = 'table'");
  database.transaction(() => {
    tables.forEach(({ name }) => database.run(`DELETE FROM "${name}"`));
    putMeta(database, NAME, identity);
  });
  return identity;
}

/** A new sandbox: the owner's key comes from the seed, the API key is nobody's guess. */
function newIdentity(seed: number): Identity {
  const secret = seededBytes(seed, 'owner');
  const key = createPublicKey(createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, secret]), format: 'der', type: 'pkcs8' }));
  const publicKey = key.export({ format: 'der', type: 'spki' }).subarray(-SEED_BYTES);
  return { seed, apiKey: `sandbox_${randomBytes(24).toString('hex')}`, secretKey: bs58.encode(Buffer.concat([secret, publicKey])) };
}

/** The address of the owner. */
export function ownerOf(identity: Identity): Address {
  return addressFromBytes(bs58.decode(identity.secretKey).subarray(SEED_BYTES));
}
