import assert from 'node:assert/strict';
import { Lanes } from '../crash/lanes';
import { boundaryPlans, calmPlan, JOBS, nameOfPlan, partialPlans, randomPlan, rebalancePlans, withoutRpc, type TrialPlan } from '../crash/plans';
import { describe as told, type Trial } from '../crash/trial';
import { Random } from '../fuzz/random';

const RANDOM_KILLS = 20;
const SEED = 7;
/** Of the boundaries of a rebalance: the others are run by `npm run crash`. */
const REBALANCES_EVERY = 5;
/** Several at once: most of the time is waiting. */
const LANES = 2;

// `npm run crash` does the same ten times as often.
describe('an operation whose window is killed', function () {
  this.timeout(480_000);
  let lanes: Lanes;

  before(async () => {
    lanes = await Lanes.open(LANES);
  });

  after(async () => {
    await lanes.close();
  });

  it('at a step boundary has happened once or not at all, as the journal says it has', async () => {
    const [zapOuts, zapIns] = [boundaryPlans('zapOut', 'zapOut'), boundaryPlans('zapIn', 'zapIn')];
    // The one half of the boundaries in one of them, the other half in the other.
    const plans = zapOuts.flatMap((zapOut, index) => [index % 2 === 0 ? zapOut : (zapIns[index] ?? zapOut)]);
    const trials = await ran([...plans, ...withoutRpc(boundaryPlans('zapOutShare', 'zapOut')).slice(1, 3)]);
    assert.deepEqual(new Set(trials.map(({ killedIn }) => killedIn?.split(' ').at(-1))), new Set([undefined, 'created', 'built', 'reviewed', 'approved', 'signed', 'submitted', 'landed', 'unconfirmed', 'settled']));
  });

  it('amid a rebalance has put back what came out once or not at all, as the user chose', async () => {
    await ran(rebalancePlans().filter((_, index) => index % REBALANCES_EVERY === 0));
  });

  it('or of which only a part lands is half done, as the journal says it is, and is finished once', async () => {
    await ran(partialPlans().filter(({ job, landing, hasRpc }) => hasRpc && landing === 1 && job !== 'zapOut'));
  });

  it(`at ${RANDOM_KILLS} random moments, with faults of the service's, has happened once or not at all, as the journal says it has`, async () => {
    const calm = await ran(JOBS.slice(0, LANES).map(calmPlan));
    const usualMs = Math.max(...calm.map(({ tookMs }) => tookMs));
    const random = new Random(SEED);
    await ran(Array.from({ length: RANDOM_KILLS }, () => randomPlan(random, () => usualMs)));
  });

  async function ran(plans: readonly TrialPlan[]): Promise<readonly Trial[]> {
    const trials: Trial[] = [];
    await lanes.run(plans, (trial) => trials.push(trial));
    assert.deepEqual(trials.filter(({ faults }) => faults.length > 0).map(told), []);
    assert.deepEqual(new Set(trials.map(({ plan }) => nameOfPlan(plan))), new Set(plans.map(nameOfPlan)));
    return trials;
  }
});
