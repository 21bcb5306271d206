/** The end of a line. JSON may contain any other line separator in its strings. */
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** The maximum length of a line: a case has a few transactions of about a kilobyte. */
const LONGEST_LINE_BYTES = 64 * 1024 * 1024;

/** A line without its end; `undefined`: it was too long. */
export type Line = string | undefined;

/**
 * Splits a stream of bytes into lines at "\n" or "\r\n"; the last line needs no end. Unlike `node:readline` it does not split at other line
 * separators of Unicode, so the number of lines is the number written. Invalid UTF-8 becomes U+FFFD.
 */
export async function* linesOf(
  chunks: AsyncIterable<Uint8Array>,
  longestBytes = LONGEST_LINE_BYTES,
): AsyncGenerator<Line, void, undefined> {
  let parts: Uint8Array[] = [];
  let length = 0;
  const take = (part: Uint8Array): void => {
    length += part.length;
    if (length > longestBytes) {
      parts = [];
    } else if (part.length > 0) {
      parts.push(part);
    }
  };
  const finish = (): Line => {
    const line = length > longestBytes ? undefined : textOf(parts);
    parts = [];
    length = 0;
    return line;
  };
  for await (const chunk of chunks) {
    let begin = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, begin)) {
      take(chunk.subarray(begin, end));
      yield finish();
      begin = end + 1;
    }
    take(chunk.subarray(begin));
  }
  if (length > 0) {
    yield finish();
  }
}

function textOf(parts: readonly Uint8Array[]): string {
  const bytes = Buffer.concat(parts);
  return bytes.subarray(0, bytes.at(-1) === CARRIAGE_RETURN ? -1 : undefined).toString('utf8');
}
