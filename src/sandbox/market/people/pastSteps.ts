import { DAY, HOUR, SECOND } from '../spans';

/** How much of a past there is before the first start, where nobody says otherwise. */
export const HISTORY_MS = 90 * DAY;

/** Steps get finer towards the present, so that the last minutes have volumes of their own. */
const STEPS = [
  { until: 30 * DAY, seconds: 7_200 },
  { until: 10 * DAY, seconds: 3_600 },
  { until: 8 * DAY, seconds: 1_800 },
  { until: DAY, seconds: 900 },
  { until: 1.5 * HOUR, seconds: 300 },
  { until: 0, seconds: 30 },
] as const;

/** The lengths of the steps in which a past of `spanMs` is played, seconds, oldest first. Together they are that long, to the second. */
export function historySteps(spanMs: number): number[] {
  const lengths: number[] = [];
  let left = spanMs;
  for (const { until, seconds } of STEPS) {
    for (; left > until && left >= SECOND; left -= (lengths.at(-1) ?? 0) * SECOND) {
      lengths.push(Math.min(seconds, Math.floor(left / SECOND)));
    }
  }
  return lengths;
}
