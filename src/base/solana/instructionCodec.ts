import { Buffer } from 'node:buffer';

/**
 * The encoding of one argument: a Borsh scalar, or a composition of them. Names are the IDL's. Two are not Borsh: `string64` is text after a
 * length of eight bytes (bincode, as in the System program), and `rest` is all bytes up to the end of the data.
 */
export type ArgumentLayout =
  | 'bool'
  | 'u8'
  | 'u16'
  | 'u32'
  | 'u64'
  | 'u128'
  | 'i8'
  | 'i16'
  | 'i32'
  | 'i64'
  | 'i128'
  | 'bytes'
  | 'string'
  | 'pubkey'
  | 'string64'
  | 'rest'
  | { readonly vec: ArgumentLayout }
  | { readonly option: ArgumentLayout }
  | { readonly array: readonly [ArgumentLayout, number] }
  | { readonly struct: readonly (readonly [string, ArgumentLayout])[] }
  | { readonly enum: readonly (readonly [string, readonly ArgumentLayout[]])[] };

/** An account of an instruction, by its position. */
export interface AccountRole {
  readonly name: string;
  readonly writable?: boolean;
  readonly signer?: boolean;
  readonly optional?: boolean;
}

/** The layout of one instruction of a program. */
export interface InstructionLayout {
  readonly name: string;
  /** The first bytes of the data, in hex. Anchor programs: the first eight bytes of sha256("global:" + name). */
  readonly discriminator: string;
  readonly accounts: readonly AccountRole[];
  readonly args: readonly (readonly [string, ArgumentLayout])[];
}

/** A decoded argument: integers of 64 bits and more are `bigint`, public keys and bytes are `Uint8Array`. */
export type ArgumentValue =
  | number
  | bigint
  | boolean
  | string
  | Uint8Array
  | undefined
  | readonly ArgumentValue[]
  | { readonly [name: string]: ArgumentValue };

/** Arguments of one instruction by name. */
export type Arguments = Readonly<Record<string, ArgumentValue>>;

/** Data or arguments do not match the layout. Messages about data are for the user, without a period. */
export class InstructionCodecError extends Error {
  override readonly name = 'InstructionCodecError';
  constructor(
    message: string,
    /** The data contains an enum variant that the layout does not list: the program may be newer than the layout. */
    readonly unknownChoice = false,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

/** An enum value: `{ kind: 'SpotBalanced' }`, with its unnamed fields in `fields` if it has any. */
export interface EnumValue {
  readonly [name: string]: ArgumentValue;
  readonly kind: string;
  readonly fields?: readonly ArgumentValue[];
}

const LONGEST_DISCRIMINATOR_BYTES = 8;

/** Returns the first layout whose discriminator the data begins with, or `undefined`. */
export function findInstruction(layouts: readonly InstructionLayout[], data: Uint8Array): InstructionLayout | undefined {
  const beginning = Buffer.from(data.subarray(0, LONGEST_DISCRIMINATOR_BYTES)).toString('hex');
  return layouts.find((layout) => beginning.startsWith(layout.discriminator));
}

/**
 * Returns the layout of that name.
 * @throws InstructionCodecError if the program has none
 */
export function instructionNamed(layouts: readonly InstructionLayout[], name: string): InstructionLayout {
  const layout = layouts.find((candidate) => candidate.name === name);
  if (layout === undefined) {
    throw new InstructionCodecError(`There is no instruction named ${name}`);
  }
  return layout;
}

/**
 * Encodes the data of an instruction: the discriminator, then the arguments in Borsh.
 * @throws InstructionCodecError if an argument is missing or out of its type's range
 */
export function encodeInstruction(layout: InstructionLayout, args: Arguments): Uint8Array {
  const writer = new Writer();
  writer.raw(Buffer.from(layout.discriminator, 'hex'));
  for (const [name, type] of layout.args) {
    writer.value(type, args[name], name);
  }
  return writer.bytes();
}

/**
 * Decodes the arguments of an instruction. The data must be exactly what {@link encodeInstruction} writes for them.
 *
 * Written by hand, because the review must account for every byte that a program gets. Anchor's coder ignores bytes after the last argument and
 * replaces text that is not UTF-8; here both make an instruction unreadable. One codec also covers the System program (bincode) and the token
 * programs, and encodes for the sandbox.
 * @throws InstructionCodecError if the data is anything else
 */
export function decodeInstruction(layout: InstructionLayout, data: Uint8Array): Arguments {
  const reader = new Reader(data);
  if (reader.raw(layout.discriminator.length / 2).toString('hex') !== layout.discriminator) {
    throw new InstructionCodecError(`The data does not begin as ${layout.name} does`);
  }
  const args = Object.fromEntries(layout.args.map(([name, type]) => [name, reader.value(type)]));
  if (!reader.atEnd) {
    throw new InstructionCodecError(`Bytes follow the arguments of ${layout.name}`);
  }
  return args;
}

const UNSIGNED_BITS: Readonly<Record<string, number>> = { u8: 8, u16: 16, u32: 32, u64: 64, u128: 128 };
const SIGNED_BITS: Readonly<Record<string, number>> = { i8: 8, i16: 16, i32: 32, i64: 64, i128: 128 };
const BIGINT_BITS = 64;
const PUBKEY_BYTES = 32;

class Writer {
  readonly #parts: Buffer[] = [];

  bytes(): Uint8Array {
    return new Uint8Array(Buffer.concat(this.#parts));
  }

  raw(bytes: Uint8Array): void {
    this.#parts.push(Buffer.from(bytes));
  }

  value(type: ArgumentLayout, value: ArgumentValue, path: string): void {
    if (typeof type === 'string') {
      this.#scalar(type, value, path);
    } else if ('vec' in type) {
      const items = asList(value, path);
      this.#integer(32, false, items.length, path);
      items.forEach((item, index) => this.value(type.vec, item, `${path}[${index}]`));
    } else if ('option' in type) {
      this.raw(Buffer.from([value === undefined ? 0 : 1]));
      if (value !== undefined) {
        this.value(type.option, value, path);
      }
    } else if ('array' in type) {
      this.#array(type.array, value, path);
    } else if ('struct' in type) {
      const fields = asRecord(value, path);
      for (const [name, field] of type.struct) {
        this.value(field, fields[name], `${path}.${name}`);
      }
    } else {
      this.#variant(type.enum, value, path);
    }
  }

  #array([item, length]: readonly [ArgumentLayout, number], value: ArgumentValue, path: string): void {
    const items = value instanceof Uint8Array ? [...value] : asList(value, path);
    if (items.length !== length) {
      throw new InstructionCodecError(`${path} has ${items.length} items; it takes ${length}`);
    }
    items.forEach((entry, index) => this.value(item, entry, `${path}[${index}]`));
  }

  #variant(variants: readonly (readonly [string, readonly ArgumentLayout[]])[], value: ArgumentValue, path: string): void {
    const { kind, fields } = asRecord(value, path);
    const index = variants.findIndex(([name]) => name === kind);
    const variant = variants[index];
    if (variant === undefined) {
      throw new InstructionCodecError(`${path} cannot be ${typeof kind === 'string' ? kind : 'that'}`);
    }
    this.raw(Buffer.from([index]));
    const values = fields === undefined ? [] : asList(fields, path);
    variant[1].forEach((field, place) => this.value(field, values[place], `${path}.${variant[0]}[${place}]`));
  }

  #scalar(type: string, value: ArgumentValue, path: string): void {
    if (type === 'bool' && typeof value === 'boolean') {
      this.raw(Buffer.from([value ? 1 : 0]));
    } else if (type === 'pubkey' && value instanceof Uint8Array && value.length === PUBKEY_BYTES) {
      this.raw(value);
    } else if (type === 'bytes' && value instanceof Uint8Array) {
      this.#integer(32, false, value.length, path);
      this.raw(value);
    } else if (type === 'rest' && value instanceof Uint8Array) {
      this.raw(value);
    } else if ((type === 'string' || type === 'string64') && typeof value === 'string') {
      const text = Buffer.from(value, 'utf8');
      this.#integer(type === 'string' ? 32 : 64, false, text.length, path);
      this.raw(text);
    } else if (type in UNSIGNED_BITS) {
      this.#integer(UNSIGNED_BITS[type] ?? 0, false, value, path);
    } else if (type in SIGNED_BITS) {
      this.#integer(SIGNED_BITS[type] ?? 0, true, value, path);
    } else {
      throw new InstructionCodecError(`${path} is not a ${type}`);
    }
  }

  #integer(bits: number, signed: boolean, value: ArgumentValue, path: string): void {
    if (typeof value !== 'bigint' && !(typeof value === 'number' && Number.isSafeInteger(value))) {
      throw new InstructionCodecError(`${path} is not a whole number`);
    }
    const whole = BigInt(value);
    if ((signed ? BigInt.asIntN(bits, whole) : BigInt.asUintN(bits, whole)) !== whole) {
      throw new InstructionCodecError(`${path} does not fit into ${bits} bits`);
    }
    const bytes = Buffer.alloc(bits / 8);
    let rest = BigInt.asUintN(bits, whole);
    for (let index = 0; index < bytes.length; index += 1) {
      bytes[index] = Number(rest & 0xffn);
      rest >>= 8n;
    }
    this.raw(bytes);
  }
}

class Reader {
  #offset = 0;

  readonly #data: Uint8Array;

  constructor(data: Uint8Array) {
    this.#data = data;
  }

  get atEnd(): boolean {
    return this.#offset === this.#data.length;
  }

  raw(count: number): Buffer {
    if (this.#offset + count > this.#data.length) {
      throw new InstructionCodecError('The instruction data is cut short');
    }
    const taken = Buffer.from(this.#data.subarray(this.#offset, this.#offset + count));
    this.#offset += count;
    return taken;
  }

  value(type: ArgumentLayout): ArgumentValue {
    if (typeof type === 'string') {
      return this.#scalar(type);
    }
    if ('vec' in type) {
      return this.#list(type.vec, this.#count(32));
    }
    if ('option' in type) {
      return this.#flag() ? this.value(type.option) : undefined;
    }
    if ('array' in type) {
      const [item, length] = type.array;
      return item === 'u8' ? new Uint8Array(this.raw(length)) : this.#list(item, length);
    }
    if ('struct' in type) {
      return Object.fromEntries(type.struct.map(([name, field]) => [name, this.value(field)]));
    }
    const variant = type.enum[this.raw(1).readUInt8()];
    if (variant === undefined) {
      throw new InstructionCodecError('The data contains an unknown option', true);
    }
    const fields = variant[1].map((field) => this.value(field));
    return fields.length === 0 ? { kind: variant[0] } : { kind: variant[0], fields };
  }

  #list(item: ArgumentLayout, length: number): ArgumentValue[] {
    return Array.from({ length }, () => this.value(item));
  }

  #count(bits: number): number {
    const count = Number(this.#integer(bits, false));
    if (count > this.#data.length) {
      throw new InstructionCodecError('A list is longer than the data');
    }
    return count;
  }

  #flag(): boolean {
    const byte = this.raw(1).readUInt8();
    if (byte > 1) {
      throw new InstructionCodecError('A value is neither true nor false');
    }
    return byte === 1;
  }

  #scalar(type: string): ArgumentValue {
    switch (type) {
      case 'bool':
        return this.#flag();
      case 'pubkey':
        return new Uint8Array(this.raw(PUBKEY_BYTES));
      case 'bytes':
        return new Uint8Array(this.raw(this.#count(32)));
      case 'string':
        return utf8(this.raw(this.#count(32)));
      case 'string64':
        return utf8(this.raw(this.#count(64)));
      case 'rest':
        return new Uint8Array(this.raw(this.#data.length - this.#offset));
      default: {
        const signed = type in SIGNED_BITS;
        const bits = (signed ? SIGNED_BITS[type] : UNSIGNED_BITS[type]) ?? 0;
        const whole = this.#integer(bits, signed);
        return bits >= BIGINT_BITS ? whole : Number(whole);
      }
    }
  }

  #integer(bits: number, signed: boolean): bigint {
    const bytes = this.raw(bits / 8);
    const whole = bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
    return signed ? BigInt.asIntN(bits, whole) : whole;
  }
}

/** Rejects text that is not UTF-8: encoding it again would give other bytes. */
function utf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new InstructionCodecError('A text is not UTF-8', false, error);
  }
}

function asList(value: ArgumentValue, path: string): readonly ArgumentValue[] {
  if (!Array.isArray(value)) {
    throw new InstructionCodecError(`${path} is not a list`);
  }
  return value as readonly ArgumentValue[];
}

function asRecord(value: ArgumentValue, path: string): Readonly<Record<string, ArgumentValue>> {
  if (typeof value !== 'object' || Array.isArray(value) || value instanceof Uint8Array) {
    throw new InstructionCodecError(`${path} is not a record`);
  }
  return value as Readonly<Record<string, ArgumentValue>>;
}

/**
 * Builds the account roles of an instruction from names of the program's IDL, each followed by its marks: `*` for a signer, `+` for writable,
 * `?` for optional.
 */
export function accountRoles(...names: readonly string[]): readonly AccountRole[] {
  return names.map((marked) => ({
    name: marked.replace(/[*+?]+$/, ''),
    ...(marked.includes('*') ? { signer: true } : {}),
    ...(marked.includes('+') ? { writable: true } : {}),
    ...(marked.includes('?') ? { optional: true } : {}),
  }));
}
