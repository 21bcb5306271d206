import bs58 from 'bs58';
import { KeyError } from './errors';
import { keyFromSeed, SEED_BYTES, wipe, type SecretKeyMaterial } from './keys';

const VERSION = 1;

/** Writes a key as the text that is kept in SecretStorage, and nowhere else. */
export function writeRecord({ address, seed }: SecretKeyMaterial): string {
  return JSON.stringify({ v: VERSION, address, seed: bs58.encode(seed) });
}

/**
 * Reads what {@link writeRecord} wrote; the address must be the one that the seed gives.
 * @throws KeyError `badRecord` for anything else, also for records of a later version.
 */
export function readRecord(text: string): SecretKeyMaterial {
  const seed = seedOf(text);
  try {
    const material = keyFromSeed(seed.bytes);
    if (material.address !== seed.address) {
      wipe(material);
      throw new KeyError('badRecord');
    }
    return material;
  } finally {
    seed.bytes.fill(0);
  }
}

function seedOf(text: string): { readonly address: string; readonly bytes: Uint8Array } {
  const record = parsed(text);
  const isRecord = typeof record === 'object' && record !== null && 'v' in record && 'address' in record && 'seed' in record;
  if (!isRecord || record.v !== VERSION || Object.keys(record).length !== 3) {
    throw new KeyError('badRecord');
  }
  const { address, seed } = record;
  const bytes = typeof seed === 'string' ? bs58.decodeUnsafe(seed) : undefined;
  if (typeof address !== 'string' || bytes?.length !== SEED_BYTES) {
    throw new KeyError('badRecord');
  }
  return { address, bytes };
}

/** The parser's message would quote the secret, so it is not passed on. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new KeyError('badRecord');
  }
}
