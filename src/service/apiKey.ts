const LONGEST_KEY = 1_000;

/**
 * Gives what was pasted as an API key, without the space around it, or `undefined` where it cannot be one: an HTTP header
 * carries visible ASCII only, and a key has no space in it.
 */
export function parseApiKey(text: string): string | undefined {
  const key = text.trim();
  return key.length <= LONGEST_KEY && /^[\x21-\x7e]+$/.test(key) ? key : undefined;
}

/** Shorter secrets are not looked for: they would be found in ordinary words. */
const SHORTEST_SECRET = 8;

/**
 * One character of a secret in any of the forms in which it may stand in a text: as it is, as a JSON escape (`\u0061`, `\/`), or percent-encoded
 * (`%61`). A backslash may itself be escaped, where JSON is quoted within JSON. Repetitions are bounded, so that no text takes long.
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
 * Gives a pattern that finds a secret also where some of its characters are escaped as in JSON or percent-encoded, and where a line was broken
 * within it. `undefined`: it is too short to be looked for.
 */
export function patternOfSecret(secret: string): RegExp | undefined {
  return secret.length < SHORTEST_SECRET
    ? undefined
    : new RegExp(
        Array.from({ length: secret.length }, (_, index) => formsOf(secret.charAt(index))).join('(?:\\\\{0,2}[\\r\\n]){0,4}'),
        'g',
      );
}

/** Gives what takes a secret out of a text, in whichever form it stands there. */
export function redactorOf(secret: string, instead: string): (text: string) => string {
  const pattern = patternOfSecret(secret);
  return (text) => (pattern === undefined ? text : text.replace(pattern, () => instead));
}
