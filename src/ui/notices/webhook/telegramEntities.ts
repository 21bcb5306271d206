/** A part of a message that Telegram shows as code. Offset and length count UTF-16 units (Bot API, `MessageEntity`). */
export interface CodeEntity {
  readonly type: 'code';
  readonly offset: number;
  readonly length: number;
}

/** The maximum number of entities that Telegram reads in a message. */
const MOST_ENTITIES = 100;

/** A name in which no client finds a link: two words of letters and digits, neither of them a number. */
const PLAIN_PAIR = /^[a-z][a-z\d]*(?:\/[a-z][a-z\d]*)?$/i;

/**
 * A word in which a client could find a link: a domain or a mail address, `@name`, `/command`, `#tag`, `$TAG`, a scheme, or a telephone number.
 * The slash between two names is none.
 */
const LINKED_WORD = /\S*(?:(?<![\p{L}\p{N}])[#$/][\p{L}_]|@[\p{L}\p{N}_]|[\p{L}\p{N}][.\u3002]\p{N}*\p{L}|:\/\/|\d[\d-]{6})\S*/gu;

/**
 * Returns the parts of a message that Telegram would turn into links, as code: links and mentions are not looked for in code. Names come from the
 * network, and anyone can name a token "t.me/somebody".
 * @param names the names in the text; all but plain ones become code as a whole
 */
export function codeEntities(text: string, names: readonly string[]): readonly CodeEntity[] {
  const suspicious = [...new Set(names)].filter((name) => name !== '' && !PLAIN_PAIR.test(name));
  const found = merged([...suspicious.flatMap((name) => placesOf(name, text)), ...[...text.matchAll(LINKED_WORD)].map(rangeOf)]);
  const ranges = found.length > MOST_ENTITIES ? [{ from: 0, to: text.length }] : found;
  return ranges.map(({ from, to }) => ({ type: 'code', offset: from, length: to - from }));
}

interface Range {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

function rangeOf({ index, 0: word }: RegExpMatchArray): Range {
  const from = index ?? 0;
  return { from, to: from + word.length };
}

function placesOf(name: string, text: string): Range[] {
  const places: Range[] = [];
  for (let from = text.indexOf(name); from >= 0; from = text.indexOf(name, from + name.length)) {
    places.push({ from, to: from + name.length });
  }
  return places;
}

/** In order, without overlaps: Telegram rejects a message whose code entities overlap. */
function merged(ranges: readonly Range[]): readonly Range[] {
  return [...ranges]
    .sort((one, other) => one.from - other.from)
    .reduce<readonly Range[]>((done, next) => {
      const last = done.at(-1);
      return last !== undefined && next.from <= last.to
        ? [...done.slice(0, -1), { from: last.from, to: Math.max(last.to, next.to) }]
        : [...done, next];
    }, []);
}
