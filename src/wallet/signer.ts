import * as l10n from '@vscode/l10n';
import { type Address, addressFromBytes } from '../base/solana/address';
import type { Base64Transaction } from '../base/solana/wireTransaction';
import { errorText } from '../base/thrown';
import type { ReviewedTransaction, SignReviewed } from '../review/types';
import { SigningError, unusableText } from './errors';
import { publicKeyOf, SEED_BYTES, signWithSeed } from './keys';

/** Signs for one wallet without exposing its key. */
export interface Signer {
  readonly owner: Address;
  /**
   * Signs all transactions or none, in order.
   * @throws SigningError if one cannot be signed: reviewed for another wallet, already signed, or changed since its review.
   */
  sign(transactions: readonly ReviewedTransaction[]): Promise<readonly Base64Transaction[]>;
}

export interface SignerOptions {
  readonly owner: Address;
  /** Fetches the seed (32 bytes) for one signing; the signer overwrites the bytes. `undefined`: there is no key. */
  readonly readSeed: () => Promise<Uint8Array | undefined>;
  /**
   * `signReviewed` of the review. Only it can open a reviewed transaction, so a forged one is rejected before the key is used.
   */
  readonly signReviewed: SignReviewed;
  /** Current time in milliseconds since 1970, since a review expires. */
  readonly nowMs: () => number;
}

/** Creates a signer that reads the key only while it signs. */
export function createSigner({ owner, readSeed, signReviewed, nowMs }: SignerOptions): Signer {
  return {
    owner,
    sign: async (transactions) => {
      const seed = await readSeed();
      if (seed === undefined) {
        throw new SigningError('noKey', l10n.t`There is no key for ${owner}. Nothing was signed. Import it from your backup.`);
      }
      try {
        assertKeyOf(owner, seed);
        // Read the clock once, after the key was fetched: either all reviews are still valid, or nothing is signed.
        const now = nowMs();
        return transactions.map((transaction) => signReviewed(transaction, owner, (message) => signWithSeed(seed, message), now));
      } catch (error) {
        throw error instanceof SigningError ? error : signingError(error);
      } finally {
        seed.fill(0);
      }
    },
  };
}

function assertKeyOf(owner: Address, seed: Uint8Array): void {
  if (seed.length !== SEED_BYTES || addressFromBytes(publicKeyOf(seed)) !== owner) {
    throw new SigningError('otherKey', unusableText());
  }
}

function signingError(error: unknown): SigningError {
  return new SigningError('refused', l10n.t`Nothing was signed, and nothing was sent. ${errorText(error)}`, error);
}
