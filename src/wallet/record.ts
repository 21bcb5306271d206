import bs58 from 'bs58';
import { parseAddress, type Address } from '../base/solana/address';
import { KeyError } from './errors';
import { keyFromSeed, SEED_BYTES, wipe, type SecretKeyMaterial } from './keys';
import { isPayable, NONCE_BYTES, SALT_BYTES, seal, TAG_BYTES, unseal, type SealedSeed } from './sealing';

/** A stored key, read and not opened. */
export interface StoredKey {
  readonly address: Address;
  /** A passphrase opens it, and nothing else. */
  readonly isProtected: boolean;
  /**
   * Gives the key, which the caller wipes. Takes some 0.2 s with a passphrase.
   * @param passphrase not looked at where the key is not protected
   * @throws KeyError `wrongPassphrase`, `badRecord` or `sealing`
   */
  open(passphrase?: string): Promise<SecretKeyMaterial>;
}

/** Version 1 knew no passphrases; its records are those of version 2 without one. */
const VERSION = 2;
const READABLE: readonly unknown[] = [1, VERSION];
const KDF = 'scrypt';
/** A record has some 350 characters. */
const LONGEST_RECORD = 4_096;

type Fields = Readonly<Record<string, unknown>>;

/** Writes a key, without a passphrase, as the text that is kept in SecretStorage and nowhere else. */
export function writeRecord({ address, seed }: SecretKeyMaterial): string {
  return JSON.stringify({ v: VERSION, address, seed: bs58.encode(seed) });
}

/**
 * Writes a key under a passphrase: AES-256-GCM with a key that scrypt derives, salt and nonce made for this record, its version and
 * address authenticated. The record is opened once before it is given out.
 * @throws KeyError `sealing` where the machine cannot do it.
 */
export async function writeProtectedRecord({ address, seed }: SecretKeyMaterial, passphrase: string): Promise<string> {
  const { cost, salt, nonce, box } = await seal(seed, passphrase, VERSION, address);
  const record = JSON.stringify({ v: VERSION, address, kdf: KDF, ...cost, salt: base64(salt), nonce: base64(nonce), box: base64(box) });
  // The key may have no other copy on this machine: what does not open again must never take its place.
  const again = await readRecord(record).open(passphrase);
  const isSame = again.address === address && again.seed.every((byte, index) => byte === seed[index]);
  wipe(again);
  if (!isSame) {
    throw new KeyError('sealing');
  }
  return record;
}

/**
 * Reads what {@link writeRecord} or {@link writeProtectedRecord} wrote; an open record's address must be the one that its seed gives.
 * @throws KeyError `newerRecord` for records of a later version, `badRecord` for anything else. Never with a part of the text.
 */
export function readRecord(text: string): StoredKey {
  const fields = parsed(text);
  const version = fields['v'];
  if (!READABLE.includes(version)) {
    throw new KeyError(typeof version === 'number' && Number.isInteger(version) && version > VERSION ? 'newerRecord' : 'badRecord');
  }
  const address = typeof fields['address'] === 'string' ? parseAddress(fields['address']) : undefined;
  if (address === undefined) {
    throw new KeyError('badRecord');
  }
  if (version === VERSION && 'kdf' in fields) {
    const sealed = sealedOf(fields);
    return {
      address,
      isProtected: true,
      open: async (passphrase = '') => ownKey(await unseal(sealed, passphrase, VERSION, address), address),
    };
  }
  wipe(plainKey(fields, address));
  return { address, isProtected: false, open: () => Promise.resolve(plainKey(fields, address)) };
}

function plainKey(fields: Fields, address: Address): SecretKeyMaterial {
  const { seed } = fields;
  const bytes = typeof seed === 'string' && hasOnly(fields, 3) ? bs58.decodeUnsafe(seed) : undefined;
  if (bytes === undefined) {
    throw new KeyError('badRecord');
  }
  return ownKey(bytes, address);
}

/** Gives the key of these bytes, which are overwritten. */
function ownKey(bytes: Uint8Array, address: Address): SecretKeyMaterial {
  try {
    const material = bytes.length === SEED_BYTES ? keyFromSeed(bytes) : undefined;
    if (material?.address !== address) {
      if (material !== undefined) {
        wipe(material);
      }
      throw new KeyError('badRecord');
    }
    return material;
  } finally {
    bytes.fill(0);
  }
}

function sealedOf(fields: Fields): SealedSeed {
  const { n, r, p } = fields;
  const salt = bytesOf(fields['salt'], SALT_BYTES);
  const nonce = bytesOf(fields['nonce'], NONCE_BYTES);
  const box = bytesOf(fields['box'], SEED_BYTES + TAG_BYTES);
  if (
    fields['kdf'] !== KDF ||
    !hasOnly(fields, 9) ||
    typeof n !== 'number' ||
    typeof r !== 'number' ||
    typeof p !== 'number' ||
    !isPayable({ n, r, p })
  ) {
    throw new KeyError('badRecord');
  }
  return { cost: { n, r, p }, salt, nonce, box };
}

function hasOnly(fields: Fields, count: number): boolean {
  return Object.keys(fields).length === count;
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

function bytesOf(value: unknown, length: number): Uint8Array {
  const bytes = typeof value === 'string' ? new Uint8Array(Buffer.from(value, 'base64')) : new Uint8Array();
  if (bytes.length !== length || base64(bytes) !== value) {
    throw new KeyError('badRecord');
  }
  return bytes;
}

/** The parser's message would quote the secret, so it is not passed on. */
function parsed(text: string): Fields {
  try {
    const value: unknown = text.length <= LONGEST_RECORD ? JSON.parse(text) : undefined;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Fields;
    }
  } catch {
    // Refused below.
  }
  throw new KeyError('badRecord');
}
