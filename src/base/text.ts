/**
 * Defuses the links in a foreign text: "https[:]//example.org", "/[/]example.org", "www[.]example.org", "a[@]example.org". VS Code turns bare
 * addresses in Markdown, documents and the log into links, and `[text](address)` in notifications too, where it may even run a command. The
 * name of a token or service must not become a link.
 */
export function withoutLinks(text: string): string {
  if (!/[:@]|\/\/|\]\(|www\./i.test(text)) {
    return text;
  }
  return (
    text
      .replace(/\](?=\()/g, '] ')
      .replace(/([a-z][a-z\d+.-]*):(?=\/\/)/gi, '$1[:]')
      // Without a scheme it is one in rendered Markdown.
      .replace(/(?<![\w:\]/])\/\/(?=\w)/g, '/[/]')
      .replace(/\b(command|file|mailto|vscode(?:-insiders)?|data|javascript):(?=\S)/gi, '$1[:]')
      .replace(/\b(www)\.(?=\S)/gi, '$1[.]')
      .replace(/([\w.+-])@(?=[\w-]+\.\w)/g, '$1[@]')
  );
}

/** Controls and invisible formatting, such as marks that reverse the direction; the joiner inside emoji (U+200D) may stay. */
const UNSEEN = /(?!\u200d)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu;

/** Text in which {@link oneLine} has nothing to change: most names. */
const PLAIN_WORDS = /^[A-Za-z0-9]+(?:[ /_-][A-Za-z0-9]+)*$/;

/**
 * Makes foreign text fit for one line of a list, a message or the log: without control characters, invisible formatting and links, with
 * single spaces, and with at most `longest` characters.
 */
export function oneLine(text: string, longest: number): string {
  if (text.length <= longest && PLAIN_WORDS.test(text)) {
    return text;
  }
  const characters = Array.from(
    withoutLinks(
      text
        .slice(0, 4 * longest)
        .replace(UNSEEN, ' ')
        .trim(),
    ),
  );
  return characters.length <= longest ? characters.join('') : `${characters.slice(0, longest - 1).join('')}…`;
}

/** "22.4 MiB", "64 MiB", "1000 bytes". */
export function sizeInWords(bytes: number): string {
  const [unit, name] = bytes >= 2 ** 20 ? [2 ** 20, 'MiB'] : bytes >= 10 * 2 ** 10 ? [2 ** 10, 'KiB'] : [1, 'bytes'];
  return `${Number((bytes / unit).toFixed(1))} ${name}`;
}

/** Quotes a value for a message: `"abc"`, `17`, `a list`. */
export function quoted(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return `"${oneLine(value, 40)}"`;
    case 'number':
    case 'boolean':
      return String(value);
    case 'undefined':
      return 'nothing';
    default:
      return value === null ? 'null' : Array.isArray(value) ? 'a list' : 'an object';
  }
}

/**
 * Quotes a text from a transaction so it can't be mistaken for anything else: everything except printable ASCII, characters with a meaning in
 * Markdown, and those that make an address a link are escaped.
 */
export function quotedAscii(text: string): string {
  const escaped = text.replace(/[^\x20-\x7e]|["\\`*_<>[\]|#]|:(?=\/\/)|(?<=\bwww)\./giu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u{${code.toString(16)}}`;
  });
  return `"${escaped}"`;
}

/** The title of what a command opens: its label without "…". */
export function titleOf(label: string): string {
  return label.replace('…', '');
}
