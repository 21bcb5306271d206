// The program of `npm run crash`. Runs zap-outs, zap-ins and rebalances in separate processes against the sandbox, set up as in the
// extension. Kills these processes at every step boundary and at random moments, with faults of the service switched on. Restarts until the
// outcome of each operation is known, re-enters or declines, completes partial executions, and audits the result. Prints the cases with
// faults and exits with 1 if there are any. A seed gives the same plans; the exact moment of a kill depends on the machine. `--match TEXT`
// runs only plans whose names contain TEXT, `--slot-ms N` sets the slot length of the sandbox, `--transactions V` the versions
// of the transactions that it builds.
import { parseArgs } from 'node:util';
import { say } from '../bench/figures';
import { Random } from '../fuzz/random';
import { Lanes } from './lanes';
import {
  boundaryPlans,
  calmPlan,
  JOBS,
  liePlans,
  nameOfPlan,
  partialPlans,
  randomPlan,
  rebalancePlans,
  withoutRpc,
  type JobName,
  type TrialPlan,
} from './plans';
import { describe, type Trial } from './trial';

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '200' },
    lanes: { type: 'string', default: '2' },
    'slot-ms': { type: 'string', default: '400' },
    transactions: { type: 'string', default: 'service' },
    boundaries: { type: 'boolean', default: true },
    verbose: { type: 'boolean', default: false },
    match: { type: 'string', default: '' },
  },
  allowNegative: true,
});
/** Used if the calm trials were not run. */
const USUAL_MS = 2_000;
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

/** Runs the selected plans. @param what their name in the summary */
async function run(what: string, plans: readonly TrialPlan[], onTrial = note): Promise<void> {
  const before = trials.length;
  await lanes.run(
    plans.filter((plan) => nameOfPlan(plan).includes(options.match)),
    onTrial,
  );
  say(`${what}: ${trials.length - before}`);
}

/** Prints where the operations were when they were killed, and how they ended. */
function sayTally(): void {
  const tally = new Map<string, number>();
  for (const { killedIn, ends } of trials) {
    const what = `${(killedIn ?? 'not begun').padEnd(30)}  ${ends.map(({ operation, state }) => `${operation} ${state}`).join(', ')}`;
    tally.set(what, (tally.get(what) ?? 0) + 1);
  }
  say(`\n      ${'killed as'.padEnd(30)}  ended as`);
  for (const [what, times] of [...tally].sort()) {
    say(`${String(times).padStart(4)}  ${what}`);
  }
}

const from = performance.now();
const lanes = await Lanes.open(Number(options.lanes), [Number(options['slot-ms'])], options.transactions);
try {
  await run('Not killed', JOBS.map(calmPlan), (trial) => {
    usualMs.set(trial.plan.job, trial.tookMs);
    note(trial);
  });
  if (options.boundaries) {
    await run('Killed at step boundaries', [
      ...boundaryPlans('zapOut', 'zapOut'),
      ...boundaryPlans('zapIn', 'zapIn'),
      ...boundaryPlans('claim', 'claim'),
      ...boundaryPlans('compound', 'addLiquidity'),
      ...boundaryPlans('add', 'addLiquidity'),
      ...boundaryPlans('swap', 'swap'),
      ...withoutRpc([...boundaryPlans('zapOutShare', 'zapOut'), ...boundaryPlans('zapInWide', 'zapIn')]),
    ]);
    await run('Rebalances killed at step boundaries', [...rebalancePlans(), ...withoutRpc(rebalancePlans())]);
    await run('Landed in part', partialPlans());
    await run('Answered as if refused', liePlans());
  }
  const randomPlans = Array.from({ length: Number(options.count) }, () => randomPlan(random, (job) => usualMs.get(job) ?? USUAL_MS));
  await run('Killed at random moments', randomPlans);
} finally {
  await lanes.close();
}
sayTally();
const faulty = trials.filter(({ faults }) => faults.length > 0).length;
const seconds = ((performance.now() - from) / 1_000).toFixed(0);
say(
  `\n${trials.length} operations and rebalances, seed ${options.seed}, ${options['slot-ms']} ms per slot, ${seconds} s: ${faulty === 0 ? 'nothing found' : `${faulty} WITH FAULTS`}`,
);
process.exitCode = faulty === 0 ? 0 : 1;
