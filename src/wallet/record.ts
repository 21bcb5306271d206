import bs58 from 'bs58';
import { parseAddress, type Address } from '../base/solana/address';
import { KeyError } from './errors';
import { keyFromSeed, SEED_BYTES, wipe, type SecretKeyMaterial } from './keys';
import { isPayable, NONCE_BYTES, SALT_BYTES, seal, TAG_BYTES, unseal, type SealedSeed } from './sealing';

/** A stored key, parsed but not decrypted. */
export interface StoredKey {
  readonly address: Address;
  /** True if the key is encrypted with a passphrase. */
  readonly isProtected: boolean;
  /**
   * Returns the key, which the caller wipes. Takes about 0.2 s with a passphrase.
   * @param passphrase ignored if the key is not protected
   * @throws KeyError `wrongPassphrase`, `badRecord` or `sealing`
   */
  open(passphrase?: string): Promise<SecretKeyMaterial>;
}

/** Nothing was published with an earlier one. */
const VERSION = 2;
const KDF = 'scrypt';
/** Characters. A record has about 350. */
const LONGEST_RECORD = 4_096;

type Fields = Readonly<Record<string, unknown>>;

/** Writes a key without a passphrase. The record is stored in SecretStorage only. */
export function writeRecord({ address, seed }: SecretKeyMaterial): string {
  return JSON.stringify({ v: VERSION, address, seed: bs58.encode(seed) });
}

/**
 * Encrypts a key with a passphrase: AES-256-GCM with a key derived by scrypt, a fresh salt and nonce, and version and address as
 * authenticated data. The record is decrypted once as a check before it is returned.
 * @throws KeyError `sealing` if encryption fails, for example for lack of memory.
 */
export async function writeProtectedRecord({ address, seed }: SecretKeyMaterial, passphrase: string): Promise<string> {
  const { cost, salt, nonce, box } = await seal(seed, passphrase, VERSION, address);
  const record = JSON.stringify({ v: VERSION, address, kdf: KDF, ...cost, salt: base64(salt), nonce: base64(nonce), box: base64(box) });
  // The key may have no other copy on this machine, so a record that can't be opened must never replace it.
  const again = await readRecord(record).open(passphrase);
  const isSame = again.address === address && again.seed.every((byte, index) => byte === seed[index]);
  wipe(again);
  if (!isSame) {
    throw new KeyError('sealing');
  }
  return record;
}

/**
 * Reads what {@link writeRecord} or {@link writeProtectedRecord} wrote. The address of an unprotected record must match its seed.
 * @throws KeyError `newerRecord` for records of a later version, `badRecord` for anything else; never with a part of the text.
 */
export function readRecord(text: string): StoredKey {
  const fields = parsed(text);
  const version = fields['v'];
  if (version !== VERSION) {
    throw new KeyError(typeof version === 'number' && Number.isInteger(version) && version > VERSION ? 'newerRecord' : 'badRecord');
  }
  const address = typeof fields['address'] === 'string' ? parseAddress(fields['address']) : undefined;
  if (address === undefined) {
    throw new KeyError('badRecord');
  }
  if ('kdf' in fields) {
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

/** Returns the key of a seed, which must belong to `address`. The bytes are overwritten. */
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

/** Parses a record. The parser's error is dropped: it would quote the secret. */
function parsed(text: string): Fields {
  try {
    const value: unknown = text.length <= LONGEST_RECORD ? JSON.parse(text) : undefined;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Fields;
    }
  } catch {
    // Rejected below.
  }
  throw new KeyError('badRecord');
}
