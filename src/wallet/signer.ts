import * as l10n from '@vscode/l10n';
import { type Address, addressFromBytes } from '../base/solana/address';
import type { Base64Transaction } from '../base/solana/base64Transaction';
import type { ReviewedTransaction, SignReviewed } from '../review/types';
import { SigningError } from './errors';
import { publicKeyOf, SEED_BYTES, signWithSeed } from './keys';

/** Signs for one owner. The key behind it is never seen by who holds the signer. */
export interface Signer {
  readonly owner: Address;
  /**
   * Signs all of them or none, in order.
   * @throws SigningError where one cannot be signed (another owner's, already signed, changed since its review).
   */
  sign(transactions: readonly ReviewedTransaction[]): Promise<readonly Base64Transaction[]>;
}

/** What a signer needs. */
export interface SignerOptions {
  /** Whose signatures it makes. */
  readonly owner: Address;
  /** Fetches the seed (32 bytes), for one signing; the signer overwrites the bytes that it gets. `undefined`: there is no key. */
  readonly readSeed: () => Promise<Uint8Array | undefined>;
  /**
   * `signReviewed` of the review: it alone opens reviewed transactions, so that a value which only pretends to be one is
   * refused before the key is used.
   */
  readonly signReviewed: SignReviewed;
  /** The time, milliseconds since 1970: a review counts for a short while only. */
  readonly nowMs: () => number;
}

/** Makes a signer that reads the key only while it signs, and signs all transactions or none. */
export function createSigner({ owner, readSeed, signReviewed, nowMs }: SignerOptions): Signer {
  return {
    owner,
    sign: async (transactions) => {
      const seed = await readSeed();
      if (seed === undefined) {
        throw new SigningError(
          'noKey',
          l10n.t`There is no secret key for ${owner}. Nothing was signed. Import the key of this wallet first.`,
        );
      }
      try {
        assertKeyOf(owner, seed);
        // Asked once, when the key is at hand: either all of them are still valid, or none is signed.
        const now = nowMs();
        return transactions.map((transaction) => signReviewed(transaction, owner, (message) => signWithSeed(seed, message), now));
      } catch (error) {
        throw error instanceof SigningError ? error : refusal(error);
      } finally {
        seed.fill(0);
      }
    },
  };
}

function assertKeyOf(owner: Address, seed: Uint8Array): void {
  if (seed.length !== SEED_BYTES || addressFromBytes(publicKeyOf(seed)) !== owner) {
    throw new SigningError(
      'otherKey',
      l10n.t`The stored key is not the one of ${owner}. Nothing was signed. Import the key of this wallet again.`,
    );
  }
}

function refusal(error: unknown): SigningError {
  const reason = error instanceof Error ? error.message : l10n.t('It could not be signed.');
  return new SigningError('refused', l10n.t`Nothing was signed, and nothing was sent. ${reason}`, error);
}
