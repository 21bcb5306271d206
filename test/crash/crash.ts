// What `npm run crash` does: runs zap-outs and zap-ins in processes of their own against the sandbox, with everything that the extension
// runs them with; kills these processes at every step boundary and at random moments, with faults of the service's switched on; restarts until
// it is known what became of each operation; and audits. Ends with 1 where it finds something, and prints the case. The same seed gives the
// same plans; at which moment exactly a process is hit is up to the machine.
import { parseArgs } from 'node:util';
import { say } from '../bench/figures';
import { Random } from '../fuzz/random';
import { Lanes } from './lanes';
import { boundaryPlans, boundaryPlansWithoutRpc, calmPlan, JOBS, randomPlan, type JobName } from './plans';
import { describe, type Trial } from './trial';

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '200' },
    lanes: { type: 'string', default: '2' },
    boundaries: { type: 'boolean', default: true },
    verbose: { type: 'boolean', default: false },
  },
  allowNegative: true,
});
const random = new Random(Number(options.seed));
const usualMs = new Map<JobName, number>();
const trials: Trial[] = [];

function note(trial: Trial): void {
  trials.push(trial);
  if (trial.faults.length > 0) {
    say(`FAULT: ${describe(trial)}`);
  } else if (options.verbose) {
    say(`${describe(trial)} (${trial.tookMs.toFixed(0)} ms, ${trial.reconciledMs.toFixed(0)} ms)`);
  }
}

/** Where the operations were when they were killed, and what became of them. */
function sayTally(): void {
  const tally = new Map<string, number>();
  for (const { killedIn, ends } of trials) {
    const what = `${(killedIn ?? 'not begun').padEnd(12)}  ${ends.join(', ')}`;
    tally.set(what, (tally.get(what) ?? 0) + 1);
  }
  say(`\n${'killed as'.padEnd(12)}  ended as`);
  for (const [what, times] of [...tally].sort()) {
    say(`${what.padEnd(50)}${String(times).padStart(5)}`);
  }
}

const from = performance.now();
const lanes = await Lanes.open(Number(options.lanes));
try {
  await lanes.run(JOBS.map(calmPlan), (trial) => {
    usualMs.set(trial.plan.job, trial.tookMs);
    note(trial);
  });
  if (options.boundaries) {
    await lanes.run([...boundaryPlans('zapOut'), ...boundaryPlans('zapIn'), ...boundaryPlansWithoutRpc('zapOutShare'), ...boundaryPlansWithoutRpc('zapInWide')], note);
    say(`Killed at step boundaries: ${trials.length - JOBS.length} times`);
  }
  await lanes.run(Array.from({ length: Number(options.count) }, () => randomPlan(random, (job) => usualMs.get(job) ?? 0)), note);
} finally {
  await lanes.close();
}
sayTally();
const faulty = trials.filter(({ faults }) => faults.length > 0).length;
const seconds = ((performance.now() - from) / 1_000).toFixed(0);
say(`\n${trials.length} operations, ${options.count} of them killed at random moments, seed ${options.seed}, ${seconds} s: ${faulty === 0 ? 'nothing found' : `${faulty} WITH FAULTS`}`);
process.exitCode = faulty === 0 ? 0 : 1;
