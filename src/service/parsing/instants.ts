/** "2025-07-25T16:23:04.000Z", "… +0000", "2025-04-25 01:37:08.000" and "2026-03-10"; without an offset it is UTC. */
const DATE_TEXT = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

/** Below this an epoch number counts seconds, from it on milliseconds (as seconds it would be the year 5138). */
const LEAST_EPOCH_MS = 1e11;

/** September 2001: no record of Solana is older, so a smaller number is not a time. */
const LEAST_EPOCH_S = 1e9;

/** Gives a date as the service may write it: ISO 8601, `YYYY-MM-DD HH:MM:SS.mmm` (UTC), or an epoch in seconds or milliseconds. */
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

function fromText(text: string): Date | undefined {
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
  // Date.UTC carries 31 February over into March; such a text is not a date.
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
