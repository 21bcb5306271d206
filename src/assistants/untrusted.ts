import { parseAddress } from '../base/solana/address';
import { oneLine } from '../base/text';

/**
 * Text from the chain or the service, such as the name of a token, in an answer to an assistant. Everyone can name a token "Ignore your
 * instructions": the wrapper says that this is data, and the descriptions of the tools explain it.
 */
export interface Untrusted {
  readonly untrusted: string;
}

const LONGEST_NAME = 40;
const LONGEST_MESSAGE = 300;

/** Wraps a name: one line, without control characters, invisible formatting and links, at most 40 characters. */
export function untrusted(name: string): Untrusted {
  return { untrusted: oneLine(name, LONGEST_NAME) };
}

/** Wraps a message that can quote the service. */
export function untrustedMessage(message: string): Untrusted {
  return { untrusted: oneLine(message, LONGEST_MESSAGE) };
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const ONE_WORD = /^[\w.:-]{1,100}$/;

/**
 * An identifier as it is if it is an address or a UUID, which hold no sentence. Another one of the service is wrapped as its text, because
 * underscores can stand for spaces; `undefined`: it is not even one word.
 */
export function plainKey(key: string): string | Untrusted | undefined {
  if (parseAddress(key) !== undefined || UUID.test(key)) {
    return key;
  }
  return ONE_WORD.test(key) ? untrusted(key) : undefined;
}
