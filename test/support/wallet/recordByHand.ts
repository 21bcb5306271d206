import { createCipheriv, scryptSync } from 'node:crypto';
import type { SecretKeyMaterial } from '../../../src/wallet/keys';
import type { ScryptCost } from '../../../src/wallet/sealing';

/** What is not as usual in a record. */
export interface RecordByHand {
  readonly cost?: ScryptCost;
  /** In the record; that of the key where it is absent. */
  readonly address?: string;
  /** What is authenticated; that of version 2 and the address where it is absent. */
  readonly context?: string;
}

/** The least cost that is accepted: tests try many passphrases. */
const LEAST_COST: ScryptCost = { n: 2 ** 14, r: 8, p: 1 };

/** A key under a passphrase, made with Node's own functions after the description of the record's form alone. */
export function recordByHand(
  { address: own, seed }: SecretKeyMaterial,
  passphrase: string,
  { cost = LEAST_COST, address = own, context = `binsight.wallet v2 ${address}` }: RecordByHand = {},
): Record<string, unknown> {
  const salt = Buffer.alloc(32, 1);
  const nonce = Buffer.alloc(12, 2);
  const key = scryptSync(passphrase.normalize('NFKC'), salt, 32, { N: cost.n, r: cost.r, p: cost.p, maxmem: 256 * 1024 * 1024 });
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
  const box = Buffer.concat([cipher.update(seed), cipher.final(), cipher.getAuthTag()]);
  return {
    v: 2,
    address,
    kdf: 'scrypt',
    ...cost,
    salt: salt.toString('base64'),
    nonce: nonce.toString('base64'),
    box: box.toString('base64'),
  };
}
