import { TRANSACTION_FORMATS, type TransactionFormat } from '../assembly/types';

/** The command line is invalid; the message explains why. */
export class ArgumentError extends Error {
  override readonly name = 'ArgumentError';
}

/** Bounds of a number on the command line, both inclusive. */
interface NumberBounds {
  readonly min: number;
  readonly max: number;
  readonly isInteger?: boolean;
}

/** Reads a number. @throws ArgumentError if it is not one, or out of bounds */
export function numberOption(name: string, text: string, { min, max, isInteger = false }: NumberBounds): number {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : NaN;
  if (Number.isNaN(value) || value < min || value > max || (isInteger && !Number.isSafeInteger(value))) {
    throw new ArgumentError(`--${name} must be ${isInteger ? 'a whole number' : 'a number'} from ${min} to ${max}, not "${text}"`);
  }
  return value;
}

/** Reads a TCP port; 0 means any free one. */
export function portOption(text: string): number {
  return numberOption('port', text, { min: 0, max: 65_535, isInteger: true });
}

/** Seconds without a client after which the process ends. */
export function leaseSecondsOption(text: string): number {
  return numberOption('lease-seconds', text, { min: 0, max: 86_400 });
}

/** Reads an API key. The message does not quote the key: it may be in use elsewhere. */
export function apiKeyOption(text: string): string {
  if (!/^[\x21-\x7e]{1,200}$/.test(text)) {
    throw new ArgumentError('--api-key must be 1 to 200 printable ASCII characters without spaces');
  }
  return text;
}

/** Reads the versions of the transactions that are built. */
export function transactionsOption(text: string): TransactionFormat {
  const found = TRANSACTION_FORMATS.find((format) => format === text);
  if (found === undefined) {
    throw new ArgumentError(`--transactions must be one of ${TRANSACTION_FORMATS.join(', ')}, not "${text}"`);
  }
  return found;
}
