declare const base64TransactionBrand: unique symbol;

/** Wire bytes of a transaction as canonical base64 text. What it does is not known yet: only `review` says that. */
export type Base64Transaction = string & { readonly [base64TransactionBrand]: true };

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Gives `text` as base64 of a transaction, or `undefined` where it is empty or not canonical base64 (policy DEC-1). */
export function parseBase64Transaction(text: string): Base64Transaction | undefined {
  if (text === '' || !BASE64.test(text) || Buffer.from(text, 'base64').toString('base64') !== text) {
    return undefined;
  }
  return text as Base64Transaction;
}

/** Gives wire bytes as base64 text. */
export function base64FromBytes(bytes: Uint8Array): Base64Transaction {
  return Buffer.from(bytes).toString('base64') as Base64Transaction;
}

/** Gives the wire bytes of a transaction, as a copy that nobody else holds. */
export function bytesFromBase64(of: Base64Transaction): Uint8Array {
  return new Uint8Array(Buffer.from(of, 'base64'));
}
