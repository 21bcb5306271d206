import { type Address, addressFromBytes } from '../../base/solana/address';
import { WireReader } from '../../base/solana/wireReader';
import type { TokenAmounts } from './types';

/** An event that is listed here has other fields than its layout: a later version of the program wrote it. */
export class EventError extends Error {
  override readonly name = 'EventError';
}

/** The fields of an event, in order. */
export class EventFields {
  readonly #reader: WireReader;
  readonly #length: number;

  constructor(data: Uint8Array) {
    this.#reader = new WireReader(data);
    this.#length = data.length;
  }

  key(): Address {
    return addressFromBytes(this.#reader.take(32));
  }

  u8(): number {
    return this.#reader.uint(1);
  }

  u16(): number {
    return this.#reader.uint(2);
  }

  i32(): number {
    return this.#reader.uint(4) | 0;
  }

  u64(): bigint {
    return this.#reader.uint64();
  }

  u128(): bigint {
    const low = this.u64();
    return low + (this.u64() << 64n);
  }

  pair(): TokenAmounts {
    return { x: this.u64(), y: this.u64() };
  }

  skip(bytes: number): void {
    this.#reader.take(bytes);
  }

  skipRest(): void {
    this.skip(this.#length - this.#reader.offset);
  }

  get atEnd(): boolean {
    return this.#reader.offset === this.#length;
  }
}
