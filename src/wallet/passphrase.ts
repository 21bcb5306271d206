/**
 * Who gets hold of a protected record can try passphrases on machines of their own, for as long as they like: shorter ones are
 * found even though each try costs a part of a second.
 */
export const SHORTEST_PASSPHRASE = 12;
/** Longer ones are not a passphrase but a mistake of the clipboard. */
const LONGEST_PASSPHRASE = 256;
/** "aaaaaaaaaaaa" is as long as asked for, and no secret. */
const LEAST_DIFFERENT = 5;

/** Says what keeps a text from being a new passphrase, in words for the user; `undefined`: nothing does. The text is not quoted. */
export function problemOfNewPassphrase(text: string): string | undefined {
  const characters = Array.from(text.normalize('NFKC'));
  if (characters.length === 0) {
    return 'Type a passphrase.';
  }
  if (text.trim() !== text) {
    return 'It begins or ends with a space, which is easily lost when it is typed or pasted again.';
  }
  if (characters.length < SHORTEST_PASSPHRASE) {
    return `At least ${SHORTEST_PASSPHRASE} characters (so far ${characters.length}): whoever gets hold of the stored key can try short ones by the million. Four or five random words are good, and easy to keep.`;
  }
  if (characters.length > LONGEST_PASSPHRASE) {
    return `At most ${LONGEST_PASSPHRASE} characters.`;
  }
  if (new Set(characters).size < LEAST_DIFFERENT) {
    return 'It repeats the same few characters, and is quickly found. Four or five random words are good, and easy to keep.';
  }
  return undefined;
}

/**
 * Gives the bytes that a key is derived from. The same letters typed on another system, or composed in another way, give the same bytes
 * (Unicode NFKC). Who asked for them overwrites them.
 */
export function passphraseBytes(text: string): Uint8Array {
  return new TextEncoder().encode(text.normalize('NFKC'));
}
