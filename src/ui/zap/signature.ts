/** Base58 of 64 bytes. Whatever else the service calls a signature does not go into an address that is opened. */
const SIGNATURE = /^[1-9A-HJ-NP-Za-km-z]{64,90}$/;

/** Gives a transaction's signature as it is, where it looks like one; `undefined` for anything else. */
export function asSignature(text: string | undefined): string | undefined {
  return text !== undefined && SIGNATURE.test(text) ? text : undefined;
}
