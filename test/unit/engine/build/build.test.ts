import assert from 'node:assert/strict';
import { atOnce, type Build, overTime, wait } from '../../../../src/engine/build/build';
import type { Eventually } from '../../../../src/engine/engine';

/** Adds what it is given, and counts a refusal as a hundred. */
function* sumOf(ask: (index: number) => Eventually<number>): Build<number> {
  let sum = 0;
  for (let index = 0; index < 3; index += 1) {
    try {
      sum += yield* wait(ask(index));
    } catch {
      sum += 100;
    }
  }
  return sum;
}

function* asked(answer: Promise<number>): Build<number> {
  return yield* wait(answer);
}

describe('Builds for both services', () => {
  it('A build gives the same whether its answers are there or take time', async () => {
    assert.equal(atOnce(sumOf((index) => index)), 3);
    assert.equal(await overTime(sumOf((index) => index)), 3);
    assert.equal(await overTime(sumOf((index) => Promise.resolve(index))), 3);
  });

  it('A refusal that takes time is thrown where the build waits, and reaches the caller unless the build catches it', async () => {
    const refuse = (index: number): Promise<number> => (index === 1 ? Promise.reject(new RangeError('no')) : Promise.resolve(index));
    assert.equal(await overTime(sumOf(refuse)), 102);
    await assert.rejects(overTime(asked(Promise.reject(new RangeError('no')))), RangeError);
  });

  it('A build that runs in one turn never goes on without an answer', () => {
    assert.throws(() => atOnce(asked(Promise.resolve(1))), /has to wait/);
  });
});
