import { createPrivateKey, createPublicKey, randomBytes } from 'node:crypto';
import bs58 from 'bs58';
import * as z from 'zod';
import { addressFromBytes, type Address } from '../solana/address';
import { seededBytes } from './market/random';

/** Who the sandbox is: kept from the first start on. */
export const Identity = z.object({
  seed: z.int(),
  apiKey: z.string().min(1),
  /** 64 bytes, base58: the owner's key for pretend money. */
  secretKey: z.string().refine((text) => bs58.decodeUnsafe(text)?.length === KEY_BYTES, 'not a secret key'),
});
export type Identity = z.output<typeof Identity>;

const SEED_BYTES = 32;
const KEY_BYTES = 64;
/** What stands before an ed25519 seed in PKCS 8 (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** A new sandbox: the owner's key comes from the seed, the API key is nobody's guess. */
export function newIdentity(seed: number): Identity {
  const secret = seededBytes(seed, 'owner');
  const key = createPublicKey(createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, secret]), format: 'der', type: 'pkcs8' }));
  const publicKey = key.export({ format: 'der', type: 'spki' }).subarray(-SEED_BYTES);
  return { seed, apiKey: `sandbox_${randomBytes(24).toString('hex')}`, secretKey: bs58.encode(Buffer.concat([secret, publicKey])) };
}

/** The address of the owner. */
export function ownerOf(identity: Identity): Address {
  return addressFromBytes(bs58.decode(identity.secretKey).subarray(SEED_BYTES));
}
