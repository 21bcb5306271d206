/**
 * Writes a text from a transaction so that it cannot pass for anything else: in quotes, with everything but printable
 * ASCII, the characters that Markdown would act on, and those that make an address a link, escaped.
 */
export function quotedAscii(text: string): string {
  const escaped = text.replace(/[^\x20-\x7e]|["\\`*_<>[\]|#]|:(?=\/\/)|(?<=\bwww)\./giu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u{${code.toString(16)}}`;
  });
  return `"${escaped}"`;
}
