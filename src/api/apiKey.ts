const LONGEST_KEY = 1_000;

/**
 * Gives what was pasted as an API key, without the space around it, or `undefined` where it cannot be one: an HTTP header
 * carries visible ASCII only, and a key has no space in it.
 */
export function parseApiKey(text: string): string | undefined {
  const key = text.trim();
  return key.length <= LONGEST_KEY && /^[\x21-\x7e]+$/.test(key) ? key : undefined;
}
