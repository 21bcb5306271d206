/** Times of the local day, in minutes after midnight. `from` may be later than `until`: the hours then last over midnight. */
export interface QuietHours {
  readonly from: number;
  readonly until: number;
}

const HOURS_PER_DAY = 24;
const MINUTES_PER_HOUR = 60;
const FORM = /^(\d{1,2}):(\d{2})\s*[-–]\s*(\d{1,2}):(\d{2})$/;

/**
 * Reads quiet hours such as "22:00-07:00".
 * @returns `none` if the text is empty; `undefined` if it is none
 */
export function readQuietHours(text: string): QuietHours | 'none' | undefined {
  if (text.trim() === '') {
    return 'none';
  }
  const numbers = FORM.exec(text.trim())?.slice(1).map(Number);
  if (numbers === undefined) {
    return undefined;
  }
  const [fromHour = 0, fromMinute = 0, untilHour = 0, untilMinute = 0] = numbers;
  if (Math.max(fromHour, untilHour) >= HOURS_PER_DAY || Math.max(fromMinute, untilMinute) >= MINUTES_PER_HOUR) {
    return undefined;
  }
  const [from, until] = [fromHour * MINUTES_PER_HOUR + fromMinute, untilHour * MINUTES_PER_HOUR + untilMinute];
  return from === until ? undefined : { from, until };
}

/**
 * The end of the quiet hours that it is now, milliseconds since 1970; `undefined`: it is none of them. In local time, so the end is right also
 * when the clocks change in between.
 */
export function quietUntilMs(hours: QuietHours | undefined, nowMs: number): number | undefined {
  if (hours === undefined) {
    return undefined;
  }
  const now = new Date(nowMs);
  const minute = now.getHours() * MINUTES_PER_HOUR + now.getMinutes();
  const isOverMidnight = hours.from > hours.until;
  const isQuiet = isOverMidnight ? minute >= hours.from || minute < hours.until : minute >= hours.from && minute < hours.until;
  if (!isQuiet) {
    return undefined;
  }
  const isTomorrow = isOverMidnight && minute >= hours.from;
  const end = new Date(now.getFullYear(), now.getMonth(), now.getDate() + (isTomorrow ? 1 : 0), 0, hours.until);
  return end.getTime();
}
