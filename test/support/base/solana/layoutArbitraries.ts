import * as fc from 'fast-check';
import type { Arguments, ArgumentLayout, ArgumentValue, InstructionLayout } from '../../../../src/base/solana/instructionCodec';
import { bigNumber } from './packages';

/** Values that fit a layout. */
export function valueOf(layout: ArgumentLayout): fc.Arbitrary<ArgumentValue> {
  if (typeof layout === 'string') {
    return scalarOf(layout);
  }
  if ('vec' in layout) {
    return fc.array(valueOf(layout.vec), { maxLength: 3 });
  }
  if ('option' in layout) {
    return fc.option(valueOf(layout.option), { nil: undefined });
  }
  if ('array' in layout) {
    const [item, length] = layout.array;
    return item === 'u8'
      ? fc.uint8Array({ minLength: length, maxLength: length })
      : fc.array(valueOf(item), { minLength: length, maxLength: length });
  }
  if ('struct' in layout) {
    return fc.record(Object.fromEntries(layout.struct.map(([name, field]) => [name, valueOf(field)])), { noNullPrototype: true });
  }
  return fc.oneof(
    ...layout.enum.map(([kind, fields]) =>
      fields.length === 0 ? fc.constant({ kind }) : fc.tuple(...fields.map(valueOf)).map((values) => ({ kind, fields: values })),
    ),
  );
}

/** Arguments that fit an instruction. */
export function argumentsOf(layout: InstructionLayout): fc.Arbitrary<Arguments> {
  return fc.record(Object.fromEntries(layout.args.map(([name, type]) => [name, valueOf(type)])), { noNullPrototype: true });
}

function scalarOf(name: string): fc.Arbitrary<ArgumentValue> {
  switch (name) {
    case 'bool':
      return fc.boolean();
    case 'pubkey':
      return fc.uint8Array({ minLength: 32, maxLength: 32 });
    case 'bytes':
    case 'rest':
      return fc.uint8Array({ maxLength: 20 });
    case 'string':
    case 'string64':
      return fc.string({ unit: 'grapheme', maxLength: 12 });
    default: {
      const bits = Number(name.slice(1));
      const signed = name.startsWith('i');
      const max = 2n ** BigInt(signed ? bits - 1 : bits) - 1n;
      const whole = fc.bigInt({ min: signed ? -max - 1n : 0n, max });
      return bits >= 64 ? whole : whole.map(Number);
    }
  }
}

/** Gives a value in the form that Anchor's coder takes. */
export function anchorForm(layout: ArgumentLayout, value: ArgumentValue): unknown {
  if (typeof value === 'bigint') {
    return bigNumber(value);
  }
  if (typeof layout === 'string') {
    return layout === 'pubkey' && value instanceof Uint8Array ? { toBuffer: () => Buffer.from(value) } : value;
  }
  if ('option' in layout) {
    return value === undefined ? null : anchorForm(layout.option, value);
  }
  if (value instanceof Uint8Array) {
    return [...value];
  }
  if (Array.isArray(value)) {
    const item = 'vec' in layout ? layout.vec : 'array' in layout ? layout.array[0] : 'u8';
    return (value as readonly ArgumentValue[]).map((one) => anchorForm(item, one));
  }
  const record = value as Readonly<Record<string, ArgumentValue>>;
  if ('struct' in layout) {
    return Object.fromEntries(layout.struct.map(([name, field]) => [name, anchorForm(field, record[name])]));
  }
  const variants = 'enum' in layout ? layout.enum : [];
  const [kind = '', fields = []] = variants.find(([name]) => name === record.kind) ?? [];
  const values = (record.fields ?? []) as readonly ArgumentValue[];
  return { [kind]: Object.fromEntries(fields.map((field, place) => [place, anchorForm(field, values[place])])) };
}
