import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import type { Address } from '../base/solana/address';
import { KeyError } from './errors';
import { passphraseBytes } from './passphrase';

/** Parameters of scrypt (RFC 7914): cost N (a power of two), block size r, parallelization p. */
export interface ScryptCost {
  readonly n: number;
  readonly r: number;
  readonly p: number;
}

/** An encrypted seed. */
export interface SealedSeed {
  readonly cost: ScryptCost;
  /** 32 bytes, random for each encryption. */
  readonly salt: Uint8Array;
  /** 12 bytes, random for each encryption. */
  readonly nonce: Uint8Array;
  /** The seed encrypted with AES-256-GCM, followed by the 16-byte authentication tag. */
  readonly box: Uint8Array;
}

/** Takes 64 MiB and about 0.2 s per try on an ordinary machine of 2026. */
export const SCRYPT_COST: ScryptCost = { n: 2 ** 16, r: 8, p: 1 };

export const SALT_BYTES = 32;
export const NONCE_BYTES = 12;
export const TAG_BYTES = 16;
const KEY_BYTES = 32;

const CIPHER = 'aes-256-gcm';

/** No version of Binsight has written records with a lower cost. */
const LEAST_N = 2 ** 14;
/** Limits of memory and time (about a second) for a record, which may be forged. */
const MOST_MEMORY_BYTES = 128 * 1024 * 1024;
const MOST_WORK = 2 ** 22;
/** Some versions of OpenSSL and BoringSSL require slightly more memory than the formula gives. */
const MEMORY_SLACK_BYTES = 1024 * 1024;

/** Checks the cost in a record: not so low that it protects nothing, nor so high that it exhausts the machine. */
export function isPayable({ n, r, p }: ScryptCost): boolean {
  const isWhole = [n, r, p].every((value) => Number.isSafeInteger(value) && value >= 1);
  return (
    isWhole &&
    n >= LEAST_N &&
    Number.isInteger(Math.log2(n)) &&
    r >= 8 &&
    memoryBytes({ n, r, p }) <= MOST_MEMORY_BYTES &&
    n * r * p <= MOST_WORK
  );
}

/**
 * Encrypts a seed with a passphrase. The key derivation runs off the main thread.
 * @param version version of the record. Authenticated together with `address`, so a box cannot be moved to another record.
 * @throws KeyError `sealing` if the machine cannot do it.
 */
export async function seal(seed: Uint8Array, passphrase: string, version: number, address: Address): Promise<SealedSeed> {
  const salt = new Uint8Array(randomBytes(SALT_BYTES));
  const nonce = new Uint8Array(randomBytes(NONCE_BYTES));
  const key = await derive(passphrase, salt, SCRYPT_COST);
  try {
    const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(context(version, address));
    const box = Buffer.concat([cipher.update(seed), cipher.final(), cipher.getAuthTag()]);
    return { cost: SCRYPT_COST, salt, nonce, box: new Uint8Array(box) };
  } catch {
    throw new KeyError('sealing');
  } finally {
    key.fill(0);
  }
}

/**
 * Decrypts the result of {@link seal}. The caller overwrites the bytes.
 * @throws KeyError `wrongPassphrase`, also for a box that was tampered with, since the two cannot be told apart; `sealing` if the
 * machine cannot do it.
 */
export async function unseal(
  { cost, salt, nonce, box }: SealedSeed,
  passphrase: string,
  version: number,
  address: Address,
): Promise<Uint8Array> {
  if (!isPayable(cost) || box.length <= TAG_BYTES) {
    throw new KeyError('badRecord');
  }
  const key = await derive(passphrase, salt, cost);
  let opened: Buffer | undefined;
  try {
    const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(context(version, address));
    decipher.setAuthTag(box.subarray(-TAG_BYTES));
    opened = decipher.update(box.subarray(0, -TAG_BYTES));
    // Throws unless passphrase, box and context match.
    decipher.final();
    return Uint8Array.from(opened);
  } catch {
    throw new KeyError('wrongPassphrase');
  } finally {
    key.fill(0);
    opened?.fill(0);
  }
}

/** Memory that scrypt fills (RFC 7914 §5): the blocks of N and those of p. */
function memoryBytes({ n, r, p }: ScryptCost): number {
  return 128 * r * (n + p + 2);
}

function derive(passphrase: string, salt: Uint8Array, cost: ScryptCost): Promise<Uint8Array> {
  const bytes = passphraseBytes(passphrase);
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, key: Buffer | undefined) => {
      bytes.fill(0);
      if (error !== null || key === undefined) {
        reject(new KeyError('sealing'));
      } else {
        resolve(key);
      }
    };
    try {
      scrypt(bytes, salt, KEY_BYTES, { N: cost.n, r: cost.r, p: cost.p, maxmem: memoryBytes(cost) + MEMORY_SLACK_BYTES }, done);
    } catch {
      // Node rejects parameters that need more memory than `maxmem`.
      done(new Error(), undefined);
    }
  });
}

/** The authenticated data of the box. */
function context(version: number, address: Address): Buffer {
  return Buffer.from(`binsight.wallet v${version} ${address}`, 'utf8');
}
