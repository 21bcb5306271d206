const LONGEST_KEY = 1_000;

/**
 * Trims a pasted API key. `undefined` if it can't be one: an HTTP header can carry only visible ASCII, and a key has no spaces.
 */
export function parseApiKey(text: string): string | undefined {
  const key = text.trim();
  return key.length <= LONGEST_KEY && /^[\x21-\x7e]+$/.test(key) ? key : undefined;
}

/** Shorter secrets are not redacted: they would be found in ordinary words. */
const SHORTEST_SECRET = 8;

/**
 * A pattern for one character of a secret in any form: literal, as a JSON escape (`\u0061`, `\/`), or percent-encoded (`%61`). A backslash may
 * itself be escaped, where JSON is quoted within JSON. Repetitions are bounded to keep matching fast.
 */
function formsOf(character: string): string {
  const code = character.charCodeAt(0);
  const hex = code.toString(16);
  const literal = character.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  const anyCase = (digits: string): string => digits.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
  const escaped = /["\\/]/.test(character) ? `|\\\\{1,8}${literal}` : '';
  const encoded = code < 0x80 ? `|%(?:25){0,4}${anyCase(hex.padStart(2, '0'))}` : '';
  return `(?:${literal}|\\\\{1,8}u${anyCase(hex.padStart(4, '0'))}${escaped}${encoded})`;
}

/**
 * A pattern that finds a secret even if some of its characters are escaped as in JSON or percent-encoded, or a line break was inserted.
 * `undefined` if the secret is too short to be redacted.
 */
function patternOfSecret(secret: string): RegExp | undefined {
  return secret.length < SHORTEST_SECRET
    ? undefined
    : new RegExp(
        Array.from({ length: secret.length }, (_, index) => formsOf(secret.charAt(index))).join('(?:\\\\{0,2}[\\r\\n]){0,4}'),
        'g',
      );
}

/** Returns a function that replaces a secret in a text, in any of its forms, by `instead`. */
export function redactorOf(secret: string, instead: string): (text: string) => string {
  const pattern = patternOfSecret(secret);
  return (text) => (pattern === undefined ? text : text.replace(pattern, () => instead));
}
