/** Spans of time, milliseconds. */
export const SECOND = 1_000;
/** Sixty seconds. */
export const MINUTE = 60 * SECOND;
/** Sixty minutes. */
export const HOUR = 60 * MINUTE;
/** Twenty-four hours: the service's days are not a calendar's. */
export const DAY = 24 * HOUR;
