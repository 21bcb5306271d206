/**
 * What to say at the end of `npm test`; the last line is the count over everything that ran. A part that did not run, or not
 * to its end, counts as one failure: the count must not look well when something was left out.
 * @param {readonly import('./testParts.mjs').Outcome[]} outcomes
 * @returns {{ lines: string[], ok: boolean }}
 */
export function summarize(outcomes) {
  const sum = (count) => outcomes.reduce((total, outcome) => total + count(outcome), 0);
  const passed = sum((outcome) => outcome.passed);
  const skipped = sum((outcome) => outcome.skipped);
  const failed = sum((outcome) => outcome.failed + (outcome.problem === undefined ? 0 : 1));
  const lines = outcomes.flatMap(({ part, failures, problem }) => [
    ...failures.map(({ title }) => `FAILED  ${part.name}: ${title}`),
    ...(problem === undefined ? [] : [`FAILED  ${part.name}: ${problem}`]),
  ]);
  const reasons = new Map();
  for (const [reason, count] of outcomes.flatMap(({ skipReasons = {} }) => Object.entries(skipReasons))) {
    reasons.set(reason, (reasons.get(reason) ?? 0) + count);
  }
  const skips = [...reasons].map(([reason, count]) => `SKIPPED ${count} test${count === 1 ? '' : 's'}: ${reason}`);
  return {
    lines: ['', ...skips, ...lines, `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`],
    ok: failed === 0 && passed > 0,
  };
}
