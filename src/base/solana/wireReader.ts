/** Wire bytes are not a transaction. `rule` is the id of the review's rule (DEC-2 to DEC-6, DEC-8, PRG-1, ALT-1); the message is for the user, without a period. */
export class WireError extends Error {
  override readonly name = 'WireError';
  constructor(
    readonly rule: string,
    message: string,
  ) {
    super(message);
  }
}

/** In a "compact-u16" length: more bytes follow. */
const MORE_BIT = 0x80;

/** Reads bytes in order, and never beyond their end. */
export class WireReader {
  offset = 0;

  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  peek(): number {
    const byte = this.#bytes[this.offset];
    if (byte === undefined) {
      throw new WireError('DEC-2', 'The transaction is cut short');
    }
    return byte;
  }

  byte(): number {
    const byte = this.peek();
    this.offset += 1;
    return byte;
  }

  take(count: number): Uint8Array {
    if (this.offset + count > this.#bytes.length) {
      throw new WireError('DEC-2', 'The transaction is cut short');
    }
    const taken = this.#bytes.slice(this.offset, this.offset + count);
    this.offset += count;
    return taken;
  }

  /** Reads a "compact-u16" length: at most three bytes, seven bits each, no padding (DEC-4). */
  length(): number {
    let value = 0;
    for (let position = 0; position < 3; position += 1) {
      const byte = this.byte();
      value |= (byte & 0x7f) << (7 * position);
      if (byte < MORE_BIT) {
        if (byte === 0 && position > 0) {
          throw new WireError('DEC-4', 'A length is written with more bytes than it needs');
        }
        if (value > 0xffff) {
          break;
        }
        return value;
      }
    }
    throw new WireError('DEC-4', 'A length is out of bounds');
  }

  /** Reads an unsigned little-endian integer of 1 to 4 bytes. */
  uint(size: 1 | 2 | 4): number {
    return this.take(size).reduceRight((value, byte) => value * 256 + byte, 0);
  }

  /** Reads an unsigned little-endian integer of 8 bytes. */
  uint64(): bigint {
    return this.take(8).reduceRight((value, byte) => value * 256n + BigInt(byte), 0n);
  }

  times<T>(count: number, read: () => T): T[] {
    return Array.from({ length: count }, read);
  }
}
