import type { Address } from '../solana/address';
import type { Base64Transaction } from '../solana/base64Transaction';
import type { ReviewedTransaction } from '../review/types';

/** Signs for one owner. The key behind it is never seen by who holds the signer. */
export interface Signer {
  readonly owner: Address;
  /**
   * Signs all of them or none, in order.
   * @throws SigningError where one cannot be signed (another owner's, already signed, changed since its review).
   */
  sign(transactions: readonly ReviewedTransaction[]): Promise<readonly Base64Transaction[]>;
}
