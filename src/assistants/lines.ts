/** A line is longer than allowed. */
class LineTooLong extends Error {
  override readonly name = 'LineTooLong';
}

const NEWLINE = 0x0a;

/** Splits bytes into lines of UTF-8, none longer than `mostBytes`. */
export class LineSplitter {
  readonly #mostBytes: number;
  #rest: Buffer = Buffer.alloc(0);

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** Takes more bytes and returns the lines that they complete. @throws LineTooLong */
  push(chunk: Buffer): readonly string[] {
    let data = Buffer.concat([this.#rest, chunk]);
    const lines: string[] = [];
    for (let end = data.indexOf(NEWLINE); end !== -1; end = data.indexOf(NEWLINE)) {
      this.#check(end);
      lines.push(data.toString('utf8', 0, end));
      data = data.subarray(end + 1);
    }
    this.#check(data.length);
    this.#rest = data;
    return lines;
  }

  #check(bytes: number): void {
    if (bytes > this.#mostBytes) {
      this.#rest = Buffer.alloc(0);
      throw new LineTooLong(`A line has more than ${this.#mostBytes} bytes`);
    }
  }
}
