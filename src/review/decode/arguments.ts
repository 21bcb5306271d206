import type { Arguments, ArgumentValue } from '../../base/solana/instructionCodec';

/** Returns the value at a path of names in decoded arguments; `undefined` if there is none. */
export function valueAt(args: Arguments | undefined, ...path: readonly string[]): ArgumentValue {
  return path.reduce<ArgumentValue>((value, name) => (isRecord(value) ? value[name] : undefined), args);
}

/** Returns the whole number of up to 32 bits at a path. */
export function numberAt(args: Arguments | undefined, ...path: readonly string[]): number | undefined {
  const value = valueAt(args, ...path);
  return typeof value === 'number' ? value : undefined;
}

/** Returns the integer of any width at a path. */
export function integerAt(args: Arguments | undefined, ...path: readonly string[]): bigint | undefined {
  const value = valueAt(args, ...path);
  return typeof value === 'bigint' || typeof value === 'number' ? BigInt(value) : undefined;
}

/** Returns the records of the list at a path; none without a list. */
export function recordsAt(args: Arguments | undefined, ...path: readonly string[]): Arguments[] {
  const value = valueAt(args, ...path);
  return isList(value) ? value.filter(isRecord) : [];
}

/** Returns the name of the enum variant at a path. */
export function choiceAt(args: Arguments | undefined, ...path: readonly string[]): string | undefined {
  const kind = valueAt(args, ...path, 'kind');
  return typeof kind === 'string' ? kind : undefined;
}

function isList(value: ArgumentValue): value is readonly ArgumentValue[] {
  return Array.isArray(value);
}

function isRecord(value: ArgumentValue): value is Arguments {
  return typeof value === 'object' && !Array.isArray(value) && !(value instanceof Uint8Array);
}
