import assert from 'node:assert/strict';
import { Cooldowns, LONGEST_COOLDOWN_MS, cooldownAfter } from '../../../src/autoRebalance/cooldowns';
import type { ActionOutcome, AutoRebalanceAction, AutoRebalanceDecision } from '../../../src/autoRebalance/types';
import { HOUR_MS, MINUTE_MS, START_MS } from '../../support/autoRebalance/listed';

const act = (action: AutoRebalanceAction = 'rebalance'): AutoRebalanceDecision => ({ kind: 'act', action, why: 'It has left its range.' });
const failed = (words = 'The service did not answer.'): ActionOutcome => ({ kind: 'failed', words });

/** Lets an action end so, and gives what the user is told. */
function ended(cooldowns: Cooldowns, outcome: ActionOutcome, { key = 'a', nowMs = START_MS } = {}): string | undefined {
  return cooldowns.ended(key, 'rebalance', outcome, 'BONK/SOL', HOUR_MS, nowMs);
}

describe('Cooldowns of auto-rebalance', () => {
  it('The back-off doubles after each failure, up to an hour', () => {
    assert.deepEqual(
      [1, 2, 3, 6, 7, 50].map((failures) => cooldownAfter(failures, MINUTE_MS) / MINUTE_MS),
      [1, 2, 4, 32, 60, 60],
    );
    assert.equal(cooldownAfter(3, 2 * HOUR_MS), 2 * HOUR_MS, 'no sooner than it would look anyway');
    assert.equal(LONGEST_COOLDOWN_MS, HOUR_MS);
  });

  it('A failure is reported once until an action succeeds', () => {
    const cooldowns = new Cooldowns();
    assert.match(ended(cooldowns, failed()) ?? '', /could not rebalance BONK\/SOL\. The service did not answer\. .*60 seconds/);
    assert.equal(ended(cooldowns, failed('Something else.')), undefined);
    ended(cooldowns, { kind: 'done' });
    assert.match(ended(cooldowns, failed()) ?? '', /could not rebalance/);
  });

  it('The same failure of many positions is reported once', () => {
    const cooldowns = new Cooldowns();
    assert.ok(ended(cooldowns, failed()) !== undefined);
    assert.equal(ended(cooldowns, failed(), { key: 'b' }), undefined);
  });

  it('A failure delays only the position and the action that failed', () => {
    const cooldowns = new Cooldowns();
    ended(cooldowns, failed());
    assert.equal(cooldowns.applied(act(), 'a', START_MS + MINUTE_MS - 1).kind, 'wait');
    assert.equal(cooldowns.applied(act(), 'a', START_MS + MINUTE_MS).kind, 'act');
    assert.equal(cooldowns.applied(act('close'), 'a', START_MS).kind, 'act');
    assert.equal(cooldowns.applied(act(), 'b', START_MS).kind, 'act');
  });

  it('What needs the user waits until the user is back or the position is fine again', () => {
    const cooldowns = new Cooldowns();
    const needsUser: ActionOutcome = { kind: 'needsUser', words: 'The key is locked.' };
    assert.equal(ended(cooldowns, needsUser), undefined, 'they were told by the one who needs them');
    const held = cooldowns.applied(act(), 'a', START_MS + 24 * HOUR_MS);
    assert.deepEqual([held.kind, held.why], ['user', 'It has left its range. The key is locked.']);
    cooldowns.userIsBack();
    assert.equal(cooldowns.applied(act(), 'a', START_MS).kind, 'act');
    ended(cooldowns, needsUser);
    cooldowns.settled('a');
    assert.equal(cooldowns.applied(act(), 'a', START_MS).kind, 'act');
  });

  it('A declined action is asked again after the cooldown, or never if the user chose so', () => {
    const cooldowns = new Cooldowns();
    ended(cooldowns, { kind: 'refused', leaveAlone: false });
    assert.equal(cooldowns.applied(act(), 'a', START_MS + HOUR_MS - 1).kind, 'wait');
    assert.equal(cooldowns.applied(act(), 'a', START_MS + HOUR_MS).kind, 'act');
    ended(cooldowns, { kind: 'refused', leaveAlone: true });
    cooldowns.settled('a');
    cooldowns.userIsBack();
    assert.equal(cooldowns.applied(act(), 'a', START_MS + 999 * HOUR_MS).kind, 'leftAlone');
  });

  it('An action that could not run now is not a failure', () => {
    const cooldowns = new Cooldowns();
    assert.equal(ended(cooldowns, { kind: 'notNow' }), undefined);
    assert.equal(cooldowns.applied(act(), 'a', START_MS).kind, 'act');
  });

  it('Three failures in a row pause all rebalances, are reported once, and do not delay a stop-loss', () => {
    const cooldowns = new Cooldowns();
    ended(cooldowns, failed('One.'), { key: 'a' });
    ended(cooldowns, { kind: 'needsUser', words: 'Two.' }, { key: 'b' });
    assert.match(ended(cooldowns, failed('Three.'), { key: 'c' }) ?? '', /no rebalance starts for 5 minutes/);
    assert.match(cooldowns.applied(act(), 'd', START_MS).why, /3 actions in a row/);
    assert.equal(cooldowns.applied(act('close'), 'd', START_MS).kind, 'act');
    assert.equal(cooldowns.applied(act(), 'd', START_MS + 5 * MINUTE_MS).kind, 'act');
    assert.doesNotMatch(ended(cooldowns, failed('Four.'), { key: 'd' }) ?? '', /in a row/);
    assert.equal(cooldowns.applied(act(), 'e', START_MS + 9 * MINUTE_MS).kind, 'wait', 'longer each time');
    ended(cooldowns, { kind: 'done' }, { key: 'e' });
    ended(cooldowns, failed('Five.'), { key: 'f' });
    assert.equal(cooldowns.applied(act(), 'g', START_MS + 10 * MINUTE_MS).kind, 'act');
  });

  it('A clock that is set back does not delay the next attempt: a stop-loss would come hours too late', () => {
    const cooldowns = new Cooldowns();
    cooldowns.ended('a', 'close', failed('One.'), 'BONK/SOL', HOUR_MS, START_MS);
    assert.equal(cooldowns.applied(act('close'), 'a', START_MS).kind, 'wait');
    assert.equal(cooldowns.applied(act('close'), 'a', START_MS - 10 * HOUR_MS).kind, 'act');
    ended(cooldowns, failed('Two.'), { key: 'b' });
    ended(cooldowns, failed('Three.'), { key: 'c' });
    assert.equal(cooldowns.applied(act(), 'd', START_MS).kind, 'wait');
    assert.equal(cooldowns.applied(act(), 'd', START_MS - 10 * HOUR_MS).kind, 'act');
  });

  it('Decisions not to act stay as they are', () => {
    const cooldowns = new Cooldowns();
    ended(cooldowns, failed());
    const wait: AutoRebalanceDecision = { kind: 'wait', why: 'It is not time yet.', untilMs: undefined };
    assert.equal(cooldowns.applied(wait, 'a', START_MS), wait);
  });
});
