import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { Lanes } from '../crash/lanes';
import {
  boundaryPlans,
  calmPlan,
  JOBS,
  nameOfPlan,
  partialPlans,
  randomPlan,
  rebalancePlans,
  withoutRpc,
  type TrialPlan,
} from '../crash/plans';
import { describe as told, type Trial } from '../crash/trial';
import { Random } from '../fuzz/random';
import { IS_LONG } from '../support/runs';

const RANDOM_KILLS = IS_LONG ? 2 : 1;
const SEED = 7;
/** Of the boundaries of claims and compoundings: the others are run by `npm run crash`. */
const CLAIMS_EVERY = 6;
/** Of the boundaries of a rebalance: the others are run by `npm run crash`. */
const REBALANCES_EVERY = 20;
/** Half of the trials have the slots of today, half those of before. */
const SLOTS_MS = [400, 200];
/** Several at once: nearly all of the time is waiting. */
const LANES = 2 * SLOTS_MS.length;

// `npm test -- --long` runs twice as many trials, and `npm run crash` twenty times as many. Each trial is a test, so that the test run sees progress on a slow machine.
describe('Operations of a killed window', () => {
  let lanes: Lanes;

  before(async () => {
    lanes = await Lanes.open(LANES, SLOTS_MS);
  });

  after(async () => {
    await lanes.close();
  });

  describe('A kill at a step boundary: executed once or not at all, as the journal says', () => {
    const [zapOuts, zapIns] = [boundaryPlans('zapOut', 'zapOut'), boundaryPlans('zapIn', 'zapIn')];
    // The one half of the boundaries in one of them, the other half in the other.
    const all = zapOuts.map((zapOut, index) => (index % 2 === 0 ? zapOut : (zapIns[index] ?? zapOut)));
    // Two of four boundaries are enough to kill in every state.
    const plans = all.filter(({ trouble }, index) => IS_LONG || trouble !== 'none' || index % 4 < 2);
    const trials = testEach([...plans, ...withoutRpc(boundaryPlans('zapOutShare', 'zapOut')).slice(1, 3)]);

    it('The trials cover a kill in every state of an operation', () => {
      assert.deepEqual(
        new Set(trials.map(({ killedIn }) => killedIn?.split(' ').at(-1))),
        new Set([undefined, 'created', 'built', 'reviewed', 'approved', 'signed', 'submitted', 'landed', 'unconfirmed', 'settled']),
      );
    });
  });

  describe('A kill during a claim or a compounding: the fees are claimed once or not at all, as the journal says', () => {
    const [claims, compoundings] = [boundaryPlans('claim', 'claim'), boundaryPlans('compound', 'addLiquidity')];
    const plans = claims.flatMap((claim, index) => [index % (2 * CLAIMS_EVERY) === 0 ? claim : (compoundings[index] ?? claim)]);
    testEach(plans.filter((_, index) => index % CLAIMS_EVERY === 0));
  });

  describe('A kill during a rebalance: re-entered once or not at all, as the user chose', () => {
    testEach(rebalancePlans().filter((_, index) => index % REBALANCES_EVERY === 0));
  });

  describe('Partial executions: recorded in the journal and finished once', () => {
    const plans = partialPlans().filter(({ job, landing, hasRpc }) => hasRpc && landing === 1 && job !== 'zapOut');
    testEach(plans.filter((_, index) => IS_LONG || index % 2 === 1));
  });

  describe('A kill at a random moment, with service faults: executed once or not at all, as the journal says', () => {
    // Plans are drawn by the share of an operation's duration. How long that takes on this machine is known only after a calm run.
    let usualMs = 0;
    before(async () => {
      const calm: Trial[] = [];
      await lanes.run(JOBS.slice(0, SLOTS_MS.length).map(calmPlan), (trial) => calm.push(trial));
      assert.deepEqual(calm.filter(({ faults }) => faults.length > 0).map(told), []);
      usualMs = Math.max(...calm.map(({ tookMs }) => tookMs));
    });
    const random = new Random(SEED);
    const draws = Array.from({ length: RANDOM_KILLS }, (_, index) => ({
      name: `moment ${index + 1} of ${RANDOM_KILLS}`,
      plan: () => randomPlan(random, () => usualMs),
    }));
    testDrawn(draws);
  });

  /** Adds a test for each plan. @returns the trials, as they end */
  function testEach(plans: readonly TrialPlan[]): readonly Trial[] {
    return testDrawn(plans.map((plan) => ({ name: nameOfPlan(plan), plan: () => plan })));
  }

  /** The same for plans that are made only when the tests run. They run in all lanes at once; each test waits for its own trial. */
  function testDrawn(draws: readonly { readonly name: string; readonly plan: () => TrialPlan }[]): readonly Trial[] {
    const ended: Trial[] = [];
    const events = new EventEmitter();
    let plans: readonly TrialPlan[] = [];
    let failure: unknown;
    before(() => {
      plans = draws.map(({ plan }) => plan());
      lanes
        .run(plans, (trial) => {
          ended.push(trial);
          events.emit('change');
        })
        .catch((error: unknown) => {
          failure = error;
          events.emit('change');
        });
    });
    draws.forEach(({ name }, index) => {
      it(name, async () => {
        const find = (): Trial | undefined => ended.find((trial) => trial.plan === plans[index]);
        while (find() === undefined && failure === undefined) {
          await once(events, 'change');
        }
        const trial = find();
        assert.ok(trial !== undefined, String(failure));
        assert.deepEqual(trial.faults.length > 0 ? told(trial) : undefined, undefined);
      });
    });
    return ended;
  }
});
