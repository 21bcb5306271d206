import assert from 'node:assert/strict';
import { setTimeout as later } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { runWithin } from '../../../src/base/http';

/** Waits as a lock does: short sleeps, between which nothing but this function holds the signal. */
async function turnsUntilAborted(signal: AbortSignal, collect: () => void): Promise<number> {
  for (let turns = 0; turns < 100; turns += 1) {
    if (signal.aborted) {
      return turns;
    }
    collect();
    await later(10, undefined, { signal }).catch(() => undefined);
  }
  return assert.fail('The signal was never aborted');
}

describe('A call with a time limit', () => {
  it('The time limit holds even if garbage is collected while the call waits', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    assert.ok((await runWithin(new AbortController().signal, 100, (signal) => turnsUntilAborted(signal, collect))) > 0);
  });

  it('The caller cancels the call before and during it', async () => {
    const caller = new AbortController();
    const running = runWithin(caller.signal, 60_000, (signal) => turnsUntilAborted(signal, () => caller.abort()));
    assert.equal(await running, 1);
    assert.equal(await runWithin(caller.signal, 60_000, (signal) => Promise.resolve(signal.aborted)), true);
  });
});
