/** Base58 of 64 bytes. Nothing else that the service calls a signature may become part of a URL. */
const SIGNATURE = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/;

/** Returns the text if it is a transaction signature, and `undefined` otherwise. */
export function asSignature(text: string | undefined): string | undefined {
  return text !== undefined && SIGNATURE.test(text) ? text : undefined;
}

/** URL of a transaction in an explorer. */
export function explorerOfTransaction(signature: string): string {
  return `https://solscan.io/tx/${signature}`;
}

/** URL of an account in an explorer. */
export function explorerOfAccount(address: string): string {
  return `https://solscan.io/account/${address}`;
}
