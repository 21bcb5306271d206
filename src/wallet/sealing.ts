import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import type { Address } from '../base/solana/address';
import { KeyError } from './errors';
import { passphraseBytes } from './passphrase';

/** What scrypt is told (RFC 7914): cost N (a power of two), block size r, and p rounds of it. */
export interface ScryptCost {
  readonly n: number;
  readonly r: number;
  readonly p: number;
}

/** A secret that only the passphrase opens. */
export interface SealedSeed {
  readonly cost: ScryptCost;
  /** 32 bytes, made for this one sealing. */
  readonly salt: Uint8Array;
  /** 12 bytes, made for this one sealing. */
  readonly nonce: Uint8Array;
  /** The seed in AES-256-GCM, and its 16 bytes of authentication behind it. */
  readonly box: Uint8Array;
}

/** 64 MiB and 0.2 s on an ordinary machine of today, each time that a passphrase is tried. */
export const SCRYPT_COST: ScryptCost = { n: 2 ** 16, r: 8, p: 1 };

export const SALT_BYTES = 32;
export const NONCE_BYTES = 12;
export const TAG_BYTES = 16;
const KEY_BYTES = 32;

const CIPHER = 'aes-256-gcm';

/** A record that asks for less than this was not written by any version of Binsight. */
const LEAST_N = 2 ** 14;
/** What is read must not exhaust memory or time, whoever wrote it: 128 MiB, and about a second. */
const MOST_MEMORY_BYTES = 128 * 1024 * 1024;
const MOST_WORK = 2 ** 22;
/** Some versions of OpenSSL and BoringSSL count a little more than the formula says. */
const MEMORY_SLACK_BYTES = 1024 * 1024;

/** Whether a cost is one that may be paid: neither so low that it protects nothing nor so high that it takes the machine down. */
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
 * Seals a seed under a passphrase. It runs off the main thread.
 * @param version of the record; bound to the result together with `address`, so that a box does not open in another record.
 * @throws KeyError `sealing` where the machine cannot do it.
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
 * Opens what {@link seal} made; the caller overwrites the bytes.
 * @throws KeyError `wrongPassphrase`, also where the box was tampered with: the two cannot be told apart; `sealing` where the
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
    // Throws unless passphrase, box and context all fit.
    decipher.final();
    return Uint8Array.from(opened);
  } catch {
    throw new KeyError('wrongPassphrase');
  } finally {
    key.fill(0);
    opened?.fill(0);
  }
}

/** What scrypt fills (RFC 7914 §5): the blocks of N, and those of p. */
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
      // Too little memory, by Node's own reckoning.
      done(new Error(), undefined);
    }
  });
}

/** What the box is bound to. */
function context(version: number, address: Address): Buffer {
  return Buffer.from(`binsight.wallet v${version} ${address}`, 'utf8');
}
