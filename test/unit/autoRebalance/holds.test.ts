import assert from 'node:assert/strict';
import { Cooldowns, LONGEST_COOLDOWN_MS, cooldownAfter } from '../../../src/autoRebalance/cooldowns';
import type { ActionOutcome, AutoRebalanceAction, AutoRebalanceDecision } from '../../../src/autoRebalance/types';
import { HOUR_MS, MINUTE_MS, START_MS } from './listed';

const act = (action: AutoRebalanceAction = 'rebalance'): AutoRebalanceDecision => ({ kind: 'act', action, why: 'It has left its range.' });
const failed = (words = 'The service did not answer.'): ActionOutcome => ({ kind: 'failed', words });

/** Lets an action end so, and gives what the user is told. */
function ended(holds: Cooldowns, outcome: ActionOutcome, { key = 'a', nowMs = START_MS } = {}): string | undefined {
  return holds.ended(key, 'rebalance', outcome, 'BONK/SOL', HOUR_MS, nowMs);
}

describe('Cooldowns of auto-rebalance', () => {
  it('The back-off doubles after each failure, up to an hour.', () => {
    assert.deepEqual(
      [1, 2, 3, 6, 7, 50].map((failures) => cooldownAfter(failures, MINUTE_MS) / MINUTE_MS),
      [1, 2, 4, 32, 60, 60],
    );
    assert.equal(cooldownAfter(3, 2 * HOUR_MS), 2 * HOUR_MS, 'no sooner than it would look anyway');
    assert.equal(LONGEST_COOLDOWN_MS, HOUR_MS);
  });

  it('A failure is reported once until an action succeeds.', () => {
    const holds = new Cooldowns();
    assert.match(ended(holds, failed()) ?? '', /couldn't rebalance BONK\/SOL\. The service did not answer\. .*60 seconds/);
    assert.equal(ended(holds, failed('Something else.')), undefined);
    ended(holds, { kind: 'done' });
    assert.match(ended(holds, failed()) ?? '', /couldn't rebalance/);
  });

  it('The same failure of many positions is reported once.', () => {
    const holds = new Cooldowns();
    assert.ok(ended(holds, failed()) !== undefined);
    assert.equal(ended(holds, failed(), { key: 'b' }), undefined);
  });

  it('A failure delays only the position and the action that failed.', () => {
    const holds = new Cooldowns();
    ended(holds, failed());
    assert.equal(holds.applied(act(), 'a', START_MS + MINUTE_MS - 1).kind, 'wait');
    assert.equal(holds.applied(act(), 'a', START_MS + MINUTE_MS).kind, 'act');
    assert.equal(holds.applied(act('close'), 'a', START_MS).kind, 'act');
    assert.equal(holds.applied(act(), 'b', START_MS).kind, 'act');
  });

  it('What needs the user waits until the user is back or the position is fine again.', () => {
    const holds = new Cooldowns();
    const needsUser: ActionOutcome = { kind: 'needsUser', words: 'The key is locked.' };
    assert.equal(ended(holds, needsUser), undefined, 'they were told by whoever needs them');
    const held = holds.applied(act(), 'a', START_MS + 24 * HOUR_MS);
    assert.deepEqual([held.kind, held.why], ['user', 'It has left its range. The key is locked.']);
    holds.userIsBack();
    assert.equal(holds.applied(act(), 'a', START_MS).kind, 'act');
    ended(holds, needsUser);
    holds.settled('a');
    assert.equal(holds.applied(act(), 'a', START_MS).kind, 'act');
  });

  it('A declined action is asked again after the cooldown, or never if the user chose so.', () => {
    const holds = new Cooldowns();
    ended(holds, { kind: 'refused', leaveAlone: false });
    assert.equal(holds.applied(act(), 'a', START_MS + HOUR_MS - 1).kind, 'wait');
    assert.equal(holds.applied(act(), 'a', START_MS + HOUR_MS).kind, 'act');
    ended(holds, { kind: 'refused', leaveAlone: true });
    holds.settled('a');
    holds.userIsBack();
    assert.equal(holds.applied(act(), 'a', START_MS + 999 * HOUR_MS).kind, 'leftAlone');
  });

  it('An action that could not run now is not a failure.', () => {
    const holds = new Cooldowns();
    assert.equal(ended(holds, { kind: 'notNow' }), undefined);
    assert.equal(holds.applied(act(), 'a', START_MS).kind, 'act');
  });

  it('Three failures in a row pause all rebalances, are reported once, and do not delay a stop-loss.', () => {
    const holds = new Cooldowns();
    ended(holds, failed('One.'), { key: 'a' });
    ended(holds, { kind: 'needsUser', words: 'Two.' }, { key: 'b' });
    assert.match(ended(holds, failed('Three.'), { key: 'c' }) ?? '', /no rebalance starts for 5 minutes/);
    assert.match(holds.applied(act(), 'd', START_MS).why, /3 actions in a row/);
    assert.equal(holds.applied(act('close'), 'd', START_MS).kind, 'act');
    assert.equal(holds.applied(act(), 'd', START_MS + 5 * MINUTE_MS).kind, 'act');
    assert.doesNotMatch(ended(holds, failed('Four.'), { key: 'd' }) ?? '', /in a row/);
    assert.equal(holds.applied(act(), 'e', START_MS + 9 * MINUTE_MS).kind, 'wait', 'longer each time');
    ended(holds, { kind: 'done' }, { key: 'e' });
    ended(holds, failed('Five.'), { key: 'f' });
    assert.equal(holds.applied(act(), 'g', START_MS + 10 * MINUTE_MS).kind, 'act');
  });

  it('Decisions not to act stay as they are.', () => {
    const holds = new Cooldowns();
    ended(holds, failed());
    const wait: AutoRebalanceDecision = { kind: 'wait', why: 'It is not time yet.', untilMs: undefined };
    assert.equal(holds.applied(wait, 'a', START_MS), wait);
  });
});
