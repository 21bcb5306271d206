/** Whether this is `npm test -- --long`, which CI runs: models and faults with all their runs, and attacks in all places. */
export const IS_LONG = process.env['BINSIGHT_LONG'] === '1';

/** How often a property is tried: a quarter of `times` in `npm test`, which tries others each time, and all of them in a long run. For what takes seconds otherwise. */
export function runs(times: number): number {
  return IS_LONG ? times : Math.ceil(times / 4);
}
