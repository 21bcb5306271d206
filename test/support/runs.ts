/** Whether this is `npm test -- --long`, which CI runs: models and faults with all their runs, and attacks in all places. */
export const IS_LONG = process.env['BINSIGHT_LONG'] === '1';
