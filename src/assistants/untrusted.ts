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

const PLAIN_KEY = /^[\w.:-]{1,100}$/;

/** An identifier that is safe to show as it is; `undefined`: it holds other characters, or is too long. */
export function plainKey(key: string | undefined): string | undefined {
  return key !== undefined && PLAIN_KEY.test(key) ? key : undefined;
}
