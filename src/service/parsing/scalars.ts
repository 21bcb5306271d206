// Numbers, amounts and dates in the forms in which the service writes them.

const DECIMAL = /^([+-]?)(?=\.?\d)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i;

/** A 64-bit float preserves a decimal number of up to this many significant digits (IEEE 754). */
const EXACT_FLOAT_DIGITS = 15;

/** Parses a number, or a decimal number as text. `undefined` unless it is finite. */
export function parseNumber(value: unknown): number | undefined {
  if (typeof value === 'string') {
    const text = value.trim();
    return DECIMAL.test(text) ? finite(Number(text)) : undefined;
  }
  return typeof value === 'number' ? finite(value) : undefined;
}

/** Formats a number, or a number as text, as plain decimal text without exponent and trailing zeros: "0.00000012". `undefined` if it is no number. */
export function plainDecimal(value: string | number): string | undefined {
  const text = String(value).trim();
  const match = DECIMAL.exec(text);
  if (match === null) {
    return undefined;
  }
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  const padded = point <= 0 ? '0'.repeat(1 - point) + digits : digits.padEnd(point, '0');
  const at = Math.max(point, 1);
  const left = padded.slice(0, at).replace(/^0+(?=\d)/, '');
  const right = padded.slice(at).replace(/0+$/, '');
  const plain = right === '' ? left : `${left}.${right}`;
  return sign === '-' && plain !== '0' ? `-${plain}` : plain;
}

/** Converts plain decimal text to a token's smallest unit; `undefined` if it has more decimal places than the token. */
export function rawAmount(plain: string, decimals: number): bigint | undefined {
  const [whole = '', fraction = ''] = plain.split('.');
  return fraction.length > decimals ? undefined : BigInt(whole + fraction.padEnd(decimals, '0'));
}

/** True if a float has so few digits that it stands for its decimal number exactly. */
export function isExactDecimal(value: number): boolean {
  const digits = String(value).replace(/e.*$/i, '').replace(/[-.]/g, '').replace(/^0+/, '');
  return digits.length <= EXACT_FLOAT_DIGITS;
}

function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}

/** "2025-07-25T16:23:04.000Z", "… +0000", "2025-04-25 01:37:08.000" and "2026-03-10"; without an offset it is UTC. */
const DATE_TEXT = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

/** A smaller epoch number is in seconds, others in milliseconds: as seconds, this is the year 5138. */
const LEAST_EPOCH_MS = 1e11;

/** September 2001. Records of Solana are younger, so a smaller number is not a time. */
const LEAST_EPOCH_S = 1e9;

/** Parses a date in any form that the service uses: ISO 8601, `YYYY-MM-DD HH:MM:SS.mmm` (UTC), or an epoch in seconds or milliseconds. */
export function parseInstant(value: unknown): Date | undefined {
  if (typeof value === 'number') {
    return fromEpoch(value);
  }
  if (typeof value !== 'string') {
    return undefined;
  }
  const text = value.trim();
  return /^\d{10,}(?:\.\d+)?$/.test(text) ? fromEpoch(Number(text)) : fromText(text);
}

function fromEpoch(epoch: number): Date | undefined {
  if (!(epoch >= LEAST_EPOCH_S)) {
    return undefined;
  }
  return validDate(epoch < LEAST_EPOCH_MS ? epoch * 1_000 : epoch);
}

/** The form of almost all dates, which V8 reads by itself: "2025-07-25T16:23:04.000Z". */
const ISO_TEXT = /^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

function fromText(text: string): Date | undefined {
  if (ISO_TEXT.test(text)) {
    const date = validDate(Date.parse(text));
    // V8 turns 31 February into a day of March, and 24:00 into 0:00 of the next day. Such a text is not a date.
    return date?.getUTCDate() === Number(text.slice(8, 10)) ? date : undefined;
  }
  const match = DATE_TEXT.exec(text);
  if (match === null) {
    return undefined;
  }
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', offset = 'Z'] = match;
  const fields = [Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second)] as const;
  const utc = new Date(Date.UTC(...fields, Number(fraction.padEnd(3, '0').slice(0, 3))));
  const asWritten = [
    utc.getUTCFullYear(),
    utc.getUTCMonth(),
    utc.getUTCDate(),
    utc.getUTCHours(),
    utc.getUTCMinutes(),
    utc.getUTCSeconds(),
  ];
  // Date.UTC turns 31 February into a day of March. Such a text is not a date.
  if (fields.some((field, index) => field !== asWritten[index])) {
    return undefined;
  }
  return validDate(utc.getTime() - offsetMs(offset));
}

function offsetMs(offset: string): number {
  if (offset.toUpperCase() === 'Z') {
    return 0;
  }
  const digits = offset.slice(1).replace(':', '').padEnd(4, '0');
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2));
  return (offset.startsWith('-') ? -minutes : minutes) * 60_000;
}

function validDate(ms: number): Date | undefined {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
